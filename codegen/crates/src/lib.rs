//! Crates that are generated to be tried: written, and put into a workspace that cargo builds quickly.
//!
//! It does not know what they are tried for; the program of this package compiles them, and lets their clients
//! call their servers. Begin with [`nested`].

pub mod nested;
pub mod write;
