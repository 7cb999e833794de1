//! Compose: a request of the plan, its values filled in → what is sent.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use spec::document::{Document, Location};
use spec::{Node, Value};

use crate::case::{Argument, ArgumentValue, BodyValue, Request, Spoil, Step};
use crate::exchange::{Sent, Shown};
use crate::expression::{Expression, Scope};
use crate::fresh::{Fresh, is_uuid};
use crate::shape::Shape;
use crate::value;

/// What stands in the place of a secret value of a body or an address.
pub const SECRET: &str = "$CONFORMANCE_SECRET";

const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Where requests go, and what all of them carry.
#[derive(Debug, Clone, Default)]
pub struct Target {
    /// The base address, without a slash at its end.
    pub base: String,
    /// Headers of every request, credentials included.
    pub headers: Vec<(String, String)>,
    /// Names of the headers that carry credentials, in lower case.
    pub credentials: Vec<String>,
}

/// Why a request cannot be composed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ComposeError {
    /// A value of an earlier step or an input is not there.
    #[error("`{0}` has no value")]
    NoValue(Expression),
    /// A value has characters that no header carries.
    #[error("the value of the header `{0}` cannot be sent")]
    Header(String),
    /// A replacement leads nowhere.
    #[error("a replacement cannot be made: {0}")]
    Replacement(String),
}

/// Fills the values of a step's request in.
///
/// # Errors
/// A value that it needs is not there.
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
            method: step.operation.method,
            url: String::new(),
            path_arguments: Vec::new(),
            query: Vec::new(),
            headers: headers(request, target),
            body: None,
            json: None,
            shown: Shown {
                url: String::new(),
                body: None,
                secrets: Vec::new(),
            },
        },
        secret_arguments: Vec::new(),
    };
    for argument in &request.arguments {
        let value = argument_value(argument, scope, fresh)?;
        composer.argument(argument, &value);
    }
    if request.spoil == Some(Spoil::MalformedPath) {
        let first = composer
            .sent
            .path_arguments
            .iter_mut()
            .find(|(_, value)| is_uuid(value));
        if let Some((_, value)) = first {
            "not-a-uuid".clone_into(value);
        }
    }
    composer.body(document, request, scope, fresh)?;
    let control = |(_, value): &&(String, String)| value.chars().any(char::is_control);
    if let Some((name, _)) = composer.sent.headers.iter().find(control) {
        return Err(ComposeError::Header(name.clone()));
    }
    composer.addresses(&target.base, step.operation.path);
    Ok(composer.sent)
}

/// Whether an argument is a UUID in the path.
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
    let is_credential = |name: &str| {
        target
            .credentials
            .iter()
            .any(|own| own.eq_ignore_ascii_case(name))
    };
    let kept = target
        .headers
        .iter()
        .filter(|(name, _)| !(without && is_credential(name)));
    kept.cloned().collect()
}

fn argument_value(
    argument: &Argument<'_>,
    scope: &Scope<'_>,
    fresh: &mut Fresh,
) -> Result<Node, ComposeError> {
    Ok(match &argument.value {
        ArgumentValue::FreshUuid => value::string(&fresh.uuid()),
        ArgumentValue::Scenario(template) => {
            template.evaluate(scope).map_err(ComposeError::NoValue)?
        }
        ArgumentValue::Example(node) => match node.as_str() {
            Some(text) if argument.natural_key => {
                let max_length = argument
                    .schema
                    .as_ref()
                    .and_then(|schema| schema.node.get("maxLength"));
                value::string(&fresh.key(text, max_length.and_then(Node::as_u64)))
            }
            _ => node.clone(),
        },
    })
}

struct Composer {
    sent: Sent,
    secret_arguments: Vec<String>,
}

