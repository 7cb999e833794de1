//! Why a parameter could not be read.

/// The text of a parameter is not in its documented style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StyleError;
