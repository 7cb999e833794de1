//! Encoding: serializes a body as JSON or as a form.

use openapi_document::node::Entry;
use openapi_document::view::{Document, MediaType};
use openapi_document::{Mapping, Node, Value};

use crate::envelopes;
use crate::shape::Shape;
use crate::value;

use crate::style::{Style, encode};

mod multipart;

/// The serialization of a body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Encoding {
    /// JSON.
    #[default]
    Json,
    /// JSON in an object with one property of this name.
    Enveloped(String),
    /// `application/x-www-form-urlencoded`, with the styles of properties that declare one.
    Form(Vec<(String, Style)>),
    /// `multipart/form-data`, with the properties that are files and their media types.
    Multipart(Vec<(String, String)>),
}

/// The preferred media type of a body: JSON, then a form, then multipart. `None` for other media
/// types.
pub fn preferred<'d>(content: Vec<MediaType<'d>>) -> Option<MediaType<'d>> {
    let rank = |media: &MediaType<'d>| match media {
        media if media.is_json() => Some(0),
        media if media.is_form() => Some(1),
        media if media.is_multipart() => Some(2),
        _ => None,
    };
    let all = content.into_iter();
    let ranked = all.filter_map(|item| Some((rank(&item)?, item)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, rank)| rank)
}

impl Encoding {
    /// The serialization for a media type.
    pub fn of<'d>(document: &'d Document, media: &MediaType<'d>) -> Self {
        if media.is_multipart() {
            return Self::Multipart(multipart::files(document, media));
        }
        if !media.is_form() {
            let name = media.at.node.get(envelopes::KEY).and_then(Node::as_str);
            return name.map_or(Self::Json, |item| Self::Enveloped(item.to_owned()));
        }
        let encodings = media.at.get("encoding");
        let styles = encodings
            .iter()
            .flat_map(openapi_document::view::Located::entries);
        let styles = styles.filter_map(|(entry, candidate)| {
            let name = candidate.get("style").and_then(|item| item.node.as_str())?;
            let explode = candidate
                .get("explode")
                .and_then(|item| item.node.as_bool());
            let style = Style {
                name: name.to_owned(),
                explode: explode.unwrap_or(name == "form"),
            };
            Some((entry.key.clone(), style))
        });
        Self::Form(styles.collect())
    }

    /// Whether the server can notice that a body was cut. Half of a form is a valid form.
    pub fn tells_its_end(&self) -> bool {
        !matches!(self, Self::Form(_) | Self::Multipart(_))
    }

    /// The value of `Content-Type` for a media type.
    pub fn content_type(&self, media_type: &str) -> String {
        match self {
            Self::Multipart(_) => multipart::content_type(media_type),
            _ => media_type.to_owned(),
        }
    }

    /// The text of a body.
    pub fn write(&self, body: &Node) -> String {
        match self {
            Self::Json => body.to_json(),
            Self::Enveloped(name) => {
                format!("{{{}:{}}}", value::string(name).to_json(), body.to_json())
            }
            Self::Form(styles) => {
                let pairs = body.entries().flat_map(|entry| pairs(styles, entry));
                pairs.collect::<Vec<String>>().join("&")
            }
            Self::Multipart(files) => multipart::write(files, body),
        }
    }

    /// The body as a server parses it with the schema, because values in a form are texts.
    pub fn read<'d>(&self, document: &'d Document, body: &Node, shape: &Shape<'d>) -> Node {
        let styles = match self {
            Self::Form(styles) => styles.as_slice(),
            Self::Multipart(_) => &[],
            _ => return body.clone(),
        };
        let entries = body.entries().filter_map(|entry| {
            let shape = shape.property(document, &entry.key);
            let is_apart = styles.iter().any(|(name, _)| *name == entry.key);
            let value = reread(document, &entry.value, &shape, is_apart)?;
            Some(Entry {
                value,
                ..entry.clone()
            })
        });
        value::node(Value::Mapping(Mapping {
            entries: entries.collect(),
        }))
    }
}

/// A property as pairs of a form. An object without a style is serialized as JSON.
fn pairs(styles: &[(String, Style)], entry: &Entry) -> Vec<String> {
    let name = if entry.value.as_mapping().is_some() {
        "json"
    } else {
        "form"
    };
    let plain = Style {
        name: name.to_owned(),
        explode: true,
    };
    let declared = styles.iter().find(|(name, _)| *name == entry.key);
    let style = declared.map_or(&plain, |(_, style)| style);
    let written = style.query(&entry.key, &empty(&entry.value)).into_iter();
    let pair = |(name, values): (String, Vec<String>)| {
        let values: Vec<String> = values.iter().map(|value| encode(value)).collect();
        format!("{}={}", encode(&name), values.join(style.delimiter()))
    };
    written.map(pair).collect()
}

