//! The text of server-sent events → events, by the rules of the HTML standard (section 9.2.6).

use std::collections::VecDeque;
use std::time::Duration;

use super::event::Event;

/// The size in bytes that one event may have.
pub const LIMIT: usize = 16 << 20;

/// Takes the text of a stream in pieces that may end anywhere.
#[derive(Debug, Default)]
pub struct EventParser {
    /// The line that has not ended yet.
    line: Vec<u8>,
    /// Whether the first line is past, which alone may begin with a byte order mark.
    has_begun: bool,
    /// Whether a line feed would belong to the line break before it.
    after_return: bool,
    event: String,
    data: String,
    has_data: bool,
    id: String,
    pause: Option<Duration>,
    last_id: String,
    retry: Option<Duration>,
    events: VecDeque<Event<String>>,
}

/// An event is larger than [`LIMIT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventTooLarge;

impl EventParser {
    /// Takes the next piece of the text.
    ///
    /// # Errors
    /// An event is larger than [`LIMIT`].
    pub fn push(&mut self, mut text: &[u8]) -> Result<(), EventTooLarge> {
        while !text.is_empty() {
            if std::mem::take(&mut self.after_return) && text[0] == b'\n' {
                text = &text[1..];
                continue;
            }
            let end = text.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            let (line, rest) = text.split_at(end.unwrap_or(text.len()));
            if self.line.len() + line.len() + self.data.len() > LIMIT {
                return Err(EventTooLarge);
            }
            self.line.extend_from_slice(line);
            if let Some((end, rest)) = rest.split_first() {
                self.after_return = *end == b'\r';
                self.end_line();
                text = rest;
            } else {
                text = rest;
            }
        }
        Ok(())
    }

    /// The next event that is whole.
    pub fn pop(&mut self) -> Option<Event<String>> {
        self.events.pop_front()
    }

    /// The id of the last event that had any.
    pub fn last_id(&self) -> Option<&str> {
        Some(self.last_id.as_str()).filter(|id| !id.is_empty())
    }

    /// How long to wait before the connection is made anew, where the stream has said so.
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Forgets an event that was not whole when its connection was lost.
    pub fn restart(&mut self) {
        *self = Self {
            last_id: std::mem::take(&mut self.last_id),
            retry: self.retry,
            events: std::mem::take(&mut self.events),
            ..Self::default()
        };
        self.id.clone_from(&self.last_id);
    }

    fn end_line(&mut self) {
        let bytes = std::mem::take(&mut self.line);
        let mut line = bytes.as_slice();
        if !std::mem::replace(&mut self.has_begun, true) {
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        let line = String::from_utf8_lossy(line);
        if line.is_empty() {
            return self.end_event();
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event),
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.push('\n');
                }
                self.data.push_str(value);
            }
            "id" if !value.contains('\0') => value.clone_into(&mut self.id),
            "retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                if let Ok(milliseconds) = value.parse() {
                    self.pause = Some(Duration::from_millis(milliseconds));
                    self.retry = self.pause;
                }
            }
            _ => {}
        }
    }

    fn end_event(&mut self) {
        self.last_id.clone_from(&self.id);
        let event = std::mem::take(&mut self.event);
        let data = std::mem::take(&mut self.data);
        let pause = self.pause.take();
        if std::mem::take(&mut self.has_data) {
            self.events.push_back(Event {
                event: Some(event).filter(|event| !event.is_empty()),
                id: self.last_id().map(str::to_owned),
                retry: pause,
                data,
            });
        }
    }
}
