//! Within: a record created below another one must be in the list that the parent has of such records.

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::shape::Shape;

use super::filling::part;
use crate::answered::{key_name, record_of, status, succeeded};
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft};
use crate::scene::{Ready, Scene};

/// Creates two records below another one and searches both in it.
pub(crate) async fn check<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    if call.role != Role::Create {
        return None;
    }
    let parameter = call.path_parameters().last().copied()?;
    let parent = scene.model.creator_for(&call.operation, parameter)?;
    let name = place(scene, call, parent)?;
    let key = key_name(call)?;
    let ready = scene.ready(call, "within").await.ok()?;
    let [first, second] = two(scene, call, &ready).await?;
    let (creator, record) = scene.record_before(call, &ready)?;
    let reader = scene
        .readers_for(creator, record, &second.sent)
        .first()
        .copied()?;
    let read = scene
        .read(reader, &record.clone(), &second.sent)
        .await
        .ok()?;
    let items = record_of(reader, &read)?.get(name)?.as_sequence()?;
    let at = |created: &Exchange| -> Option<Option<usize>> {
        let value = record_of(call, created)?.get(key)?;
        let is_it = |item: &Node| item.get(key).is_some_and(|other| other.same_value(value));
        Some(items.iter().position(is_it))
    };
    if at(&first)?.is_some() && at(&second)?.is_some() {
        return Some(());
    }
    let expected = format!("both records of `{}`", call.operation.label());
    let actual = format!("{} items without one of them", items.len());
    let claim = Claim::new(
        &checks::LIST_MISSES,
        Basis::Name(reader.operation.at.node.span),
        expected,
        actual,
    )
    .at(Pointer::root().join(name));
    scene.differ(draft, call, claim, &read);
    Some(())
}

/// Creates two records; each takes a part if they share a whole.
async fn two<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Option<[Exchange; 2]> {
    let part = part(scene, call, ready, 4).await;
    let mut created = Vec::new();
    for tag in ["within-first", "within-second"] {
        let sent = match &part {
            Some((taking, part)) => taking.request(scene, ready, (*part, tag)).ok()?,
            None => scene.compose(ready, tag).ok()?,
        };
        let exchange = scene.send(sent).await;
        if !succeeded(&exchange) || status(&exchange) == Some(202) {
            return None;
        }
        created.push(exchange);
    }
    created.try_into().ok()
}

/// The only list property of the parent with records of a call.
fn place<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, parent: &Call<'d>) -> Option<&'d str> {
    let document = scene.model.document;
    let kind = call.record()?;
    let shape = Shape::of(document, Some(&parent.record()?.schema));
    let mut lists = shape.property_names().into_iter().filter(|name| {
        let shape = shape.property(document, name);
        let items = shape.items(document);
        let is_kind = items
            .target()
            .is_some_and(|schema| schema.pointer == kind.schema.pointer);
        shape.type_name() == Some("array") && is_kind
    });
    lists.next().filter(|_| lists.next().is_none())
}
