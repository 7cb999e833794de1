//! The types of the schemas, read and written.

use codegen_goldens::types::{
    constant, examples_array, numbers, open_enumeration, presence, reference_siblings,
    tagged_union, type_array, untagged_union,
};

#[test]
fn what_is_secret_is_not_printed() {
    let text = r#"{"cardNumber":6212345678901234567}"#;
    let value: numbers::Golden = serde_json::from_str(text).unwrap();
    assert!(!format!("{value:?}").contains("6212"));
    assert_eq!(serde_json::to_string(&value).unwrap(), text);
}

#[test]
fn unknown_values_and_digits_survive() {
    for text in [r#""LATER""#, r#""ACCEPTED""#] {
        let value: open_enumeration::Golden = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
    }
    for text in [r#""a""#, "10.10", r#"["a","b"]"#] {
        let value: untagged_union::Golden = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
    }
    let text = r#"{"kind":"card","token":"t"}"#;
    let value: tagged_union::Golden = serde_json::from_str(text).unwrap();
    assert!(matches!(value, tagged_union::Golden::Card(_)));
}

#[test]
fn absent_null_and_a_value_differ() {
    let text = r#"{"present":"","presentOrNull":null}"#;
    let value: presence::Golden = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&value).unwrap(), text);
    let text = r#"{"maybeOrNull":null,"present":"","presentOrNull":1}"#;
    let value: presence::Golden = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&value).unwrap(), text);
    assert!(serde_json::from_str::<presence::Golden>(r#"{"present":""}"#).is_err());
}

#[test]
fn normalised_schemas_read_what_3_1_says() {
    let texts = [
        r#"{"name":null}"#,
        r#"{"name":"","size":1}"#,
        r#"{"name":"","size":"L"}"#,
    ];
    for text in texts {
        let value: type_array::Golden = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
    }
    assert!(serde_json::from_str::<type_array::Golden>("{}").is_err());
    let text = r#"{"kind":"card"}"#;
    let value: constant::Golden = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&value).unwrap(), text);
    assert!(serde_json::from_str::<constant::Golden>(r#"{"kind":"cash"}"#).is_err());
    let text = r#"{"parent":{"parent":{}}}"#;
    let value: reference_siblings::Golden = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&value).unwrap(), text);
    let text = r#"{"name":"Alex"}"#;
    let value: examples_array::Golden = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&value).unwrap(), text);
}
