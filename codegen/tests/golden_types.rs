//! The outputs in `goldens/`, compiled without a warning and used.
#![deny(warnings)]
#![allow(dead_code, reason = "most of the types are only compiled")]

use codegen_runtime::{choice, object};

mod runtime {
    pub(crate) use codegen_runtime::*;
}

/// Declares the outputs as modules.
macro_rules! goldens {
    ($($module:ident $($page:literal)+),* $(,)?) => {
        $(
            #[allow(unreachable_pub, reason = "a test has no users")]
            mod $module {
                $(include!($page);)+
            }
        )*
    };
}

goldens! {
    all_of "goldens/all-of.rs",
    closed_enumeration "goldens/closed-enumeration.rs",
    constant "goldens/constant.rs",
    constraints "goldens/constraints.rs" "goldens/constraints.2.rs",
    defaults "goldens/defaults.rs",
    deny_unknown "goldens/deny-unknown.rs",
    documentation "goldens/documentation.rs",
    examples_array "goldens/examples-array.rs",
    exclusive_bounds "goldens/exclusive-bounds.rs" "goldens/exclusive-bounds.2.rs",
    exclusive_union "goldens/exclusive-union.rs" "goldens/exclusive-union.2.rs",
    formats "goldens/formats.rs",
    free_form "goldens/free-form.rs",
    key_order "goldens/key-order.rs" "goldens/key-order.2.rs",
    numbers "goldens/numbers.rs",
    open_enumeration "goldens/open-enumeration.rs",
    presence "goldens/presence.rs",
    recursion "goldens/recursion.rs",
    recursive_list "goldens/recursive-list.rs",
    reference_siblings "goldens/reference-siblings.rs",
    sensitive_fields "goldens/sensitive-fields.rs",
    tagged_union "goldens/tagged-union.rs" "goldens/tagged-union.2.rs" "goldens/tagged-union.3.rs",
    type_array "goldens/type-array.rs" "goldens/type-array.2.rs",
    typed_additional_properties "goldens/typed-additional-properties.rs",
    untagged_union "goldens/untagged-union.rs" "goldens/untagged-union.2.rs",
}

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
