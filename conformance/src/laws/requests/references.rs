//! A request that names a record in its body or its path is refused where nobody has that record, or nobody
//! has it any more.

use std::collections::BTreeSet;

use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role, same_path};
use crate::names;
use crate::prose;
use crate::recipe::Recipe;
use crate::shape::Shape;
use crate::value;

use super::untouched::Untouched;
use crate::answered::{own_key, record_of, status, succeeded, told};
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;
use crate::scene::unlike::{is_allowed, unlike};
use crate::scene::{Ready, Scene};

/// How a reference to nothing is refused; who documents none of these may not look at references.
const UNKNOWN: [u16; 2] = [404, 422];

/// So many references of a request are tried at most.
const MOST: usize = 6;

/// How a reference to what is gone is refused.
const GONE: [u16; 2] = [404, 410];

/// Tries an operation that makes or changes a record and names another one, or names one that can be deleted.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let writes = matches!(call.role, Role::Create | Role::Change) && scene.may_write();
    if !writes || call.first_of(&[400, 404, 410, 422]).is_none() {
        return Ok(false);
    }
    let in_body = in_body(scene, call, draft).await;
    let deleted = deleted(scene, call, draft).await;
    Ok(in_body == Ok(true) || deleted == Ok(true))
}

/// A key in the body that nobody has.
async fn in_body<'w, 'd>(
    scene: &mut Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let is_documented = call.first_of(&UNKNOWN).is_some();
    scene.ready(call, "references").await?;
    let ways: Vec<&'w Recipe<'d>> = scene.ways(call).into_iter().collect();
    let mut tried = BTreeSet::new();
    for way in ways {
        let mut named = named(scene, way);
        named.retain(|own| is_documented || says_unknown(scene, call, own));
        if tried.len() >= MOST || named.iter().all(|own| tried.contains(&own.to_string())) {
            continue;
        }
        let tag = format!("references-{}", tried.len());
        let Ok(ready) = scene.prepare(way, &tag).await else {
            continue;
        };
        // With everything that it may name, a body may have too much.
        if !is_whole(scene, call, &ready) {
            continue;
        }
        for pointer in named {
            if tried.insert(pointer.to_string()) {
                unknown(scene, call, (&ready, &pointer), draft).await?;
                let own = format!("{tag}-once");
                used_up(scene, call, (way, &own, &pointer), draft).await;
                let owner = owner_said(scene, call, &pointer);
                if names_item(scene, call, &pointer) || owner.is_some() {
                    let stand = (way, &ready, &pointer, owner);
                    foreign(scene, call, stand, draft).await?;
                }
            }
        }
    }
    Ok(!tried.is_empty())
}

/// Whether the schema of a request allows it, where it can be held against it.
fn is_whole<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, ready: &Ready<'_, 'd>) -> bool {
    let sent = scene.compose(ready, "references").ok();
    let json = sent.and_then(|own| own.json);
    let (Some(schema), Some(json)) = (&call.body, json) else {
        return true;
    };
    let broken = scene.contract().validate_request(schema, &json);
    broken.is_ok_and(|own| own.is_empty())
}

/// Whether the text of a property says that what it names has to be there.
fn says_unknown<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, pointer: &Pointer) -> bool {
    const NOT: [&str; 4] = ["not", "no", "unknown", "must"];
    const THERE: [&str; 6] = ["there", "exist", "exists", "known", "unknown", "found"];
    let shape = shape_at(scene, call, pointer);
    let text = shape.keyword("description").and_then(Node::as_str);
    let mut said = text.into_iter().flat_map(prose::spoken);
    said.any(|own| {
        prose::has(&own, &NOT) && prose::has(&own, &THERE) && prose::has(&own, &["refused", "400"])
    })
}

