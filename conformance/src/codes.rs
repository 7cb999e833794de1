//! Codes: which codes a document gives the refusals of an operation, and with which status each: by the texts and
//! examples of its responses, by its own sentences and by those of the whole document.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::Node;
use openapi_document::view::{Document, MediaType, Operation, Response, Status};

use super::{names, prose};
use crate::shape::Shape;

/// The codes of one operation.
#[derive(Debug, Default)]
pub(crate) struct Codes {
    /// The statuses of a code.
    with: BTreeMap<String, BTreeSet<u16>>,
    /// Codes that are named without a status.
    loose: BTreeSet<String>,
    /// Statuses whose response lists codes in its text, and which.
    listed: BTreeMap<u16, Vec<String>>,
}

/// What is wrong with the code of a refusal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It goes with other statuses.
    Status(String),
    /// The status has other codes.
    Code(String),
}

impl Fault {
    /// What was due, in words.
    pub(crate) fn told(self) -> String {
        match self {
            Self::Status(due) | Self::Code(due) => due,
        }
    }
}

/// The codes of every operation of a document.
#[derive(Debug, Default)]
pub(crate) struct AllCodes {
    /// Every code that the document has.
    known: BTreeSet<String>,
    of: BTreeMap<String, Codes>,
}

impl AllCodes {
    /// Those of a document.
    pub(crate) fn of(document: &Document) -> Self {
        let operations = document.operations();
        let known = known(document, &operations);
        let root = document.located_root().node;
        let overall = root.get("info").and_then(|own| own.get("description"));
        let overall = pairs(overall.and_then(Node::as_str).unwrap_or_default(), &known);
        let of = operations.iter().map(|own| {
            let codes = Codes::of(own, &known, &overall);
            (own.label(), codes)
        });
        let of = of.collect();
        Self { known, of }
    }

    /// Whether a text is a code.
    pub(crate) fn is_known(&self, text: &str) -> bool {
        self.known.contains(text)
    }

    /// What is wrong with a code of a refusal of an operation, where something is.
    pub(crate) fn wrong(&self, operation: &str, status: u16, code: &str) -> Option<Fault> {
        let own = self.of.get(operation)?;
        if !self.known.contains(code) || own.loose.contains(code) {
            return None;
        }
        match own.with.get(code) {
            Some(statuses) if statuses.contains(&status) => None,
            Some(statuses) => {
                let all: Vec<String> = statuses.iter().map(u16::to_string).collect();
                let all = all.join(" or ");
                Some(Fault::Status(format!(
                    "status {all}, which goes with {code:?}"
                )))
            }
            None => {
                let listed = own.listed.get(&status)?.iter();
                let listed: Vec<String> = listed.map(|own| format!("{own:?}")).collect();
                let listed = listed.join(" or ");
                Some(Fault::Code(format!("{listed}, as its text lists")))
            }
        }
    }
}

impl Codes {
    fn of(
        operation: &Operation<'_>,
        known: &BTreeSet<String>,
        overall: &[(String, Option<u16>)],
    ) -> Self {
        let mut codes = Self::default();
        let mut named: Vec<(String, Option<u16>)> = overall.to_vec();
        let text = |own: &Node| {
            let text = own.get("description").and_then(Node::as_str);
            pairs(text.unwrap_or_default(), known)
        };
        named.extend(text(operation.at.node));
        for parameter in operation.parameters() {
            named.extend(text(parameter.at.node));
        }
        for response in operation.responses() {
            let own = text(response.at.node);
            let Status::Code(status @ 400..) = response.status else {
                named.extend(own.into_iter().map(|own| (own.0, None)));
                continue;
            };
            let listed = own.into_iter().map(|own| own.0);
            let listed: Vec<String> = listed.collect();
            let shown = shown(&response).filter(|own| known.contains(own));
            named.extend(shown.chain(listed.clone()).map(|own| (own, Some(status))));
            if !listed.is_empty() {
                codes.listed.insert(status, listed);
            }
        }
        for (code, status) in &named {
            if let Some(status) = status {
                codes.with.entry(code.clone()).or_default().insert(*status);
            }
        }
        let loose = named.into_iter().map(|own| own.0);
        codes.loose = loose.filter(|own| !codes.with.contains_key(own)).collect();
        codes
    }
}

/// Whether a name is that of a code.
pub(crate) fn names_code(name: &str) -> bool {
    names::words(name).last().is_some_and(|own| own == "code")
}

/// The code of a refusal: in its body, or in the one object that tells of it.
pub(crate) fn code_of<'b>(body: &'b Node) -> Option<&'b str> {
    let objects = std::iter::once(body).chain(body.entries().map(|own| &own.value));
    let own = |node: &'b Node| {
        node.entries()
            .find(|own| names_code(&own.key))?
            .value
            .as_str()
    };
    let mut found = objects.filter_map(own);
    found.next().filter(|_| found.next().is_none())
}

/// The codes of the examples of a response.
fn shown(response: &Response<'_>) -> impl Iterator<Item = String> {
    let content = response.content();
    let shown = content.iter().flat_map(MediaType::examples);
    let codes = shown.filter_map(|own| code_of(own.value.node).map(str::to_owned));
    codes.collect::<Vec<_>>().into_iter()
}

