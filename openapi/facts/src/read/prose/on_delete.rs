//! Reads which records are deleted with their parent: `Deletes a shelf and all of its books`.

use super::clause::Clause;
use crate::name::singular;
use crate::pattern::Capture;
use crate::rule::{Fate, OnDelete, Rule};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let (_, found) = clause.find("on-delete")?;
    let operation = clause.place.operation?;
    if operation.method.is_safe() {
        return None;
    }
    let record = found.first(Capture::Lead)?;
    let record = singular(record.rsplit(' ').next()?);
    let children = found.first(Capture::Some)?;
    // "Associated resources" names no kind of record.
    if clause.is_in_role("items", &children.to_lowercase()) {
        return None;
    }
    let children: Vec<String> = children.split(' ').map(singular).collect();
    let children = children.concat();
    let vocabulary = clause.place.vocabulary;
    let named = [children.clone(), format!("{record}{children}")];
    let schema = named.iter().find_map(|name| vocabulary.component(name))?;
    Some(Rule::OnDelete(OnDelete {
        operation: operation.label(),
        children: schema,
        then: Fate::Deleted,
        status: None,
    }))
}
