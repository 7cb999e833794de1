use codegen_runtime::{Sensitive, json};

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
