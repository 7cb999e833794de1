//! Entry: a fact in a behaviour file, and what its owner has ruled on it.

use std::collections::HashMap;

use openapi_document::behaviour::Behaviour;
use openapi_document::spelling::nearest;
use openapi_document::{Diagnostic, Diagnostics, Node, Span};
use serde_json::Value;

use crate::fact_id::FactId;
use crate::rule::Rule;
use crate::vocabulary::Vocabulary;

/// Keys of an entry besides the kind of its rule.
const KEYS: [&str; 4] = ["draft", "rejected", "sentence", "summary"];

/// What the owner of a document has ruled on a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// It holds.
    Accepted,
    /// The owner has not looked at it.
    Draft,
    /// It does not hold.
    Rejected,
}

/// A fact in a behaviour file.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its id.
    pub id: FactId,
    /// What it says.
    pub rule: Rule,
    /// What its owner has ruled.
    pub ruling: Ruling,
    /// The fingerprint of the sentence that it was drafted from.
    pub sentence: Option<String>,
    /// Where the entry stands.
    pub span: Span,
    /// Where its mark `draft` or `rejected` stands, from the key to the value.
    pub mark: Option<Span>,
}

/// The entries of a behaviour file; what is wrong with one is reported, and the entry passed over.
pub(crate) fn read(
    behaviour: &Behaviour,
    vocabulary: &Vocabulary<'_>,
    found: &mut Diagnostics,
) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut known: HashMap<FactId, Span> = HashMap::new();
    for node in &behaviour.facts {
        let Some(entry) = one(node, found) else {
            continue;
        };
        if known.contains_key(&entry.id) {
            let title = format!("the fact `{}` stands here twice", entry.id);
            let finding = Diagnostic::error("behaviour-repeated-fact", title);
            found.push(finding.at(entry.span, "").help("remove one of them"));
            continue;
        }
        known.insert(entry.id.clone(), entry.span);
        if !vocabulary.has_owner(entry.rule.owner()) {
            found.push(unknown(&entry, vocabulary));
        }
        entries.push(entry);
    }
    entries
}

fn unknown(entry: &Entry, vocabulary: &Vocabulary<'_>) -> Diagnostic {
    let owner = entry.rule.owner();
    let title = format!("the document has no operation and no schema `{owner}`");
    let finding = Diagnostic::error("behaviour-unknown-owner", title).at(entry.span, "");
    match nearest(owner, vocabulary.owners().iter().map(String::as_str)) {
        Some(name) => finding.help(format!("did you mean `{name}`?")),
        None => finding.help("name an operation by its operationId, or a schema by its name"),
    }
}

fn one(node: &Node, found: &mut Diagnostics) -> Option<Entry> {
    let mut kinds = node
        .entries()
        .filter(|entry| Rule::KINDS.contains(&&*entry.key));
    let (Some(kind), None) = (kinds.next(), kinds.next()) else {
        let title = "an entry of `facts` has one kind of fact";
        let help = format!("the kinds are: {}", Rule::KINDS.join(", "));
        let finding = Diagnostic::error("behaviour-structure", title);
        found.push(finding.at(node.span, "").help(help));
        return None;
    };
    let is_known = |key: &str| key == kind.key || KEYS.contains(&key) || key == "x-provenance";
    for other in node.entries().filter(|entry| !is_known(&entry.key)) {
        let title = format!("`{}` is no key of a fact", other.key);
        let help = format!("its keys are: {}, {}", kind.key, KEYS.join(", "));
        let finding = Diagnostic::error("behaviour-unknown-key", title);
        found.push(finding.at(other.key_span, "nothing reads this").help(help));
    }
    let value: Value = serde_json::from_str(&kind.value.to_json()).ok()?;
    let tagged = serde_json::json!({ kind.key.as_str(): value });
    let rule: Rule = match serde_json::from_value(tagged) {
        Ok(rule) => rule,
        Err(error) => {
            let title = format!("this is no `{}`: {error}", kind.key);
            let finding = Diagnostic::error("behaviour-structure", title);
            found.push(finding.at(kind.value.span, ""));
            return None;
        }
    };
    let flag = |key: &str| {
        let entry = node.entries().find(|entry| entry.key == key)?;
        (entry.value.as_bool() == Some(true)).then_some(Span {
            end: entry.value.span.end,
            ..entry.key_span
        })
    };
    let (ruling, mark) = match (flag("rejected"), flag("draft")) {
        (Some(mark), _) => (Ruling::Rejected, Some(mark)),
        (None, Some(mark)) => (Ruling::Draft, Some(mark)),
        (None, None) => (Ruling::Accepted, None),
    };
    Some(Entry {
        id: FactId::of(&rule),
        rule,
        ruling,
        sentence: node
            .get("sentence")
            .and_then(Node::as_str)
            .map(str::to_owned),
        span: node.span,
        mark,
    })
}
