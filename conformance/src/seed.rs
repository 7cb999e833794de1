//! Seed: makes the choices and fresh values of a run repeatable.

/// The source of a run's choices and fresh values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seed {
    /// Decides what is sent: variants, orders, sizes.
    pub choices: u64,
    /// Decides keys. A new value gives keys that no earlier run has sent, with the same choices.
    pub keys: u64,
}
