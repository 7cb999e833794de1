use std::collections::BTreeMap;

use openapi_generate_runtime::{Number, loose, object, union};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Point {
    x: Number,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Named {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    x: Option<Number>,
}

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Point(Point),
    Named(Named),
    Number(Number),
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Point(value) => value.serialize(serializer),
            Self::Named(value) => value.serialize(serializer),
            Self::Number(value) => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = union::capture(deserializer)?;
        union::choose(
            &raw,
            &[
                (union::Kind::Object, |raw| union::read(raw).map(Self::Point)),
                (union::Kind::Object, |raw| union::read(raw).map(Self::Named)),
                (union::Kind::Number, |raw| {
                    union::read(raw).map(Self::Number)
                }),
            ],
        )
    }
}

fn read(text: &str) -> Result<Shape, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

#[test]
fn the_candidate_that_keeps_most_is_taken() {
    assert!(matches!(read(r#"{"x":1.0}"#), Ok(Shape::Point(_))));
    assert!(matches!(
        read(r#"{"x":1.0,"name":"a"}"#),
        Ok(Shape::Named(_))
    ));
    assert!(matches!(read(r#"{"x":1,"other":2}"#), Ok(Shape::Point(_))));
}

#[test]
fn digits_are_kept() {
    for text in ["10.10", r#"{"x":10.10}"#, r#"{"name":"a","x":1.50}"#] {
        let again = serde_json::to_string(&read(text).unwrap()).unwrap();
        assert_eq!(again, text);
    }
}

#[test]
fn an_error_says_what_each_candidate_misses() {
    let error = read(r#"{"x":true}"#).unwrap_err();
    assert!(error.contains("no alternative fits"), "{error}");
    assert!(error.contains("/x"), "{error}");
    assert!(
        read("[1]")
            .unwrap_err()
            .contains("no alternative is of this type")
    );
}

#[test]
fn values_that_serde_has_buffered_are_read_as_well() {
    #[derive(Deserialize)]
    struct Holder {
        #[serde(flatten)]
        rest: std::collections::BTreeMap<String, Shape>,
    }
    let holder: Holder = serde_json::from_str(r#"{"a":{"x":2}}"#).unwrap();
    assert!(matches!(holder.rest["a"], Shape::Point(_)));
}

/// What a form may hold: a flag, one of some words, or an object of texts.
#[derive(Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Held {
    Flag(bool),
    Word(String),
    Labels(std::collections::BTreeMap<String, String>),
}

impl<'de> Deserialize<'de> for Held {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = union::capture(deserializer)?;
        union::choose(
            &raw,
            &[
                (union::Kind::Bool, |raw| union::read(raw).map(Self::Flag)),
                (union::Kind::Text, |raw| union::read(raw).map(Self::Word)),
                (union::Kind::Object, |raw| {
                    union::read(raw).map(Self::Labels)
                }),
            ],
        )
    }
}

/// A form has texts alone: their types are those of the alternative that takes them.
#[test]
fn alternatives_in_a_form_read_numbers_and_flags_from_texts() {
    let held = |text: &str| {
        let fields: std::collections::BTreeMap<String, Held> =
            openapi_generate_runtime::form::read(text.as_bytes(), &[]).unwrap();
        fields.into_values().next().unwrap()
    };
    assert_eq!(held("held=true"), Held::Flag(true));
    assert_eq!(held("held=later"), Held::Word("later".to_owned()));
    assert_eq!(held("held=17"), Held::Word("17".to_owned()));
    let labels = [("order".to_owned(), "17".to_owned())].into();
    assert_eq!(held("held[order]=17"), Held::Labels(labels));
}

/// Objects whose schemas have no `type`, and a text.
#[derive(Clone, Debug, Default, PartialEq)]
struct Cat {
    purrs: Option<bool>,
    additional_properties: BTreeMap<String, Value>,
    not_an_object: Option<Value>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Dog {
    barks: Option<bool>,
    additional_properties: BTreeMap<String, Value>,
    not_an_object: Option<Value>,
}

openapi_generate_runtime::loose_object! {
    Cat: Kept additional_properties | not_an_object {
        0 "purrs" => purrs optional,
    }
}

openapi_generate_runtime::loose_object! {
    Dog: Kept additional_properties | not_an_object {
        0 "barks" => barks optional,
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Pet {
    Cat(Cat),
    Dog(Dog),
    Name(String),
}

impl Serialize for Pet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Cat(value) => value.serialize(serializer),
            Self::Dog(value) => value.serialize(serializer),
            Self::Name(value) => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Pet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = union::capture(deserializer)?;
        union::choose(
            &raw,
            &[
                (union::Kind::Loose, |raw| union::read(raw).map(Self::Cat)),
                (union::Kind::Loose, |raw| union::read(raw).map(Self::Dog)),
                (union::Kind::Text, |raw| union::read(raw).map(Self::Name)),
            ],
        )
    }
}

#[test]
fn what_a_type_declares_decides_and_not_what_it_only_keeps() {
    let read = |text: &str| {
        let pet: Pet = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&pet).unwrap(), text);
        pet
    };
    assert!(matches!(read(r#"{"purrs":true}"#), Pet::Cat(_)));
    assert!(matches!(read(r#"{"barks":true,"old":1}"#), Pet::Dog(_)));
    assert!(matches!(read(r#""Rex""#), Pet::Name(_)));
    // No alternative names these, and those without a `type` take them.
    assert!(matches!(read("7"), Pet::Cat(_)));
    assert!(matches!(read("[1]"), Pet::Cat(_)));
}
