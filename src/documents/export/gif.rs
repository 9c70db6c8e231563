//! Times of the pictures of a GIF, whose delays are whole hundredths of a second.

/// Most pictures per second: viewers take a delay below 2 hundredths of a second for 10.
pub const MOST_GIF_RATE: f64 = 50.0;
/// Fewest, as a delay has 16 bits.
pub const LEAST_GIF_RATE: f64 = 100.0 / 65_535.0;

/// Delays of pictures, so many per second [hundredths of a second]. Each picture begins as near to
/// its time as possible, so that all take as long as the motion.
pub fn gif_delays(rate: f64) -> impl Iterator<Item = u16> {
    let begins = move |picture: u64| (100.0 * picture as f64 / rate).round() as u64;
    (0..).map(move |picture| (begins(picture + 1) - begins(picture)) as u16)
}
