use openapi_generate_runtime::percent;
use proptest::prelude::*;

#[test]
fn only_unreserved_characters_stay() {
    assert_eq!(percent::encode("aZ0-._~"), "aZ0-._~");
    assert_eq!(
        percent::encode("a b/c?d=ä&+%"),
        "a%20b%2Fc%3Fd%3D%C3%A4%26%2B%25"
    );
    assert_eq!(percent::encode_form("a b+c"), "a+b%2Bc");
    assert_eq!(percent::encode_reserved("a/b:c d&e#f"), "a/b:c%20d%26e%23f");
}

#[test]
fn broken_escapes_are_refused() {
    for text in ["%", "%4", "%zz", "%+1", "a%f", "%FF", "%C3%28"] {
        assert_eq!(percent::decode(text), None, "{text}");
    }
    assert_eq!(percent::decode("a+b").as_deref(), Some("a+b"));
    assert_eq!(percent::decode_form("a+b%2B").as_deref(), Some("a b+"));
}

proptest! {
    #[test]
    fn any_text_round_trips(text in any::<String>()) {
        let encoded = percent::encode(&text);
        prop_assert!(encoded.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte)));
        let form = percent::encode_form(&text);
        prop_assert_eq!(percent::decode(&encoded), Some(text.clone()));
        prop_assert_eq!(percent::decode_form(&form), Some(text));
    }
}
