//! Basis: the part of the contract that a claim rests on, before its place is looked up.

use openapi_document::view::{Operation, Response};
use openapi_document::{Node, Span};
use openapi_facts::Evidence;

use crate::because::Because;
use crate::contract::Contract;

/// The part of the contract that a claim rests on.
#[derive(Debug, Clone)]
pub(crate) enum Basis {
    /// The documented response for a status; the operation's names if it documents none.
    Status(u16),
    /// A keyword, header, parameter, security requirement or extension.
    Keyword(Span),
    /// The names of the operation and the shapes of its records.
    Names,
    /// The names of another operation, or of a property.
    Name(Span),
    /// The summary and the description of the operation.
    Text,
    /// A sentence of the document.
    Sentence(String),
    /// The description of a documented refusal.
    Refusal(u16),
    /// A documented pair of a request and its answer.
    Pair,
    /// The security requirements.
    Security,
    /// The documented statuses.
    Responses,
    /// The schema of the request body.
    Body,
    /// The parameters of the operation.
    Parameters,
    /// A fact, with its sources.
    Fact(Vec<Because>),
    /// A standard that binds every server.
    Standard(&'static str),
}

impl Basis {
    /// The description of a part of the document, else its name.
    pub(crate) fn description(part: &Node) -> Self {
        let text = part.get("description").and_then(Node::as_str);
        text.map_or(Self::Name(part.span), |text| {
            Self::Sentence(text.to_owned())
        })
    }

    /// Its places in a contract, for a claim about an operation.
    pub(crate) fn locate(self, contract: &Contract<'_>, operation: &Operation<'_>) -> Vec<Because> {
        match self {
            Self::Fact(because) => because,
            other => vec![other.place(contract, operation)],
        }
    }

    fn place(&self, contract: &Contract<'_>, operation: &Operation<'_>) -> Because {
        let node = operation.at.node;
        let part = |key: &str| contract.stated(node.get(key).unwrap_or(node).span);
        match self {
            Self::Status(code) => match operation.response(*code) {
                Some(response) => contract.stated(response.key_span),
                None => names(contract, operation),
            },
            Self::Keyword(span) => contract.stated(*span),
            Self::Names | Self::Fact(_) => names(contract, operation),
            Self::Name(span) => contract.named(*span),
            Self::Text => texts(contract, operation, node),
            Self::Sentence(words) => {
                let holder = holder(node, words);
                let holder = holder.or_else(|| holder_in(contract, words));
                quoted(contract, holder.unwrap_or(node), Some(words))
            }
            Self::Refusal(code) => match operation.response(*code) {
                Some(response) => texts(contract, operation, response.at.node),
                None => names(contract, operation),
            },
            Self::Pair => match example(operation) {
                Some(example) => contract.shown(example),
                None => names(contract, operation),
            },
            Self::Security => {
                let of_all = contract.document.root.get("security");
                let security = node.get("security").or(of_all);
                contract.stated(security.unwrap_or(node).span)
            }
            Self::Responses => part("responses"),
            Self::Body => part("requestBody"),
            Self::Parameters => part("parameters"),
            Self::Standard(name) => contract.standard(operation, name),
        }
    }
}

/// The method, the path and the names of an operation.
fn names(contract: &Contract<'_>, operation: &Operation<'_>) -> Because {
    let (method, path) = (operation.method.as_str(), operation.path);
    let words = format!("by the names of {method} {path}");
    Because::new(Evidence::Read, contract.spot_of(operation.at.node), &words)
}

/// The description of a part of an operation, else its summary, else the method and path.
fn texts(contract: &Contract<'_>, operation: &Operation<'_>, part: &Node) -> Because {
    let mut texts = ["description", "summary"]
        .into_iter()
        .filter_map(|key| part.get(key));
    match texts.next() {
        Some(text) => quoted(contract, text, text.as_str()),
        None => names(contract, operation),
    }
}

/// The first documented example of a success.
fn example(operation: &Operation<'_>) -> Option<Span> {
    let responses = operation.responses();
    let successes = responses.iter().filter(|item| item.status.is_success());
    let mut contents = successes.flat_map(Response::content);
    contents.find_map(|media| Some(media.examples().first()?.value.node.span))
}

fn quoted(contract: &Contract<'_>, at: &Node, words: Option<&str>) -> Because {
    let words = words.unwrap_or_default();
    Because::new(Evidence::Read, contract.spot_of(at), words)
}

fn holder_in<'d>(contract: &Contract<'d>, words: &str) -> Option<&'d Node> {
    holder(&contract.document.root, words)
}

/// The first text at or below a node that contains these words.
fn holder<'n>(node: &'n Node, words: &str) -> Option<&'n Node> {
    if node.as_str().is_some_and(|text| text.contains(words)) {
        return Some(node);
    }
    let entries = node.entries().map(|entry| &entry.value);
    let mut children = entries.chain(node.items());
    children.find_map(|child| holder(child, words))
}
