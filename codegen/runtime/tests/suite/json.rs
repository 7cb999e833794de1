use std::collections::BTreeMap;

use openapi_generate_runtime::json::{self, Unreadable};
use openapi_generate_runtime::object;

fn read(text: &str) -> Unreadable {
    json::read::<BTreeMap<String, Vec<(i64, bool)>>>(text.as_bytes()).unwrap_err()
}

#[test]
fn the_place_of_a_wrong_type_is_a_json_pointer() {
    let error = read(r#"{"a/b": [[1, true], [1, "x"]]}"#);
    assert_eq!(
        (error.pointer.as_str(), error.malformed),
        ("/a~1b/1/1", false)
    );
    assert_eq!(error.message, "invalid type: string, expected a boolean");
}

#[test]
fn a_broken_text_is_broken_even_behind_a_wrong_type() {
    for text in [r#"{"a": 1, "b": "#, r#"{"a": 1} x"#, r#"{"a": 1, "b": 01}"#] {
        assert!(read(text).malformed, "{text}");
    }
}

#[test]
fn an_array_is_no_object_even_when_every_property_is_optional() {
    #[derive(Debug)]
    struct Outer {
        _inner: Option<Inner>,
        _many: Option<Vec<Inner>>,
    }
    openapi_generate_runtime::object_read! {
        Outer: Ignored {
            0 "_inner" => _inner optional,
            1 "_many" => _many optional,
        }
    }
    #[derive(Debug)]
    struct Inner {
        _a: Option<String>,
    }
    openapi_generate_runtime::object_read! {
        Inner: Ignored {
            0 "_a" => _a optional,
        }
    }
    for (text, place) in [
        ("[]", ""),
        (r#"{"_inner":[]}"#, "/_inner"),
        (r#"{"_many":[{},["x"]]}"#, "/_many/1"),
    ] {
        let error = json::read::<Outer>(text.as_bytes()).unwrap_err();
        assert_eq!(error.pointer, place, "{text}");
        assert_eq!(error.message, "invalid type: array, expected an object");
    }
    json::read::<Outer>(br#"{"_inner":{"_a":"x"},"_many":[{}]}"#).unwrap();
}

#[test]
fn a_property_that_comes_twice_is_refused() {
    #[derive(Debug)]
    struct One {
        _a: Option<String>,
    }
    openapi_generate_runtime::object_read! {
        One: Ignored {
            0 "a" => _a optional,
        }
    }
    json::read::<One>(br#"{"b":1,"a":"x","c":[]}"#).unwrap();
    for text in [r#"{"a":"x","a":"y"}"#, r#"{"a":null,"b":1,"a":null}"#] {
        let error = json::read::<One>(text.as_bytes()).unwrap_err();
        assert_eq!(error.message, "duplicate field `a`", "{text}");
    }
}

#[test]
fn a_whole_number_is_an_integer_however_it_is_written() {
    let read = |text: &str| json::read::<BTreeMap<String, i64>>(text.as_bytes());
    let good = read(r#"{"a": 1.0, "b\" 1.0": -2e2, "c": 3}"#).unwrap();
    assert_eq!(good.into_values().collect::<Vec<_>>(), [1, -200, 3]);
    assert!(read(r#"{"a": 1.5}"#).is_err());
    assert!(read(r#"{"a": 1e400}"#).is_err());
}
