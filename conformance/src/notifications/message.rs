//! Compares a message with the contract. Pure.

use openapi_document::view::{Callback, Located, Location, MediaType};
use openapi_document::{Node, Pointer, Span};

use super::receiver::Received;
use crate::checks::{self, Check};
use crate::compose::conceal;
use crate::contract::Contract;
use crate::exchange::{Answer, JsonFault};
use crate::shape::Shape;
use crate::value;

/// A difference of a message, without a level.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) check: &'static Check,
    pub(crate) pointer: Pointer,
    pub(crate) expected: String,
    pub(crate) actual: String,
    pub(crate) place: Span,
}

/// The body of a message as JSON. `None` when it is not JSON.
pub(crate) fn json(message: &Received) -> Option<Node> {
    answer(message).json().cloned()
}

fn answer(message: &Received) -> Answer {
    Answer::new(200, message.headers.clone(), Ok(message.body.clone()))
}

/// Every difference of a message.
pub(crate) fn faults<'d>(
    contract: &Contract<'d>,
    callback: &Callback<'d>,
    message: &Received,
) -> Vec<Fault> {
    let mut faults = Faults {
        contract,
        callback,
        list: Vec::new(),
    };
    let method = callback.operation.method.as_str();
    if message.method != method {
        let texts = (format!("the method {method}"), message.method.clone());
        faults.of_request(texts);
    }
    faults.headers(message);
    faults.body(message);
    faults.list
}

struct Faults<'f, 'd> {
    contract: &'f Contract<'d>,
    callback: &'f Callback<'d>,
    list: Vec<Fault>,
}

impl<'d> Faults<'_, 'd> {
    fn add(
        &mut self,
        check: &'static Check,
        pointer: Pointer,
        (expected, actual): (String, String),
        place: Span,
    ) {
        self.list.push(Fault {
            check,
            pointer,
            expected,
            actual: value::excerpt(&actual),
            place,
        });
    }

    fn of_request(&mut self, texts: (String, String)) {
        let place = self.callback.operation.at.node.span;
        self.add(&checks::NOTIFICATION_REQUEST, Pointer::root(), texts, place);
    }

    fn of_payload(&mut self, texts: (String, String), at: &Node) {
        let place = at.span;
        self.add(&checks::NOTIFICATION_PAYLOAD, Pointer::root(), texts, place);
    }

    fn headers(&mut self, message: &Received) {
        for parameter in self.callback.operation.parameters() {
            if parameter.location != Location::Header {
                continue;
            }
            let received = message.header(&parameter.name.to_ascii_lowercase());
            let wrong = match (&received, parameter.schema()) {
                (None, _) if parameter.required() => String::new(),
                (Some(text), Some(schema)) => match self.header_fault(&schema, text) {
                    Some(wrong) => format!(": {wrong}"),
                    None => continue,
                },
                _ => continue,
            };
            let expected = format!("the header `{}`{wrong}", parameter.name);
            self.of_request((expected, received.unwrap_or_else(|| "absent".to_owned())));
        }
    }

    /// Why the text of a header breaks its schema. Numbers and booleans are parsed from the text.
    fn header_fault(&self, schema: &Located<'d>, text: &str) -> Option<String> {
        let validate = |node: &Node| self.contract.validate_request(schema, node).ok();
        let first = validate(&value::string(text))?.into_iter().next()?;
        let read = openapi_document::json::read_text(text).ok();
        let fits = read.is_some_and(|node| validate(&node).is_some_and(|list| list.is_empty()));
        (!fits).then_some(first.message)
    }

    fn body(&mut self, message: &Received) {
        let Some(body) = self.callback.operation.request_body() else {
            return;
        };
        let content = body.content();
        let Some(first) = content.first() else { return };
        if message.body.is_empty() {
            if body.required() {
                let texts = (
                    format!("a body of type {}", first.name),
                    "no body".to_owned(),
                );
                self.of_payload(texts, first.at.node);
            }
            return;
        }
        let received = message.header("content-type").unwrap_or_default();
        let same = |media: &&MediaType<'d>| essence(media.name) == essence(&received);
        let media = content.iter().find(same);
        if media.is_none() {
            let names: Vec<&str> = content.iter().map(|named| named.name).collect();
            self.of_request((format!("the media type {}", names.join(" or ")), received));
        }
        let media = media.unwrap_or(first);
        if media.is_json() {
            self.json(message, media);
        }
    }

    fn json(&mut self, message: &Received, media: &MediaType<'d>) {
        let answer = answer(message);
        let fault = match answer.json_fault() {
            Some(JsonFault::Utf8(at)) => format!("byte {at} is not part of any character"),
            Some(JsonFault::Json { message, at }) => format!("{message} at byte {at}"),
            None => String::new(),
        };
        let (Some(json), Some(schema)) = (answer.json(), media.schema()) else {
            if !fault.is_empty() {
                self.of_payload(("a JSON value".to_owned(), fault), media.at.node);
            }
            return;
        };
        // Another check reports a schema that cannot be compiled.
        let found = self.contract.validate_request(&schema, json);
        let found = found.unwrap_or_default();
        let mut shown = json.clone();
        let document = self.contract.document;
        let shape = Shape::of(document, Some(&schema));
        conceal(document, &mut shown, &shape, &mut Vec::new());
        for violation in found {
            let actual = shown.at(&violation.instance).map(Node::to_json);
            let texts = (
                violation.message,
                actual.unwrap_or_else(|| "absent".to_owned()),
            );
            let keyword = document.lookup(&violation.schema);
            let place = keyword.map_or(media.at.node.span, |found| found.node.span);
            self.add(
                &checks::NOTIFICATION_PAYLOAD,
                violation.instance,
                texts,
                place,
            );
        }
    }
}

fn essence(media_type: &str) -> String {
    let essence = media_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}