/// What makes the owners of what a place names, where a text says that it is refused when it belongs to another one: `if there is no
/// such payment method or it belongs to another customer`.
fn owner_said<'w, 'd>(
    scene: &Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    pointer: &Pointer,
) -> Option<&'w Call<'d>> {
    let shape = shape_at(scene, call, pointer);
    let text = shape.keyword("description").and_then(Node::as_str);
    let of_itself = text.into_iter().flat_map(prose::spoken);
    let name = name_at(pointer)?;
    let is_it = |own: &Vec<String>| speaks_of_key(own, &name);
    let model = scene.model;
    let mut said = of_itself.chain(call.spoken().into_iter().filter(is_it));
    let of_another = |own: &Vec<String>| {
        let at = own
            .iter()
            .position(|own| matches!(own.as_str(), "another" | "other" | "different"));
        let owner = names::singular(own.get(at? + 1)?);
        model.creator_of(&owner).filter(|_| is_of_another(own))
    };
    let kind = kind_of(&name);
    let of_one = |own: &Vec<String>| {
        let owner = of_whom(&whose(own, &kind))?.to_owned();
        model.creator_of(&names::singular(&owner))
    };
    // The code of a refusal in brackets says nothing of whose it is.
    let plain = call.texts().chain(text).map(prose::without_asides);
    let plain: Vec<Vec<String>> = plain.flat_map(|own| prose::spoken(&own)).collect();
    let of_one = || plain.iter().filter(|own| is_it(own)).find_map(of_one);
    let maker = said.find_map(|own| of_another(&own)).or_else(of_one);
    maker.filter(|own| own.operation.label() != call.operation.label())
}

/// The words that tell whose a record has to be: those of `the agreement's customer` in `A card_id must be a card of the agreement's
/// customer`.
fn whose<'s>(words: &'s [String], kind: &str) -> Vec<&'s str> {
    const OPEN: [&str; 8] = ["not", "unless", "if", "except", "or", "may", "can", "any"];
    const ENDS: [&str; 7] = ["and", "that", "which", "when", "who", "with", "in"];
    let kind = names::words(kind);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let places = 0..words.len();
    let found = places.into_iter().find_map(|at| match &words[at..] {
        ["must" | "has" | "needs", rest @ ..] => {
            let rest = rest.strip_prefix(&["to"]).unwrap_or(rest);
            match rest {
                ["be", "a" | "an" | "one", rest @ ..] => {
                    let is_kind = rest.iter().zip(&kind).all(|(own, kind)| own == kind);
                    let rest = rest.get(kind.len()..).filter(|_| is_kind)?;
                    rest.strip_prefix(&["of", "the"])
                }
                ["belong", "to", "the", rest @ ..] => Some(rest),
                _ => None,
            }
        }
        _ => None,
    });
    let is_open = words.iter().any(|own| OPEN.contains(own));
    let found = found.filter(|_| !is_open && !kind.is_empty());
    let rest = found.unwrap_or_default().iter();
    let rest = rest.take_while(|own| !ENDS.contains(own));
    rest.take(4).copied().collect()
}

/// The one of some words that says whose it is: `customer` of `the agreement's customer`, and of `the customer of the order`.
fn of_whom<'s>(words: &[&'s str]) -> Option<&'s str> {
    let of_it = words.iter().rposition(|own| *own == "s").map(|at| at + 1);
    let before = || words.iter().position(|own| *own == "of")?.checked_sub(1);
    words.get(of_it.or_else(before).unwrap_or(0)).copied()
}

/// Whether a sentence speaks of a key: by its name, by the kind of record that has it, or as "the code", but not as the code of something
/// else.
fn speaks_of_key(words: &[String], name: &str) -> bool {
    const PLAIN: [&str; 7] = ["a", "the", "this", "its", "each", "any", "one"];
    let kind = names::words(&kind_of(name));
    let is_kind = !kind.is_empty() && words.windows(kind.len()).any(|part| part == kind);
    let last = names::words(name).pop().unwrap_or_default();
    let is_plain = last != "id"
        && words
            .windows(2)
            .any(|own| own[1] == last && PLAIN.contains(&own[0].as_str()));
    is_kind || is_plain || prose::speaks_of(words, name)
}

/// Whether a sentence tells of what belongs to another one, and does not grant it.
fn is_of_another(words: &[String]) -> bool {
    const BELONG: [&str; 3] = ["belong", "belongs", "belonging"];
    const OTHER: [&str; 3] = ["another", "other", "different"];
    const GRANTED: [&str; 4] = ["may", "can", "allowed", "even"];
    let belongs = words.iter().position(|own| BELONG.contains(&&**own));
    let rest = belongs.map(|at| &words[at..]).unwrap_or_default();
    // `A code that is unknown, used or of another store gives 409`
    let is_of_another = words
        .windows(2)
        .any(|own| own[0] == "of" && own[1] == "another")
        && prose::has(words, &["409", "422", "404", "refused", "rejected"]);
    (prose::has(rest, &OTHER) || is_of_another) && !prose::has(words, &GRANTED)
}

