//! Which types are read from requests, and which of them have something to check.

use super::explain::is_holder;
use super::outcome::is_success;
use crate::ir::{Api, Shape, Type, TypeId, Usage};

/// Facts about each type that follow from where it is used.
pub(super) struct Reach {
    requested: Vec<bool>,
    checked: Vec<bool>,
    refused: Vec<bool>,
}

impl Reach {
    pub(super) fn of(api: &Api) -> Self {
        Self {
            requested: requested(api),
            checked: checked(api),
            refused: refused(api),
        }
    }

    /// Whether a request can hold the type.
    pub(super) fn is_requested(&self, id: TypeId) -> bool {
        self.requested[id.0]
    }

    /// Whether the type is, or is within, the body of a refusal.
    pub(super) fn is_refused(&self, id: TypeId) -> bool {
        self.refused[id.0]
    }

    /// Whether there is anything to check in a value of the type.
    pub(super) fn is_checked(&self, id: TypeId) -> bool {
        self.checked[id.0]
    }
}

/// The places of values in a type.
pub(super) fn usages(shape: &Shape) -> Vec<&Usage> {
    match shape {
        Shape::Struct(object) | Shape::Parts(object) => {
            let fields = object.fields.iter().map(|field| &field.usage);
            fields.chain(&object.rest).collect()
        }
        Shape::Union(union) | Shape::Events(union) => union
            .variants
            .iter()
            .map(|variant| &variant.usage)
            .collect(),
        Shape::Wrapper(usage) => vec![usage],
        Shape::Choice(_) => Vec::new(),
    }
}

/// How deep types lie in each other, where each is counted once.
pub(super) fn depth(api: &Api) -> usize {
    let held = |index: usize| {
        let inner = usages(&api.types[index].shape);
        inner.into_iter().filter_map(Usage::mentions).collect()
    };
    let mut seen = vec![false; api.types.len()];
    let mut deepest = 0;
    for root in 0..api.types.len() {
        let mut path: Vec<Vec<TypeId>> = vec![vec![TypeId(root)]];
        while let Some(open) = path.last_mut() {
            match open.pop() {
                Some(TypeId(index)) if !std::mem::replace(&mut seen[index], true) => {
                    deepest = deepest.max(path.len());
                    path.push(held(index));
                }
                Some(_) => {}
                None => drop(path.pop()),
            }
        }
    }
    deepest
}

fn requested(api: &Api) -> Vec<bool> {
    let operations = api.areas.iter().flat_map(|area| &area.operations);
    let bodies = operations
        .flat_map(|operation| {
            let contents = operation.body.iter().flat_map(|body| &body.contents);
            let body = contents.map(|content| &content.usage);
            let parameters = operation.parameters.iter().map(|one| &one.usage);
            body.chain(parameters).filter_map(Usage::mentions)
        })
        .collect();
    within(api, bodies)
}

/// The bodies of answers that are no success, and what holds the message within them.
fn refused(api: &Api) -> Vec<bool> {
    let operations = api.areas.iter().flat_map(|area| &area.operations);
    let responses = operations.flat_map(|operation| &operation.responses);
    let refusals = responses.filter(|response| !is_success(response.status));
    let contents = refusals.flat_map(|response| &response.contents);
    let bodies = contents
        .filter_map(|content| content.usage.named())
        .collect();
    let held = |shape: &Shape| match shape {
        Shape::Struct(object) => {
            let holders = object.fields.iter().filter(|field| is_holder(field));
            holders.filter_map(|field| field.usage.named()).collect()
        }
        _ => Vec::new(),
    };
    closure(api, bodies, held)
}

/// These types, and all that their values may hold.
fn within(api: &Api, open: Vec<TypeId>) -> Vec<bool> {
    let held = |shape: &Shape| {
        let inner = usages(shape);
        inner.into_iter().filter_map(Usage::mentions).collect()
    };
    closure(api, open, held)
}

/// These types, and all that they lead to.
fn closure(api: &Api, mut open: Vec<TypeId>, next: impl Fn(&Shape) -> Vec<TypeId>) -> Vec<bool> {
    let mut found = vec![false; api.types.len()];
    while let Some(TypeId(index)) = open.pop() {
        if !std::mem::replace(&mut found[index], true) {
            open.extend(next(&api.types[index].shape));
        }
    }
    found
}

/// Types with constraints, and all types that lead to them.
fn checked(api: &Api) -> Vec<bool> {
    let mut users = vec![Vec::new(); api.types.len()];
    let mut checked = vec![false; api.types.len()];
    let mut open = Vec::new();
    for (index, def) in api.types.iter().enumerate() {
        if def.rule.is_some() {
            open.push(index);
        }
        for usage in usages(&def.shape) {
            if has_checks(usage, &checked) {
                open.push(index);
            }
            if let Some(TypeId(used)) = usage.mentions() {
                users[used].push(index);
            }
        }
    }
    while let Some(index) = open.pop() {
        if !std::mem::replace(&mut checked[index], true) {
            open.extend(&users[index]);
        }
    }
    checked
}

fn has_checks(usage: &Usage, checked: &[bool]) -> bool {
    !usage.constraints.is_empty()
        || match &usage.ty {
            Type::Named(id) => checked[id.0],
            Type::List(inner) | Type::Map(inner) | Type::JsonText(inner) => {
                has_checks(inner, checked)
            }
            _ => false,
        }
}

impl Reach {
    /// Whether there is anything to check in a value at this place.
    pub(super) fn has_checks(&self, usage: &Usage) -> bool {
        has_checks(usage, &self.checked)
    }
}
