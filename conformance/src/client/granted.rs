//! Granted: the headers that carry a credential, and how long they are taken.

use std::time::{Duration, Instant};

/// What stands for the token in the header.
pub(super) const TOKEN: &str = "{token}";

/// Names and values of headers.
pub(super) type Headers = Vec<(String, String)>;

/// What was fetched: the headers that carry it, and how long they are taken.
#[derive(Clone)]
pub(super) struct Granted {
    pub(super) headers: Headers,
    pub(super) expires: Option<Instant>,
}

impl Granted {
    /// Headers that the server accepts for this many seconds.
    pub(super) fn of(headers: Headers, lasts: Option<f64>) -> Self {
        // Renews early, because a request takes time.
        let lasts = lasts.and_then(|item| Duration::try_from_secs_f64(item * 0.9).ok());
        let expires = lasts.and_then(|item| Instant::now().checked_add(item));
        Self { headers, expires }
    }
}

/// The name in lower case, and the value with the place of the token, of a header such as `Authorization: Bearer {token}`.
///
/// # Errors
/// It has no name, or no place for the token.
pub fn header_of(header: &str) -> Result<(String, String), String> {
    let (name, value) = header.split_once(':').unwrap_or_default();
    if name.trim().is_empty() || !value.contains(TOKEN) {
        return Err(format!(
            "write the header of the token as 'Name: Bearer {TOKEN}'"
        ));
    }
    Ok((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
}
