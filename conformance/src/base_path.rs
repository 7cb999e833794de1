//! Finds the base path that the address of a server lacks.

use openapi_document::view::Document;
use reqwest::Url;

/// The path of every server in the document, such as `/v1`, when the address of the server under
/// test has no path. `None` when the servers have different paths.
pub(crate) fn lacking(document: &Document, url: &Url) -> Option<String> {
    let servers = document.root.get("servers")?;
    let mut paths = servers
        .items()
        .map(|server| path_of(server.get("url")?.as_str()?));
    let first = paths.next().flatten()?;
    let is_one = paths.all(|server| server.as_ref() == Some(&first));
    (is_one && url.path() == "/").then_some(first)
}

/// The path of an absolute or relative address. `None` for the root path and for a path with
/// variables.
fn path_of(url: &str) -> Option<String> {
    let path = match Url::parse(url) {
        Ok(url) if url.has_host() => url.path().to_owned(),
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
    fn base_paths_that_an_address_lacks() {
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