/// Every code of a document: of a closed list of them, of the examples of refusals, and what is called one in a text.
fn known(document: &Document, operations: &[Operation<'_>]) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    let mut take = |text: &str| known.extend(called(text));
    let root = document.located_root().node;
    let overall = root.get("info").and_then(|own| own.get("description"));
    take(overall.and_then(Node::as_str).unwrap_or_default());
    let mut listed = Vec::new();
    for operation in operations {
        let text = operation.at.node.get("description").and_then(Node::as_str);
        take(text.unwrap_or_default());
        for response in operation.responses() {
            if !matches!(response.status, Status::Code(400..) | Status::Range(4 | 5)) {
                continue;
            }
            listed.extend(shown(&response));
            for media in response.content() {
                let shape = Shape::of(document, media.schema().as_ref());
                for name in shape.property_names() {
                    let own = shape.property(document, name);
                    let within = own.property_names().into_iter();
                    let within = within.filter(|own| names_code(own));
                    let values =
                        within.flat_map(|name| own.property(document, name).known_values());
                    listed.extend(values.map(str::to_owned));
                    if names_code(name) {
                        listed.extend(own.known_values().into_iter().map(str::to_owned));
                    }
                }
            }
        }
    }
    known.extend(listed);
    known.retain(|own| own.len() > 2);
    known
}

/// What a text marks and calls a code: the code `order_closed`.
fn called(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split('`').collect();
    let marked = parts.iter().enumerate().skip(1).step_by(2);
    let is_called = |before: &str| {
        let last = before.split_whitespace().next_back();
        last.is_some_and(|own| own.eq_ignore_ascii_case("code"))
    };
    let called = marked.filter(|(at, _)| is_called(parts[at - 1]));
    let is_plain = |own: &&&str| {
        let fits = |own: char| own.is_ascii_alphanumeric() || "_-.".contains(own);
        own.chars().all(fits) && own.starts_with(|own: char| own.is_ascii_alphabetic())
    };
    called
        .map(|own| own.1)
        .filter(is_plain)
        .map(|own| (*own).to_owned())
        .collect()
}

/// The codes that a text names, each with the status that stands nearest before it in its sentence, else the first that
/// comes after it.
fn pairs(text: &str, known: &BTreeSet<String>) -> Vec<(String, Option<u16>)> {
    let mut found = Vec::new();
    for sentence in prose::sentences(text) {
        let fits = |own: char| own.is_ascii_alphanumeric() || "_-".contains(own);
        let words = sentence.split(|own: char| !fits(own));
        let status = |own: &str| own.parse().ok().filter(|own| (400..600).contains(own));
        let mut last = None;
        let mut waiting: Vec<String> = Vec::new();
        let marked = |own: &str| sentence.contains(&format!("`{own}`"));
        for word in words {
            if let Some(own) = status(word) {
                last = Some(own);
                found.extend(waiting.drain(..).map(|code| (code, last)));
            } else if known.contains(word) && marked(word) {
                match last {
                    Some(_) => found.push((word.to_owned(), last)),
                    None => waiting.push(word.to_owned()),
                }
            }
        }
        found.extend(waiting.into_iter().map(|code| (code, None)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_status_goes_with_a_code() {
        let text = r#"
openapi: 3.0.3
info:
  title: Shop
  version: "1"
  description: |
    A request without a key is answered with `401` and the code `key_missing`; a key that is wrong with `401` and the
    code `key_invalid`.
    | Status | Codes |
    |---|---|
    | 400 | `field_missing`, `cursor_invalid` |
paths:
  /orders/{id}/cancel:
    post:
      operationId: cancel
      description: Cancels it. One that is paid is refused with `409` and the code `paid_already`.
      responses:
        "200": {description: Cancelled.}
        "409":
          description: Not possible (`paid_already`, `cancelled_already`).
          content: {application/json: {example: {error: {code: paid_already}}}}
  /orders/{id}/pay:
    post:
      operationId: pay
      description: The code `paid_already` tells of a second payment.
      responses:
        "200": {description: Paid.}
        "402":
          description: Declined (`declined`).
          content: {application/json: {example: {error: {code: declined}}}}
        "409":
          description: Another state.
          content: {application/json: {example: {error: {code: cancelled_already}}}}
"#;
        let document = openapi_document::loader::load_text("shop.yaml", text).unwrap();
        let codes = AllCodes::of(&document);
        for (operation, status, code, expected) in [
            ("cancel", 409, "paid_already", None),
            (
                "cancel",
                422,
                "paid_already",
                Some("status 409, which goes with \"paid_already\""),
            ),
            (
                "cancel",
                403,
                "key_missing",
                Some("status 401, which goes with \"key_missing\""),
            ),
            (
                "cancel",
                409,
                "declined",
                Some("\"paid_already\" or \"cancelled_already\", as its text lists"),
            ),
            ("cancel", 409, "never_heard_of", None),
            ("pay", 400, "paid_already", None),
            (
                "pay",
                409,
                "declined",
                Some("status 402, which goes with \"declined\""),
            ),
            // It lists none.
            ("pay", 409, "key_taken", None),
        ] {
            let found = codes.wrong(operation, status, code).map(Fault::told);
            assert_eq!(found.as_deref(), expected, "{operation} {status} {code}");
        }
    }
}