impl Composer {
    fn argument(&mut self, argument: &Argument<'_>, value: &Node) {
        let name = argument.name.clone();
        let texts: Vec<String> = match &value.value {
            Value::Sequence(items) => items.iter().map(value::plain).collect(),
            _ => vec![value::plain(value)],
        };
        let joined = texts.join(",");
        if argument.sensitive {
            self.secret_arguments.push(name.clone());
            self.sent.shown.secrets.extend(texts.iter().cloned());
        }
        match argument.location {
            Location::Path => self.sent.path_arguments.push((name, joined)),
            Location::Query if argument.explode => {
                self.sent
                    .query
                    .extend(texts.into_iter().map(|text| (name.clone(), text)));
            }
            Location::Query => self.sent.query.push((name, joined)),
            Location::Header => {
                self.sent
                    .headers
                    .retain(|(own, _)| !own.eq_ignore_ascii_case(&name));
                self.sent.headers.push((name, joined));
            }
            Location::Cookie => {
                self.sent
                    .headers
                    .push(("cookie".to_owned(), format!("{name}={joined}")));
            }
        }
    }

    fn body<'d>(
        &mut self,
        document: &'d Document,
        request: &Request<'d>,
        scope: &Scope<'_>,
        fresh: &mut Fresh,
    ) -> Result<(), ComposeError> {
        let Some(body) = &request.body else {
            return Ok(());
        };
        let mut json = match &body.value {
            BodyValue::Example(example) => (*example).clone(),
            BodyValue::Sample(sample) => sample.clone(),
            BodyValue::Scenario(template) => {
                template.evaluate(scope).map_err(ComposeError::NoValue)?
            }
        };
        if !matches!(body.value, BodyValue::Scenario(_)) {
            fresh.replace(document, &mut json, body.schema.as_ref());
        }
        for (pointer, template) in &request.replacements {
            let value = template.evaluate(scope).map_err(ComposeError::NoValue)?;
            value::put(&mut json, pointer, value).map_err(ComposeError::Replacement)?;
        }
        let mut shown = json.clone();
        let shape = Shape::of(document, body.schema.as_ref());
        conceal(document, &mut shown, &shape, &mut self.sent.shown.secrets);
        let plain_text = request.spoil == Some(Spoil::PlainText);
        let media_type = if plain_text {
            "text/plain"
        } else {
            &body.media_type
        };
        self.sent
            .headers
            .push(("content-type".to_owned(), media_type.to_owned()));
        let cut = |text: String| match request.spoil {
            Some(Spoil::TruncatedBody) => first_half(&text).to_owned(),
            _ => text,
        };
        self.sent.shown.body = Some(cut(shown.to_json()));
        self.sent.body = Some(cut(json.to_json()).into_bytes());
        self.sent.json = Some(json);
        Ok(())
    }

    fn addresses(&mut self, base: &str, path: &str) {
        let secret = |name: &str| self.secret_arguments.iter().any(|own| own == name);
        let address = |hide: bool| {
            let shown = |name: &str, value: &str| {
                if hide && secret(name) {
                    SECRET.to_owned()
                } else {
                    utf8_percent_encode(value, UNRESERVED).to_string()
                }
            };
            let mut url = base.to_owned();
            url.push_str(
                &self
                    .sent
                    .path_arguments
                    .iter()
                    .fold(path.to_owned(), |path, (name, value)| {
                        path.replace(&format!("{{{name}}}"), &shown(name, value))
                    }),
            );
            for (index, (name, value)) in self.sent.query.iter().enumerate() {
                url.push(if index == 0 { '?' } else { '&' });
                url.extend(utf8_percent_encode(name, UNRESERVED));
                url.push('=');
                url.push_str(&shown(name, value));
            }
            url
        };
        let (url, shown) = (address(false), address(true));
        self.sent.url = url;
        self.sent.shown.url = shown;
    }
}

/// The first half of a JSON text; never JSON itself where the whole is an object or an array.
fn first_half(text: &str) -> &str {
    let mut end = text.len() / 2;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end.max(1).min(text.len())]
}

/// Puts a placeholder in the place of every value that its schema marks as secret, and adds the
/// values to a list.
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
