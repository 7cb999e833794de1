//! The facts of whole documents.

mod documents;
mod golden;
mod verdicts;
