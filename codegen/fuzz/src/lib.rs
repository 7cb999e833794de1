//! Breaks `OpenAPI` documents at random and judges what the generator makes of them.
//!
//! [`Seeds`] are documents that are well; [`Case::of`] makes a broken one from a number, always the
//! same one; [`judge`] says what is wrong with the generator's answer; [`shrink()`] makes the document
//! smaller while the answer stays as wrong.

pub mod case;
pub mod declarations;
pub mod judgement;
pub mod mutation;
pub mod overlay;
pub mod seeds;
pub mod shrink;
pub mod tree;

pub use case::Case;
pub use judgement::{Answer, Finding, judge};
pub use seeds::Seeds;
pub use shrink::shrink;
