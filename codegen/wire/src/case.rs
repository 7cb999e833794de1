//! Calls to make, and what has to come of each.

use std::collections::BTreeMap;

use codegen::ir::{Api, Encoding, Location};
use codegen::names::Names;
use serde_json::{Map, Value, json};

use super::description::{self, Description, Operation, schema_of, text};
use super::driver;
use super::encoding::{self, Part, Style};
use super::sample::Sampler;

/// A declared parameter or body of an operation.
pub(super) struct Subject {
    pub(super) path: String,
    pub(super) method: String,
    /// `query` and such, or the media type.
    pub(super) place: String,
    /// The name of a parameter; nothing of a body.
    pub(super) name: String,
    /// How many encodings of the style `deepObject` it has.
    pub(super) deep: usize,
    /// Whether the generated code has it.
    pub(super) generated: bool,
    /// How many samples of it were sent.
    pub(super) sent: usize,
    /// What was wrong with the first of them that was.
    pub(super) fault: Option<String>,
}

/// What is expected of one call.
pub(super) struct Case {
    pub(super) operation: usize,
    pub(super) parameters: Map<String, Value>,
    pub(super) request_id: Option<String>,
    pub(super) content: Option<usize>,
    /// As the driver reads it.
    pub(super) body: String,
    pub(super) method: String,
    pub(super) path: String,
    /// Whether a server can tell that this operation is meant: its path is one, and it is the only one with it.
    pub(super) is_served: bool,
    pub(super) pieces: Vec<Piece>,
}

/// What a subject puts on the wire.
pub(super) struct Piece {
    pub(super) subject: usize,
    /// What a decoded parameter is called in JSON, and its value.
    pub(super) decoded: Option<(String, Value)>,
    pub(super) bytes: Bytes,
}

/// Where it is put, and what it is there.
pub(super) enum Bytes {
    /// Part of the path, which is compared as a whole.
    Path,
    Query(Vec<String>),
    Cookie(Vec<String>),
    Header(String, String),
    Json(String, Value),
    Form(Vec<String>),
    Multipart(Vec<Part>),
    Plain(String, String),
}

/// All subjects and cases of a document.
pub(super) struct Cases<'d> {
    description: &'d Description,
    api: &'d Api,
    names: &'d Names,
    pub(super) subjects: Vec<Subject>,
    pub(super) calls: Vec<Case>,
    /// How many operations have a route.
    routes: BTreeMap<String, usize>,
}

impl<'d> Cases<'d> {
    pub(super) fn of(description: &'d Description, api: &'d Api, names: &'d Names) -> Self {
        let mut cases = Self {
            description,
            api,
            names,
            subjects: Vec::new(),
            calls: Vec::new(),
            routes: BTreeMap::new(),
        };
        let mut places = BTreeMap::new();
        let areas = api.areas.iter().enumerate();
        let operations =
            areas.flat_map(|(area, areas)| (0..areas.operations.len()).map(move |own| (area, own)));
        for (number, (area, own)) in operations.enumerate() {
            let operation = &api.areas[area].operations[own];
            let key = (operation.path.clone(), operation.method.as_str().to_owned());
            places.insert(key, (number, area, own));
        }
        for operation in description.operations() {
            *cases.routes.entry(route(&operation)).or_default() += 1;
        }
        for operation in description.operations() {
            let place = places.get(&(operation.path.to_owned(), operation.method.clone()));
            cases.operation(&operation, place.copied());
        }
        cases
    }

