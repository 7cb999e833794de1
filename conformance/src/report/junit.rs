//! Writes `junit.xml` for build servers: an area is a suite, a case is a test.
//!
//! It follows the common part of the schemas of Ant and Jenkins: the attributes that either
//! requires, one result for each test, and output only for suites.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::Record;
use super::cause;
use crate::event::CaseReport;
use crate::judge::Difference;
use crate::level::Verdict;

/// The text of `junit.xml`.
pub fn text(record: &Record) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let all: Vec<&CaseReport> = record.cases.iter().collect();
    let repeats = repeats(record);
    // Ant's schema has no attributes here.
    open(&mut xml, 0, "testsuites", &[]);
    for (id, (area, cases)) in areas(&all).into_iter().enumerate() {
        suite(&mut xml, record, (id, area), &cases, &repeats);
    }
    xml.push_str("</testsuites>\n");
    xml
}

/// The cases whose differences clearer examples show too, each with the first of those examples.
fn repeats(record: &Record) -> BTreeMap<&str, &str> {
    let causes = cause::causes(&record.cases);
    let examples: BTreeSet<&str> = causes
        .iter()
        .map(|cause| cause.example.0.id.as_str())
        .collect();
    let mut repeats = BTreeMap::new();
    for cause in &causes {
        let shown = cause.example.0.id.as_str();
        let others = cause.cases.iter().map(|(case, _)| *case);
        for case in others.filter(|case| !examples.contains(case)) {
            repeats.entry(case).or_insert(shown);
        }
    }
    repeats
}

fn areas<'r>(cases: &[&'r CaseReport]) -> Vec<(&'r str, Vec<&'r CaseReport>)> {
    let mut areas: Vec<(&str, Vec<&CaseReport>)> = Vec::new();
    for case in cases {
        match areas.iter_mut().find(|(area, _)| *area == case.area) {
            Some((_, cases)) => cases.push(case),
            None => areas.push((&case.area, vec![case])),
        }
    }
    areas
}

type Attribute = (&'static str, String);

fn totals(cases: &[&CaseReport]) -> Vec<Attribute> {
    let count = |verdict| cases.iter().filter(|case| case.verdict == verdict).count();
    vec![
        ("tests", cases.len().to_string()),
        ("failures", count(Verdict::Fail).to_string()),
        ("errors", count(Verdict::Error).to_string()),
        ("skipped", count(Verdict::Skip).to_string()),
        (
            "time",
            seconds(cases.iter().map(|case| case.duration_ms).sum()),
        ),
    ]
}

fn suite(
    xml: &mut String,
    record: &Record,
    (id, area): (usize, &str),
    cases: &[&CaseReport],
    repeats: &BTreeMap<&str, &str>,
) {
    let start = record.start.as_ref();
    let started = start.map_or("", |start| start.started.trim_end_matches('Z'));
    let attributes = [
        ("name", area.to_owned()),
        ("id", id.to_string()),
        ("package", "conformance".to_owned()),
        ("hostname", "localhost".to_owned()),
        ("timestamp", started.to_owned()),
    ];
    open(xml, 1, "testsuite", attributes.iter().chain(&totals(cases)));
    let property = |name, value: String| [("name", String::from(name)), ("value", value)];
    open(xml, 2, "properties", &[]);
    for (name, value) in start.map_or_else(Vec::new, |start| {
        vec![
            ("url", start.url.clone()),
            ("profile", start.profile.clone()),
            ("seed", start.seed.to_string()),
        ]
    }) {
        empty(xml, 3, "property", &property(name, value));
    }
    xml.push_str("    </properties>\n");
    for case in cases {
        test(xml, case, repeats.get(case.id.as_str()).copied());
    }
    let warned = cases.iter().filter(|case| case.verdict == Verdict::Warn);
    let warned = warned.filter(|case| !repeats.contains_key(case.id.as_str()));
    let details: String = warned.map(|case| details(case)).collect();
    element(xml, 2, "system-out", &[], &details);
    element(xml, 2, "system-err", &[], "");
    xml.push_str("  </testsuite>\n");
}

/// A test. When a clearer case shows the same cause, names that case instead of the differences.
fn test(xml: &mut String, case: &CaseReport, shown: Option<&str>) {
    let attributes = [
        ("name", case.id.clone()),
        ("classname", format!("{}.{}", case.area, case.operation_id)),
        ("time", seconds(case.duration_ms)),
    ];
    let reason = case.reason.clone().unwrap_or_default();
    let (tag, attributes_of_result, text) = match case.verdict {
        Verdict::Pass | Verdict::Warn => return empty(xml, 2, "testcase", &attributes),
        Verdict::Skip => ("skipped", vec![("message", reason)], String::new()),
        Verdict::Error => ("error", failed("contract", reason), String::new()),
        Verdict::Fail => {
            let hardest = case.differences.iter().max_by_key(|item| item.level);
            let check = hardest.map_or("", |item| item.check.id);
            let message = hardest.map_or_else(String::new, summary);
            let details = match shown {
                Some(other) => format!("the same cause as {other}\n"),
                None => details(case),
            };
            ("failure", failed(check, message), details)
        }
    };
    open(xml, 2, "testcase", &attributes);
    element(xml, 3, tag, &attributes_of_result, &text);
    xml.push_str("    </testcase>\n");
}

fn failed(check: &str, message: String) -> Vec<Attribute> {
    vec![("type", check.to_owned()), ("message", message)]
}

fn summary(difference: &Difference) -> String {
    let Difference {
        check,
        pointer,
        expected,
        actual,
        ..
    } = difference;
    let place = if pointer.is_empty() {
        String::new()
    } else {
        format!(" at {pointer}")
    };
    format!("{}{place}: expected {expected}, got {actual}", check.id)
}

fn details(case: &CaseReport) -> String {
    let mut text = format!("{}: {}\n", case.id, case.verdict.as_str());
    for difference in &case.differences {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{} {}", difference.level, summary(difference));
        if let Some(answer) = &difference.answer {
            let _ = writeln!(text, "  answered {answer}");
        }
        for source in &difference.because {
            let _ = writeln!(text, "  {source}");
        }
    }
    if let Some(first) = case.differences.first() {
        for change in &case.changes {
            let _ = writeln!(text, "  changed {change}");
        }
        let _ = writeln!(text, "  {}", first.curl);
    }
    text
}

fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

fn open<'a>(
    xml: &mut String,
    depth: usize,
    name: &str,
    attributes: impl IntoIterator<Item = &'a Attribute>,
) {
    tag(xml, depth, name, attributes);
    xml.push_str(">\n");
}

