use std::collections::HashSet;

use openapi_generate_runtime::Decimal;
use proptest::prelude::*;

#[test]
fn the_text_is_kept() {
    for text in [
        "0",
        "10.00",
        "-0.10",
        "0.000",
        "1",
        "79228162514264337593543950335",
    ] {
        let json = format!("\"{text}\"");
        let decimal: Decimal = serde_json::from_str(&json).unwrap();
        assert_eq!(decimal.as_str(), text);
        assert_eq!(serde_json::to_string(&decimal).unwrap(), json);
    }
}

#[test]
fn other_spellings_are_refused() {
    for text in [
        "",
        "-",
        ".",
        "1.",
        ".5",
        "+1",
        "01",
        "00",
        "-01",
        "1e3",
        "1E3",
        " 1",
        "1 ",
        "1,5",
        "1.2.3",
        "--1",
        "1_000",
        "NaN",
        "٣",
        "0.00000000000000000000000000001",
        "79228162514264337593543950336",
    ] {
        assert!(Decimal::new(text).is_err(), "{text}");
    }
    for json in ["10.00", "10", "null", "true", "[]"] {
        assert!(serde_json::from_str::<Decimal>(json).is_err(), "{json}");
    }
}

#[test]
fn decimals_are_compared_by_worth_and_told_apart_by_text() {
    let (short, long) = (Decimal::new("1.5").unwrap(), Decimal::new("1.50").unwrap());
    assert_eq!(short, long);
    assert!(!short.same_text(&long) && short.same_text(&short.clone()));
    assert!(long > Decimal::new("-2").unwrap() && Decimal::from(10) > Decimal::new("9").unwrap());
    let mut kinds = HashSet::from([short, long]);
    kinds.extend(["0", "-0.0", "-0"].map(|text| Decimal::new(text).unwrap()));
    assert_eq!(kinds.len(), 2);
}

#[test]
fn a_sum_keeps_its_digits() {
    let fee = rust_decimal::Decimal::from(Decimal::new("0.10").unwrap());
    let total = Decimal::from(Decimal::new("12.50").unwrap().value() + fee);
    assert_eq!(total.as_str(), "12.60");
}

proptest! {
    #[test]
    fn what_the_grammar_allows_round_trips(text in "-?(0|[1-9][0-9]{0,17})(\\.[0-9]{1,9})?") {
        let decimal = Decimal::new(&text).unwrap();
        prop_assert_eq!(decimal.as_str(), &text);
        prop_assert_eq!(decimal.value(), text.parse::<rust_decimal::Decimal>().unwrap());
    }

    #[test]
    fn whatever_is_read_is_printed_unchanged(text in "[-+0-9.eE ]{0,12}") {
        if let Ok(decimal) = Decimal::new(&text) {
            prop_assert_eq!(decimal.to_string(), text);
        }
    }

    #[test]
    fn a_value_comes_back(mantissa in any::<i64>(), scale in 0..18_u32) {
        let value = rust_decimal::Decimal::new(mantissa, scale);
        let decimal = Decimal::from(value);
        prop_assert_eq!(Decimal::new(decimal.as_str()).unwrap().value(), value);
    }
}
