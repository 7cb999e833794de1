//! Listening: how long an answer is read. A stream of events need not end.

use std::time::Duration;

use tokio::time::Instant;

/// So long a stream is listened to.
const A_WHILE: Duration = Duration::from_secs(1);

/// Media types of streams.
const STREAMS: [&str; 6] = [
    "text/event-stream",
    "application/x-ndjson",
    "application/jsonl",
    "application/json-seq",
    "application/stream+json",
    "multipart/x-mixed-replace",
];

/// How long an answer is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listening {
    /// Whether the answer is a stream, which need not end.
    pub(super) is_stream: bool,
    /// When reading ends.
    pub(super) deadline: Instant,
}

impl Listening {
    /// How long an answer with these headers is read, by the deadline of its request at most.
    pub(super) fn of(headers: &[(String, Vec<u8>)], deadline: Instant) -> Self {
        let is_type = |item: &&(String, Vec<u8>)| item.0.eq_ignore_ascii_case("content-type");
        let kind = headers.iter().find(is_type);
        let kind = kind.map(|(_, value)| String::from_utf8_lossy(value).to_ascii_lowercase());
        let kind = kind.unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        let is_stream = STREAMS.contains(&kind);
        let deadline = if is_stream {
            deadline.min(Instant::now() + A_WHILE)
        } else {
            deadline
        };
        Self {
            is_stream,
            deadline,
        }
    }
}
