//! The base path: what the servers of a document have behind their hosts, and an address may lack.

use openapi_document::view::Document;
use reqwest::Url;

/// The path of each server that a document names, `/v1`, where the address of the server under test has none.
pub(crate) fn lacking(document: &Document, url: &Url) -> Option<String> {
    let servers = document.root.get("servers")?;
    let mut paths = servers
        .items()
        .map(|own| path_of(own.get("url")?.as_str()?));
    let first = paths.next().flatten()?;
    let is_one = paths.all(|own| own.as_ref() == Some(&first));
    (is_one && url.path() == "/").then_some(first)
}

/// The path of an address, or of one that has no host; none where it is the root, or has variables.
fn path_of(url: &str) -> Option<String> {
    let path = match Url::parse(url) {
        Ok(own) if own.has_host() => own.path().to_owned(),
        _ => url.starts_with('/').then(|| url.to_owned())?,
    };
    let path = path.trim_end_matches('/');
    let is_plain = !path.is_empty() && !url.contains('{');
    is_plain.then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_address_lacks() {
        for (servers, url, expected) in [
            (
                "[{url: 'https://a.example/v1'}]",
                "http://127.0.0.1:80",
                Some("/v1"),
            ),
            ("[{url: /api/v2/}]", "http://127.0.0.1:80/", Some("/api/v2")),
            (
                "[{url: 'https://a.example/v1'}]",
                "http://127.0.0.1:80/v1",
                None,
            ),
            (
                "[{url: 'https://a.example/v1'}]",
                "http://127.0.0.1:80/pay",
                None,
            ),
            ("[{url: 'localhost:3000/v1'}]", "http://127.0.0.1:80", None),
            ("[{url: 'https://a.example'}]", "http://127.0.0.1:80", None),
            (
                "[{url: 'https://a.example/{v}'}]",
                "http://127.0.0.1:80",
                None,
            ),
            (
                "[{url: 'https://a.example/v1'}, {url: 'https://b.example/v2'}]",
                "http://127.0.0.1:80",
                None,
            ),
        ] {
            let text = format!(
                "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\nservers: {servers}\npaths: {{}}\n"
            );
            let document = openapi_document::loader::load_text("t.yaml", &text).unwrap();
            let found = lacking(&document, &Url::parse(url).unwrap());
            assert_eq!(found.as_deref(), expected, "{servers} {url}");
        }
    }
}