/// What the schema of a body says of a place in it.
fn shape_at<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, pointer: &Pointer) -> Shape<'d> {
    let document = scene.model.document;
    let mut shape = Shape::of(document, call.body.as_ref());
    for name in pointer.segments() {
        shape = match name.parse::<usize>() {
            Ok(_) => shape.items(document),
            Err(_) => shape.property(document, &name),
        };
    }
    shape
}

/// Where a call names records in its body.
fn named<'d>(scene: &Scene<'_, '_, '_, 'd>, way: &Recipe<'d>) -> Vec<Pointer> {
    let model = scene.model;
    let call = way
        .split()
        .and_then(|own| model.call(&own.0.name.operation));
    let is_known = |call: &Call<'d>, pointer: &Pointer| {
        name_at(pointer).is_some_and(|own| model.known_here(call, &own).is_some())
    };
    let is_key = |pointer: &Pointer| {
        name_at(pointer).is_some_and(|own| {
            let of_form = || {
                let shape = shape_at(scene, call?, pointer);
                model.creator_of(&model.named_by(&shape, &own)?)
            };
            let is_made = model.creator_of(&kind_of(&own)).or_else(of_form).is_some();
            is_made || model.known_by(&own).is_some()
        }) || call.is_some_and(|own| names_item(scene, own, pointer) || is_known(own, pointer))
    };
    let replaced = way
        .split()
        .map(|(call, _)| call.request.replacements.iter());
    let replaced = replaced.into_iter().flatten().map(|(own, _)| own.clone());
    replaced.filter(is_key).collect()
}

/// The name of the property at a place, whichever item it is in.
fn name_at(pointer: &Pointer) -> Option<String> {
    let mut segments = pointer.segments().rev();
    let name = segments.find(|own| own.bytes().any(|byte| !byte.is_ascii_digit()));
    name.map(|own| own.to_string())
}

/// The kind of record that a key names.
fn kind_of(name: &str) -> String {
    names::subject(name).unwrap_or_else(|| names::singular(name))
}

/// Whether a place names an item of the record that a call is about.
fn names_item<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, pointer: &Pointer) -> bool {
    let kind = name_at(pointer).map(|own| kind_of(&own));
    let lists = scene.model.item_lists(call);
    kind.is_some_and(|kind| lists.iter().any(|own| own.is_called(&kind)))
}

/// Names what another record of the kind that it belongs to has.
async fn foreign<'w, 'd>(
    scene: &mut Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    (way, ready, pointer, owner): (&'w Recipe<'d>, &Ready<'_, 'd>, &Pointer, Option<&Call<'d>>),
    draft: &mut Draft,
) -> Result<(), String> {
    let other = scene.prepare(way, "references-other").await?;
    // Who owns it was made on both ways, and is another one.
    let key_of = |ready: &Ready<'_, 'd>, owner: &Call<'d>| {
        let label = owner.operation.label();
        let mut kept = ready.state.kept.iter().flatten();
        let made = kept.find(|own| own.sent.operation == label)?;
        Some(value::plain(record_of(owner, made)?.get(own_key(owner)?)?))
    };
    if let Some(owner) = owner {
        let keys = key_of(ready, owner).zip(key_of(&other, owner));
        if keys.is_none_or(|(one, other)| one == other) {
            return Ok(());
        }
    }
    let other = scene.compose(&other, "references-other")?;
    let theirs = other.json.as_ref().and_then(|own| own.at(pointer)).cloned();
    let theirs = theirs.ok_or("the other request does not name it")?;
    let mut sent = scene.compose(ready, "references-foreign")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    if json.at(pointer).is_none_or(|own| own.same_value(&theirs)) {
        return Ok(());
    }
    value::put(&mut json, pointer, theirs)?;
    scene.put_json(&mut sent, &ready.call, json);
    let exchange = scene.send(sent).await;
    if succeeded(&exchange) {
        let expected = "a refusal of what belongs to another record";
        let claim = Claim::new(
            &checks::FOREIGN_PARENT_FOUND,
            Ground::Names,
            expected,
            told(&exchange),
        );
        scene.differ(draft, call, claim.at(pointer.clone()), &exchange);
    } else {
        refused(scene, call, &exchange, draft);
    }
    Ok(())
}

