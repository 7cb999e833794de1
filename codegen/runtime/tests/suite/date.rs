use openapi_generate_runtime::Date;
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

#[test]
fn days_convert_from_and_to_chrono_and_time() {
    for text in ["2026-01-31", "0001-01-01", "2024-02-29", "9999-12-31"] {
        let date = Date::new(text).unwrap();
        let chrono = chrono::NaiveDate::try_from(date).unwrap();
        assert_eq!(chrono.to_string(), text);
        assert_eq!(Date::try_from(chrono).unwrap(), date);
        let day = time::Date::try_from(date).unwrap();
        assert_eq!(
            (day.year(), day.day()),
            (
                date.value().year().into(),
                date.value().day().unsigned_abs()
            )
        );
        assert_eq!(Date::try_from(day).unwrap(), date);
    }
    assert!(Date::try_from(chrono::NaiveDate::MAX).is_err());
}
