//! Server-sent events.

use std::time::Duration;

use openapi_generate_runtime::event_parser::{EventParser, EventTooLarge, LIMIT};
use openapi_generate_runtime::{Answer, Event};
use proptest::prelude::*;

/// The events of a text that comes in the given pieces: kind, id, data.
fn parse(pieces: &[&[u8]]) -> (Vec<[String; 3]>, Option<String>, Option<Duration>) {
    let mut parser = EventParser::default();
    for piece in pieces {
        parser.push(piece).unwrap();
    }
    let mut events = Vec::new();
    while let Some(event) = parser.pop() {
        let [kind, id] = [event.event, event.id].map(Option::unwrap_or_default);
        events.push([kind, id, event.data]);
    }
    (events, parser.last_id().map(str::to_owned), parser.retry())
}

fn expect(text: &str, events: &[[&str; 3]]) {
    let expected = parse(&[text.as_bytes()]);
    let read: Vec<[&str; 3]> = expected
        .0
        .iter()
        .map(|it| it.each_ref().map(String::as_str))
        .collect();
    assert_eq!(read, events, "{text:?}");
    let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
    assert_eq!(parse(&bytes), expected, "{text:?} byte by byte");
    for end in 0..text.len() {
        for start in 0..=end {
            let (one, rest) = text.as_bytes().split_at(end);
            let pieces = [&one[..start], &one[start..], &[], rest];
            assert_eq!(
                parse(&pieces),
                expected,
                "{text:?} cut at {start} and {end}"
            );
        }
    }
}

/// The examples of the HTML standard, 9.2.6, and what its rules say beside them.
#[test]
fn events_are_read_by_the_rules_wherever_the_text_is_cut() {
    expect(
        "data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\n",
        &[
            ["", "", "This is the first message."],
            ["", "", "This is the second message, it\nhas two lines."],
        ],
    );
    expect(
        "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n",
        &[["add", "", "73857293"], ["remove", "", "2153"]],
    );
    expect(
        "data: YHOO\ndata: +2\ndata: 10\n\n",
        &[["", "", "YHOO\n+2\n10"]],
    );
    expect(
        ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
        &[
            ["", "1", "first event"],
            ["", "", "second event"],
            ["", "", " third event"],
        ],
    );
    expect(
        "data\n\ndata\ndata\n\ndata:",
        &[["", "", ""], ["", "", "\n"]],
    );
    expect(
        "data:test\n\ndata: test\n\n",
        &[["", "", "test"], ["", "", "test"]],
    );
}

#[test]
fn lines_end_in_three_ways() {
    for end in ["\n", "\r", "\r\n"] {
        let text =
            format!("event: x{end}id: 7{end}data: ä{end}data: c{end}{end}:{end}data: b{end}{end}");
        expect(&text, &[["x", "7", "ä\nc"], ["", "7", "b"]]);
    }
    expect(
        "data: a\r\rdata: b\r\n\ndata: c\n\r\n",
        &[["", "", "a"], ["", "", "b"], ["", "", "c"]],
    );
}

#[test]
fn only_the_first_line_may_begin_with_a_byte_order_mark() {
    expect(
        "\u{feff}data: a\n\n\u{feff}data: b\n\ndata: c\n\n",
        &[["", "", "a"], ["", "", "c"]],
    );
    expect("\u{feff}\u{feff}data: a\n\n", &[]);
}

#[test]
fn what_is_not_whole_or_not_known_is_no_event() {
    expect("data: a\n", &[]);
    expect(
        "event: a\n\nfield: b\nDATA: c\n data: d\n\ndata: e\n\n",
        &[["", "", "e"]],
    );
    expect(
        "id: 1\n\ndata: a\n\nid: a\0b\ndata: b\n\n",
        &[["", "1", "a"], ["", "1", "b"]],
    );
}

