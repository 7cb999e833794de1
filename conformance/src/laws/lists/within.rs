//! Within: what is made under a record stands in that record, where it has a list of such; the later one after the
//! earlier one, or before it, where a text says so.

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;

use super::filling::part;
use crate::answered::{own_key, record_of, status, succeeded};
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// Makes two records under another one, and looks for both in it.
pub(crate) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    if call.role != Role::Create {
        return None;
    }
    let parameter = call.path_parameters().last().copied()?;
    let parent = scene.model.creator_for(&call.operation, parameter)?;
    let (name, says) = place(scene, call, parent)?;
    let key = own_key(call)?;
    let ready = scene.ready(call, "within").await.ok()?;
    let [first, second] = two(scene, call, &ready).await?;
    let (maker, record) = scene.made_before(call, &ready)?;
    let reader = scene
        .readers_for(maker, record, &second.sent)
        .first()
        .copied()?;
    let read = scene
        .read(reader, &record.clone(), &second.sent)
        .await
        .ok()?;
    let items = record_of(reader, &read)?.get(name)?.as_sequence()?;
    let at = |made: &Exchange| -> Option<Option<usize>> {
        let own = record_of(call, made)?.get(key)?;
        let is_it = |item: &Node| item.get(key).is_some_and(|other| other.same_value(own));
        Some(items.iter().position(is_it))
    };
    let (expected, actual, check) = match (at(&first)?, at(&second)?, says) {
        (Some(one), Some(other), Some(newest)) if (one < other) == newest => (
            "the later one after the earlier one, or before it, as is said of it".to_owned(),
            "the other way round".to_owned(),
            &checks::ORDER_IGNORED,
        ),
        (Some(_), Some(_), _) => return Some(()),
        _ => (
            format!("both that `{}` has made", call.operation.label()),
            format!("{} items without one of them", items.len()),
            &checks::LIST_MISSES,
        ),
    };
    let claim = Claim::new(
        check,
        Ground::Name(reader.operation.at.node.span),
        expected,
        actual,
    )
    .at(Pointer::root().join(name));
    scene.differ(draft, call, claim, &read);
    Some(())
}

/// Two records, each of which takes a part where it takes anything of the record that they are under.
async fn two<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Option<[Exchange; 2]> {
    let part = part(scene, call, ready, 4).await;
    let mut made = Vec::new();
    for tag in ["within-first", "within-second"] {
        let sent = match &part {
            Some((taking, part)) => taking.request(scene, ready, (*part, tag)).ok()?,
            None => scene.compose(ready, tag).ok()?,
        };
        let exchange = scene.send(sent).await;
        if !succeeded(&exchange) || status(&exchange) == Some(202) {
            return None;
        }
        made.push(exchange);
    }
    made.try_into().ok()
}

/// The property of the record above that has a list of what a call makes, and whether the newest of them is said to
/// come first, or last.
fn place<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    parent: &Call<'d>,
) -> Option<(&'d str, Option<bool>)> {
    let document = scene.model.document;
    let kind = call.record()?;
    let shape = Shape::of(document, Some(&parent.record()?.schema));
    let mut lists = shape.property_names().into_iter().filter(|name| {
        let own = shape.property(document, name);
        let items = own.items(document);
        let is_kind = items
            .target()
            .is_some_and(|own| own.pointer == kind.schema.pointer);
        own.type_name() == Some("array") && is_kind
    });
    let name = lists.next().filter(|_| lists.next().is_none())?;
    let own = shape.property(document, name);
    let own = own.keyword("description").and_then(Node::as_str);
    let of_property = own.into_iter().flat_map(prose::spoken);
    let of_call = call.spoken().into_iter().filter(|own| speaks(own, name));
    let says = of_property
        .chain(of_call)
        .find_map(|own| newest_first(&own));
    Some((name, says))
}

/// Whether a sentence names a property.
fn speaks(sentence: &[String], name: &str) -> bool {
    let own = names::words(name);
    sentence.windows(own.len()).any(|part| part == own)
}

/// Whether a sentence says that the newest comes first, or last.
fn newest_first(sentence: &[String]) -> Option<bool> {
    let has = |words: &[&str]| prose::has(sentence, words);
    let added = has(&["added", "appended", "put", "prepended"]);
    let first = has(&["prepended"])
        || (added && has(&["beginning", "front", "start", "top"]))
        || (has(&["newest", "latest"]) && has(&["first"]));
    let last = has(&["appended"])
        || (added && has(&["end"]))
        || (has(&["oldest", "earliest"]) && has(&["first"]));
    (first != last).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_what_is_new_stands() {
        for (text, expected) in [
            (
                "The credit note is added to the end of the invoice's `creditNotes`.",
                Some(false),
            ),
            ("Notes, the newest first.", Some(true)),
            ("It is added to the notes.", None),
            ("Appended to `notes`.", Some(false)),
        ] {
            let words = prose::spoken(text).remove(0);
            assert_eq!(newest_first(&words), expected, "{text}");
        }
    }
}