    fn operation(&mut self, source: &Operation<'d>, place: Option<(usize, usize, usize)>) {
        let first = self.subjects.len();
        let (api, names) = (self.api, self.names);
        let found = place.map(|(number, area, own)| {
            (
                number,
                &api.areas[area].operations[own],
                &names.areas[area].operations[own],
            )
        });
        for parameter in &source.parameters {
            let (place, name) = (text(parameter, "in"), text(parameter, "name"));
            let generated = found.is_some_and(|(_, operation, _)| {
                operation.parameters.iter().any(|own| is(own, place, name))
            });
            let deep = usize::from(text(parameter, "style") == "deepObject");
            self.subject(source, place, name, deep, generated);
        }
        for (media_type, content) in source.contents() {
            let generated = found.is_some_and(|(_, operation, _)| {
                let contents = operation.body.iter().flat_map(|body| &body.contents);
                contents.into_iter().any(|own| own.media_type == media_type)
            });
            let encodings = content.get("encoding").and_then(Value::as_object);
            let deep = encodings.into_iter().flatten();
            let deep = deep
                .filter(|(_, encoding)| text(encoding, "style") == "deepObject")
                .count();
            self.subject(source, media_type, "", deep, generated);
        }
        let Some((number, operation, own)) = found else {
            return;
        };
        let contents = source.contents();
        let mut bodies: Vec<Option<usize>> = (0..contents.len())
            .filter(|index| self.subjects[first + source.parameters.len() + index].generated)
            .map(Some)
            .collect();
        if bodies.is_empty() || !source.body_is_required() {
            bodies.push(None);
        }
        for (full, branch) in [(false, 0), (true, 0), (true, 1), (true, 2)] {
            for body in &bodies {
                let sampler = Sampler {
                    description: self.description,
                    full,
                    branch,
                    ascii: false,
                };
                let mut case = Case {
                    operation: number,
                    parameters: Map::new(),
                    request_id: None,
                    content: None,
                    body: String::new(),
                    method: source.method.clone(),
                    path: source.path.split('#').next().unwrap_or_default().to_owned(),
                    is_served: is_path(source.path) && self.routes[&route(source)] == 1,
                    pieces: Vec::new(),
                };
                for (index, parameter) in source.parameters.iter().enumerate() {
                    let subject = first + index;
                    if let Err(fault) =
                        parameter_of(&mut case, sampler, parameter, subject, operation, own)
                    {
                        self.subjects[subject].fault.get_or_insert(fault);
                    }
                }
                if let Some(index) = body {
                    let subject = first + source.parameters.len() + index;
                    let (media_type, content) = contents[*index];
                    if let Err(fault) =
                        body_of(&mut case, sampler, media_type, content, subject, operation)
                    {
                        self.subjects[subject].fault.get_or_insert(fault);
                        continue;
                    }
                }
                let same = |other: &Case| {
                    other.operation == case.operation
                        && other.request_id == case.request_id
                        && other.parameters == case.parameters
                        && other.content == case.content
                        && other.body == case.body
                };
                if !self.calls.iter().rev().take(24).any(same) {
                    self.calls.push(case);
                }
            }
        }
    }

    fn subject(
        &mut self,
        source: &Operation<'_>,
        place: &str,
        name: &str,
        deep: usize,
        generated: bool,
    ) {
        self.subjects.push(Subject {
            path: source.path.to_owned(),
            method: source.method.clone(),
            place: place.to_owned(),
            name: name.to_owned(),
            deep,
            generated,
            sent: 0,
            fault: None,
        });
    }
}

/// Whether a path template can be the path of an address: it begins with a slash and has no character that RFC 3986
/// forbids in a path.
fn is_path(template: &str) -> bool {
    let never = |c: char| c.is_whitespace() || "<>\"\\^`|".contains(c);
    template.starts_with('/') && !template.contains(never)
}

/// What a server knows of an operation before it looks at the request: the method and the path, in which the names
/// of parameters do not count.
fn route(operation: &Operation<'_>) -> String {
    let path = operation.path.split('#').next().unwrap_or_default();
    let mut route = format!("{} ", operation.method);
    let mut is_name = false;
    for c in path.chars() {
        is_name = c == '{' || (is_name && c != '}');
        if !is_name {
            route.push(c);
        }
    }
    route
}

fn is(own: &codegen::ir::Parameter, place: &str, name: &str) -> bool {
    own.location.as_str() == place
        && (own.wire == name
            || (own.location == Location::Header && own.wire.eq_ignore_ascii_case(name)))
}

