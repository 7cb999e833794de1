//! Unlisted value: a state whose value the document does not list.

use super::Subject;
use super::unknown_property::{property, schema};
use crate::behaviour::{Record, Wire, Word};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::view::Located;

/// The rule id.
pub const RULE: &str = "behaviour-unlisted-value";

pub(super) fn find_all(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    for record in &subject.behaviour.records {
        let Some(shown) = record
            .schema
            .as_ref()
            .and_then(|name| schema(subject.document, &name.text))
        else {
            continue;
        };
        let of = |name: &Option<Word>| property(subject.document, &shown, &name.as_ref()?.text);
        if let Some(status) = of(&record.property) {
            check_states(record, &status, diagnostics);
        }
        if let Some(kind) = of(&record.distinguished_by) {
            for wire in record
                .machines
                .iter()
                .filter_map(|machine| machine.wire.as_ref())
            {
                if !lists(&kind, &wire.text) {
                    report(&wire.text, wire, diagnostics);
                }
            }
        }
    }
}

fn check_states(record: &Record, status: &Located<'_>, diagnostics: &mut Diagnostics) {
    for state in &record.states {
        match &state.wire {
            Some(Wire::Text(text)) if !lists(status, text) => {
                report(text, &state.name, diagnostics);
            }
            Some(Wire::Flag(flag)) if !is_flag(status) => {
                report(&flag.to_string(), &state.name, diagnostics);
            }
            _ => {}
        }
    }
}

fn lists(schema: &Located<'_>, value: &str) -> bool {
    let lists = ["enum", "x-extensible-enum"];
    let mut lists = lists.into_iter().filter_map(|key| schema.node.get(key));
    lists.any(|list| list.strings().any(|listed| listed == value))
}

fn is_flag(schema: &Located<'_>) -> bool {
    schema.node.get("type").and_then(crate::node::Node::as_str) == Some("boolean")
}

fn report(value: &str, word: &Word, diagnostics: &mut Diagnostics) {
    let title = format!("the document does not list the value `{value}`");
    let finding = Diagnostic::error(RULE, title).at(word.span, "");
    diagnostics.push(finding.help("add it to the property's `x-extensible-enum`"));
}
