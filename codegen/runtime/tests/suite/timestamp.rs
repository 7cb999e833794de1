use openapi_generate_runtime::Timestamp;
use proptest::prelude::*;

#[test]
fn an_instant_prints_three_digits() {
    for (text, printed) in [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"),
        ("2026-01-02T03:04:05.12Z", "2026-01-02T03:04:05.120Z"),
        ("2026-01-02T03:04:05.123456Z", "2026-01-02T03:04:05.123Z"),
        ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
    ] {
        let instant: jiff::Timestamp = text.parse().unwrap();
        assert_eq!(Timestamp::from(instant).to_string(), printed);
    }
}

#[test]
fn a_text_that_was_read_is_kept() {
    for text in [
        "2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.1Z",
        "2026-01-02T03:04:05.123Z",
        "2026-01-02T03:04:05.123456789+01:00",
        "2026-01-02T03:04:05-11:30",
        "2026-01-02t03:04:05z",
        "2026-01-02T03:04:05.1234567890123Z",
        "9999-12-31T23:59:59.999Z",
        "9999-12-31T23:59:59-12:00",
        "0000-01-01T00:00:00+12:00",
    ] {
        let json = format!("\"{text}\"");
        let timestamp: Timestamp = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&timestamp).unwrap(), json);
    }
}

#[test]
fn the_same_instant_is_equal_in_any_spelling() {
    let one = Timestamp::new("2026-01-02T03:04:05Z").unwrap();
    let other = Timestamp::new("2026-01-02T04:04:05.000+01:00").unwrap();
    assert_eq!(one, other);
    assert_eq!(one.instant(), other.instant());
}

#[test]
fn what_is_no_date_time_is_refused() {
    for text in [
        "",
        "2026-01-02",
        "2026-01-02T03:04:05",
        "2026-01-02 03:04:05Z",
        "2026-01-02T03:04Z",
        "2026-01-02T03:04:05.Z",
        "2026-01-02T03:04:05,1Z",
        "2026-13-02T03:04:05Z",
        "9999-12-32T23:59:59Z",
        "9999-12-31T24:59:59Z",
        "2026-02-30T03:04:05Z",
        "2026-01-02T25:04:05Z",
        "2026-01-02T03:04:05+0100",
        "2026-01-02T03:04:05+01",
        "2026-01-02T03:04:05Z[UTC]",
        "+002026-01-02T03:04:05Z",
        "20260102T030405Z",
        "2026-01-02T03:04:05é",
    ] {
        assert!(Timestamp::new(text).is_err(), "{text}");
    }
    assert!(serde_json::from_str::<Timestamp>("1767323045").is_err());
}

proptest! {
    #[test]
    fn milliseconds_round_trip(milliseconds in -62_135_596_800_000..253_402_300_799_000_i64) {
        let instant = jiff::Timestamp::from_millisecond(milliseconds).unwrap();
        let text = Timestamp::from(instant).to_string();
        prop_assert_eq!(text.len(), "2026-01-02T03:04:05.000Z".len());
        prop_assert_eq!(Timestamp::new(&text).unwrap().instant(), instant);
    }

    #[test]
    fn any_text_is_judged_without_a_panic(text in "[-+0-9TZ:.é]{0,32}") {
        if let Ok(timestamp) = Timestamp::new(&text) {
            prop_assert_eq!(timestamp.to_string(), text);
        }
    }
}

#[test]
fn points_in_time_convert_from_and_to_chrono_and_time() {
    for text in [
        "2026-01-02T03:04:05.120Z",
        "1969-12-31T23:59:59.999Z",
        "0001-01-01T00:00:00.000Z",
    ] {
        let timestamp = Timestamp::new(text).unwrap();
        let chrono = chrono::DateTime::<chrono::Utc>::try_from(timestamp.clone()).unwrap();
        assert_eq!(
            chrono,
            text.parse::<chrono::DateTime<chrono::Utc>>().unwrap()
        );
        assert_eq!(Timestamp::try_from(chrono).unwrap().to_string(), text);
        let time = time::OffsetDateTime::try_from(timestamp.clone()).unwrap();
        assert_eq!(
            i128::from(time.unix_timestamp()),
            timestamp
                .instant()
                .as_nanosecond()
                .div_euclid(1_000_000_000)
        );
        assert_eq!(Timestamp::try_from(time).unwrap().to_string(), text);
    }
    assert!(Timestamp::try_from(chrono::DateTime::<chrono::Utc>::MAX_UTC).is_err());
}
