//! Bodies of requests and responses.

use spec::document::{MediaType, Operation as Source, Response as SourceResponse};

use super::{Lowering, docs};
use crate::ir::{Body, Content, Encoding, FormField, JsonKind, Location, Style, Type, Usage};

impl<'d> Lowering<'d> {
    /// The request body of an operation.
    pub(super) fn body(&mut self, source: &Source<'d>) -> Option<Body> {
        let body = source.request_body()?;
        let content = self.content(&body.content())?;
        Some(Body {
            required: body.required(),
            content,
            docs: docs::of(body.at.node),
        })
    }

    /// The body of a response; forms are not taken apart there.
    pub(super) fn response_content(&mut self, source: &SourceResponse<'d>) -> Option<Content> {
        let content = self.content(&source.content())?;
        Some(match content.encoding {
            Encoding::Form | Encoding::Multipart => raw(content, Encoding::Bytes),
            Encoding::Json | Encoding::Text | Encoding::Bytes => content,
        })
    }

    /// The media type that is spoken: of several the first that is JSON, else a form, else any.
    fn content(&mut self, media_types: &[MediaType<'d>]) -> Option<Content> {
        let mut by_rank: Vec<&MediaType<'d>> = media_types.iter().collect();
        by_rank.sort_by_key(|media_type| (rank(media_type), media_type.name));
        let (chosen, others) = by_rank.split_first()?;
        for other in others {
            let title = format!(
                "`{}` is left out in favour of `{}`",
                other.name, chosen.name
            );
            self.warn("media-type-left-out", &other.at, title);
        }
        let content = Content {
            media_type: chosen.name.to_owned(),
            encoding: encoding(chosen),
            usage: Usage::any(),
            fields: Vec::new(),
        };
        Some(match content.encoding {
            _ if self.is_binary(chosen) => raw(content, Encoding::Bytes),
            Encoding::Text | Encoding::Bytes | Encoding::Multipart => {
                let encoding = content.encoding;
                raw(content, encoding)
            }
            Encoding::Json | Encoding::Form => Content {
                usage: chosen
                    .schema()
                    .map_or_else(Usage::any, |schema| self.usage(&schema)),
                fields: self.form_fields(chosen),
                ..content
            },
        })
    }

    fn is_binary(&self, media_type: &MediaType<'d>) -> bool {
        let schema = media_type.schema();
        let schema = schema.and_then(|schema| self.document.resolve(&schema).ok());
        schema.is_some_and(|schema| {
            schema.node.get("format").and_then(spec::Node::as_str) == Some("binary")
        })
    }

    /// The fields of a form that have a style of their own.
    fn form_fields(&mut self, media_type: &MediaType<'d>) -> Vec<FormField> {
        if encoding(media_type) != Encoding::Form {
            return Vec::new();
        }
        let Some(encodings) = media_type.at.get("encoding") else {
            return Vec::new();
        };
        let schema = media_type.schema();
        let schema = schema.and_then(|schema| self.document.resolve(&schema).ok());
        let properties = schema.and_then(|schema| schema.get("properties"));
        let mut fields = Vec::new();
        for (entry, at) in encodings.entries() {
            let Some(word) = at.node.get("style").and_then(spec::Node::as_str) else {
                continue;
            };
            let style = self.style(word, &at, Location::Query);
            let explode = at.node.get("explode").and_then(spec::Node::as_bool);
            let property = properties
                .as_ref()
                .and_then(|properties| properties.get(&entry.key));
            let kind = property.map_or(JsonKind::Any, |property| {
                let usage = self.usage(&property);
                self.kind(&usage, 0)
            });
            fields.push(FormField {
                wire: entry.key.clone(),
                style,
                explode: explode.unwrap_or(style == Style::Form),
                kind,
            });
        }
        fields.sort_by(|a, b| a.wire.cmp(&b.wire));
        fields
    }
}

/// A body that is not taken apart.
fn raw(content: Content, encoding: Encoding) -> Content {
    let ty = match encoding {
        Encoding::Text => Type::Text,
        _ => Type::Bytes,
    };
    Content {
        encoding,
        usage: Usage::plain(ty),
        fields: Vec::new(),
        ..content
    }
}

fn essence(media_type: &MediaType<'_>) -> String {
    let essence = media_type.name.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

fn encoding(media_type: &MediaType<'_>) -> Encoding {
    let essence = essence(media_type);
    if media_type.is_json() || (essence == "*/*" && media_type.schema().is_some()) {
        return Encoding::Json;
    }
    match essence.as_str() {
        "application/x-www-form-urlencoded" => Encoding::Form,
        "multipart/form-data" => Encoding::Multipart,
        text if text.starts_with("text/") => Encoding::Text,
        _ => Encoding::Bytes,
    }
}

fn rank(media_type: &MediaType<'_>) -> usize {
    match encoding(media_type) {
        Encoding::Json if essence(media_type) == "application/json" => 0,
        Encoding::Json => 1,
        Encoding::Form => 2,
        Encoding::Multipart => 3,
        Encoding::Text => 4,
        Encoding::Bytes => 5,
    }
}
