//! Reference: the server must refuse a request that names an unknown record, where a fact says that a value is a key.

use openapi_document::view::Located;
use openapi_document::{Node, Value};
use openapi_facts::Fact;
use openapi_facts::rule::Reference;

use super::pair::{Pair, refuses};
use crate::answered::{key_name, record_of};
use crate::checks;
use crate::model::{Call, Model, Role};
use crate::scene::Scene;
use crate::scene::draft::{Draft, Tried};
use crate::scene::place::Place;
use crate::scene::unused_key::{is_allowed, unused_key};
use crate::value;

/// Requests that create or change a record. A list may be filtered by an unknown key.
pub(super) fn applies(rule: &Reference, model: &Model<'_>, call: &Call<'_>) -> bool {
    let name = rule.subject.name.as_deref();
    let is_there = name.is_some_and(|name| Place::of(model.document, call, name).is_some());
    is_there && matches!(call.role, Role::Create | Role::Change)
}

/// Sends the key of no record.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Reference),
    draft: &mut Draft,
) -> Tried {
    let name = rule.subject.name.as_deref().unwrap_or_default();
    let place =
        Place::of(scene.model.document, call, name).ok_or("the request has no such value")?;
    let tag = format!("reference-{name}");
    let ready = scene.ready(call, &tag).await?;
    let sent = scene.compose(&ready, &tag)?;
    let shape = place.shape(scene.model.document, call);
    let known = place.value(&sent, &shape).filter(|node| !node.is_null());
    let (known, kept) = if let Some(known) = known {
        (known, Vec::new())
    } else {
        // Another tag, as the same one would send the same unique values again.
        let created = new_key(scene, (&rule.to, &format!("{tag}-new"))).await;
        let known = created.ok_or_else(|| format!("no example has `{name}`"))?;
        (known.clone(), vec![(&place, known)])
    };
    let items = shape.items(scene.model.document);
    let schema = if known.as_sequence().is_some() {
        items.nearest()
    } else {
        shape.nearest()
    };
    let Some(broken) = with_unused_key(scene, &known, schema) else {
        return Ok(false);
    };
    let pair = Pair {
        fact,
        status: rule.status,
        check: &checks::UNKNOWN_KEY_FOUND,
        tag: format!("{tag}-pair"),
        at: &place,
        kept,
        broken: vec![(&place, broken)],
    };
    refuses(scene, call, pair, draft).await
}

/// The key of a new record of a component.
async fn new_key(scene: &mut Scene<'_, '_>, (component, tag): (&str, &str)) -> Option<Node> {
    let creator = scene.creators(component).into_iter().next()?;
    let ready = scene.ready(creator, tag).await.ok()?;
    let created = scene.call(&ready, tag).await.ok()?;
    record_of(creator, &created)?
        .get(key_name(creator)?)
        .cloned()
}

/// A key in the same form that names no record; in a list, the first item is replaced.
fn with_unused_key(
    scene: &Scene<'_, '_>,
    known: &Node,
    schema: Option<&Located<'_>>,
) -> Option<Node> {
    if let Value::Sequence(items) = &known.value {
        let mut items = items.clone();
        let first = items.first_mut()?;
        *first = with_unused_key(scene, first, schema)?;
        return Some(value::node(Value::Sequence(items)));
    }
    let is_number = matches!(known.value, Value::Number(_));
    (is_number || known.as_str().is_some()).then_some(())?;
    let allowed = |key: &Node| schema.is_none_or(|item| is_allowed(scene.contract(), item, key));
    unused_key(is_number, &value::plain(known), allowed)
}