#[test]
fn a_pause_is_digits_only() {
    for (text, pause) in [
        ("250", Some(250)),
        ("1.5", None),
        ("-1", None),
        ("", None),
        ("9 ", None),
    ] {
        let text = format!("retry: {text}\ndata: a\n\n");
        let (events, _, retry) = parse(&[text.as_bytes()]);
        assert_eq!(
            (events.len(), retry),
            (1, pause.map(Duration::from_millis)),
            "{text}"
        );
    }
}

#[test]
fn bytes_that_are_no_text_do_not_stop_a_stream() {
    let (events, ..) = parse(&[b"data: a\xFF\xC3", b"\n\ndata: b\n\n"]);
    assert_eq!(events[0][2], "a\u{fffd}\u{fffd}");
    assert_eq!(events[1][2], "b");
}

#[test]
fn an_event_may_not_fill_the_memory() {
    let mut parser = EventParser::default();
    let piece = vec![b'x'; LIMIT / 4];
    let results: Vec<_> = (0..5).map(|_| parser.push(&piece)).collect();
    assert_eq!(results.last(), Some(&Err(EventTooLarge)));
}

#[test]
fn what_was_not_whole_is_forgotten_when_the_connection_is_lost() {
    let mut parser = EventParser::default();
    parser
        .push(b"id: 1\ndata: a\n\nid: 2\nevent: x\ndata: b")
        .unwrap();
    parser.restart();
    parser.push(b"data: c\n\n").unwrap();
    let events: Vec<_> = std::iter::from_fn(|| parser.pop()).collect();
    let data: Vec<_> = events.iter().map(|event| event.data.as_str()).collect();
    assert_eq!(data, ["a", "c"]);
    assert_eq!(
        (events[1].id.as_deref(), &events[1].event),
        (Some("1"), &None)
    );
}

#[test]
fn an_event_is_read_as_it_was_written() {
    let event = Event::new("a\r\nb\rc\n".to_owned())
        .event("x")
        .id("1")
        .retry(Duration::from_secs(1));
    let text = event.text().unwrap();
    assert_eq!(
        text,
        "event: x\nid: 1\nretry: 1000\ndata: a\ndata: b\ndata: c\ndata: \n\n"
    );
    let read: Vec<Event<String>> = Answer::bytes(200, "text/event-stream", text)
        .read_events()
        .unwrap();
    assert_eq!(
        read,
        [Event {
            data: "a\nb\nc\n".to_owned(),
            ..event
        }]
    );
}

#[test]
fn a_field_that_fits_in_no_line_is_refused() {
    for event in [
        Event::new(1).event("a\nb"),
        Event::new(1).id("a\rb"),
        Event::new(1).id("a\0"),
    ] {
        assert!(event.text().is_err(), "{event:?}");
    }
}

/// A string beside other values is no JSON unless it has to be.
#[test]
fn strings_stand_without_quotes_where_that_is_clear() {
    use serde_json::{Value, json};
    for (value, written) in [
        (json!({"a": [1]}), r#"{"a":[1]}"#),
        (json!("[DONE]"), "[DONE]"),
        (json!("7"), "\"7\""),
        (json!(7), "7"),
    ] {
        let text = Event::new(value.clone()).text().unwrap();
        assert_eq!(text, format!("data: {written}\n\n"));
        let read: Vec<Event<Value>> = Answer::bytes(200, "", text).read_events().unwrap();
        assert_eq!(read[0].data, value);
    }
    let number: Vec<Event<String>> = Answer::bytes(200, "", "data: 7\n\n").read_events().unwrap();
    assert_eq!(number[0].data, "7");
}

proptest! {
    #[test]
    fn any_text_comes_back(data in "[^\r]*", kind in "[^\r\n\0]+", id in "[^\r\n\0]+") {
        let event = Event::new(data).event(kind).id(id);
        let read = Answer::bytes(200, "", event.text().unwrap()).read_events();
        prop_assert_eq!(read.unwrap(), vec![event]);
    }
}
