//! How values are made, and how they stand in structures of the user.

use std::marker::PhantomData;

use codegen_goldens::runtime::Date;
use codegen_goldens::runtime::builder::{Given, Missing, Value};
use codegen_goldens::types::builders::{Golden, GoldenBuilder};
use codegen_goldens::types::{enumeration_words, presence};
use serde::{Deserialize, Serialize};

/// Whether a builder's `build` compiles with these states of its properties.
struct Builds<P, V>(PhantomData<(P, V)>);

trait Otherwise {
    const ANSWER: bool = false;
}

impl<P, V> Otherwise for Builds<P, V> {}

impl<P: Value<V>, V> Builds<P, V> {
    const ANSWER: bool = true;
}

#[test]
fn a_builder_asks_for_each_required_property() {
    let answers = [
        Builds::<Missing, String>::ANSWER,
        Builds::<Given<u8>, String>::ANSWER,
        Builds::<Given<String>, String>::ANSWER,
    ];
    assert_eq!(answers, [false, false, true]);
    let begun: GoldenBuilder = Golden::builder();
    let value = begun
        .to("B")
        .by_with(|by| by.name("Ada").build().with_clone(true))
        .from("A")
        .build()
        .note("soon")
        .to_with(7)
        .seen_with(|seen| seen.at(Date::new("2026-01-31").unwrap()));
    let text = r#"{"by":{"clone":true,"name":"Ada"},"from":"A","note":"soon","seen":{"at":"2026-01-31"},"to":"B","to_with":7}"#;
    assert_eq!(serde_json::to_string(&value).unwrap(), text);
    assert_eq!(value.clone().by.name, "Ada");
}

#[test]
fn words_that_all_values_share_are_not_in_names() {
    use enumeration_words::Golden;
    let text = serde_json::to_string(&[Golden::Open, Golden::Shut, Golden::Ajar]).unwrap();
    assert_eq!(text, r#"["STATE_OPEN","STATE_SHUT","STATE_AJAR"]"#);
    assert_eq!(
        serde_json::from_str::<Golden>(r#""STATE_SHUT""#).unwrap(),
        Golden::Shut
    );
    assert!(serde_json::from_str::<Golden>(r#""SHUT""#).is_err());
}

#[test]
fn a_model_is_a_field_of_a_structure_of_the_user() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Kept {
        version: u8,
        whole: presence::Golden,
        #[serde(flatten)]
        parts: presence::Golden,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maybe_one: Option<presence::Golden>,
    }
    let text = r#"{"version":1,"whole":{"present":"a","presentOrNull":1},"maybe":true,"maybeOrNull":null,"present":"b","presentOrNull":null}"#;
    let kept: Kept = serde_json::from_str(text).unwrap();
    assert_eq!(
        (kept.whole.present.as_str(), kept.parts.maybe),
        ("a", Some(true))
    );
    assert_eq!(serde_json::to_string(&kept).unwrap(), text);
}
