//! The types of the schemas, read and written.

use codegen_goldens::runtime::Validate;
use codegen_goldens::types::{
    constant, examples_array, numbers, open_enumeration, overlapping_alternatives, presence,
    reference_siblings, rules, tagged_union, type_array, untagged_union, untyped_object,
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
fn a_value_without_a_known_tag_is_of_the_default_alternative() {
    use codegen_goldens::models::Pet;
    let text = r#"{"kind":"cat","lives":9}"#;
    assert!(matches!(serde_json::from_str(text).unwrap(), Pet::Cat(_)));
    for text in [r#"{"kind":"bird","name":"Pia"}"#, r#"{"name":"Pia"}"#] {
        let value: Pet = serde_json::from_str(text).unwrap();
        assert!(matches!(value, Pet::Other(_)), "{text}");
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
    }
    assert!(serde_json::from_str::<Pet>(r#"{"kind":"cat"}"#).is_err());
    assert!(serde_json::from_str::<Pet>("7").is_err());
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

#[test]
fn a_value_of_several_alternatives_keeps_what_it_has_of_all() {
    use overlapping_alternatives::Golden;
    for (text, several) in [
        (r#"{"name":"a","number":1}"#, true),
        (r#"{"name":"a"}"#, false),
        (r#"{"number":1}"#, false),
    ] {
        let value: Golden = serde_json::from_str(text).unwrap();
        assert_eq!(matches!(value, Golden::Several(_)), several, "{text}");
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
        assert!(value.violations().is_empty(), "{text}");
    }
    // What no alternative declares is no reason to keep everything.
    let value: Golden = serde_json::from_str(r#"{"number":1,"else":true}"#).unwrap();
    assert!(matches!(value, Golden::Numbered(_)));
    // Another alternative fits although a name is too long.
    let value: Golden = serde_json::from_str(r#"{"name":"long","number":1}"#).unwrap();
    assert!(value.violations().is_empty());
    let value: Golden = serde_json::from_str(r#"{"name":"long"}"#).unwrap();
    assert_eq!(value.violations()[0].keyword, "anyOf");
}

#[test]
fn what_types_do_not_say_is_checked() {
    let broken = |members: &str| {
        let text = format!(r#"{{"card":"4","code":"1","undeclared":0{members}}}"#);
        let value: rules::Golden = serde_json::from_str(&text).unwrap();
        let written: serde_json::Value = serde_json::to_value(&value).unwrap();
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(written, read);
        let found = value.violations().into_iter();
        let places = found.map(|one| format!("{} {}", one.pointer, one.keyword));
        places.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(
        broken(r#","row":["a",1],"odd":3,"name":1,"labels":{"x-a":"b"}"#),
        ""
    );
    for (members, expected) in [
        (r#","row":["a",1,2]"#, "/row items"),
        (r#","row":[1]"#, "/row prefixItems"),
        (r#","odd":4"#, "/odd not"),
        (r#","short":"long""#, "/short maxLength"),
        (r#","name":"a""#, "/name minLength"),
        (r#","labels":{"y":"b"}"#, "/labels additionalProperties"),
    ] {
        assert_eq!(broken(members), expected);
    }
    let value: rules::Golden = serde_json::from_str(r#"{"card":"4","more":1}"#).unwrap();
    let found = value.violations();
    assert_eq!(found[0].keyword, "dependentRequired");
    assert_eq!(
        serde_json::to_string(&value).unwrap(),
        r#"{"card":"4","more":1}"#
    );
}

#[test]
fn a_schema_without_a_type_takes_any_value() {
    use untyped_object::Golden;
    let texts = [
        r#"{"name":"Ann","note":"n"}"#,
        r#"{"name":"Bo","extra":[1]}"#,
        r#""text""#,
        "7",
        "true",
        "null",
        "[{}]",
    ];
    for text in texts {
        let value: Golden = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
        assert_eq!(value.violations(), [], "{text}");
        assert_eq!(
            value.not_an_object.is_some(),
            !text.starts_with('{'),
            "{text}"
        );
    }
    for (text, place, keyword) in [
        (r#"{"note":"n"}"#, "", "required"),
        (r#"{"name":"Anna"}"#, "/name", "maxLength"),
        ("10", "", "maximum"),
    ] {
        let value: Golden = serde_json::from_str(text).unwrap();
        let found = value.violations();
        let found: Vec<_> = found
            .iter()
            .map(|one| (&*one.pointer, one.keyword))
            .collect();
        assert_eq!(found, [(place, keyword)], "{text}");
    }
    assert!(serde_json::from_str::<Golden>(r#"{"name":7}"#).is_err());
}
