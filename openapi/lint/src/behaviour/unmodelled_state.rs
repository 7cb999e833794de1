//! Checks that each state property of a component belongs to a record.

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::behaviour::contradictions::{property, schema};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::Node;
use openapi_document::view::Located;

pub(super) const RULE: Rule = Rule {
    id: "behaviour-unmodelled-state",
    default: Level::Error,
    summary: "Each state property of a component belongs to a record",
    why: "Without a machine, no test knows which changes of the property are correct. The rule \
          considers properties whose name ends with `state` or `status`, and that list at least \
          two values.",
    remedy: "Add a record with its `schema` and `property`; or write `x-state: false` on a \
             property that never changes.",
    wrong: "records: {}",
    right: "\
records:
  gate: {summary: A gate., schema: Gate, property: state, states: {}, events: {}, machines: {}}",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let modelled: Vec<&Node> = modelled(subject).map(|field| field.node).collect();
    for (name, schema) in subject.document.components("schemas") {
        for (key, field) in fields(subject, &schema) {
            let is_modelled = modelled.iter().any(|known| std::ptr::eq(*known, field));
            if holds_state(key, field) && !is_modelled {
                let title = format!("`{key}` of `{name}` holds a state, but belongs to no record");
                let finding = RULE.finding(title).at(subject.anchor(), "");
                diagnostics.push(finding.help(RULE.remedy));
            }
        }
    }
}

/// The properties that records name.
fn modelled<'d>(subject: &Subject<'d>) -> impl Iterator<Item = Located<'d>> {
    subject.behaviour.records.iter().filter_map(|record| {
        let shown = schema(subject.document, &record.schema.as_ref()?.text)?;
        property(subject.document, &shown, &record.property.as_ref()?.text)
    })
}

/// The properties of a schema and of inline parts of its `allOf`, with references followed.
fn fields<'d>(subject: &Subject<'d>, schema: &Located<'d>) -> Vec<(&'d str, &'d Node)> {
    let listed = schema.get("properties");
    let listed = listed.iter().flat_map(Located::entries);
    let mut all: Vec<_> = listed
        .filter_map(|(entry, at)| {
            Some((entry.key.as_str(), subject.document.resolve(&at).ok()?.node))
        })
        .collect();
    let parts = schema.get("allOf");
    for part in parts.iter().flat_map(Located::items) {
        if part.node.reference().is_none() {
            all.extend(fields(subject, &part));
        }
    }
    all
}

fn holds_state(name: &str, field: &Node) -> bool {
    let is_named = ["state", "status"]
        .iter()
        .any(|word| name.to_lowercase().ends_with(word));
    let values = field.get("x-extensible-enum").or(field.get("enum"));
    let is_excused = field.get("x-state").and_then(Node::as_bool) == Some(false);
    is_named && !is_excused && values.is_some_and(|values| values.strings().nth(1).is_some())
}
