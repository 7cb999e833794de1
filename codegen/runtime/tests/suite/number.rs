use openapi_generate_runtime::{Number, json};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Price {
    value: Option<Number>,
    others: Vec<Number>,
}

#[test]
fn digits_are_kept() {
    let text = r#"{"value":10.10,"others":[0,-1.50,1e400,12345678901234567890123,1.0E+2]}"#;
    let price: Price = json::read(text.as_bytes()).unwrap();
    assert_eq!(serde_json::to_string(&price).unwrap(), text);
    assert_eq!(
        price.value.unwrap().to_decimal().unwrap().to_string(),
        "10.10"
    );
    assert_eq!(price.others[4].to_decimal().unwrap().to_string(), "100");
    assert_eq!(price.others[2].to_decimal(), None);
}

#[test]
fn only_numbers_are_read() {
    for json in [
        r#""1""#,
        "true",
        "null",
        "[]",
        "{}",
        r#"{"$serde_json::private::RawValue":"1"}"#,
    ] {
        assert!(serde_json::from_str::<Number>(json).is_err(), "{json}");
    }
    for text in ["", "1 ", "01", "+1", "1.", "-", "NaN", "1 2", "[1,1", "0x1"] {
        assert!(Number::new(text).is_err(), "{text}");
    }
    let error = json::read::<Price>(br#"{"others":[1,"2"]}"#).unwrap_err();
    assert_eq!(error.pointer, "/others/1");
}

#[test]
fn buffered_values_are_read_by_worth() {
    #[derive(Deserialize)]
    struct Open {
        #[serde(flatten)]
        rest: std::collections::BTreeMap<String, Number>,
    }
    let open: Open = serde_json::from_str(r#"{"a":10.5,"b":-3,"c":18446744073709551615}"#).unwrap();
    let texts: Vec<_> = open.rest.values().map(Number::as_str).collect();
    assert_eq!(texts, ["10.5", "-3", "18446744073709551615"]);
    assert!(serde_json::from_str::<Open>(r#"{"a":"10"}"#).is_err());
}

#[test]
fn floating_point_numbers_without_a_json_form_are_refused() {
    assert_eq!(Number::try_from(0.5).unwrap().as_str(), "0.5");
    assert!(Number::try_from(f64::NAN).is_err());
    assert!(Number::try_from(f64::INFINITY).is_err());
}

proptest! {
    #[test]
    fn json_numbers_round_trip(text in "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?([eE][-+]?[0-9]{1,2})?") {
        let number: Number = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(serde_json::to_string(&number).unwrap(), text);
    }
}
