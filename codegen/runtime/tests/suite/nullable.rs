use openapi_generate_runtime::{Nullable, object};

#[derive(Debug, PartialEq)]
struct Patch {
    note: Nullable<String>,
    owner: Option<String>,
    name: Option<String>,
}

openapi_generate_runtime::object! {
    Patch: Ignored {
        0 "note" => note nullable,
        1 "owner" => owner or_null,
        2 "name" => name optional,
    }
}

#[test]
fn absent_null_and_value_round_trip() {
    for text in [
        r#"{"owner":null}"#,
        r#"{"note":null,"owner":"me"}"#,
        r#"{"note":"hello","owner":null,"name":"you"}"#,
    ] {
        let patch: Patch = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&patch).unwrap(), text);
    }
}

#[test]
fn a_required_property_must_be_there_even_if_it_may_be_null() {
    assert!(serde_json::from_str::<Patch>("{}").is_err());
}

#[test]
fn values_can_be_looked_at_and_taken_out() {
    let value = Nullable::from(7);
    assert_eq!(
        (value.value(), value.is_null(), value.is_absent()),
        (Some(&7), false, false)
    );
    assert_eq!(value.into_value(), Some(7));
    assert_eq!(Nullable::<i32>::Null.into_value(), None);
    assert!(Nullable::<i32>::default().is_absent());
}
