//! Entry: a fact in a behaviour file, with the ruling of the document's owner.

use std::collections::HashMap;

use openapi_document::behaviour::Behaviour;
use openapi_document::{Diagnostic, Diagnostics, Node, Span};
use serde_json::Value;

use crate::fact_id::FactId;
use crate::mention::Mention;
use crate::rule::Rule;
use crate::vocabulary::Vocabulary;

/// Keys of an entry besides the kind of its rule.
const KEYS: [&str; 4] = ["draft", "rejected", "sentence", "summary"];

/// What the owner of a document decided about a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// The fact holds.
    Accepted,
    /// The owner has not decided yet.
    Draft,
    /// The fact does not hold.
    Rejected,
}

/// A fact in a behaviour file.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The id of the fact.
    pub id: FactId,
    /// The statement.
    pub rule: Rule,
    /// Whether the owner accepted it, rejected it, or has not decided.
    pub ruling: Ruling,
    /// The fingerprint of the sentence from which the entry was drafted.
    pub sentence: Option<String>,
    /// The place of the entry in the behaviour file.
    pub span: Span,
    /// The place of the mark `draft` or `rejected`, from the key to the value.
    pub mark: Option<Span>,
}

/// Reads the entries of a behaviour file. A faulty entry is reported and skipped.
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
            let title = format!("the fact `{}` is listed twice", entry.id);
            let finding = Diagnostic::error("behaviour-repeated-fact", title);
            found.push(finding.at(entry.span, "").help("remove one of them"));
            continue;
        }
        known.insert(entry.id.clone(), entry.span);
        let mut reported: Vec<Mention<'_>> = Vec::new();
        for mention in entry.rule.mentions() {
            if !reported.contains(&mention) && !vocabulary.knows(mention) {
                reported.push(mention);
                found.push(unknown(mention, (node, &entry), vocabulary));
            }
        }
        entries.push(entry);
    }
    entries
}

/// The finding that the document lacks something that an entry names, at the place of the name.
fn unknown(
    mention: Mention<'_>,
    (node, entry): (&Node, &Entry),
    vocabulary: &Vocabulary<'_>,
) -> Diagnostic {
    let span = match mention {
        Mention::Owner(_) => None,
        _ => place(node, mention.text()),
    };
    let finding = Diagnostic::error(mention.finding(), mention.title());
    let finding = finding.at(span.unwrap_or(entry.span), "");
    finding.help(mention.help(vocabulary))
}

/// The place of a text in an entry: of a value equal to it, else of a value that contains it as a
/// word.
fn place(node: &Node, text: &str) -> Option<Span> {
    let mut spans = (None, None);
    node.each_string(&mut |value, span| {
        let is_word = |c: char| c.is_alphanumeric() || "_.$@-".contains(c);
        if value == text {
            spans.0 = spans.0.or(Some(span));
        } else if value.split(|c| !is_word(c)).any(|word| word == text) {
            spans.1 = spans.1.or(Some(span));
        }
    });
    spans.0.or(spans.1)
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
        let title = format!("`{}` is not a key of a fact", other.key);
        let help = format!("its keys are: {}, {}", kind.key, KEYS.join(", "));
        let finding = Diagnostic::error("behaviour-unknown-key", title);
        found.push(finding.at(other.key_span, "nothing reads this").help(help));
    }
    let value: Value = serde_json::from_str(&kind.value.to_json()).ok()?;
    let tagged = serde_json::json!({ kind.key.as_str(): value });
    let rule = serde_json::from_value::<Rule>(tagged).map_err(|error| error.to_string());
    let rule = rule.and_then(|rule| match rule.flaw() {
        Some(flaw) => Err(flaw.to_owned()),
        None => Ok(rule),
    });
    let rule = match rule {
        Ok(rule) => rule,
        Err(error) => {
            let title = format!("this is not a valid `{}`: {error}", kind.key);
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
