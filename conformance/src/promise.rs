//! Promise: reads the documented limit of the response time. A slower answer counts as missing.

use std::time::Duration;

use openapi_document::Node;
use openapi_document::view::Document;

use crate::prose;

/// The shortest limit that is applied, because the runner's machine may be slow.
const LEAST: Duration = Duration::from_secs(1);

/// Numbers that sentences spell out.
const NUMBERS: [&str; 11] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

/// The documented limit for every answer, with a tenth added for the network. `None` without
/// one.
pub fn longest_wait(document: &Document) -> Option<Duration> {
    let info = document.root.get("info")?;
    let text = info.get("description").and_then(Node::as_str)?;
    let promised = prose::spoken(text)
        .iter()
        .find_map(|sentence| limit_in(sentence))?;
    Some((promised + promised / 10).max(LEAST))
}

/// The limit in a sentence such as "Every request is answered within two seconds".
fn limit_in(sentence: &[String]) -> Option<Duration> {
    const EVERY: [&str; 4] = ["every", "each", "all", "any"];
    const REQUEST: [&str; 5] = ["request", "requests", "call", "calls", "operation"];
    const OPEN: [&str; 9] = [
        "may",
        "if",
        "should",
        "usually",
        "typically",
        "normally",
        "not",
        "except",
        "aim",
    ];
    const ANSWERED: [&str; 6] = [
        "answered",
        "answers",
        "answer",
        "responds",
        "response",
        "completes",
    ];
    let is_of_all = sentence
        .windows(2)
        .any(|sentence| sentence == ["requests", "are"]);
    let is_of_all = is_of_all || prose::has(sentence, &EVERY);
    let is_promise = [&REQUEST[..], &ANSWERED]
        .iter()
        .all(|list| prose::has(sentence, list));
    if !is_of_all || !is_promise || prose::has(sentence, &OPEN) {
        return None;
    }
    sentence.windows(3).find_map(|sentence| {
        let number = sentence[1].parse().ok();
        let number: u64 = number.or_else(|| {
            let at = NUMBERS.iter().position(|word| *word == sentence[1])?;
            u64::try_from(at).ok()
        })?;
        match sentence[2].as_str() {
            _ if sentence[0] != "within" => None,
            "second" | "seconds" | "s" => Some(Duration::from_secs(number)),
            "ms" | "millisecond" | "milliseconds" => Some(Duration::from_millis(number)),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names;

    #[test]
    fn a_tenth_is_added_for_the_network() {
        for (text, expected) in [
            ("Every request is answered within two seconds.", Some(2_200)),
            ("Each request is answered within 500 ms.", Some(1_000)),
            ("Requests take their time.", None),
        ] {
            let text = format!(
                r#"{{"openapi":"3.0.4","info":{{"title":"t","version":"1","description":"{text}"}},"paths":{{}}}}"#
            );
            let document = openapi_document::loader::load_text("t.json", &text).unwrap();
            let expected = expected.map(Duration::from_millis);
            assert_eq!(longest_wait(&document), expected, "{text}");
        }
    }

    #[test]
    fn sentences_that_promise_a_time() {
        for (sentence, expected) in [
            ("Every request is answered within two seconds", Some(2_000)),
            ("All requests are answered within 1500 ms", Some(1_500)),
            ("Requests are answered within two seconds", Some(2_000)),
            ("Requests are usually answered within 2 seconds", None),
            ("Each request should be answered within 2 seconds", None),
            ("Every request expires within 2 days", None),
        ] {
            let found = limit_in(&names::words(sentence));
            let expected = expected.map(Duration::from_millis);
            assert_eq!(found, expected, "{sentence}");
        }
    }
}
