use codegen_runtime::Date;
use proptest::prelude::*;

#[test]
fn only_year_month_day_is_read() {
    assert_eq!(Date::new("2024-02-29").unwrap().to_string(), "2024-02-29");
    for text in [
        "",
        "2023-02-29",
        "2024-2-9",
        "20240229",
        "2024-02-29T00:00:00Z",
        "24-02-29",
        "2024/02/29",
        "-024-02-29",
        "2024-W09-4",
        "2024-00-01",
    ] {
        assert!(Date::new(text).is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn dates_round_trip(year in 0..=9999_i16, month in 1..=12_i8, day in 1..=28_i8) {
        let date = Date::from(jiff::civil::date(year, month, day));
        let json = serde_json::to_string(&date).unwrap();
        prop_assert_eq!(serde_json::from_str::<Date>(&json).unwrap(), date);
    }
}
