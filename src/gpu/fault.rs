//! Faults of a graphics device, each in a sentence.

/// Why a graphics device cannot be used, or not any more.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeviceFault {
    /// There is none.
    #[error(
        "no Vulkan, Metal or DirectX 12 device found; install a graphics driver (on Debian the packages \
         mesa-vulkan-drivers and libvulkan1), or choose a solver that needs none"
    )]
    None,
    /// There is none of this name.
    #[error("no graphics device is called \"{wanted}\"; there is {known}")]
    Unknown {
        /// The wanted name.
        wanted: String,
        /// The devices that there are.
        known: String,
    },
    /// The driver does not open it.
    #[error("the graphics device {name} cannot be opened: {reason}")]
    Refused {
        /// The device.
        name: String,
        /// Reason given by the driver.
        reason: String,
    },
    /// It has gone: the driver was reset, or the card was removed.
    #[error("the graphics device {name} was lost: {reason}")]
    Lost {
        /// The device.
        name: String,
        /// Reason given by the driver.
        reason: String,
    },
    /// Its memory is full.
    #[error("the graphics device {name} has not enough memory for a cloth of this size")]
    OutOfMemory {
        /// The device.
        name: String,
    },
    /// It cannot hold an array in one piece.
    #[error("the graphics device {name} holds {most} bytes in one piece, and {what} of this cloth take {needed}")]
    TooLarge {
        /// The device.
        name: String,
        /// The array.
        what: &'static str,
        /// Its size in bytes.
        needed: u64,
        /// Largest allocation of the device [bytes].
        most: u64,
    },
    /// It did not accept a command.
    #[error("the graphics device {name} failed: {reason}")]
    Failed {
        /// The device.
        name: String,
        /// Its message.
        reason: String,
    },
}

impl From<DeviceFault> for crate::sim::StepError {
    fn from(fault: DeviceFault) -> Self {
        Self::Device(fault.to_string())
    }
}
