//! Tests of overlays: what they change, keep and refuse.

use std::fs;

use openapi_document::origin::Disk;
use openapi_document::{Document, Pointer, loader};
use proptest::prelude::*;
use proptest::sample::select;

const DOCUMENT: &str = "openapi: 3.0.4
info: {title: t, version: '1'}
tags: [{name: a}, {name: b}, {name: c}]
paths:
  /a: {get: {summary: one}, post: {summary: two}}
  /b: {get: {summary: three}}
";

/// Applies one overlay per action. Returns the document and its findings, or the errors, one line
/// each.
fn overlaid(actions: &[&str]) -> Result<(Document, Vec<String>), Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let document = write("api.yaml", DOCUMENT);
    let head = "overlay: 1.1.0\ninfo: {title: o, version: '1'}\nactions:";
    let overlays = actions.iter().enumerate();
    let overlays: Vec<_> = overlays
        .map(|(index, action)| write(&format!("{index}.yaml"), &format!("{head} [{action}]\n")))
        .collect();
    let shown = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    match loader::load_with(&document, Box::new(Disk), &overlays) {
        Ok(document) => {
            let found = document.findings.iter();
            let found = found.map(|finding| shown(finding.one_line(&document.sources)));
            let found = found.collect();
            Ok((document, found))
        }
        Err(error) => {
            let found = error.diagnostics.iter();
            Err(found
                .map(|finding| shown(finding.one_line(&error.sources)))
                .collect())
        }
    }
}

/// The value at a pointer after the overlays.
fn after(actions: &[&str], pointer: &str) -> String {
    let (document, found) = overlaid(actions).unwrap();
    assert!(found.is_empty(), "{found:?}");
    let node = document.root.at(&Pointer::parse(pointer).unwrap());
    node.map_or_else(String::new, openapi_document::Node::to_json)
}

