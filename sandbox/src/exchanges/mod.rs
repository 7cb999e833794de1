//! The requests of merchants and their answers, kept for a while to be looked at.
//!
//! Invariant: what is kept holds no secret; it is taken out before anything is kept.

mod card_number;
mod free_text;
mod log;
mod message;
mod recorder;
mod redaction;

pub(crate) use free_text::without_card_numbers;
pub use log::{Exchange, Filter, KEPT, Log};
pub use message::Message;
pub use recorder::{Learnt, Recorder};
