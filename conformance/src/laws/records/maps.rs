//! Maps: one that a patch is said to replace as a whole has nothing in it then but what was sent; one that is merged
//! keeps its other keys, and loses those that are set to null.

use openapi_document::{Mapping, Node, Pointer, Value};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

use super::versions::keep_up;
use crate::laws::trial::answered::{record_of, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// The keys of what is put there first, and then.
const ONE: &str = "one";
const OTHER: &str = "other";

/// What a patch does to a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Replaces,
    Merges,
}

/// Patches a map twice, with another key each time.
pub(crate) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let (name, way) = patched(world, call)?;
    let ready = world.ready(call, "maps").await.ok()?;
    let mut sent = world.compose(&ready, "maps").ok()?;
    let text = |key: &str| value::string(key);
    patch(world, call, (&ready, &mut sent), (name, ONE, text(ONE))).await?;
    let exchange = patch(world, call, (&ready, &mut sent), (name, OTHER, text(OTHER))).await?;
    let now = record_of(call, &exchange)?.get(name)?.clone();
    now.get(OTHER)?;
    let expected = match (way, now.get(ONE)) {
        (Way::Replaces, Some(_)) => "it alone: the map is replaced as a whole",
        (Way::Merges, None) => "it beside what was there: the map is merged",
        _ => {
            if way == Way::Merges {
                takes_out(world, call, (&ready, &mut sent), name, draft).await?;
                too_many(world, call, (&ready, &mut sent), name, draft).await;
            }
            return Some(());
        }
    };
    let expected = format!("`{OTHER}`, and {expected}");
    differ(world, call, (name, expected, &now), &exchange, draft);
    Some(())
}

/// Sets a key of a map that is merged to what takes it out: null, or where a text says so an empty text.
async fn takes_out<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, sent): (&Ready<'_, 'd>, &mut Sent),
    name: &str,
    draft: &mut Draft,
) -> Option<()> {
    let shape = Shape::of(world.model.document, call.body.as_ref());
    let own = shape.property(world.model.document, name);
    let own = own.keyword("description").and_then(Node::as_str);
    let of_operation = call.texts().filter(|text| says_merged(text, name));
    let (nothing, what) = if own.into_iter().chain(of_operation).any(says_emptied) {
        (value::string(""), "an empty text")
    } else {
        (value::node(Value::Null), "null")
    };
    let one = (name, ONE, nothing);
    let exchange = patch(world, call, (ready, sent), one).await?;
    let now = record_of(call, &exchange)?.get(name)?;
    if now.get(ONE).is_some() {
        let expected = format!("no `{ONE}`: it was set to {what}");
        differ(world, call, (name, expected, now), &exchange, draft);
    }
    Some(())
}

/// Sends as many keys as there may be in all, beside the one that is there: that is one too many.
async fn too_many<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, sent): (&Ready<'_, 'd>, &mut Sent),
    name: &str,
    draft: &mut Draft,
) -> Option<()> {
    let most = call.spoken().iter().find_map(|own| most_in_all(own))?;
    let text = |number: usize| format!("more-{number}");
    let entries = (0..most).map(|own| value::entry(&text(own), value::string(&text(own))));
    let entries = entries.collect();
    let all = value::node(Value::Mapping(Mapping { entries }));
    let entries = vec![value::entry(name, all)];
    let body = value::node(Value::Mapping(Mapping { entries }));
    let exchange = patch_with(world, call, (ready, sent), body, "most").await?;
    if succeeded(&exchange) {
        let expected = format!("a refusal: more than {most} keys after the merge");
        let claim = Claim::new(
            &checks::CONSTRAINT_IGNORED,
            Ground::Text,
            expected,
            told(&exchange),
        );
        let claim = claim.at(Pointer::root().join(name));
        world.differ(draft, call, claim, &exchange);
    }
    Some(())
}

/// The most keys that a map is said to have after a merge: `there may be at most 10 keys after the merge`.
fn most_in_all(sentence: &[String]) -> Option<usize> {
    const MOST: [&str; 3] = ["most", "more", "up"];
    const AFTER: [&str; 6] = [
        "merge",
        "merging",
        "merged",
        "afterwards",
        "total",
        "altogether",
    ];
    let is_said = prose::has(sentence, &["keys", "entries"])
        && prose::has(sentence, &MOST)
        && prose::has(sentence, &AFTER);
    let numbers = sentence.windows(2).filter_map(|own| {
        let is_of_keys = matches!(own[1].as_str(), "keys" | "entries");
        own[0].parse::<usize>().ok().filter(|_| is_of_keys)
    });
    let mut numbers = numbers.filter(|own| (1..=100).contains(own));
    numbers.next().filter(|_| is_said)
}

