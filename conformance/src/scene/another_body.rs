//! Another body: a valid body that differs from a sent one in one value.

use openapi_document::{Node, Pointer};
use openapi_facts::Rule;
use openapi_facts::rule::Unique;

use super::Scene;
use super::key::marked;
use crate::fresh::is_said_unique;
use crate::model::Call;
use crate::names;
use crate::shape::Shape;
use crate::value::{self, unlike};

/// A body with another value in one property that is not a key. `None` if no property allows that.
pub(crate) fn another_body<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    body: &Node,
) -> Option<Node> {
    others(scene, call, body).next()
}

/// A valid body with another value in each property that is not a key. `None` if no property allows that.
pub(crate) fn wholly_other<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    body: &Node,
) -> Option<Node> {
    let mut whole = body.clone();
    for other in others(scene, call, body) {
        let new = other.entries().find(|entry| {
            body.get(&entry.key)
                .is_none_or(|now| !now.same_value(&entry.value))
        });
        let new = new?;
        value::put(
            &mut whole,
            &Pointer::root().join(new.key.as_str()),
            new.value.clone(),
        )
        .ok()?;
    }
    let found = scene
        .contract()
        .validate_request(call.body.as_ref()?, &whole);
    let is_valid = found.is_ok_and(|all| all.is_empty());
    (is_valid && !whole.same_value(body)).then_some(whole)
}

/// All valid bodies with another value in one property that is not a key.
fn others<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, body: &Node) -> impl Iterator<Item = Node> {
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let keys = marked(scene, call);
    body.entries().filter_map(move |entry| {
        let shape = shape.property(scene.model.document, &entry.key);
        let is_key = keys.contains(&entry.key.as_str())
            || shape.flag("x-natural-key")
            || is_said_unique(&shape)
            || is_scope(scene, call, &entry.key)
            || names::subject(&entry.key).is_some()
            || scene.model.names_as_shown(&entry.key, Some(&entry.value));
        let is_listed = !shape.known_values().is_empty() || shape.format().is_some();
        if is_key || is_listed {
            return None;
        }
        let new = unlike(&entry.value)?;
        let mut whole = body.clone();
        value::put(&mut whole, &Pointer::root().join(entry.key.as_str()), new).ok()?;
        let schema = call.body.as_ref()?;
        let found = scene.contract().validate_request(schema, &whole);
        found.is_ok_and(|all| all.is_empty()).then_some(whole)
    })
}

/// Whether a fact says that a key is unique only within this property. Another value there would allow the same key.
fn is_scope<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, name: &str) -> bool {
    let name = names::words(name);
    let mut facts = scene.facts_about(call);
    facts.any(|fact| match &fact.rule {
        Rule::Unique(Unique {
            scope: Some(scope), ..
        }) => {
            let scope = names::words(scope);
            scope.windows(name.len()).any(|part| part == name)
        }
        _ => false,
    })
}
