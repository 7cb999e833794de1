//! Omitted: a property that a request omits must not come from an earlier request.
//!
//! The law creates a record with as few properties as possible, one with all, and one like the first. The last one
//! must not contain values of the second.

use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::names;
use crate::shape::Shape;
use crate::value;

use crate::answered::{record_of, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};

/// Tests an operation that creates a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Create {
        return Ok(false);
    }
    let names = optional(scene, call);
    if names.is_empty() {
        return Ok(false);
    }
    Ok(test_call(scene, call, &names, draft).await.is_some())
}

/// The optional free properties of the body that the record shows, without a default.
fn optional<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Vec<&'d str> {
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let record = Shape::of(document, call.record().map(|record| &record.schema));
    let shown = record.property_names();
    let names = shape.property_names().into_iter();
    let names = names.filter(|name| !shape.requires(name) && shown.contains(name));
    names
        .filter(|name| {
            let shape = shape.property(document, name);
            let is_free = shape.known_values().is_empty() && shape.keyword("default").is_none();
            let is_stated = shape.flag("readOnly") || names::subject(name).is_some();
            is_free && !is_stated
        })
        .collect()
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    names: &[&'d str],
    draft: &mut Draft,
) -> Option<()> {
    let before = with_little(scene, call, (names, "omitted-before")).await?;
    let with_all = with_values(scene, call, names).await?;
    let sent = with_all.sent.json.clone()?;
    let named: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| sent.get(name).is_some())
        .collect();
    (succeeded(&with_all) && !named.is_empty()).then_some(())?;
    let after = with_little(scene, call, (names, "omitted-after")).await?;
    let first = record_of(call, &before)?;
    let last = record_of(call, &after)?;
    for name in named {
        let (then, now) = (first.get(name), last.get(name)?);
        let Some(taken) = taken(sent.get(name)?, then, now) else {
            continue;
        };
        let mut pointer = Pointer::root().join(name);
        taken.segments().for_each(|item| pointer.push(item));
        let expected = format!(
            "{}, as in the first record without `{name}`",
            scene.shown(call, &pointer, first.at(&pointer))
        );
        let claim = Claim::new(
            &checks::OTHERS_CHANGED,
            Basis::Names,
            expected,
            scene.shown(call, &pointer, last.at(&pointer)),
        )
        .at(pointer);
        scene.differ(draft, call, claim, &after);
    }
    Some(())
}

/// Creates a record with all optional properties; their texts are unique if the schemas allow that.
async fn with_values<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    names: &[&'d str],
) -> Option<Exchange> {
    let ready = scene.ready(call, "omitted-all").await.ok()?;
    let mut sent = scene.compose(&ready, "omitted-all").ok()?;
    let mut fresh = ready.state.fresh.fork("omitted-value");
    for name in names {
        let mut json = sent.json.clone()?;
        let value = match json.get(name).map(|entry| &entry.value) {
            Some(Value::String(text)) => Some((Pointer::root(), text.clone())),
            Some(Value::Mapping(mapping)) => mapping.entries.iter().find_map(|entry| {
                let text = entry.value.as_str()?.to_owned();
                Some((Pointer::root().join(entry.key.as_str()), text))
            }),
            _ => None,
        };
        let Some((inner, text)) = value else { continue };
        let mut pointer = Pointer::root().join(name);
        inner.segments().for_each(|item| pointer.push(item));
        let other = value::string(&fresh.like(&text, None));
        let is_put = value::put(&mut json, &pointer, other).is_ok();
        if is_put {
            let _ = scene.put_valid(call, (&mut sent, &ready.call), json);
        }
    }
    Some(scene.send(sent).await)
}

/// The place in a record that has a value of another request, and did not have it before.
fn taken(sent: &Node, before: Option<&Node>, now: &Node) -> Option<Pointer> {
    let is_new = |then: Option<&Node>, now: &Node| then.is_none_or(|then| !then.same_value(now));
    match &sent.value {
        Value::Mapping(_) if before.is_some_and(|then| differ_as_maps(then, now)) => {
            Some(Pointer::root())
        }
        Value::Mapping(mapping) => {
            let mut entries = mapping.entries.iter();
            let entry = entries.find(|entry| {
                let then = before.and_then(|node| node.get(&entry.key));
                let value = now.get(&entry.key);
                value.is_some_and(|node| node.same_value(&entry.value) && is_new(then, node))
            })?;
            Some(Pointer::root().join(entry.key.as_str()))
        }
        Value::String(text) if text.len() > 2 => {
            (now.same_value(sent) && is_new(before, now)).then(Pointer::root)
        }
        Value::Sequence(items) if !items.is_empty() => {
            (now.same_value(sent) && is_new(before, now)).then(Pointer::root)
        }
        _ => None,
    }
}

/// Whether two maps without requested content differ.
fn differ_as_maps(one: &Node, other: &Node) -> bool {
    one.as_mapping().is_some() && other.as_mapping().is_some() && !one.same_value(other)
}

/// Creates a record without some properties.
async fn with_little<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (names, tag): (&[&'d str], &str),
) -> Option<Exchange> {
    let ready = scene.ready(call, tag).await.ok()?;
    let mut sent = scene.compose(&ready, tag).ok()?;
    let mut json = sent.json.clone()?;
    for name in names {
        value::remove(&mut json, name);
    }
    scene.put_valid(call, (&mut sent, &ready.call), json)?;
    let created = scene.send(sent).await;
    succeeded(&created).then_some(created)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_come_from_another_request() {
        let sent = |text: &str| openapi_document::json::read_text(text).unwrap();
        for (all, before, now, expected) in [
            (r#"{"a":"x"}"#, "null", r#"{"a":"x"}"#, Some("/a")),
            (r#"{"a":"x"}"#, "{}", r#"{"a":"z"}"#, Some("")),
            (r#"{"a":"x"}"#, r#"{"a":"x"}"#, r#"{"a":"x"}"#, None),
            (r#"{"a":"x"}"#, "{}", "{}", None),
            (r#""Blue""#, "null", r#""Blue""#, Some("")),
            (r#""Blue""#, r#""Blue""#, r#""Blue""#, None),
            ("[1]", "[]", "[1]", Some("")),
            ("12", "0", "12", None),
        ] {
            let found = taken(&sent(all), Some(&sent(before)), &sent(now));
            let found = found.map(|item| item.to_string());
            assert_eq!(found.as_deref(), expected, "{all} {before} {now}");
        }
    }
}