#[test]
fn each_kind_of_action_changes_what_it_selects() {
    let renamed = [
        "{target: $.paths, update: {/c: {}}}",
        "{target: \"$.paths['/c']\", copy: \"$.paths['/b']\"}, {target: \"$.paths['/b']\", remove: true}",
    ];
    for (actions, pointer, expected) in [
        (
            &["{target: $.info, update: {title: new, x-a: [1]}}"][..],
            "/info",
            r#"{"title":"new","version":"1","x-a":[1]}"#,
        ),
        (
            &["{target: '$.paths.*.get', update: {x-b: true}}"],
            "/paths/~1b/get",
            r#"{"summary":"three","x-b":true}"#,
        ),
        (
            &["{target: \"$.paths['/a'].get.summary\", update: new}"],
            "/paths/~1a/get/summary",
            r#""new""#,
        ),
        (
            &[
                "{target: $.tags, update: {name: d}}",
                "{target: $.tags, update: [{name: e}]}",
            ],
            "/tags",
            r#"[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"},{"name":"e"}]"#,
        ),
        (
            &["{target: \"$.tags[?@.name == 'b' || @.name == 'a']\", remove: true}"],
            "/tags",
            r#"[{"name":"c"}]"#,
        ),
        (&renamed, "/paths/~1c", r#"{"get":{"summary":"three"}}"#),
        (&renamed, "/paths/~1b", ""),
    ] {
        assert_eq!(after(actions, pointer), expected, "{actions:?}");
    }
}

#[test]
fn values_from_an_overlay_have_their_place_in_the_overlay() {
    let (document, _) = overlaid(&["{target: $.info, update: {x-a: 1}}"]).unwrap();
    let place = |pointer: &str| {
        let node = document.root.at(&Pointer::parse(pointer).unwrap()).unwrap();
        let place = document.place(node.span);
        let file = place.file.rsplit('/').next().unwrap_or_default();
        format!("{file}:{}:{}", place.line, place.column)
    };
    assert_eq!(place("/info/x-a"), "0.yaml:3:42");
    assert_eq!(place("/info/title"), "api.yaml:2:15");
}

#[test]
fn actions_that_cannot_be_applied_are_reported_with_their_place() {
    let mut wrong = Vec::new();
    let deep = format!("{{target: '${}'}}", "[?@".repeat(40));
    for (actions, expected) in [
        ("{target: info}", "0.yaml:3:20: error[overlay-not-valid]"),
        ("{update: {}}", "0.yaml:3:11: error[overlay-not-valid]"),
        (
            "{target: $, updates: {}}",
            "0.yaml:3:23: error[overlay-not-valid]",
        ),
        (
            "{target: $, remove: 1}",
            "0.yaml:3:31: error[overlay-not-valid]",
        ),
        (
            "{target: $, update: {}, copy: $}",
            "0.yaml:3:41: error[overlay-not-valid]",
        ),
        (
            "{target: '$..*..*..*', remove: true}",
            "0.yaml:3:20: error[overlay-not-valid]",
        ),
        (deep.as_str(), "0.yaml:3:20: error[overlay-not-valid]"),
        (
            "{target: $, remove: true}",
            "0.yaml:3:20: error[overlay-not-applicable]",
        ),
        (
            "{target: $.info, update: [1]}",
            "0.yaml:3:36: error[overlay-not-applicable]",
        ),
        (
            "{target: $.info, update: {title: {}}}",
            "0.yaml:3:44: error[overlay-not-applicable]",
        ),
        (
            "{target: $.info, copy: '$.tags.*'}",
            "0.yaml:3:34: error[overlay-not-applicable]",
        ),
        (
            "{target: '$.info.*, $.tags'}",
            "0.yaml:3:20: error[overlay-not-valid]",
        ),
        (
            "{target: '$[\"info\", \"tags\"]', update: {}}",
            "0.yaml:3:20: error[overlay-not-applicable]",
        ),
    ] {
        let found = overlaid(&[actions]).unwrap_err();
        wrong.extend((!found[0].starts_with(expected)).then_some((actions, found)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_action_that_changes_nothing_is_a_warning() {
    for actions in ["{target: $.nothing, remove: true}", "{target: $.info}"] {
        let (_, found) = overlaid(&[actions]).unwrap();
        let expected = "0.yaml:3:20: warning[overlay-without-effect]";
        assert!(found[0].starts_with(expected), "{found:?}");
    }
}

/// A `JSONPath` of random segments, some of them broken.
fn path() -> impl Strategy<Value = String> {
    let segments = select(&[
        ".paths",
        ".*",
        "..*",
        "..get",
        "[0]",
        "[-1]",
        "[0:2]",
        "['/a']",
        ".tags",
        ".get",
        "[?@.name]",
        "[?@ == 'a']",
        "[?match(@, 'a.*')]",
        "[",
        "]",
        "['",
        "[?",
        ".",
        "..",
        "[99999999999999999999]",
        "é",
    ]);
    proptest::collection::vec(segments, 0..5).prop_map(|segments| format!("${}", segments.concat()))
}

/// An action with random values.
fn action() -> impl Strategy<Value = String> {
    let value = select(&[
        "{}",
        "[]",
        "null",
        "1",
        "text",
        "{get: {}}",
        "[{name: d}]",
        "{info: {title: []}}",
        "{openapi: 2}",
    ]);
    let change = prop_oneof![
        value.prop_map(|value| format!("update: {value}")),
        path().prop_map(|path| format!("copy: {path:?}")),
        select(&["remove: true", "remove: 1", "x-a: 1", "a: 1"]).prop_map(str::to_owned),
    ];
    (path(), change).prop_map(|(path, change)| format!("{{target: {path:?}, {change}}}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_overlay_causes_a_panic_and_every_error_has_a_place(
        actions in proptest::collection::vec(action(), 1..6),
    ) {
        let joined = actions.join(", ");
        if let Err(found) = overlaid(&[&joined]) {
            let is_placed = |line: &String| line.starts_with("0.yaml:") || line.starts_with("api.yaml:");
            prop_assert!(!found.is_empty() && found.iter().all(is_placed), "{joined}: {found:?}");
        }
    }
}
