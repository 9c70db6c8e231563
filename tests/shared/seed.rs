//! What another run does differently.

/// `WEFT_TEST_SEED`, or the number of the day.
pub fn seed() -> usize {
    match std::env::var("WEFT_TEST_SEED") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("WEFT_TEST_SEED takes a whole number, not \"{text}\"")),
        Err(_) => {
            let today = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            today.map_or(0, |since| since.as_secs() as usize / 86_400)
        }
    }
}