/// Names once more what a text says to be used once.
async fn used_up<'w, 'd>(
    scene: &mut Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    (way, tag, pointer): (&'w Recipe<'d>, &str, &Pointer),
    draft: &mut Draft,
) -> Option<()> {
    let name = name_at(pointer)?;
    let speaks_of = |own: &Vec<String>| speaks_of_key(own, &name);
    let mut said = call.spoken().into_iter().filter(speaks_of);
    let said = said.any(|own| says_used_once(&own)) && call.first_of(&[409, 410, 422]).is_some();
    let repeats = |own: &Vec<String>| {
        prose::has(own, &["same"])
            && prose::has(own, &["returns", "returned", "answered", "answer"])
    };
    let is_repeated = call.spoken().iter().any(repeats);
    (said && !is_repeated).then_some(())?;
    let ready = scene.prepare(way, tag).await.ok()?;
    let first = scene.call(&ready, tag).await.ok()?;
    succeeded(&first).then_some(())?;
    let second = scene.call(&ready, &format!("{tag}-again")).await.ok()?;
    if succeeded(&second) {
        let expected = "a refusal: it was used before, and can be used once";
        let claim = Claim::new(&checks::KEY_REUSED, Ground::Names, expected, told(&second));
        scene.differ(draft, call, claim.at(pointer.clone()), &second);
    } else {
        refused(scene, call, &second, draft);
    }
    Some(())
}

/// Whether a sentence says of what it speaks of that it is used once: `a code can be used once`.
fn says_used_once(words: &[String]) -> bool {
    const USED: [&str; 4] = ["used", "redeemed", "claimed", "spent"];
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_said = (0..words.len()).any(|at| {
        let rest = match &words[at..] {
            ["can" | "may", "only", "be", used, "once", rest @ ..]
            | ["can" | "may", "be", used, "only", "once", rest @ ..]
            | ["can" | "may", "be", used, "once", rest @ ..]
                if USED.contains(used) =>
            {
                rest
            }
            _ => return false,
        };
        matches!(rest, [] | ["for" | "and" | "only", ..])
    });
    is_said
        && !words
            .iter()
            .any(|own| matches!(*own, "idempotency" | "key" | "keys"))
}

/// Names nothing there.
async fn unknown<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, pointer): (&Ready<'_, 'd>, &Pointer),
    draft: &mut Draft,
) -> Result<(), String> {
    let mut sent = scene.compose(ready, "references")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    let old = json.at(pointer).ok_or("the body does not name it")?;
    let is_number = matches!(old.value, Value::Number(_));
    let shape = shape_at(scene, call, pointer);
    let allowed = |key: &Node| {
        let schema = shape.nearest();
        schema.is_none_or(|schema| is_allowed(scene.contract(), schema, key))
    };
    let new = unlike(is_number, &value::plain(old), allowed);
    value::put(&mut json, pointer, new)?;
    scene.put_json(&mut sent, &ready.call, json);
    // What is refused for what it names leaves all else that it names as it was.
    let before = Untouched::by(scene, call, (ready, sent.clone())).await;
    let exchange = scene.send(sent).await;
    if let Some(before) = before.filter(|_| !succeeded(&exchange)) {
        before.look(scene, call, &exchange, draft).await;
    }
    if succeeded(&exchange) {
        let expected = "a refusal of a key that nobody has";
        let claim = Claim::new(
            &checks::UNKNOWN_KEY_FOUND,
            Ground::Names,
            expected,
            told(&exchange),
        );
        scene.differ(draft, call, claim.at(pointer.clone()), &exchange);
    } else if is_undeclared(call, &exchange) {
        let expected = "a documented refusal of a key that nobody has";
        let claim = Claim::new(
            &checks::UNDECLARED_STATUS,
            Ground::Responses,
            expected,
            told(&exchange),
        );
        scene.differ(draft, call, claim.at(pointer.clone()), &exchange);
    } else {
        refused(scene, call, &exchange, draft);
    }
    Ok(())
}