fn empty<'a>(
    xml: &mut String,
    depth: usize,
    name: &str,
    attributes: impl IntoIterator<Item = &'a Attribute>,
) {
    tag(xml, depth, name, attributes);
    xml.push_str("/>\n");
}

fn element<'a>(
    xml: &mut String,
    depth: usize,
    name: &str,
    attributes: impl IntoIterator<Item = &'a Attribute>,
    text: &str,
) {
    tag(xml, depth, name, attributes);
    let _ = writeln!(xml, ">{}</{name}>", escape(text));
}

fn tag<'a>(
    xml: &mut String,
    depth: usize,
    name: &str,
    attributes: impl IntoIterator<Item = &'a Attribute>,
) {
    let _ = write!(xml, "{:1$}<{name}", "", depth * 2);
    for (name, value) in attributes {
        let _ = write!(xml, " {name}=\"{}\"", escape(value));
    }
}

/// Escapes a text for XML 1.0, and replaces characters that XML does not allow.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(char),
            '\r' => escaped.push_str("&#13;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use crate::report::sample;

    #[test]
    fn a_case_that_repeats_a_cause_names_its_example() {
        let mut record = sample::record(1, Level::Must, "one");
        let mut other = record.cases[0].clone();
        "getThing/200/two".clone_into(&mut other.id);
        record.cases.push(other);
        let text = text(&record);
        assert_eq!(text.matches("<failure ").count(), 2, "{text}");
        assert_eq!(text.matches("type: integer").count(), 1, "{text}");
        assert!(
            text.contains(">the same cause as getThing/200/one\n<"),
            "{text}"
        );
    }

    #[test]
    fn texts_of_a_server_are_valid_xml() {
        let text_of_server = "]]></failure>\u{1}\u{fffe}\r&\"'ü";
        let record = sample::record(1, Level::Must, text_of_server);
        let text = text(&record);
        let document = roxmltree::Document::parse(&text).unwrap();
        let mut nodes = document.descendants();
        let failure = nodes.find(|node| node.has_tag_name("failure")).unwrap();
        // Characters that XML does not allow are replaced.
        let expected = "]]></failure>\u{fffd}\u{fffd}\r&\"'ü";
        assert!(failure.attribute("message").unwrap().contains(expected));
        assert!(failure.text().unwrap().contains(expected));
    }
}