/// Sets a key of a map to a value.
async fn patch<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, sent): (&Ready<'_, 'd>, &mut Sent),
    (name, key, held): (&str, &str, Node),
) -> Option<Exchange> {
    let map = |entry| {
        let entries = vec![entry];
        value::node(Value::Mapping(Mapping { entries }))
    };
    let body = map(value::entry(name, map(value::entry(key, held))));
    let exchange = patch_with(world, call, (ready, sent), body, key).await?;
    succeeded(&exchange).then_some(exchange)
}

/// Sends a body, where its schema allows it.
async fn patch_with<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, sent): (&Ready<'_, 'd>, &mut Sent),
    body: Node,
    tag: &str,
) -> Option<Exchange> {
    let schema = call.body.as_ref()?;
    let found = world.contract().validate_request(schema, &body).ok()?;
    found.is_empty().then_some(())?;
    // Another request has another key, and the version that is known.
    let tag = format!("maps-{tag}-{}", body.to_json().len());
    let mut own = world.compose(ready, &tag).ok()?;
    let is_version = |own: &(String, String)| own.0.eq_ignore_ascii_case("if-match");
    own.headers.retain(|header| !is_version(header));
    let versions = sent.headers.iter().filter(|own| is_version(own));
    own.headers.extend(versions.cloned());
    *sent = own;
    world.put_json(sent, &ready.call, body);
    let exchange = world.send(sent.clone()).await;
    keep_up(sent, &exchange);
    Some(exchange)
}

fn differ<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (name, expected, now): (&str, String, &Node),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let claim = Claim::new(
        &checks::ECHO,
        Ground::Text,
        expected,
        world.shown(call, &Pointer::root().join(name), Some(now)),
    )
    .at(Pointer::root().join(name));
    world.differ(draft, call, claim, exchange);
}

/// The map that an operation patches, and what it is said to do to it. A merge patch merges.
fn patched<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<(&'d str, Way)> {
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let of_operation = call.operation.at.node.get("description");
    let of_operation = of_operation.and_then(Node::as_str);
    let content = call.operation.request_body().map(|own| own.content());
    let is_merge = content
        .iter()
        .flatten()
        .any(|own| own.name.starts_with("application/merge-patch+json"));
    let way = |name: &str| {
        let own = shape.property(document, name);
        let said = own.keyword("description").and_then(Node::as_str);
        let is_said = said.is_some_and(|text| says_whole(text, None))
            || of_operation.is_some_and(|text| says_whole(text, Some(name)));
        let all = call.overall.into_iter().chain(of_operation).chain(said);
        let says = |text: &str| {
            let mut said = prose::spoken(text).into_iter();
            says_merged(text, name) || said.any(|own| says_kept(&own, name))
        };
        let is_merge = is_merge || all.clone().any(says);
        match (own.is_map(), is_said, is_merge) {
            (true, true, _) => Some(Way::Replaces),
            (true, false, true) => Some(Way::Merges),
            _ => None,
        }
    };
    let mut names = shape.property_names().into_iter();
    names.find_map(|name| Some((name, way(name)?)))
}

/// Whether a text says that a map is merged, in one clause.
fn says_merged(text: &str, name: &str) -> bool {
    let own = names::words(name);
    let sentences = prose::sentences(text).into_iter();
    let mut clauses = sentences.flat_map(|own| own.split([',', ':']));
    clauses.any(|clause| {
        let words = names::words(clause);
        let is_named = words.windows(own.len()).any(|part| part == own);
        is_named
            && prose::has(&words, &["merged", "merges"])
            && !prose::has(&words, &["not", "never"])
    })
}

