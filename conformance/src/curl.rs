//! Writes a request as a `curl` command that repeats it.

use std::fmt::Write as _;

use openapi_document::view::Method;

use crate::exchange::Sent;
use crate::secrets::Secrets;

/// The command. Secrets are shell variables or placeholders.
pub fn command(sent: &Sent, secrets: &Secrets) -> String {
    let url = quoted(&secrets.redact(&sent.shown.url));
    // With `-X HEAD` curl would wait for a body.
    let method = match sent.method {
        Method::Head => "-I".to_owned(),
        other => format!("-i -X {other}"),
    };
    let mut command = format!("curl -sS {method} {url}");
    for (name, value) in &sent.headers {
        let of_run = || secrets.header(name).map(str::to_owned);
        let header = match sent.shown.header(name).or_else(of_run) {
            Some(placeholder) => format!("\"{name}: {placeholder}\""),
            // With a colon and no value, curl would omit the header.
            None if value.is_empty() => quoted(&format!("{name};")),
            None => quoted(&format!("{name}: {}", secrets.redact(value))),
        };
        // Writing to a string does not fail.
        let _ = write!(command, " -H {header}");
    }
    if let Some(body) = &sent.shown.body {
        let _ = write!(command, " --data-raw {}", quoted(&secrets.redact(body)));
    }
    command
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoding;
    use crate::exchange::Shown;

    #[test]
    fn quotes_special_characters_of_the_shell() {
        let sent = Sent {
            case: String::new(),
            operation: String::new(),
            method: Method::Post,
            url: "http://h/p".to_owned(),
            path_arguments: Vec::new(),
            query: Vec::new(),
            headers: vec![
                ("authorization".to_owned(), "key-123456".to_owned()),
                ("content-type".to_owned(), "application/json".to_owned()),
            ],
            body: None,
            json: None,
            encoding: Encoding::Json,
            shown: Shown {
                url: "http://h/p?a=1".to_owned(),
                body: Some(r#"{"a":"it's key-123456"}"#.to_owned()),
                ..Shown::default()
            },
            changes: Vec::new(),
        };
        let headers = [sent.headers[0].clone()];
        let secrets = Secrets::new(&headers, &["authorization".to_owned()]);
        assert_eq!(
            command(&sent, &secrets),
            "curl -sS -i -X POST 'http://h/p?a=1' -H \"authorization: $CONFORMANCE_AUTH\" \
             -H 'content-type: application/json' \
             --data-raw '{\"a\":\"it'\\''s $CONFORMANCE_AUTH\"}'"
        );
    }
}
