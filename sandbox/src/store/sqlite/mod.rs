//! SQLite: one writing connection with group commits, and several reading connections.

mod open;
mod readers;
mod writer;

pub use open::{DURABLE, Settings, settings};
pub(super) use open::{for_reading, for_writing, in_memory};
pub(super) use readers::Readers;
pub(super) use writer::Writer;
