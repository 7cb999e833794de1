//! What an operation demands of its callers, as client and server know it.

use std::path::Path;

use codegen::{Options, generate};

const SCHEMES: &str = "components:\n  securitySchemes:\n    token: {type: oauth2, flows: {clientCredentials: \
                       {tokenUrl: https://a.example/token, scopes: {read: r, write: w}}}}\n    oidc: {type: \
                       openIdConnect, openIdConnectUrl: https://a.example/}\n    key: {type: apiKey, in: header, name: \
                       X-Key}\n    tls: {type: mutualTLS}\n    digest: {type: http, scheme: digest}\n";

/// The file of the crate for a document whose one operation demands this, and the rules it breaks.
fn file(security: &str, path: &str) -> (String, Vec<&'static str>) {
    let text = format!(
        "openapi: 3.1.0\ninfo: {{title: t, version: '1'}}\npaths:\n  /a:\n    get:\n      security: {security}\n      \
         responses: {{'204': {{description: done}}}}\n{SCHEMES}"
    );
    let document = openapi_document::loader::load_text("a.yaml", &text).unwrap();
    let options = Options {
        crate_name: "a".to_owned(),
        complete_crate: false,
        source_label: "a.yaml".to_owned(),
        behaviour: None,
        round_trips: false,
        command: String::new(),
        exact: false,
        ..Options::default()
    };
    let output = generate(&document, &options).unwrap();
    let mut files = output.files.iter();
    let file = files.find(|file| file.path == Path::new(path)).unwrap();
    let rules = output.diagnostics.iter().map(|one| one.rule).collect();
    let text: Vec<&str> = file.text.split_whitespace().collect();
    (text.join(" "), rules)
}

#[test]
fn schemes_and_scopes_are_data() {
    for (security, expected) in [
        ("[]", "&[]"),
        (
            "[{token: [read, write]}, {oidc: []}]",
            r#"&[&[super::TOKEN.scopes(&["read", "write"])], &[super::OIDC]]"#,
        ),
        (
            "[{}, {key: [], tls: []}]",
            "&[&[], &[super::KEY, super::TLS]]",
        ),
        // What cannot be sent is demanded all the same: the operation is not open.
        ("[{digest: []}]", "&[&[super::DIGEST]]"),
        ("[{tls: []}]", "&[&[super::TLS]]"),
    ] {
        let (text, rules) = file(security, "src/operations/default.rs");
        let field = text.split_once(".security(");
        let field = field.map_or("&[])", |(_, field)| field);
        let field = field.split(".repeat").next().unwrap().trim_end();
        let field = field.strip_suffix(')').unwrap();
        let field = field.replace("&[ ", "&[").replace(", ]", "]");
        assert_eq!(field, expected);
        assert_eq!(rules, ["security-scheme-not-supported"], "digest alone");
    }
}

#[test]
fn a_scheme_says_how_its_credentials_travel() {
    let (text, _) = file("[]", "src/operations/mod.rs");
    for carrier in [
        r#"name: "token", carrier: Carrier::Bearer"#,
        r#"name: "oidc", carrier: Carrier::Bearer"#,
        r#"name: "key", carrier: Carrier::Header("x-key")"#,
        r#"name: "tls", carrier: Carrier::Certificate"#,
        r#"name: "digest", carrier: Carrier::Unknown"#,
    ] {
        assert!(text.contains(carrier), "{carrier} in {text}");
    }
    let (text, _) = file("[]", "src/client/mod.rs");
    for (setter, there) in [
        ("token", true),
        ("key", true),
        ("tls", false),
        ("digest", false),
    ] {
        assert_eq!(
            text.contains(&format!("pub fn {setter}(")),
            there,
            "{setter}"
        );
    }
}
