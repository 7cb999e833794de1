//! Field types: the required fields of `OpenAPI` 3.0 objects, and the types of fields that hold no
//! objects. This table explains why `openapiv3` refuses an object.

use openapi_document::grammar::{Kind, Shape};
use openapi_document::node::{Node, Value};
use openapi_document::object::Object;
use openapi_document::source::Span;

use super::schema_type::is_whole;

const PLACES: &[&str] = &["query", "header", "path", "cookie"];
const KEY_PLACES: &[&str] = &["query", "header", "cookie"];
const SCHEMES: &[&str] = &["apiKey", "http", "oauth2", "openIdConnect"];

const FLAGS: &[&str] = &[
    "allowEmptyValue",
    "allowReserved",
    "attribute",
    "deprecated",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "explode",
    "nullable",
    "readOnly",
    "required",
    "uniqueItems",
    "wrapped",
    "writeOnly",
];
const NUMBERS: &[&str] = &["maximum", "minimum", "multipleOf"];
const COUNTS: &[&str] = &[
    "maxItems",
    "maxLength",
    "maxProperties",
    "minItems",
    "minLength",
    "minProperties",
];

/// The type of a field.
#[derive(Debug, Clone, Copy)]
enum Type {
    Text,
    Word(&'static [&'static str]),
    Flag,
    Number,
    Count,
    List,
    Texts,
    Map,
    TextByName,
}

/// The error in the fields of an object: in the suspected field, or the first error if none is
/// suspected.
pub(super) fn mistake(object: &Object<'_>, suspect: Option<&str>) -> Option<(String, Span)> {
    let wrong = |key: &str, value: &Node| {
        let expected = type_of(object, key)?;
        let misfit = expected.misfit(value)?;
        let (expected, found) = (expected.describe(), found(misfit));
        let message = format!("`{key}` must be {expected}; this is {found}");
        Some((message, misfit.span))
    };
    if let Some(suspect) = suspect {
        return wrong(suspect, object.node.get(suspect)?);
    }
    let mut entries = object.node.entries();
    missing(object).or_else(|| entries.find_map(|entry| wrong(&entry.key, &entry.value)))
}

fn missing(object: &Object<'_>) -> Option<(String, Span)> {
    let node = object.node;
    let lacks = |key: &&&str| node.get(key).is_none();
    let alternatives: &[&str] = match object.kind {
        Kind::Parameter | Kind::Header => &["schema", "content"],
        Kind::Link => &["operationId", "operationRef"],
        _ => &[],
    };
    let is_neither = !alternatives.is_empty() && alternatives.iter().all(|key| lacks(&key));
    let message = match required(object).iter().find(lacks) {
        Some(key) => format!("`{key}` is missing"),
        None if is_neither => format!("`{}` is missing", alternatives.join("` or `")),
        None => return None,
    };
    // The `openapi` field is a better place than the whole document.
    let version = node.get("openapi");
    let at = version.filter(|_| object.kind == Kind::Document);
    Some((message, at.unwrap_or(node).span))
}

