use crate::runtime::event;
use crate::runtime::event::{ReadEvent, WriteEvent};
use crate::runtime::json::Unreadable;

/// The value at `changes.Event`.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangesEvent {
    /// `renamed`
    Renamed(String),
    /// `grown`, `shrunk`
    Grown(i64),
    /// `tagged`
    Tagged(Vec<String>),
    /// An event that the document does not name: the text of its data.
    Unknown(String),
}

impl ReadEvent for ChangesEvent {
    fn read_event(name: Option<&str>, text: &str) -> Result<Self, Unreadable> {
        match name.unwrap_or("message") {
            "renamed" => event::read(text).map(Self::Renamed),
            "grown" | "shrunk" => event::read(text).map(Self::Grown),
            "tagged" => event::read(text).map(Self::Tagged),
            _ => Ok(Self::Unknown(text.to_owned())),
        }
    }
}
