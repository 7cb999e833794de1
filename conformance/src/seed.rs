//! Seed: what the choices of a run, and its fresh values, are made from.

/// What the choices of a run, and its fresh values, are made from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seed {
    /// Decides what is sent: variants, orders, sizes.
    pub choices: u64,
    /// Makes keys that no earlier run has sent, also with the same choices.
    pub keys: u64,
}
