//! Writes `badge.json`, as <https://shields.io/badges/endpoint-badge> reads it.

use serde::Serialize;

use super::{Record, pretty};
use crate::level::Verdict;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Badge {
    schema_version: u8,
    label: &'static str,
    message: String,
    color: &'static str,
    is_error: bool,
}

/// The text of `badge.json`.
///
/// # Errors
/// It cannot be serialized.
pub fn text(record: &Record) -> Result<String, serde_json::Error> {
    let counts = &record.counts;
    let verdict = counts.verdict();
    let passed = counts.pass + counts.warn;
    let message = match verdict {
        Verdict::Error => format!("{} broken", counts.error),
        Verdict::Fail if counts.fail > 0 => format!("{} of {} fail", counts.fail, counts.total()),
        Verdict::Fail => "nothing passed".to_owned(),
        _ => format!("{passed} of {} pass", counts.total()),
    };
    // A skip never counts as conformance, so only a run without skips is bright green.
    let color = match verdict {
        Verdict::Error => "lightgrey",
        Verdict::Fail => "red",
        _ if counts.warn > 0 => "yellow",
        _ if counts.skip > 0 => "green",
        _ => "brightgreen",
    };
    pretty(&Badge {
        schema_version: 1,
        label: "conformance",
        message,
        color,
        is_error: verdict != Verdict::Pass,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skip_is_never_bright() {
        for (verdicts, message, color) in [
            (&[Verdict::Pass][..], "1 of 1 pass", "brightgreen"),
            (&[Verdict::Pass, Verdict::Skip], "1 of 2 pass", "green"),
            (&[Verdict::Pass, Verdict::Warn], "2 of 2 pass", "yellow"),
            (&[Verdict::Pass, Verdict::Fail], "1 of 2 fail", "red"),
            (&[Verdict::Skip], "nothing passed", "red"),
            (&[Verdict::Error], "1 broken", "lightgrey"),
        ] {
            let mut record = Record::default();
            for verdict in verdicts {
                record.counts.add(*verdict);
            }
            let badge: serde_json::Value = serde_json::from_str(&text(&record).unwrap()).unwrap();
            assert_eq!(badge["message"], message);
            assert_eq!(badge["color"], color);
            assert_eq!(badge["isError"], color == "red" || color == "lightgrey");
        }
    }
}
