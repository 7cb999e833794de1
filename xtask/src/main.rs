//! The project verbs.
fn main() {}
