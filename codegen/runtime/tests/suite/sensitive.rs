use openapi_generate_runtime::{Sensitive, json};

#[test]
fn a_secret_travels_but_never_prints() {
    let secret: Sensitive<String> = serde_json::from_str("\"4111\"").unwrap();
    assert_eq!(secret.expose(), "4111");
    assert_eq!(serde_json::to_string(&secret).unwrap(), "\"4111\"");
    assert_eq!(
        format!("{secret:?} {:?}", Some(&secret)),
        "[redacted] Some([redacted])"
    );
}

#[test]
fn an_error_does_not_quote_the_secret() {
    let error = json::read::<Vec<Sensitive<i64>>>(br#"[1, "4111"]"#).unwrap_err();
    assert_eq!(error.pointer, "/1");
    assert!(!error.to_string().contains("4111"), "{error}");
}

#[test]
fn a_secret_that_is_not_there_is_said_to_be_missing() {
    #[derive(Debug, serde::Deserialize)]
    struct Card {
        #[expect(dead_code, reason = "it is only read")]
        number: Sensitive<String>,
    }
    let error = json::read::<Card>(b"{}").unwrap_err();
    assert_eq!(
        (error.pointer.as_str(), error.message.as_str()),
        ("/number", "missing field `number`")
    );
}
