//! Breaks `OpenAPI` documents at random and judges the generator's output for them.
//!
//! [`Seeds`] are valid documents. [`Case::of`] derives a broken document from a number: the same
//! number always gives the same document. [`judge`] reports the faults of the generator's answer.
//! [`shrink()`] makes the document smaller as long as the answer has the same fault.

pub mod case;
mod choice;
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