/// Whether it is refused with another status than the documented ones, of which one says that nothing is there.
fn is_undeclared(call: &Call<'_>, exchange: &Exchange) -> bool {
    let code = status(exchange).filter(|own| matches!(own, 400 | 404 | 409 | 410 | 422));
    let is_other = code.is_some_and(|own| call.operation.response(own).is_none());
    is_other && call.first_of(&UNKNOWN).is_some()
}

/// The key of a record that was deleted.
async fn deleted<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    if call.first_of(&GONE).is_none() {
        return Ok(false);
    }
    let ready = scene.ready(call, "references-deleted").await?;
    let Some((maker, record)) = scene.made_before(call, &ready) else {
        return Ok(false);
    };
    let (record, with) = (record.clone(), scene.compose(&ready, "references-deleted")?);
    let readers = scene.readers_for(maker, &record, &with);
    let Some(reader) = readers.first().copied() else {
        return Ok(false);
    };
    let path = reader.operation.path;
    let model = scene.model;
    let mut all = model.of(Role::Delete);
    let deleter = all.find(|own| same_path(own.operation.path, path));
    let Some(deleter) = deleter.filter(|own| scene.covers(own)) else {
        return Ok(false);
    };
    let gone = scene.compose_read(deleter, &record, &with, &[])?;
    let gone = scene.send(gone).await;
    let read = scene.read(reader, &record, &with).await?;
    // What can still be read may still be used.
    if !succeeded(&gone) || !matches!(status(&read), Some(404 | 410)) {
        return Ok(false);
    }
    let exchange = scene.call(&ready, "references-deleted").await?;
    if succeeded(&exchange) {
        let what = deleter.operation.label();
        let expected = format!("a refusal: `{what}` has taken away what it names");
        let claim = Claim::new(
            &checks::DELETED_FOUND,
            Ground::Names,
            expected,
            told(&exchange),
        );
        scene.differ(draft, call, claim, &exchange);
    } else {
        refused(scene, call, &exchange, draft);
    }
    Ok(true)
}

/// Judges the form of a refusal that is documented.
fn refused<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    scene.judge_seen(draft, call, exchange, |own| (400..500).contains(own));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_be_used_once() {
        for (text, expected) in [
            ("A code can be used once.", true),
            ("A quote may be used only once, for one transfer.", true),
            ("A code can be used more than once.", false),
            ("A code can be used once per store.", false),
            ("A code was used once.", false),
            ("A code can only be used once", true),
            ("The method is used once the trial ends", false),
            ("A code can be used once a month", false),
            ("An idempotency key can be used once", false),
        ] {
            let words = names::words(&text.to_lowercase());
            assert_eq!(says_used_once(&words), expected, "{text}");
        }
    }

    #[test]
    fn sentences_that_speak_of_a_key() {
        for (text, name, expected) in [
            ("People type the code", "joinCode", true),
            ("A coupon can be used once", "coupon_code", true),
            (
                "The currency code is written in capitals",
                "coupon_code",
                false,
            ),
            ("The id of it", "coupon_id", false),
        ] {
            let words = names::words(&text.to_lowercase());
            assert_eq!(speaks_of_key(&words, name), expected, "{text}");
        }
    }

    #[test]
    fn whose_a_record_has_to_be() {
        for (text, expected) in [
            (
                "A `card_id` must be a card of the agreement's customer",
                &["agreement", "s", "customer"][..],
            ),
            ("The card has to belong to the customer", &["customer"]),
            ("A card of the customer is charged", &[]),
            ("It must be a card of the customer or a token", &[]),
            ("It must be a number of the customer", &[]),
        ] {
            let words = names::words(&text.to_lowercase());
            assert_eq!(whose(&words, "card"), expected, "{text}");
        }
    }

    #[test]
    fn what_belongs_to_another_one() {
        for (text, expected) in [
            ("It belongs to another customer", true),
            (
                "A code that is unknown, used or of another store gives 409.",
                true,
            ),
            ("A code of another store is fine", false),
            ("A card may belong to another customer", false),
        ] {
            let words = names::words(&text.to_lowercase());
            assert_eq!(is_of_another(&words), expected, "{text}");
        }
    }
}
