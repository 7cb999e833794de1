//! Records the exchanges of merchants for the inspector.
//!
//! Invariant: the log holds no secret; redaction happens before an exchange is stored.

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