fn parameter_of(
    case: &mut Case,
    sampler: Sampler<'_>,
    parameter: &Value,
    subject: usize,
    operation: &codegen::ir::Operation,
    names: &codegen::names::OperationNames,
) -> Result<(), String> {
    let (place, name) = (text(parameter, "in"), text(parameter, "name"));
    let required = place == "path" || parameter.get("required") == Some(&json!(true));
    let Some(own) = operation.parameters.iter().find(|own| is(own, place, name)) else {
        return Ok(());
    };
    if !required && !sampler.full {
        return Ok(());
    }
    let sampler = Sampler {
        ascii: place == "header",
        ..sampler
    };
    let value = sampler
        .value(&schema_of(parameter))
        .ok_or("there is no value of finite depth")?;
    let is_json = parameter.get("content").is_some();
    let value = if is_json {
        Value::String(value.to_string())
    } else {
        value
    };
    let undefined = || "the specification knows no bytes for it".to_owned();
    let style = Style::of(
        parameter,
        if matches!(place, "path" | "header") {
            "simple"
        } else {
            "form"
        },
    );
    let bytes = match place {
        "path" => {
            let segment = encoding::segment(name, &value, style).ok_or_else(undefined)?;
            case.path = case.path.replace(&format!("{{{name}}}"), &segment);
            Bytes::Path
        }
        "query" => Bytes::Query(encoding::pairs(name, &value, style).ok_or_else(undefined)?),
        "cookie" => Bytes::Cookie(encoding::pairs(name, &value, style).ok_or_else(undefined)?),
        _ => {
            let text = encoding::header(&value, style).ok_or_else(undefined)?;
            Bytes::Header(name.to_lowercase(), text)
        }
    };
    let mut decoded = None;
    if driver::is_request_id(own) {
        case.request_id = encoding::scalar(&value);
    } else {
        let fields = driver::fields(operation, names);
        let field = fields.iter().find(|(field, ..)| std::ptr::eq(*field, own));
        // Between items that have spaces in them a space says nothing.
        let is_ambiguous = style.word == "spaceDelimited" && !style.explode;
        let value = field.map(|(_, _, json)| ((*json).to_owned(), value));
        case.parameters.extend(value.clone());
        decoded = value.filter(|_| !is_ambiguous);
    }
    case.pieces.push(Piece {
        subject,
        decoded,
        bytes,
    });
    Ok(())
}

fn body_of(
    case: &mut Case,
    sampler: Sampler<'_>,
    media_type: &str,
    content: &Value,
    subject: usize,
    operation: &codegen::ir::Operation,
) -> Result<(), String> {
    let contents = operation.body.iter().flat_map(|body| &body.contents);
    let found = contents
        .enumerate()
        .find(|(_, own)| own.media_type == media_type);
    let Some((index, own)) = found else {
        return Ok(());
    };
    let schema = schema_of(content);
    let value = sampler
        .value(&schema)
        .ok_or("there is no value of finite depth")?;
    let encodings = content.get("encoding").unwrap_or(&Value::Null);
    case.content = Some(index);
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    let (bytes, body) = match essence {
        "application/x-www-form-urlencoded" => {
            let pairs = encoding::form(&value, encodings);
            let pairs = pairs.ok_or("the specification knows no bytes for it")?;
            (Bytes::Form(pairs), value.to_string())
        }
        "multipart/form-data" => {
            let properties = sampler
                .description
                .resolve(&schema)
                .get("properties")
                .cloned();
            let is_file = |name: &str| is_binary(sampler.description, properties.as_ref(), name);
            let parts = encoding::multipart(&value, encodings, is_file);
            let text = serde_json::to_string(&parts).map_err(|error| error.to_string())?;
            (Bytes::Multipart(parts), text)
        }
        _ if own.encoding == Encoding::Json => {
            let text = value.to_string();
            (
                Bytes::Json(concrete(media_type, "application/json"), value),
                text,
            )
        }
        _ => {
            let text = encoding::scalar(&value).unwrap_or_else(|| value.to_string());
            let default = if essence.starts_with("text/") {
                "text/plain"
            } else {
                "application/octet-stream"
            };
            (
                Bytes::Plain(concrete(media_type, default), text.clone()),
                text,
            )
        }
    };
    case.body = body;
    case.pieces.push(Piece {
        subject,
        decoded: None,
        bytes,
    });
    Ok(())
}

fn is_binary(description: &Description, properties: Option<&Value>, name: &str) -> bool {
    let property = properties.and_then(|properties| properties.get(name));
    let property = property.map(|property| description.resolve(property));
    let items = property.and_then(|property| property.get("items"));
    let items = items.map(|items| description.resolve(items));
    [property, items]
        .into_iter()
        .flatten()
        .any(|schema| description::text(schema, "format") == "binary")
}

/// The media type that a header says, for one that is a range.
fn concrete(media_type: &str, default: &str) -> String {
    if media_type.contains('*') {
        default.to_owned()
    } else {
        media_type.to_owned()
    }
}
