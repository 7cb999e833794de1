//! Composes requests: fills the values into a planned request.

use openapi_document::view::{Document, Located, Location};
use openapi_document::{Node, Pointer, Value};

mod timing;
mod trail;

use crate::case::{Argument, ArgumentValue, Body, BodyValue, Request, Spoil, Step};
use crate::change::{Place, Why};
use crate::encoding::Encoding;
use crate::exchange::{Sent, Shown};
use crate::expression::{Expression, Scope, Template};
use crate::fresh::{Fresh, is_uuid};
use crate::shape::Shape;
use crate::style::encode;
use crate::value;
use trail::Trail;

/// The placeholder for a secret value in a body or an address.
pub const SECRET: &str = "$CONFORMANCE_SECRET";

/// The server's address, and the headers of requests.
#[derive(Debug, Clone, Default)]
pub struct Target {
    /// The base address, without a trailing slash.
    pub base: String,
    /// Headers of every request, including credentials.
    pub headers: Vec<(String, String)>,
    /// Names of the headers that carry credentials, in lower case.
    pub credentials: Vec<String>,
    /// Headers of another tenant; they replace headers with the same name.
    pub neighbour: Vec<(String, String)>,
    /// Headers of a client that may only read; they replace headers with the same name.
    pub reader: Vec<(String, String)>,
}

/// Why a request cannot be composed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ComposeError {
    /// A value of an earlier step or an input is missing.
    #[error("{}", no_value(.0))]
    NoValue(Expression),
    /// A value has characters that no header allows.
    #[error("the value of the header `{0}` cannot be sent")]
    Header(String),
    /// The place of a replacement does not exist.
    #[error("a replacement failed: {0}")]
    Replacement(String),
}

/// Says which value a request lacks, and where it should have come from.
fn no_value(expression: &Expression) -> String {
    match expression {
        Expression::StepOutput { step, name } => {
            format!("the answer of the step `{step}` has no value for `{name}`")
        }
        other => format!("`{other}` has no value"),
    }
}

/// Fills the values into the request of a step.
///
/// # Errors
/// A value that the request needs is missing.
pub fn compose<'d>(
    document: &'d Document,
    step: &Step<'d>,
    target: &Target,
    scope: &Scope<'_>,
    fresh: &mut Fresh,
) -> Result<Sent, ComposeError> {
    let request = &step.request;
    let mut composer = Composer {
        sent: Sent {
            case: step.name.id.clone(),
            operation: step.operation.label(),
            method: step.operation.method,
            url: String::new(),
            path_arguments: Vec::new(),
            query: Vec::new(),
            headers: headers(request, target),
            body: None,
            json: None,
            encoding: Encoding::Json,
            shown: Shown::default(),
            changes: Vec::new(),
        },
        path: Vec::new(),
        query: Vec::new(),
        spoiled_path: request.spoil == Some(Spoil::MalformedPath),
        trail: Trail::new(&request.documented),
    };
    for argument in &request.arguments {
        let value = argument_value(document, argument, scope, fresh)?;
        let (value, is_spoiled) = composer.spoiled(argument, value);
        composer.trace(argument, &value, is_spoiled);
        composer.argument(argument, &value);
    }
    composer.trace_headers(request, target);
    composer.body(document, step, scope, fresh)?;
    let control = |(_, value): &&(String, String)| value.chars().any(char::is_control);
    if let Some((name, _)) = composer.sent.headers.iter().find(control) {
        return Err(ComposeError::Header(name.clone()));
    }
    composer.addresses(&target.base, step.operation.path);
    let mut sent = composer.sent;
    sent.changes = composer.trail.finish();
    Ok(sent)
}

/// Whether an argument is an example of a UUID in the path.
pub fn is_uuid_in_path(argument: &Argument<'_>) -> bool {
    match &argument.value {
        ArgumentValue::Example(node) => {
            argument.location == Location::Path && node.as_str().is_some_and(is_uuid)
        }
        _ => false,
    }
}

fn headers(request: &Request<'_>, target: &Target) -> Vec<(String, String)> {
    let without = request.spoil == Some(Spoil::NoCredentials);
    let kept = target
        .headers
        .iter()
        .filter(|(name, _)| !(without && target.is_credential(name)));
    kept.cloned().collect()
}

impl Target {
    /// Whether a header carries credentials.
    fn is_credential(&self, name: &str) -> bool {
        let mut all = self.credentials.iter();
        all.any(|header| header.eq_ignore_ascii_case(name))
    }
}

/// Why a value of a template differs from the example.
fn why(template: &Template) -> Why {
    let step = template.steps().first().map(|step| (*step).to_owned());
    match step {
        Some(step) => Why::Record { step },
        None if template.has_input() => Why::Configuration,
        None => Why::Scenario,
    }
}

