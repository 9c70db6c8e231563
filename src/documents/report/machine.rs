//! The machine that a report was made on.

/// Processor, system and graphics device.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Machine {
    /// Name of the processor, or its architecture.
    pub processor: String,
    /// Number of its cores that programs may use.
    pub cores: usize,
    /// Operating system.
    pub system: String,
    /// The graphics device, with its driver, where one was used.
    pub device: Option<String>,
}

impl Machine {
    /// This one, with the graphics device that was used.
    #[must_use]
    pub fn this(device: Option<String>) -> Self {
        Self {
            processor: processor().unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            system: std::env::consts::OS.to_owned(),
            device,
        }
    }

    /// Names and values, with the version of the program.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let cores = format!("{} ({} {})", self.processor, self.cores, if self.cores == 1 { "core" } else { "cores" });
        let mut facts = vec![
            ("Program", format!("Weft {}", env!("CARGO_PKG_VERSION"))),
            ("Processor", cores),
            ("System", self.system.clone()),
        ];
        facts.extend(self.device.clone().map(|device| ("Graphics device", device)));
        facts
    }
}

/// The name that Linux knows.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|name| !name.is_empty())
}
