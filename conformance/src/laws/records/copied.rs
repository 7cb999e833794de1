//! Copied: what a request leaves out is taken from the record that it names, where a text says so: "if `receipt_email` is
//! left out, the e-mail address of the customer is copied".

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

use crate::laws::trial::answered::record_of;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// So many ways to an operation are looked through for one that names the other record.
const WAYS: usize = 6;

/// Makes a record without a property that is said to come from another record then.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let names = shape.property_names().into_iter();
    let said: Vec<(&str, Vec<&str>)> = names
        .filter(|name| !shape.requires(name))
        .filter_map(|name| {
            let own = shape.property(document, name);
            let own = own.keyword("description").and_then(Node::as_str);
            let of_call = call.texts().flat_map(prose::sentences);
            let of_call = of_call.filter(|text| text.contains(&format!("`{name}`")));
            let own = own.into_iter().flat_map(prose::sentences);
            let all: Vec<&str> = own.chain(of_call).filter(|text| is_copied(text)).collect();
            (!all.is_empty()).then_some((name, all))
        })
        .collect();
    let (name, texts) = said.first()?;
    let ways = world.ways(call);
    for (index, way) in ways.iter().take(WAYS).enumerate() {
        let (call_step, before) = way.split()?;
        if before.is_empty() || call_step.request.body.is_none() {
            continue;
        }
        let tag = format!("copied-{index}");
        let Ok(ready) = world.prepare(way, &tag).await else {
            continue;
        };
        let Some((maker, parent)) = world.made_before(call, &ready) else {
            continue;
        };
        let kind = maker.record()?.name.clone();
        let kind = kind.rsplit(' ').next().unwrap_or_default();
        let is_named = texts.iter().any(|text| {
            names::words(text)
                .iter()
                .any(|own| names::singular(own) == kind)
        });
        let source = source(name, parent).filter(|_| is_named);
        let Some((from, due)) = source.map(|(from, due)| (from.to_owned(), due.clone())) else {
            continue;
        };
        let mut sent = world.compose(&ready, &tag).ok()?;
        let mut json = sent.json.clone()?;
        value::remove(&mut json, name);
        world.put_json(&mut sent, &ready.call, json);
        let exchange = world.send(sent).await;
        let Some(child) = record_of(call, &exchange) else {
            continue;
        };
        let own = child.get(name);
        if !own.is_some_and(|own| own.same_value(&due)) {
            let pointer = Pointer::root().join(*name);
            let of_parent = Pointer::root().join(from.as_str());
            let shown = world.shown(maker, &of_parent, Some(&due));
            let expected = format!("{shown}, the `{from}` of the {kind}");
            let told = world.shown(call, &pointer, own);
            let claim =
                Claim::new(&checks::CHILD_DIFFERS, Ground::Text, expected, told).at(pointer);
            world.differ(draft, call, claim, &exchange);
        }
        return Some(());
    }
    None
}

/// The property of a record that another one is a copy of: of the same name, or the last words of it.
fn source<'e>(name: &str, parent: &'e Node) -> Option<(&'e str, &'e Node)> {
    let own = names::words(name);
    let fits = |key: &str| own.ends_with(&names::words(key));
    let all = parent.entries().filter(|entry| fits(&entry.key));
    let best = all.max_by_key(|entry| entry.key.len())?;
    let is_plain = best.value.as_str().is_some_and(|own| !own.is_empty());
    is_plain.then_some((best.key.as_str(), &best.value))
}

/// Whether a sentence says that what is left out is taken from elsewhere.
fn is_copied(text: &str) -> bool {
    const LEFT_OUT: [&str; 8] = [
        "left out",
        "leave it out",
        "omitted",
        "not given",
        "not sent",
        "not provided",
        "by default",
        "defaults to",
    ];
    const TAKEN: [&str; 6] = [
        "copied",
        "copied from",
        "taken from",
        "taken over",
        "that of the",
        "inherited from",
    ];
    let joined = format!(" {} ", names::words(text).join(" "));
    let says = |list: &[&str]| list.iter().any(|own| joined.contains(&format!(" {own} ")));
    let is_barred = [" never ", " cannot ", " no longer ", " is not "];
    says(&LEFT_OUT) && says(&TAKEN) && !is_barred.iter().any(|own| joined.contains(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_say_what_is_copied() {
        for (text, expected) in [
            (
                "If `receipt_email` is left out, the address the customer has at that moment is copied",
                true,
            ),
            ("Taken from the customer if you leave it out", true),
            ("By default that of the customer", true),
            ("Defaults to that of the plan", true),
            ("If it is left out, nothing is sent", false),
            ("Copied to the customer", false),
            ("If left out it is never copied", false),
        ] {
            assert_eq!(is_copied(text), expected, "{text}");
        }
    }

    #[test]
    fn where_copies_come_from() {
        let parent =
            openapi_document::json::read_text(r#"{"id":"a","email":"b","name":null}"#).unwrap();
        let of = |name| source(name, &parent).map(|(from, _)| from);
        assert_eq!(of("receipt_email"), Some("email"));
        assert_eq!(of("email"), Some("email"));
        assert_eq!(of("display_name"), None);
        assert_eq!(of("amount"), None);
    }
}
