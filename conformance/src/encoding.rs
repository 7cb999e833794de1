//! Encoding: how a body of names and values is written, as JSON or as a form.

use openapi_document::node::Entry;
use openapi_document::view::{Document, MediaType};
use openapi_document::{Mapping, Node, Value};

use crate::envelopes;
use crate::shape::Shape;
use crate::value;

use crate::style::{Style, encode};

mod multipart;

/// How a body is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Encoding {
    /// As JSON.
    #[default]
    Json,
    /// As JSON, under the name of its envelope.
    Enveloped(String),
    /// As `application/x-www-form-urlencoded`, with the properties that have a style of their own.
    Form(Vec<(String, Style)>),
    /// As `multipart/form-data`, with the properties that are files and the media type of each.
    Multipart(Vec<(String, String)>),
}

/// The media type that a body of names and values is sent as: JSON where it is taken, else a form, else one of parts.
pub fn preferred<'d>(content: Vec<MediaType<'d>>) -> Option<MediaType<'d>> {
    let rank = |own: &MediaType<'d>| match own {
        own if own.is_json() => Some(0),
        own if own.is_form() => Some(1),
        own if own.is_multipart() => Some(2),
        _ => None,
    };
    let all = content.into_iter();
    let ranked = all.filter_map(|own| Some((rank(&own)?, own)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, own)| own)
}

impl Encoding {
    /// How a body of a media type is written.
    pub fn of<'d>(document: &'d Document, media: &MediaType<'d>) -> Self {
        if media.is_multipart() {
            return Self::Multipart(multipart::files(document, media));
        }
        if !media.is_form() {
            let name = media.at.node.get(envelopes::KEY).and_then(Node::as_str);
            return name.map_or(Self::Json, |own| Self::Enveloped(own.to_owned()));
        }
        let told = media.at.get("encoding");
        let styles = told
            .iter()
            .flat_map(openapi_document::view::Located::entries);
        let styles = styles.filter_map(|(entry, own)| {
            let name = own.get("style").and_then(|own| own.node.as_str())?;
            let explode = own.get("explode").and_then(|own| own.node.as_bool());
            let style = Style {
                name: name.to_owned(),
                explode: explode.unwrap_or(name == "form"),
            };
            Some((entry.key.clone(), style))
        });
        Self::Form(styles.collect())
    }

    /// Whether a part of a body that is cut off cannot be a body.
    pub fn tells_its_end(&self) -> bool {
        !matches!(self, Self::Form(_) | Self::Multipart(_))
    }

    /// What `Content-Type` says of a body of a media type.
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
                let pairs = body.entries().flat_map(|own| pairs(styles, own));
                pairs.collect::<Vec<String>>().join("&")
            }
            Self::Multipart(files) => multipart::write(files, body),
        }
    }

    /// What a reader who goes by the schema makes of a body: a form has texts alone.
    pub fn read<'d>(&self, document: &'d Document, body: &Node, shape: &Shape<'d>) -> Node {
        let styles = match self {
            Self::Form(styles) => styles.as_slice(),
            Self::Multipart(_) => &[],
            _ => return body.clone(),
        };
        let entries = body.entries().filter_map(|own| {
            let shape = shape.property(document, &own.key);
            let is_apart = styles.iter().any(|(name, _)| *name == own.key);
            let value = reread(document, &own.value, &shape, is_apart)?;
            Some(Entry {
                value,
                ..own.clone()
            })
        });
        value::node(Value::Mapping(Mapping {
            entries: entries.collect(),
        }))
    }
}

/// A property as pairs of a form. An object without a style is JSON within it.
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
    let own = styles.iter().find(|(name, _)| *name == entry.key);
    let style = own.map_or(&plain, |(_, style)| style);
    let written = style.query(&entry.key, &empty(&entry.value)).into_iter();
    let pair = |(name, values): (String, Vec<String>)| {
        let values: Vec<String> = values.iter().map(|own| encode(own)).collect();
        format!("{}={}", encode(&name), values.join(style.delimiter()))
    };
    written.map(pair).collect()
}

/// A form has no null but the empty text.
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
            let items = items.filter_map(|own| reread(document, own, &shape, is_apart));
            // A form writes a list of one empty text as it writes no list.
            let items: Vec<Node> = items.filter(|item| item.as_str() != Some("")).collect();
            (!items.is_empty()).then(|| value::node(Value::Sequence(items)))
        }
        Value::Mapping(mapping) if is_apart => {
            let entries = mapping.entries.iter().filter_map(|own| {
                let shape = shape.property(document, &own.key);
                let value = reread(document, &own.value, &shape, is_apart)?;
                Some(Entry {
                    value,
                    ..own.clone()
                })
            });
            let entries: Vec<Entry> = entries.collect();
            (!entries.is_empty()).then(|| value::node(Value::Mapping(Mapping { entries })))
        }
        Value::Mapping(_) => Some(node.clone()),
        Value::Null if shape.type_name() != Some("string") => None,
        _ => {
            let text = value::plain(&empty(node));
            let told = match shape.type_name() {
                Some("integer" | "number" | "boolean") => {
                    openapi_document::json::read_text(&text).ok()
                }
                _ => None,
            };
            let told = told.filter(|own| matches!(own.value, Value::Number(_) | Value::Bool(_)));
            Some(told.unwrap_or_else(|| value::string(&text)))
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
