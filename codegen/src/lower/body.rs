//! Lowers the bodies of requests and responses.

use openapi_document::Node;
use openapi_document::view::{Located, MediaType, Operation as Source, Response as SourceResponse};

use super::direction::Direction;
use super::view::{Part, View};
use super::{Lowering, context, docs};
use crate::ir::{
    Body, Content, Encoding, Field, FormField, JsonKind, Location, Shape, Struct, Style, Type,
    Usage,
};

impl<'d> Lowering<'d> {
    /// The request body of an operation.
    pub(super) fn body(&mut self, source: &Source<'d>) -> Option<Body> {
        let body = source.request_body()?;
        // A body that the service sends has the types of its answers.
        let direction = if self.sent {
            Direction::Answer
        } else {
            Direction::Request
        };
        let before = std::mem::replace(&mut self.direction, direction);
        let mut contents = self.contents(&body.content());
        self.direction = before;
        for content in &mut contents {
            if content.encoding == Encoding::Events {
                let title = "events are sent by servers only; this body is taken as text";
                self.warn("events-in-request", &body.at, title);
                content.encoding = Encoding::Text;
                content.usage = Usage::plain(Type::Text);
            }
        }
        (!contents.is_empty()).then(|| Body {
            required: body.required(),
            contents,
            docs: docs::of(body.at.node),
        })
    }

    /// The bodies of a response. Forms in responses are not parsed.
    pub(super) fn response_contents(&mut self, source: &SourceResponse<'d>) -> Vec<Content> {
        let media_types: Vec<MediaType<'d>> = source.content();
        let (forms, others): (Vec<_>, Vec<_>) = media_types
            .into_iter()
            .partition(|one| matches!(encoding(one), Encoding::Form | Encoding::Multipart));
        let mut contents = self.contents(&others);
        contents.extend(forms.iter().map(|form| raw(form, Encoding::Bytes)));
        contents
    }