/// Whether a text says that a key which is sent with an empty text is taken out of a map.
fn says_emptied(text: &str) -> bool {
    const GONE: [&str; 6] = [
        "removed", "removes", "remove", "deleted", "deletes", "delete",
    ];
    prose::sentences(text).into_iter().any(|sentence| {
        let mut clauses = sentence.split([',', ':']);
        clauses.any(|clause| {
            let words = names::words(clause);
            let is_empty = words.windows(2).any(|pair| {
                pair[0] == "empty" && matches!(pair[1].as_str(), "string" | "value" | "text")
            });
            is_empty
                && prose::has(&words, &GONE)
                && !prose::has(&words, &["not", "never", "cannot"])
        })
    })
}

/// Whether a sentence says that the keys of a map which a patch leaves out stay: `metadata keys you do not mention are
/// kept`.
fn says_kept(sentence: &[String], name: &str) -> bool {
    const PARTS: [&str; 4] = ["keys", "entries", "key", "entry"];
    const TOLD: [&str; 10] = [
        "mention",
        "mentioned",
        "name",
        "named",
        "send",
        "sent",
        "list",
        "listed",
        "include",
        "included",
    ];
    const LEFT: [&str; 4] = ["omitted", "omit", "unmentioned", "absent"];
    const KEPT: [&str; 8] = [
        "kept",
        "keep",
        "remain",
        "stay",
        "unchanged",
        "untouched",
        "retained",
        "preserved",
    ];
    let own = names::words(name);
    let is_named = sentence.windows(own.len()).any(|part| part == own);
    let has = |list: &[&str]| prose::has(sentence, list);
    let is_left = has(&LEFT) || (has(&["not"]) && has(&TOLD)) || (has(&["left"]) && has(&["out"]));
    is_named && has(&PARTS) && is_left && has(&KEPT)
}

/// Whether a text says that a property, or what it stands at, is replaced as a whole.
fn says_whole(text: &str, name: Option<&str>) -> bool {
    const REPLACED: [&str; 4] = ["replaced", "replaces", "replace", "overwritten"];
    const WHOLE: [&str; 6] = [
        "whole",
        "wholly",
        "entirely",
        "completely",
        "entire",
        "altogether",
    ];
    prose::spoken(text).iter().any(|words| {
        let has = |list: &[&str]| prose::has(words, list);
        let of = |name: &str| names::words(name).iter().all(|own| words.contains(own));
        has(&REPLACED) && has(&WHOLE) && !has(&["not", "never"]) && name.is_none_or(of)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_keys_there_may_be_in_all() {
        for (text, expected) in [
            ("There may be at most 10 keys after the merge", Some(10)),
            (
                "More than 10 keys afterwards: `422` `validation_failed`",
                Some(10),
            ),
            ("Up to 20 keys of 40 characters", None),
            ("The keys are merged", None),
        ] {
            assert_eq!(most_in_all(&names::words(text)), expected, "{text}");
        }
    }

    #[test]
    fn texts_that_say_that_all_is_replaced() {
        for (text, name, expected) in [
            ("Labels are replaced as a whole.", Some("labels"), true),
            ("Replaces the entire map", None, true),
            ("Labels are replaced as a whole.", Some("lines"), false),
            ("Keys are merged, not replaced as a whole", None, false),
        ] {
            assert_eq!(says_whole(text, name), expected, "{text}");
        }
        let merged = |text: &str| says_merged(text, "metadata");
        assert!(merged("`metadata` is merged key by key."));
        assert!(merged(
            "`metadata` is merged: keys you do not send stay as they are"
        ));
        assert!(!merged("Labels are merged; metadata is not."));
        for (text, expected) in [
            ("`metadata` keys you do not mention are kept", true),
            ("Entries of `metadata` that are left out stay.", true),
            ("Keys of `metadata` that you send are kept", false),
            ("Properties you do not mention are kept", false),
            ("`metadata` keys you do not mention are removed", false),
        ] {
            let kept = prose::spoken(text);
            let found = kept.iter().any(|own| says_kept(own, "metadata"));
            assert_eq!(found, expected, "{text}");
        }
        assert!(!merged("Labels are merged, metadata is not."));
        for (text, expected) in [
            ("A key sent with an empty string is removed.", true),
            ("An empty value deletes the key", true),
            ("An empty string is kept, null removes the key", false),
            ("An empty string does not remove the key", false),
            ("Removes what is empty", false),
        ] {
            assert_eq!(says_emptied(text), expected, "{text}");
        }
    }
}