fn required(object: &Object<'_>) -> &'static [&'static str] {
    match object.kind {
        Kind::Document => &["info", "paths"],
        Kind::Info => &["title", "version"],
        Kind::License | Kind::Tag => &["name"],
        Kind::Server | Kind::ExternalDocumentation => &["url"],
        Kind::ServerVariable => &["default"],
        Kind::Operation => &["responses"],
        Kind::Parameter => &["name", "in"],
        Kind::RequestBody => &["content"],
        Kind::Response => &["description"],
        Kind::Discriminator => &["propertyName"],
        Kind::SecurityScheme => match object.node.get("type").and_then(Node::as_str) {
            None => &["type"],
            Some("apiKey") => &["name", "in"],
            Some("http") => &["scheme"],
            Some("oauth2") => &["flows"],
            Some("openIdConnect") => &["openIdConnectUrl"],
            Some(_) => &[],
        },
        Kind::OauthFlow => match object.field {
            "implicit" => &["authorizationUrl", "scopes"],
            "authorizationCode" => &["authorizationUrl", "tokenUrl", "scopes"],
            _ => &["tokenUrl", "scopes"],
        },
        _ => &[],
    }
}

/// The type of a field; `None` if it holds objects or any value, or does not exist in 3.0.
fn type_of(object: &Object<'_>, key: &str) -> Option<Type> {
    let kind = object.kind;
    if kind == Kind::SecurityRequirement {
        return Some(Type::Texts);
    }
    let is_plain = kind.shape(key) == Some(Shape::One(Kind::Any));
    if !is_plain || key.starts_with("x-") || kind.since_31(key) {
        return None;
    }
    Some(match (kind, key) {
        (_, "example")
        | (Kind::Example, "value")
        | (Kind::Link, "requestBody")
        | (Kind::Schema, "default") => return None,
        (Kind::Schema, "required") | (Kind::Operation, "tags") | (Kind::ServerVariable, "enum") => {
            Type::Texts
        }
        (Kind::Schema, "enum") => Type::List,
        (Kind::Discriminator, "mapping") | (Kind::OauthFlow, "scopes") => Type::TextByName,
        (Kind::Link, "parameters") => Type::Map,
        (Kind::Parameter, "in") => Type::Word(PLACES),
        (Kind::SecurityScheme, "in") => Type::Word(KEY_PLACES),
        (Kind::SecurityScheme, "type") => Type::Word(SCHEMES),
        (_, "style") => Type::Word(styles(object)),
        (_, key) if FLAGS.contains(&key) => Type::Flag,
        (_, key) if NUMBERS.contains(&key) => Type::Number,
        (_, key) if COUNTS.contains(&key) => Type::Count,
        _ => Type::Text,
    })
}

fn styles(object: &Object<'_>) -> &'static [&'static str] {
    let place = object.node.get("in").and_then(Node::as_str);
    match (object.kind, place) {
        (Kind::Header, _) | (_, Some("header")) => &["simple"],
        (_, Some("path")) => &["simple", "label", "matrix"],
        (_, Some("cookie")) => &["form"],
        _ => &["form", "spaceDelimited", "pipeDelimited", "deepObject"],
    }
}

impl Type {
    /// The value that does not fit: the node or an item in it.
    fn misfit(self, node: &Node) -> Option<&Node> {
        let fits = match (self, &node.value) {
            (Self::Texts, Value::Sequence(items)) => {
                return items.iter().find(|item| !is_text(item));
            }
            (Self::TextByName, Value::Mapping(map)) => {
                return map
                    .iter()
                    .map(|(_, value)| value)
                    .find(|item| !is_text(item));
            }
            (Self::Text, Value::String(_))
            | (Self::Flag, Value::Bool(_))
            | (Self::Number, Value::Number(_))
            | (Self::List, Value::Sequence(_))
            | (Self::Map, Value::Mapping(_)) => true,
            (Self::Word(words), Value::String(text)) => words.contains(&text.as_str()),
            (Self::Count, Value::Number(digits)) => is_whole(digits) && !is_negative(digits),
            _ => false,
        };
        (!fits).then_some(node)
    }

    fn describe(self) -> String {
        match self {
            Self::Text => "a string".to_owned(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::Flag => "a boolean".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Count => "a non-negative whole number".to_owned(),
            Self::List => "an array".to_owned(),
            Self::Texts => "an array of strings".to_owned(),
            Self::Map => "an object".to_owned(),
            Self::TextByName => "an object of strings".to_owned(),
        }
    }
}

/// A short description of a value.
fn found(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(digits) if digits.len() <= 40 => digits.clone(),
        Value::String(text) if text.len() <= 40 => format!("{text:?}"),
        Value::Number(_) => "a number".to_owned(),
        Value::String(_) => "a string".to_owned(),
        Value::Sequence(_) => "an array".to_owned(),
        Value::Mapping(_) => "an object".to_owned(),
    }
}

fn is_text(node: &Node) -> bool {
    node.as_str().is_some()
}

fn is_negative(digits: &str) -> bool {
    let mantissa = digits.split(['e', 'E']).next().unwrap_or(digits);
    mantissa.starts_with('-') && mantissa.contains(|digit| ('1'..='9').contains(&digit))
}
