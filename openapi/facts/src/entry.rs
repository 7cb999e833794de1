//! Entry: a fact in a behaviour file, and what its owner has ruled on it.

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

/// That the document does not have what an entry names, at the place of the name.
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

/// Where an entry has a text, or one with it as a word.
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
        let title = format!("`{}` is no key of a fact", other.key);
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
