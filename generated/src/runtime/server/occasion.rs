//! Occasion: the request that a later callback belongs to, which gives the callback's address.

use std::fmt;

use http::{HeaderMap, Uri};
use serde::Serialize;
use serde_json::Value;

use super::super::answer::Answer;
use super::super::operation::Operation;
use super::super::parameter::nesting;
use super::super::percent;
use super::context::Context;
use super::template::Template;

/// A request and its answer. A later callback is sent to an address that they contain: its runtime
/// expressions are evaluated against them.
#[derive(Clone)]
pub struct Occasion {
    operation: &'static Operation,
    uri: Uri,
    headers: HeaderMap,
    body: Value,
    answer: Option<Answer>,
}

impl Occasion {
    /// The request of a call to the implementation of an operation.
    pub fn new(context: &Context) -> Self {
        Self {
            operation: context.operation,
            uri: context.uri.clone(),
            headers: context.headers.clone(),
            body: Value::Null,
            answer: None,
        }
    }

    /// Sets the body of the request. A body without a JSON form counts as `null`.
    #[must_use]
    pub fn body<T: Serialize>(mut self, body: &T) -> Self {
        self.body = serde_json::to_value(body).unwrap_or_default();
        self
    }

    /// Sets the answer to the request.
    #[must_use]
    pub fn answer(mut self, answer: impl Into<Answer>) -> Self {
        self.answer = Some(answer.into());
        self
    }

    /// The address of a callback; `None` when request and answer lack a value that it contains,
    /// such as an optional property. The caller of the operation chooses the address. Decide
    /// whether it is safe to connect to it before you send.
    pub fn address(&self, callback: &Operation) -> Option<String> {
        let mut address = String::new();
        let mut rest = callback.path;
        while let Some((literal, (expression, tail))) = rest
            .split_once('{')
            .and_then(|(literal, tail)| Some((literal, tail.split_once('}')?)))
        {
            address.push_str(literal);
            address.push_str(&self.evaluate(expression)?);
            rest = tail;
        }
        if address.is_empty() && rest.starts_with('$') {
            return self.evaluate(rest);
        }
        address.push_str(rest);
        (!address.is_empty()).then_some(address)
    }

    /// The value of a runtime expression such as `$request.body#/url`; `None` when it is missing.
    pub fn evaluate(&self, expression: &str) -> Option<String> {
        match expression {
            "$url" => return Some(self.uri.to_string()),
            "$method" => return Some(self.operation.method.to_owned()),
            "$statusCode" => return Some(self.answer.as_ref()?.status.as_u16().to_string()),
            _ => {}
        }
        if let Some(source) = expression.strip_prefix("$request.") {
            return self.of_request(source);
        }
        let answer = self.answer.as_ref()?;
        let source = expression.strip_prefix("$response.")?;
        match source.strip_prefix("header.") {
            Some(name) => header(&answer.headers, name),
            None => in_body(&serde_json::from_slice(&answer.body).ok()?, source),
        }
    }

    fn of_request(&self, source: &str) -> Option<String> {
        let named = |kind: &str| source.strip_prefix(kind);
        if let Some(name) = named("header.") {
            return header(&self.headers, name);
        }
        if let Some(name) = named("query.") {
            let pairs = nesting::split_pairs(self.uri.query().unwrap_or_default(), '&');
            let same = |known: &str| percent::decode_form(known).as_deref() == Some(name);
            let found = pairs.into_iter().find(|(known, _)| same(known));
            return percent::decode_form(found?.1);
        }
        if let Some(name) = named("path.") {
            let template = Template::new(self.operation.path, self.operation.parameters);
            let mut found = None;
            template.capture(self.uri.path(), |known, place| {
                if known == name {
                    found = found.take().or(Some(place));
                }
            })?;
            return percent::decode(self.uri.path().get(found?)?);
        }
        in_body(&self.body, source)
    }
}

fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    Some(headers.get(name)?.to_str().ok()?.to_owned())
}

/// The value of `body#/pointer`: a text unchanged, another scalar as JSON, else `None`.
fn in_body(body: &Value, source: &str) -> Option<String> {
    let pointer = match source.strip_prefix("body")? {
        "" => "",
        fragment => fragment.strip_prefix('#')?,
    };
    match body.pointer(pointer)? {
        Value::String(text) => Some(text.clone()),
        scalar @ (Value::Bool(_) | Value::Number(_)) => Some(scalar.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

impl fmt::Debug for Occasion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Occasion")
            .field("operation", &self.operation.id)
            .finish_non_exhaustive()
    }
}