/// Records why each part of a scenario's payload differs from the example.
fn mark(trail: &mut Trail<'_>, template: &Template, at: &Pointer) {
    match template {
        Template::Mapping(entries) => {
            for (key, item) in entries {
                mark(trail, item, &at.join(key));
            }
        }
        Template::Sequence(items) => {
            for (index, item) in items.iter().enumerate() {
                mark(trail, item, &at.join(index.to_string()));
            }
        }
        _ => trail.mark(at, why(template)),
    }
}

fn argument_value<'d>(
    document: &'d Document,
    argument: &Argument<'d>,
    scope: &Scope<'_>,
    fresh: &mut Fresh,
) -> Result<Node, ComposeError> {
    Ok(match &argument.value {
        ArgumentValue::FreshUuid => value::string(&fresh.uuid()),
        ArgumentValue::Malformed(node) => node.clone(),
        ArgumentValue::Scenario(template) => {
            let value = template.evaluate(scope).map_err(ComposeError::NoValue)?;
            // A key in a scenario is different in each run, and the same in all steps of a run.
            let is_written = template.steps().is_empty() && !template.has_input();
            let is_key = argument.natural_key && argument.location == Location::Header;
            match value.as_str().filter(|_| is_written && is_key) {
                Some(text) => {
                    let shape = Shape::of(document, argument.schema.as_ref());
                    value::string(&fresh.key_of_form(text, &shape))
                }
                None => value,
            }
        }
        ArgumentValue::Example(node) => match node.as_str() {
            Some(text) if argument.natural_key => {
                let shape = Shape::of(document, argument.schema.as_ref());
                value::string(&if argument.each_its_own {
                    fresh.like_of_form(text, &shape)
                } else {
                    fresh.key_of_form(text, &shape)
                })
            }
            _ => node.clone(),
        },
    })
}

struct Composer<'r> {
    sent: Sent,
    /// Path and query arguments as they are serialized.
    path: Vec<(String, Written)>,
    query: Vec<Written>,
    /// Whether the first UUID of the path must still be replaced by a malformed one.
    spoiled_path: bool,
    /// The documented values that were replaced.
    trail: Trail<'r>,
}

/// A part of an address, and its form without secrets.
struct Written {
    sent: String,
    shown: String,
}