/// A form writes `null` as an empty text.
fn empty(node: &Node) -> Node {
    if node.is_null() {
        value::string("")
    } else {
        node.clone()
    }
}

fn reread<'d>(
    document: &'d Document,
    node: &Node,
    shape: &Shape<'d>,
    is_apart: bool,
) -> Option<Node> {
    match &node.value {
        Value::Sequence(items) => {
            let shape = shape.items(document);
            let items = items.iter();
            let items = items.filter_map(|item| reread(document, item, &shape, is_apart));
            // A form writes a list with one empty text like an empty list.
            let items: Vec<Node> = items.filter(|item| item.as_str() != Some("")).collect();
            (!items.is_empty()).then(|| value::node(Value::Sequence(items)))
        }
        Value::Mapping(mapping) if is_apart => {
            let entries = mapping.entries.iter().filter_map(|entry| {
                let shape = shape.property(document, &entry.key);
                let value = reread(document, &entry.value, &shape, is_apart)?;
                Some(Entry {
                    value,
                    ..entry.clone()
                })
            });
            let entries: Vec<Entry> = entries.collect();
            (!entries.is_empty()).then(|| value::node(Value::Mapping(Mapping { entries })))
        }
        Value::Mapping(_) => Some(node.clone()),
        Value::Null if shape.type_name() != Some("string") => None,
        _ => {
            let text = value::plain(&empty(node));
            let parsed = match shape.type_name() {
                Some("integer" | "number" | "boolean") => {
                    openapi_document::json::read_text(&text).ok()
                }
                _ => None,
            };
            let parsed =
                parsed.filter(|parsed| matches!(parsed.value, Value::Number(_) | Value::Bool(_)));
            Some(parsed.unwrap_or_else(|| value::string(&text)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = r#"{"openapi":"3.0.4","info":{"title":"t","version":"1"},"paths":{"/a":{"post":{
        "requestBody":{"content":{"application/x-www-form-urlencoded":{
            "schema":{"type":"object","properties":{"n":{"type":"integer"},"t":{"type":"string"},
                "b":{"type":"boolean"},"m":{"type":"object"},"o":{"type":"object"},
                "l":{"type":"array","items":{"type":"integer"}}}},
            "encoding":{"m":{"style":"deepObject","explode":true}}}}},
        "responses":{"200":{"description":"ok"}}}}}}"#;

    #[test]
    fn a_form_is_written_and_read_by_its_schema() {
        let document = openapi_document::loader::load_text("t.json", DOCUMENT).unwrap();
        let operation = document.operations().remove(0);
        let media = preferred(operation.request_body().unwrap().content()).unwrap();
        let encoding = Encoding::of(&document, &media);
        let shape = Shape::of(&document, media.schema().as_ref());
        for (body, written, read) in [
            (
                r#"{"n":1,"t":"a b&c"}"#,
                "n=1&t=a%20b%26c",
                r#"{"n":1,"t":"a b&c"}"#,
            ),
            (
                r#"{"n":"1","t":true}"#,
                "n=1&t=true",
                r#"{"n":1,"t":"true"}"#,
            ),
            (
                r#"{"n":"x","b":"yes"}"#,
                "n=x&b=yes",
                r#"{"n":"x","b":"yes"}"#,
            ),
            (r#"{"t":null,"l":[]}"#, "t=", r#"{"t":""}"#),
            (r#"{"l":[1,"2"]}"#, "l=1&l=2", r#"{"l":[1,2]}"#),
            (r#"{"n":1,"l":[""]}"#, "n=1&l=", r#"{"n":1}"#),
            (
                r#"{"m":{"k":"ü"}}"#,
                "m%5Bk%5D=%C3%BC",
                r#"{"m":{"k":"ü"}}"#,
            ),
            (
                r#"{"o":{"k":1}}"#,
                "o=%7B%22k%22%3A1%7D",
                r#"{"o":{"k":1}}"#,
            ),
        ] {
            let body = openapi_document::json::read_text(body).unwrap();
            assert_eq!(encoding.write(&body), written);
            assert_eq!(encoding.read(&document, &body, &shape).to_json(), read);
        }
    }
}
