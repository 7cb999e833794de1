//! Compares our parsers with other parsers: the same text must have the same meaning.

use std::path::Path;

use openapi_document::{Node, SourceMap, json, yaml};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use serde_json::Value;

fn read_yaml(text: &str) -> Result<Node, String> {
    let mut sources = SourceMap::default();
    let file = sources.add("t.yaml", text.to_owned());
    yaml::read(&sources, file).map_err(|error| error.message)
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e15..1e15).prop_map(Value::from),
        "\\PC*".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::btree_map("\\PC{0,8}", inner, 0..8)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// The same cases on each run; `PROPTEST_CASES` raises their number.
fn config() -> Config {
    Config {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2026),
        ..Config::default()
    }
}

/// Whether a text has characters that are line breaks in YAML 1.1, which `serde_yaml` writes, but
/// not in 1.2.
fn has_old_line_breaks(value: &Value) -> bool {
    let text = value.to_string();
    text.contains(['\u{85}', '\u{2028}', '\u{2029}'])
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn json_means_what_serde_json_reads(value in values()) {
        let node = json::read_text(&value.to_string()).unwrap();
        prop_assert_eq!(node.to_serde(), value.clone());
        let again = json::read_text(&node.to_json_pretty()).unwrap();
        prop_assert!(again.same_value(&node));
    }

    #[test]
    fn json_is_refused_where_serde_json_refuses(text in "[\\[\\]{}:,\"0-9eE.+\\- a-u\\\\]{0,24}") {
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        prop_assert_eq!(json::read_text(&text).is_ok(), theirs, "{}", text);
    }

    #[test]
    fn yaml_means_what_serde_yaml_wrote(value in values()) {
        prop_assume!(!has_old_line_breaks(&value));
        let text = serde_yaml::to_string(&value).unwrap();
        let read = read_yaml(&text).unwrap().to_serde();
        prop_assert_eq!(read, value, "{}", text);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in any::<String>()) {
        let _ = read_yaml(&text);
        let _ = json::read_text(&text);
    }
}

#[test]
fn the_contract_means_what_serde_yaml_reads() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec")];
    let mut compared = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "yaml")
            {
                let text = std::fs::read_to_string(&path).unwrap();
                let theirs: Value = serde_yaml::from_str(&text).unwrap();
                assert_eq!(
                    read_yaml(&text).unwrap().to_serde(),
                    theirs,
                    "{}",
                    path.display()
                );
                compared += 1;
            }
        }
    }
    assert!(
        compared > 5,
        "only {compared} files of the contract were found"
    );
}