impl Composer<'_> {
    /// The value to send for an argument, and whether it is malformed on purpose.
    fn spoiled(&mut self, argument: &Argument<'_>, value: Node) -> (Node, bool) {
        let is_uuid = argument.location == Location::Path && value.as_str().is_some_and(is_uuid);
        if self.spoiled_path && is_uuid {
            self.spoiled_path = false;
            return (value::string("not-a-uuid"), true);
        }
        let is_malformed = matches!(argument.value, ArgumentValue::Malformed(_));
        (value, is_malformed)
    }

    /// Records an argument that differs from its example.
    fn trace(&mut self, argument: &Argument<'_>, value: &Node, is_spoiled: bool) {
        let mut all = self.trail.arguments().iter();
        let shown = all.find(|documented| {
            documented.location == argument.location && documented.name == argument.name
        });
        let is_same = shown.map_or(!is_spoiled, |documented| documented.value.same_value(value));
        if is_same {
            return;
        }
        let text = |node: &Node| {
            if argument.sensitive {
                SECRET.to_owned()
            } else {
                value::plain(node)
            }
        };
        let why = match &argument.value {
            ArgumentValue::Malformed(_) => Why::Spoiled,
            _ if is_spoiled => Why::Spoiled,
            ArgumentValue::FreshUuid => Why::Key,
            ArgumentValue::Scenario(template) => why(template),
            ArgumentValue::Example(_) if argument.natural_key => Why::Key,
            ArgumentValue::Example(_) => Why::OtherRequest,
        };
        let place = Place::Parameter(argument.location, argument.name.clone());
        let shown = shown.map(|documented| text(&documented.value));
        self.trail.add(place, shown, Some(text(value)), why);
    }

    /// Records the run's headers that replace documented ones, and credentials that are left out on
    /// purpose.
    fn trace_headers(&mut self, request: &Request<'_>, target: &Target) {
        let without = request.spoil == Some(Spoil::NoCredentials);
        for (name, _) in &target.headers {
            let is_credential = target.is_credential(name);
            let mut all = self.trail.arguments().iter();
            let shown = all.find(|documented| {
                documented.location == Location::Header
                    && documented.name.eq_ignore_ascii_case(name)
            });
            let text = |node: &Node| value::plain(node);
            let is_secret = shown.is_some_and(|documented| documented.sensitive);
            let shown = shown.map(|documented| {
                if is_secret {
                    SECRET.to_owned()
                } else {
                    text(&documented.value)
                }
            });
            let place = || Place::Parameter(Location::Header, name.clone());
            if without && is_credential {
                let left = Some(SECRET.to_owned());
                self.trail.add(place(), left, None, Why::Spoiled);
            } else if shown.is_some() {
                let why = if is_credential {
                    Why::Credential
                } else {
                    Why::Configuration
                };
                self.trail.add(place(), shown, Some(SECRET.to_owned()), why);
            }
        }
    }

    fn argument(&mut self, argument: &Argument<'_>, value: &Node) {
        if argument.sensitive {
            let texts = match &value.value {
                Value::Sequence(items) => items.iter().map(value::plain).collect(),
                _ => vec![value::plain(value)],
            };
            self.sent.shown.secrets.extend(texts);
        }
        match argument.location {
            Location::Path => self.path_argument(argument, value),
            Location::Query => self.query_argument(argument, value),
            Location::Header => {
                let text = argument.style.header(value);
                if argument.sensitive {
                    let shown = (argument.name.clone(), SECRET.to_owned());
                    self.sent.shown.headers.push(shown);
                }
                self.set_header(&argument.name, text);
            }
            Location::Cookie => {
                if argument.sensitive {
                    let shown = ("cookie".to_owned(), SECRET.to_owned());
                    self.sent.shown.headers.push(shown);
                }
                let cookie = format!("{}={}", argument.name, argument.style.header(value));
                let headers = &mut self.sent.headers;
                match headers
                    .iter_mut()
                    .find(|(header, _)| header.eq_ignore_ascii_case("cookie"))
                {
                    Some((_, cookies)) => *cookies = format!("{cookies}; {cookie}"),
                    None => headers.push(("cookie".to_owned(), cookie)),
                }
            }
        }
    }

    fn set_header(&mut self, name: &str, text: String) {
        let headers = &mut self.sent.headers;
        headers.retain(|(header, _)| !header.eq_ignore_ascii_case(name));
        headers.push((name.to_owned(), text));
    }

    fn path_argument(&mut self, argument: &Argument<'_>, value: &Node) {
        let (name, style) = (&argument.name, &argument.style);
        let text = argument.style.path(name, value, str::to_owned);
        self.sent.path_arguments.push((name.clone(), text));
        let sent = style.path(name, value, encode);
        let shown = shown(argument, &sent);
        self.path.push((name.clone(), Written { sent, shown }));
    }

    fn query_argument(&mut self, argument: &Argument<'_>, value: &Node) {
        let delimiter = argument.style.delimiter();
        for (name, values) in argument.style.query(&argument.name, value) {
            let encoded: Vec<String> = values.iter().map(|value| encode(value)).collect();
            let encoded = encoded.join(delimiter);
            self.query.push(Written {
                sent: format!("{}={encoded}", encode(&name)),
                shown: format!("{}={}", encode(&name), shown(argument, &encoded)),
            });
            self.sent.query.push((name, values.join(",")));
        }
    }

    fn body<'d>(
        &mut self,
        document: &'d Document,
        step: &Step<'d>,
        scope: &Scope<'_>,
        fresh: &mut Fresh,
    ) -> Result<(), ComposeError> {
        let request = &step.request;
        let Some(body) = &request.body else {
            return Ok(());
        };
        let json = self.value(document, (step, body), scope, fresh)?;
        let mut shown = json.clone();
        let shape = Shape::of(document, body.schema.as_ref());
        conceal(document, &mut shown, &shape, &mut self.sent.shown.secrets);
        let otherwise = match body.value {
            BodyValue::Scenario(_) => Why::Scenario,
            _ => Why::OtherRequest,
        };
        self.trail.body(&json, &otherwise, SECRET, |item| {
            let mut item = item.clone();
            conceal(document, &mut item, &shape, &mut Vec::new());
            item
        });
        let plain_text = request.spoil == Some(Spoil::PlainText);
        let media_type = if plain_text {
            "text/plain".to_owned()
        } else {
            body.encoding.content_type(&body.media_type)
        };
        self.set_header("content-type", media_type.clone());
        if plain_text {
            let place = Place::Parameter(Location::Header, "content-type".to_owned());
            let (shown, sent) = (body.media_type.clone(), media_type);
            self.trail.add(place, Some(shown), Some(sent), Why::Spoiled);
        }
        let cut = |text: String| match request.spoil {
            Some(Spoil::TruncatedBody) => first_half(&text).to_owned(),
            _ => text,
        };
        let whole = body.encoding.write(&shown);
        let written = cut(whole.clone());
        if whole != written {
            let place = Place::Body(Pointer::root());
            let sent = Some(written.clone());
            self.trail.add(place, Some(whole), sent, Why::Spoiled);
        }
        self.sent.shown.body = Some(written);
        self.sent.body = Some(cut(body.encoding.write(&json)).into_bytes());
        self.sent.json = Some(json);
        self.sent.encoding = body.encoding.clone();
        Ok(())
    }

    /// The value of a body. Records why each part differs from the example.
    fn value<'d>(
        &mut self,
        document: &'d Document,
        (step, body): (&Step<'d>, &Body<'d>),
        scope: &Scope<'_>,
        fresh: &mut Fresh,
    ) -> Result<Node, ComposeError> {
        let mut json = match &body.value {
            BodyValue::Example(example) => (*example).clone(),
            BodyValue::Sample(sample) => sample.clone(),
            BodyValue::Scenario(template) => {
                mark(&mut self.trail, template, &Pointer::root());
                template.evaluate(scope).map_err(ComposeError::NoValue)?
            }
        };
        // What a documented case sends stays as it is.
        if matches!(body.value, BodyValue::Sample(_)) && !step.reported {
            body.conflicts.corrections.apply(&mut json);
        }
        if !matches!(body.value, BodyValue::Scenario(_)) {
            let schema = body.schema.as_ref();
            for (place, why) in timing::adjust(document, &mut json, schema, &step.operation) {
                self.trail.mark(&place, why);
            }
            self.trail.begin(&json);
            fresh.replace(document, &mut json, schema);
            self.trail.end(&json, &Why::Key);
            self.trail.begin(&json);
            if body.conflicts.refuses_repeats() {
                fresh.replace_named(document, &mut json, (schema, &*body.conflicts));
                self.trail.end(&json, &fresh.reason_of_renaming());
            } else if matches!(body.value, BodyValue::Sample(_)) {
                fresh.replace_addresses(&mut json);
                self.trail.end(&json, &Why::Key);
            }
        }
        for (pointer, template) in &step.request.replacements {
            let value = template.evaluate(scope).map_err(ComposeError::NoValue)?;
            value::put(&mut json, pointer, value).map_err(ComposeError::Replacement)?;
            mark(&mut self.trail, template, pointer);
        }
        Ok(json)
    }

    fn addresses(&mut self, base: &str, path: &str) {
        let address = |text: fn(&Written) -> &str| {
            let fill = |path: String, (name, written): &(String, Written)| {
                path.replace(&format!("{{{name}}}"), text(written))
            };
            let path = self.path.iter().fold(path.to_owned(), fill);
            let query: Vec<&str> = self.query.iter().map(text).collect();
            let mark = if query.is_empty() { "" } else { "?" };
            format!("{base}{path}{mark}{}", query.join("&"))
        };
        let (url, shown) = (address(|item| &item.sent), address(|item| &item.shown));
        self.sent.url = url;
        self.sent.shown.url = shown;
    }
}

