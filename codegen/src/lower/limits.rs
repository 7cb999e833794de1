//! How far lowering goes. Documents that people write stay well below; one that does not gets a
//! diagnostic, in bounded time and memory.

/// Values of an enumeration that become variants.
pub(super) const VALUES: usize = 5_000;
/// Schemas that are open at the same time; what is deeper is lowered afterwards.
pub(super) const DEPTH: usize = 256;
/// Lists and maps directly within each other.
pub(super) const NESTING: usize = 24;
/// Properties in all objects together. Members of `allOf` multiply them.
pub(super) const PROPERTIES: usize = 400_000;
/// Combinations of an alternative with what holds beside it.
pub(super) const COMBINATIONS: usize = 4_000;
/// Bytes of a schema that is checked beside a type.
pub(super) const RULE: usize = 32_000;
/// Bytes of all of them.
pub(super) const RULES: usize = 2_000_000;
/// Combinations of several schemas without alternatives, such as of a property that several members
/// of an `allOf` describe.
pub(super) const MERGES: usize = 50_000;
