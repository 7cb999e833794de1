//! Pair id: the index of a pair.

/// A pair of schemas, one of each document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PairId(pub(super) usize);
