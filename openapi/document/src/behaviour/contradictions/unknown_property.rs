//! Unknown property: a schema or property that the document does not have.

use super::Subject;
use crate::behaviour::Word;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::view::{Document, Located};

/// The rule id.
pub const RULE: &str = "behaviour-unknown-property";

pub(super) fn find_all(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let behaviour = subject.behaviour;
    for record in &behaviour.records {
        let Some(schema) = &record.schema else {
            continue;
        };
        if record.property.is_none() && self::schema(subject.document, &schema.text).is_none() {
            diagnostics.push(missing(schema));
        }
        for property in record.property.iter().chain(&record.distinguished_by) {
            find(subject, schema, property, diagnostics);
        }
    }
    for volatile in &behaviour.volatile {
        find(subject, &volatile.schema, &volatile.property, diagnostics);
    }
    for term in behaviour
        .sums
        .iter()
        .flat_map(|sum| [&sum.whole, &sum.parts])
    {
        let record = behaviour
            .machine(&term.machine.text)
            .map(|(record, _)| record);
        if let Some(schema) = record.and_then(|record| record.schema.as_ref()) {
            for property in term.link.iter().chain([&term.property]) {
                find(subject, schema, property, diagnostics);
            }
        }
    }
}

fn find(subject: &Subject<'_>, schema: &Word, property: &Word, diagnostics: &mut Diagnostics) {
    let Some(found) = self::schema(subject.document, &schema.text) else {
        diagnostics.push(missing(schema));
        return;
    };
    if self::property(subject.document, &found, &property.text).is_none() {
        let title = format!("`{}` has no property `{}`", schema.text, property.text);
        diagnostics.push(Diagnostic::error(RULE, title).at(property.span, ""));
    }
}

fn missing(schema: &Word) -> Diagnostic {
    let title = format!("the document has no schema `{}`", schema.text);
    Diagnostic::error(RULE, title).at(schema.span, "")
}

/// The component schema with this name.
pub fn schema<'d>(document: &'d Document, name: &str) -> Option<Located<'d>> {
    let schemas = document.components("schemas");
    schemas
        .into_iter()
        .find(|(key, _)| *key == name)
        .map(|(_, schema)| schema)
}

/// The schema of a property, also from a part of `allOf`.
pub fn property<'d>(
    document: &'d Document,
    schema: &Located<'d>,
    name: &str,
) -> Option<Located<'d>> {
    let schema = document.resolve(schema).ok()?;
    let direct = schema
        .get("properties")
        .and_then(|properties| properties.get(name));
    if let Some(direct) = direct {
        return document.resolve(&direct).ok();
    }
    let parts = schema.get("allOf")?;
    parts
        .items()
        .find_map(|part| property(document, &part, name))
}
