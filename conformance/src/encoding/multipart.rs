//! Multipart: serializes a body as `multipart/form-data` (RFC 7578), one part for each value.

use std::fmt::Write as _;

use openapi_document::node::Entry;
use openapi_document::view::{Document, MediaType};
use openapi_document::{Node, Value};

use crate::shape::Shape;
use crate::value;

/// The separator of the parts. No generated value contains it.
const BOUNDARY: &str = "conformance-part-7f0c1d52";

/// The media type of a file when the document names none.
const ANY_FILE: &str = "application/octet-stream";

/// The properties of a body that are files, each with its media type.
pub(super) fn files<'d>(document: &'d Document, media: &MediaType<'d>) -> Vec<(String, String)> {
    let shape = Shape::of(document, media.schema().as_ref());
    let file = |name: &&str| {
        let property = shape.property(document, name);
        let text = |key| property.keyword(key).and_then(Node::as_str);
        text("format") == Some("binary") || text("contentMediaType").is_some()
    };
    let encoding = media.at.get("encoding");
    let media_type = |name: &str| {
        let content_type = encoding.as_ref()?.get(name)?.get("contentType")?;
        // Uses the first of several media types.
        let first = content_type
            .node
            .as_str()?
            .split(',')
            .next()?
            .trim()
            .to_owned();
        (!first.contains('*')).then_some(first)
    };
    let names = shape.property_names().into_iter().filter(file);
    let typed = |name: &str| {
        let property = shape.property(document, name);
        let of_schema = property.keyword("contentMediaType").and_then(Node::as_str);
        let of_schema = of_schema.map(str::to_owned);
        media_type(name)
            .or(of_schema)
            .unwrap_or_else(|| ANY_FILE.to_owned())
    };
    names.map(|name| (name.to_owned(), typed(name))).collect()
}

/// The value of `Content-Type`.
pub(super) fn content_type(media_type: &str) -> String {
    format!("{media_type}; boundary={BOUNDARY}")
}

/// The text of a body.
pub(super) fn write(files: &[(String, String)], body: &Node) -> String {
    let mut text = String::new();
    for entry in body.entries() {
        let file = files.iter().find(|(name, _)| *name == entry.key);
        let file = file.map(|(_, media_type)| media_type.as_str());
        match &entry.value.value {
            Value::Sequence(items) => {
                for item in items {
                    part(&mut text, entry, item, file);
                }
            }
            // `null` has no part.
            Value::Null => {}
            _ => part(&mut text, entry, &entry.value, file),
        }
    }
    text.push_str("--");
    text.push_str(BOUNDARY);
    text.push_str("--\r\n");
    text
}

fn part(text: &mut String, entry: &Entry, node: &Node, file: Option<&str>) {
    let name = escape(&entry.key);
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\""
    );
    if file.is_some() {
        let _ = write!(text, "; filename=\"{name}\"");
    }
    let json = node.as_mapping().map(|_| "application/json");
    if let Some(media_type) = file.or(json) {
        let _ = write!(text, "\r\nContent-Type: {media_type}");
    }
    let _ = write!(text, "\r\n\r\n{}\r\n", value::plain(node));
}

/// Escapes a name in quotes as browsers do.
fn escape(name: &str) -> String {
    name.replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use crate::encoding::{Encoding, preferred};

    const DOCUMENT: &str = r#"{"openapi":"3.0.4","info":{"title":"t","version":"1"},"paths":{"/a":{"post":{
        "requestBody":{"content":{"multipart/form-data":{
            "schema":{"type":"object","properties":{"n":{"type":"integer"},"f":{"type":"string","format":"binary"},
                "o":{"type":"object"},"l":{"type":"array","items":{"type":"string"}}}},
            "encoding":{"f":{"contentType":"image/png, image/jpeg"}}}}},
        "responses":{"200":{"description":"ok"}}}}}}"#;

    #[test]
    fn each_value_is_a_part() {
        let document = openapi_document::loader::load_text("t.json", DOCUMENT).unwrap();
        let operation = document.operations().remove(0);
        let media = preferred(operation.request_body().unwrap().content()).unwrap();
        let encoding = Encoding::of(&document, &media);
        let body = r#"{"n":1,"f":"text","o":{"k":true},"l":["a","b"],"x":null}"#;
        let body = openapi_document::json::read_text(body).unwrap();
        insta::assert_snapshot!(encoding.write(&body).replace('\r', ""), @r#"
        --conformance-part-7f0c1d52
        Content-Disposition: form-data; name="n"

        1
        --conformance-part-7f0c1d52
        Content-Disposition: form-data; name="f"; filename="f"
        Content-Type: image/png

        text
        --conformance-part-7f0c1d52
        Content-Disposition: form-data; name="o"
        Content-Type: application/json

        {"k":true}
        --conformance-part-7f0c1d52
        Content-Disposition: form-data; name="l"

        a
        --conformance-part-7f0c1d52
        Content-Disposition: form-data; name="l"

        b
        --conformance-part-7f0c1d52--
        "#);
    }
}
