//! The header `Retry-After` (RFC 9110, section 10.2.3).

use std::time::{Duration, SystemTime};

use http::{HeaderMap, header};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// How long the server asks to wait, in seconds or until a date. A date that is over is no wait.
pub(super) fn read(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(text.parse().map_or(Duration::MAX, Duration::from_secs));
    }
    let until = http_date(text)?;
    Some(until.duration_since(now).unwrap_or_default())
}

/// The three forms of a date (RFC 9110, section 5.6.7); a recipient has to take them all.
fn http_date(text: &str) -> Option<SystemTime> {
    const FORMS: [&str; 3] = [
        "%a, %d %b %Y %H:%M:%S GMT",
        "%A, %d-%b-%y %H:%M:%S GMT",
        "%a %b %e %H:%M:%S %Y",
    ];
    let date = FORMS
        .iter()
        .find_map(|form| DateTime::strptime(form, text).ok())?;
    Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp().into())
}
