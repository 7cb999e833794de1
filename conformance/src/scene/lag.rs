//! Lag: how long a list may take to show a change, by its text or the behaviour file.
//!
//! Examples: `visible after up to 500 ms`, `eventually consistent`.

use std::time::Duration;

use openapi_document::{Behaviour, Node};

use crate::duration;
use crate::model::{Call, Role};
use crate::names;

/// Words of texts about lists that show changes late.
const BEHIND: [&str; 14] = [
    "visible",
    "index",
    "indexed",
    "appear",
    "appears",
    "delay",
    "delayed",
    "lag",
    "lags",
    "stale",
    "behind",
    "cached",
    "eventual",
    "eventually",
];

/// The lag of a list whose text gives no time.
const PLAIN: Duration = Duration::from_secs(1);

/// The longest lag that the runner waits for.
const MOST: Duration = Duration::from_secs(5);

/// The lag of a list, from the windows of the behaviour file, else from its text. `None` without a lag.
pub(crate) fn lag_of(behaviour: &Behaviour, call: &Call<'_>) -> Option<Duration> {
    if call.role != Role::List {
        return None;
    }
    let windows = behaviour.windows.iter();
    let windows = windows.filter_map(|window| duration::parse_iso(&window.within));
    if let Some(longest) = windows.max() {
        return (!longest.is_zero()).then_some(longest.min(MOST));
    }
    let text = |key| call.operation.at.node.get(key).and_then(Node::as_str);
    let texts = [text("summary"), text("description")];
    texts.into_iter().flatten().find_map(stated_lag)
}

fn stated_lag(text: &str) -> Option<Duration> {
    let words = names::words(text);
    if !words.iter().any(|word| BEHIND.contains(&word.as_str())) {
        return None;
    }
    let times = words.windows(2).filter_map(|pair| time(&pair[0], &pair[1]));
    let together = words.iter().filter_map(|item| {
        let at = item.find(|char: char| !char.is_ascii_digit())?;
        time(&item[..at], &item[at..])
    });
    let is_eventual = words.iter().any(|word| word.starts_with("eventual"));
    let longest = times.chain(together).max();
    longest
        .or_else(|| is_eventual.then_some(PLAIN))
        .map(|lag| lag.min(MOST))
}

fn time(number: &str, unit: &str) -> Option<Duration> {
    let number = number.parse().ok()?;
    match unit {
        "ms" | "millisecond" | "milliseconds" => Some(Duration::from_millis(number)),
        "s" | "sec" | "second" | "seconds" => Some(Duration::from_secs(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_of_the_behaviour_file_counts_before_the_text() {
        let document = r"openapi: 3.0.4
info: {title: t, version: '1'}
paths: {/a: {get: {operationId: listA, description: Visible after 2 s., responses: {'200': {description: d,
  content: {application/json: {schema: {type: array, items: {properties: {id: {type: string}}}}}}}}}}}
";
        let document = openapi_document::loader::load_text("a.yaml", document).unwrap();
        for (windows, expected) in [
            ("", Some(2_000)),
            (
                "windows: [{summary: s, within: PT0.5S}, {summary: s, within: PT1S}]",
                Some(1_000),
            ),
            ("windows: [{summary: s, within: PT0S}]", None),
        ] {
            let text = format!("behaviour: '2.0'\n{windows}\n");
            let behaviour = openapi_document::behaviour::load_text("b.yaml", &text).unwrap();
            let model = crate::model::Model::new(&document, behaviour.clone());
            let found = lag_of(&behaviour, &model.calls[0]);
            assert_eq!(found, expected.map(Duration::from_millis), "{windows}");
        }
    }

    #[test]
    fn the_text_of_a_list_gives_its_lag() {
        for (text, expected) in [
            (
                "Search index; a change is visible here after up to 500 ms.",
                Some(500),
            ),
            ("Results are delayed by 2 seconds.", Some(2_000)),
            ("New orders appear within 300ms.", Some(300)),
            ("This list is eventually consistent.", Some(1_000)),
            ("An index of all orders.", None),
            ("Times out after 30 seconds.", None),
            ("Cached for 60 s.", Some(5_000)),
        ] {
            assert_eq!(
                stated_lag(text),
                expected.map(Duration::from_millis),
                "{text}"
            );
        }
    }
}