fn shown(argument: &Argument<'_>, text: &str) -> String {
    if argument.sensitive { SECRET } else { text }.to_owned()
}

impl Sent {
    /// Replaces the body.
    pub fn put_json<'d>(
        &mut self,
        document: &'d Document,
        schema: Option<&Located<'d>>,
        json: Node,
    ) {
        let mut shown = json.clone();
        let shape = Shape::of(document, schema);
        conceal(document, &mut shown, &shape, &mut self.shown.secrets);
        self.shown.body = Some(self.encoding.write(&shown));
        self.body = Some(self.encoding.write(&json).into_bytes());
        self.json = Some(json);
    }
}

/// The first half of a JSON text. It is never valid JSON when the whole is an object or an array.
fn first_half(text: &str) -> &str {
    let mut end = text.len() / 2;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end.max(1).min(text.len())]
}

/// Replaces every value that its schema marks as secret by a placeholder, and adds the values to
/// `secrets`.
pub fn conceal<'d>(
    document: &'d Document,
    node: &mut Node,
    shape: &Shape<'d>,
    secrets: &mut Vec<String>,
) {
    if shape.flag("x-sensitive") && !node.is_null() {
        secrets.push(value::plain(node));
        node.value = Value::String(SECRET.to_owned());
        return;
    }
    match &mut node.value {
        Value::Sequence(items) => {
            let shape = shape.items(document);
            for item in items {
                conceal(document, item, &shape, secrets);
            }
        }
        Value::Mapping(mapping) => {
            for entry in &mut mapping.entries {
                let shape = shape.property(document, &entry.key);
                conceal(document, &mut entry.value, &shape, secrets);
            }
        }
        _ => {}
    }
}
