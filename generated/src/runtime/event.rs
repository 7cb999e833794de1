//! Server-sent events: writes an event as text, and reads its data.

use std::any::Any;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::json::{self, Unreadable};

/// The media type of a stream of events.
pub const MEDIA_TYPE: &str = "text/event-stream";

/// A server-sent event, with data of the documented type.
///
/// Data of type `String` is sent unchanged. All other data is sent as JSON. The exception is a
/// value that serializes to a string: a text that is not JSON, such as an end mark, is sent without
/// quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event<T> {
    /// The name of the event; `None` for the default, `message`.
    pub event: Option<String>,
    /// The id of this event, or of the last event that had one.
    pub id: Option<String>,
    /// How long to wait before reconnecting, when the event says so.
    pub retry: Option<Duration>,
    /// The data.
    pub data: T,
}

impl<T> Event<T> {
    /// An event with data only.
    pub fn new(data: T) -> Self {
        Self {
            event: None,
            id: None,
            retry: None,
            data,
        }
    }

    /// Sets the name of the event.
    #[must_use]
    pub fn event(mut self, event: impl Into<String>) -> Self {
        self.event = Some(event.into());
        self
    }

    /// Sets the id, with which a client can request the events that follow this one.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets how long a client waits before it reconnects.
    #[must_use]
    pub fn retry(mut self, pause: Duration) -> Self {
        self.retry = Some(pause);
        self
    }
}

/// Data that can be read from an event: JSON, text, or a type that depends on the event's name.
pub trait ReadEvent: Sized {
    /// Reads the text of the data. `name` is `None` for an event without a name: a `message`.
    ///
    /// # Errors
    /// The text does not have the documented type.
    fn read_event(name: Option<&str>, text: &str) -> Result<Self, Unreadable>;
}

impl<T: DeserializeOwned + 'static> ReadEvent for T {
    fn read_event(_: Option<&str>, text: &str) -> Result<Self, Unreadable> {
        read(text)
    }
}

/// Data that an event can have.
pub trait WriteEvent {
    /// The name of an event with this data, unless the event sets another one.
    fn event_name(&self) -> Option<&str> {
        None
    }

    /// The text of the data.
    ///
    /// # Errors
    /// The data cannot be written as JSON.
    fn event_text(&self) -> Result<String, serde_json::Error>;
}

impl<T: Serialize + 'static> WriteEvent for T {
    fn event_text(&self) -> Result<String, serde_json::Error> {
        written(self)
    }
}

impl<T: WriteEvent> Event<T> {
    /// The text of the event, with the empty line after it. Every line break in the data arrives as
    /// a line feed.
    ///
    /// # Errors
    /// Name or id has a line break or NUL, or the data cannot be written as JSON.
    pub fn text(&self) -> Result<String, Unreadable> {
        let mut lines = Vec::new();
        let broken = |field: &str| Unreadable {
            pointer: format!("/{field}"),
            message: "it has a character that no field of an event can carry".to_owned(),
            malformed: false,
        };
        let name = self.event.as_deref().or_else(|| self.data.event_name());
        for (field, value) in [("event", name), ("id", self.id.as_deref())] {
            if let Some(value) = value {
                if value.contains(['\r', '\n', '\0']) {
                    return Err(broken(field));
                }
                lines.push(format!("{field}: {value}"));
            }
        }
        if let Some(pause) = self.retry {
            lines.push(format!("retry: {}", pause.as_millis()));
        }
        let data = self.data.event_text().map_err(Unreadable::malformed)?;
        let data = data.replace("\r\n", "\n");
        let data = data.split(['\r', '\n']);
        lines.extend(data.map(|line| format!("data: {line}")));
        lines.extend([String::new(), String::new()]);
        Ok(lines.join("\n"))
    }
}

/// The text of data that is text or JSON.
///
/// # Errors
/// The data cannot be written as JSON.
pub fn written<T: Serialize + 'static>(data: &T) -> Result<String, serde_json::Error> {
    if let Some(text) = (data as &dyn Any).downcast_ref::<String>() {
        return Ok(text.clone());
    }
    let json = serde_json::to_string(data)?;
    match serde_json::from_str::<String>(&json) {
        Ok(text) if !is_json(&text) => Ok(text),
        _ => Ok(json),
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

impl Event<String> {
    /// The event with its data read.
    pub(super) fn read<T: ReadEvent>(self) -> Result<Event<T>, Unreadable> {
        let data = T::read_event(self.event.as_deref(), &self.data)?;
        Ok(Event {
            event: self.event,
            id: self.id,
            retry: self.retry,
            data,
        })
    }
}

/// Reads data that is text or JSON.
///
/// # Errors
/// The text does not have the documented type.
pub fn read<T: DeserializeOwned + 'static>(text: &str) -> Result<T, Unreadable> {
    let mut data: Option<T> = None;
    if let Some(slot) = (&mut data as &mut dyn Any).downcast_mut::<Option<String>>() {
        *slot = Some(text.to_owned());
    }
    if let Some(data) = data {
        return Ok(data);
    }
    json::read(text.as_bytes()).or_else(|error: Unreadable| {
        let quoted = serde_json::to_string(text).map_err(Unreadable::malformed)?;
        let plain = error.malformed.then(|| json::read(quoted.as_bytes()).ok());
        plain.flatten().ok_or(error)
    })
}