    /// The supported media types. One with an unsupported structure, such as XML, becomes bytes,
    /// and only when there is no other.
    fn contents(&mut self, media_types: &[MediaType<'d>]) -> Vec<Content> {
        let mut by_rank: Vec<&MediaType<'d>> = media_types.iter().collect();
        by_rank.sort_by_key(|media_type| (rank(media_type), media_type.name));
        let mut contents: Vec<Content> = Vec::new();
        for media_type in by_rank {
            if !is_media_type(media_type.name) {
                let title = format!("`{}` is no media type and is left out", media_type.name);
                self.warn("media-type-not-valid", &media_type.at, title);
                continue;
            }
            let spoken = self.is_spoken(media_type);
            let content = self.content(media_type);
            let same = |other: &Content| {
                other.encoding == content.encoding && other.usage == content.usage
            };
            match contents
                .iter()
                .find(|other| !spoken || same(other))
                .or(contents.first())
            {
                Some(other) if !spoken || contents.iter().any(same) => {
                    let (own, other) = (media_type.name, &other.media_type);
                    let title = format!("`{own}` is left out in favour of `{other}`");
                    self.warn("media-type-left-out", &media_type.at, title);
                }
                _ => contents.push(content),
            }
        }
        contents
    }

    /// Whether values of the media type can be written as the document describes them.
    fn is_spoken(&self, media_type: &MediaType<'d>) -> bool {
        match encoding(media_type) {
            Encoding::Json | Encoding::Form | Encoding::Multipart | Encoding::Events => true,
            Encoding::Text | Encoding::Bytes => {
                let schema = media_type.schema();
                let schema = schema.and_then(|schema| self.document.resolve(&schema).ok());
                schema.is_none_or(|schema| {
                    let kind = schema.node.get("type").and_then(Node::as_str);
                    matches!(kind, None | Some("string"))
                        && schema.node.get("$ref").is_none()
                        && schema.node.get("properties").is_none()
                })
            }
        }
    }

    fn content(&mut self, media_type: &MediaType<'d>) -> Content {
        let encoding = encoding(media_type);
        if self.is_binary(media_type) {
            return raw(media_type, Encoding::Bytes);
        }
        match encoding {
            Encoding::Text | Encoding::Bytes => raw(media_type, encoding),
            Encoding::Events => Content {
                usage: self.event_data(media_type),
                ..raw(media_type, encoding)
            },
            Encoding::Multipart => Content {
                usage: self.parts(media_type),
                ..raw(media_type, encoding)
            },
            Encoding::Json | Encoding::Form => Content {
                usage: media_type
                    .schema()
                    .map_or_else(Usage::any, |schema| self.usage(&schema)),
                fields: self.form_fields(media_type),
                ..raw(media_type, encoding)
            },
        }
    }

    /// The type of a body in several parts.
    fn parts(&mut self, media_type: &MediaType<'d>) -> Usage {
        let mut words = context::words(self.document, &media_type.at.pointer);
        words.pop();
        words.push("Parts".to_owned());
        let schema = media_type.schema().map(Part::new);
        let (view, _) = View::of(self.document, schema.as_slice());
        let documented = view.parts.first().map(|part| docs::of(part.at.node));
        if view.get("oneOf").is_some() || view.get("anyOf").is_some() {
            let title = "alternatives of a body in parts are not expressed";
            self.warn("multipart-alternatives", &media_type.at, title);
        }
        let mut fields = self.fields(&view, Self::part_usage);
        self.part_encodings(media_type, &mut fields);
        let shape = Shape::Parts(Struct {
            fields,
            rest: None,
            closed: false,
            loose: false,
        });
        self.define_body(words, documented.unwrap_or_default(), shape)
    }

    /// Gives values the media types that the document names for their parts; reports what is not
    /// applied. A file says its own media type.
    fn part_encodings(&mut self, media_type: &MediaType<'d>, fields: &mut [Field]) {
        let Some(encodings) = media_type.at.get("encoding") else {
            return;
        };
        for (entry, at) in encodings.entries() {
            let name = &entry.key;
            for word in ["style", "headers"] {
                if at.node.get(word).is_some() {
                    let title = format!("the `{word}` of the part `{name}` is not applied");
                    self.warn("part-encoding-not-applied", &at, title);
                }
            }
            let field = fields.iter_mut().find(|field| field.wire == *name);
            let Some((field, named)) = field.zip(content_type(&at)) else {
                continue;
            };
            let kind = match &field.usage.ty {
                Type::File => continue,
                Type::List(item) if item.ty == Type::File => continue,
                Type::List(item) => self.kind(item, 0),
                _ => self.kind(&field.usage, 0),
            };
            field.media_type = writable(named, kind);
            if field.media_type.is_none() {
                let title = format!("the `contentType` of the part `{name}` is not applied");
                self.warn("part-encoding-not-applied", &at, title);
            }
        }
    }

    /// The type of one part: a file, several files, or a value.
    fn part_usage(&mut self, parts: &[Part<'d>]) -> Usage {
        let binary = |at: &Located<'d>| {
            let at = self.document.resolve(at).ok()?;
            let format = at.node.get("format").and_then(Node::as_str);
            Some((format == Some("binary"), at.get("items")))
        };
        let first = parts.first().and_then(|part| binary(&part.at));
        let file = || Usage::plain(Type::File);
        match first {
            Some((true, _)) => file(),
            Some((false, Some(items))) if binary(&items).is_some_and(|(binary, _)| binary) => {
                Usage::plain(Type::List(Box::new(file())))
            }
            _ => Usage {
                nullable: false,
                ..self.usage_of(parts)
            },
        }
    }

    fn is_binary(&self, media_type: &MediaType<'d>) -> bool {
        let schema = media_type.schema();
        let schema = schema.and_then(|schema| self.document.resolve(&schema).ok());
        schema.is_some_and(|schema| {
            schema.node.get("format").and_then(Node::as_str) == Some("binary")
        })
    }

    /// The fields of a form with a non-default style, or with JSON instead of text.
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
            let property = properties
                .as_ref()
                .and_then(|properties| properties.get(&entry.key));
            let usage = property.map(|property| self.usage(&property));
            let kind = usage
                .as_ref()
                .map_or(JsonKind::Any, |usage| self.kind(usage, 0));
            let word = at.node.get("style").and_then(Node::as_str);
            let style = match (word, usage) {
                // A media type counts only where no style is named.
                (Some(word), _) => self.style(word, &at, Location::Query),
                (None, Some(usage)) if self.is_quoted(&entry.key, &at, &usage) => Style::Json,
                (None, _) => continue,
            };
            let explode = at.node.get("explode").and_then(Node::as_bool);
            fields.push(FormField {
                wire: entry.key.clone(),
                style,
                explode: explode.unwrap_or(matches!(style, Style::Form | Style::Json)),
                kind,
            });
        }
        fields.sort_by(|a, b| a.wire.cmp(&b.wire));
        fields
    }

    /// Whether the `contentType` of a field asks for JSON where its values would be text. What they
    /// cannot be written in is reported: objects are JSON, and a text may be of any other type.
    fn is_quoted(&mut self, name: &str, at: &Located<'d>, usage: &Usage) -> bool {
        let Some(named) = content_type(at) else {
            return false;
        };
        let kind = match &usage.ty {
            Type::List(item) => self.kind(item, 0),
            _ => self.kind(usage, 0),
        };
        let mut types = named.split(',').map(str::trim);
        match kind {
            JsonKind::Bool | JsonKind::Number => false,
            // The first type is the one that is written.
            JsonKind::Text => types.next().is_some_and(is_json),
            JsonKind::Any | JsonKind::List => types.all(is_json),
            JsonKind::Object | JsonKind::Loose => {
                if !types.any(is_json) {
                    let title = format!("the `contentType` of the field `{name}` is not applied");
                    self.warn("part-encoding-not-applied", at, title);
                }
                false
            }
        }
    }
}

fn content_type<'d>(encoding: &Located<'d>) -> Option<&'d str> {
    encoding.node.get("contentType")?.as_str()
}

fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence.ends_with("/json") || essence.ends_with("+json")
}

/// The first of several media types that values of a kind can be written in.
fn writable(named: &str, kind: JsonKind) -> Option<String> {
    let is_scalar = matches!(kind, JsonKind::Text | JsonKind::Number | JsonKind::Bool);
    let mut types = named.split(',').map(str::trim);
    let found = types.find(|own| {
        let is_one = is_media_type(own) && !own.contains('*');
        is_one && (is_scalar || is_json(own))
    });
    found.map(str::to_owned)
}

/// A body that is not parsed.
fn raw(media_type: &MediaType<'_>, encoding: Encoding) -> Content {
    let ty = match encoding {
        Encoding::Text => Type::Text,
        _ => Type::Bytes,
    };
    Content {
        media_type: media_type.name.to_owned(),
        encoding,
        usage: Usage::plain(ty),
        fields: Vec::new(),
    }
}

/// Whether the text is valid in a `Content-Type` header.
fn is_media_type(text: &str) -> bool {
    text.contains('/')
        && text
            .bytes()
            .all(|byte| byte == b' ' || byte.is_ascii_graphic())
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
        "text/event-stream" => Encoding::Events,
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
        Encoding::Events => 5,
        Encoding::Bytes => 6,
    }
}
