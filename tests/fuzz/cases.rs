//! What fuzzing has found, one case each.
