//! In use: what a documented refusal says to be in the way of a deletion, or of a step, is made, and stands in its way.

use std::collections::BTreeSet;

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::case::Step;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Model, Role};
use crate::names;
use crate::prose;
use crate::recipe::{Recipe, put_currency};
use crate::shape::Shape;
use crate::value;

use super::barred::step_on;
use super::blocked::named;
use super::refusal::{settle, with_its_code};
use super::stated::{read, words};
use crate::laws::requests::repetition::unlike;
use crate::laws::trial::answered::{own_key, record_of, succeeded};
use crate::laws::trial::draft::Draft;
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// So many other operations are tried at most.
const MOST: usize = 4;

/// Verbs of what is made, whatever it is.
const ANY: [&str; 9] = [
    "create", "add", "make", "post", "register", "new", "set", "save", "update",
];

/// Words that deny the next one.
const NOT: [&str; 3] = ["not", "neither", "nor"];

/// So many steps are tried to lead what was made to the state that is in the way.
const STEPS: usize = 3;

/// So many ways to make what is in the way of a deletion are tried at most.
const USES: usize = 12;

/// So many of them are by other examples of what makes it.
const EXAMPLES: usize = 3;

/// What the refusal of a deletion says to be in the way is made, and stands in the way.
pub(super) async fn in_use<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    sentences: &[String],
    draft: &mut Draft,
) -> Option<bool> {
    let verb = verb(call).unwrap_or_default();
    let own = sentences.iter().filter(|own| !refuses_others(own, &verb));
    // What is in the way "even if it is cancelled" is so in any state.
    let plain = |own: &String| own.split(", even ").next().unwrap_or(own).to_owned();
    let own: Vec<String> = own.map(plain).collect();
    let said = said(&without_own_name(call, &own));
    let is_in_use = |own: &&Call<'d>| {
        let path = own.operation.path;
        // What makes the record itself makes nothing that is in its way.
        let rest = call.operation.path.strip_prefix(path);
        let is_item =
            rest.is_some_and(|own| own.starts_with("/{") && own.matches('/').count() == 1);
        let is_other = path != call.operation.path && !is_item;
        own.role == Role::Create && is_said(call, own, &said) && is_other && world.covers(own)
    };
    let calls = world.model.calls.iter();
    let mut all: Vec<&Call<'d>> = calls.filter(is_in_use).take(MOST).collect();
    let mut states = told_states(call);
    let mut told = said.clone();
    let named = named_states(world.model, (call, &own), &all);
    if !named.is_empty() {
        told.clear();
        states.extend(named);
    }
    told.extend(states.iter().cloned());
    // "A payment that is not voided" is in the way, and a voided one is not.
    let bars = bars(call).map(str::to_owned);
    let denied = denied(&bars.chain(own).collect::<Vec<_>>());
    told.retain(|own| !denied.contains(own));
    if states.len() > 1 && call.role == Role::Delete {
        let steps = steps_on(world, &all);
        all.extend(steps.into_iter().take(MOST));
    }
    for own in &all {
        // Which way leads there is found out here.
        let _ = world.ready(own, "barred-use").await;
    }
    // What else a text speaks of may be gone with it, and not in its way: `has a transfer or an order` says that both are.
    let is_one_of_several = sentences
        .iter()
        .any(|own| names::words(own).contains(&"or".to_owned()));
    let mut uses = BTreeSet::new();
    let has_states = !states.is_empty();
    let ways = ways(world, &all, has_states).into_iter();
    for (index, (other, way)) in ways.enumerate().take(USES) {
        if uses.contains(&other.operation.label()) {
            continue;
        }
        let fixed = fixed(world, call, (other, sentences));
        let tag = format!("barred-{}-use-{index}", call.operation.label());
        let Ok(ready) = world.prepare(way, &tag).await else {
            continue;
        };
        let step = step_on(world, call, &ready);
        let about = about(world, call, (other, &ready));
        if step.is_none() && about.is_none() {
            continue;
        }

        let Ok(made) = world.call(&ready, "barred-use").await else {
            continue;
        };

        let Some(record) = record_of(other, &made).cloned() else {
            continue;
        };
        let Some(record) = led(world, (other, &made), record, (&told, &denied)).await else {
            continue;
        };
        let sent = match (&step, &about) {
            (Some(step), _) => world.compose_step(&ready, step, "barred-use-delete"),
            (None, Some((record, with))) => world.compose_read(call, record, with, &[]),
            (None, None) => continue,
        };
        let mut sent = sent.ok()?;
        if let Some(fixed) = &fixed {
            let turned = step.as_ref().and_then(|step| {
                let stand = (call, step, &ready);
                turn(world, stand, &mut sent, fixed)
            });
            if turned.is_none() {
                continue;
            }
        }
        let exchange = world.send(sent).await;
        if world.model.is_moving(&record) && !stays(world, (other, &made), &record).await {
            continue;
        }
        let what = other.operation.label();
        let what = format!("a refusal, as documented: it is in use since `{what}`");
        settle(world, call, (Ground::Refusal(409), what), &exchange, draft);
        with_its_code(world, call, &exchange, draft);
        uses.insert(other.operation.label());
        if !is_one_of_several && states.len() < 2 {
            break;
        }
    }
    Some(!uses.is_empty())
}

/// The words that sentences deny: `voided`, where "a payment that is not voided" is in the way, or "neither voided nor paid".
fn denied(sentences: &[String]) -> BTreeSet<String> {
    let all = sentences.iter().flat_map(|own| {
        let words = names::words(&own.to_lowercase());
        let pairs = words.windows(2);
        let of_not = pairs.filter(|own| NOT.contains(&own[0].as_str()));
        let of_not = of_not.map(|own| &own[1]);
        let count = |word: &String| words.iter().filter(|own| *own == word).count();
        let of_not = of_not.filter(|own| count(own) == 1);
        of_not.cloned().collect::<Vec<_>>()
    });
    all.collect()
}

/// The property of a body that a sentence says not to change then: `the currency cannot change while the plan is in use`. Those
/// that speak of what is in the way go before others.
fn fixed<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (other, sentences): (&Call<'d>, &[String]),
) -> Option<&'d str> {
    let shape = Shape::of(world.model.document, call.body.as_ref());
    let is_of_it = |own: &&String| is_said(call, other, &said(std::slice::from_ref(*own)));
    let of_it: Vec<&String> = sentences.iter().filter(is_of_it).collect();
    let meant = if of_it.is_empty() {
        sentences.iter().collect()
    } else {
        of_it
    };
    let said: Vec<Vec<String>> = meant.into_iter().map(|own| words(own)).collect();
    let mut names = shape.property_names().into_iter();
    names.find(|name| {
        let own = names::words(name);
        said.iter().any(|words| says_fixed(words, &own))
    })
}

/// Whether words say of a property that it cannot change.
fn says_fixed(words: &[String], property: &[String]) -> bool {
    let is_while = |rest: &[&str]| {
        let next = rest.first();
        next.is_none_or(|own| matches!(*own, "while" | "when" | "once" | "if" | "as" | "after"))
    };
    let mut places = words.windows(property.len().max(1)).enumerate();
    places.any(|(at, part)| {
        let rest = words[at + part.len()..].iter();
        let rest: Vec<&str> = rest.map(String::as_str).collect();
        part == property
            && match &rest[..] {
                ["cannot", "change", rest @ ..]
                | [
                    "cannot",
                    "be",
                    "changed" | "replaced" | "updated",
                    rest @ ..,
                ] => is_while(rest),
                // "When `amount` is given and the link has a payment"
                ["is", "given" | "sent" | "present", "and", ..] => true,
                _ => false,
            }
    })
}

/// Asks for another value than a record has, of a closed list where there is one; an amount is in the currency of its request.
fn turn<'d>(
    world: &World<'_, '_, '_, 'd>,
    (call, step, ready): (&Call<'d>, &Step<'d>, &Ready<'_, 'd>),
    sent: &mut Sent,
    name: &str,
) -> Option<()> {
    let document = world.model.document;
    let mut json = sent.json.clone()?;
    let known = Shape::of(document, call.body.as_ref())
        .property(document, name)
        .known_values();
    let key = call.path_parameters();
    let mut arguments = sent.path_arguments.iter();
    let (_, named) = arguments.find(|own| key.last() == Some(&own.0.as_str()))?;
    let records = ready.state.kept.as_deref().unwrap_or_default().iter();
    let mut records = records.filter_map(|own| {
        let maker = world.model.call(&own.sent.operation)?;
        let record = record_of(maker, own)?;
        (value::plain(record.get(own_key(maker)?)?) == *named).then_some(record)
    });
    let own = records.next()?.get(name)?;
    let listed = known.into_iter().find(|other| own.as_str() != Some(other));
    let other = listed.map(value::string).or_else(|| unlike(own))?;
    if names::same(name, "currency") {
        put_currency(&mut json, other.as_str()?, false);
    }
    value::put(&mut json, &Pointer::root().join(name), other).ok()?;
    world.put_valid(call, (sent, step), json)
}

/// What an operation does, by the first word of its id.
fn verb(call: &Call<'_>) -> Option<String> {
    let id = call.operation.id()?;
    names::words(id).into_iter().next()
}

/// Whether it is other requests that a sentence says to be refused: `charges and new holds are refused`.
fn refuses_others(sentence: &str, verb: &str) -> bool {
    const REFUSED: [&str; 3] = ["refused", "rejected", "declined"];
    let words = names::words(sentence);
    let stem = verb.trim_end_matches('e');
    let is_own = words
        .iter()
        .any(|own| !stem.is_empty() && own.starts_with(stem));
    let are = words
        .windows(2)
        .any(|own| own[0] == "are" && REFUSED.contains(&own[1].as_str()));
    are && !is_own
}

/// Sentences without the name of the record that a call is about, where that has several words: a payment link is no payment.
fn without_own_name(call: &Call<'_>, sentences: &[String]) -> Vec<String> {
    let name = call
        .record()
        .map(|own| names::words(&own.name))
        .unwrap_or_default();
    let own = format!(" {} ", name.join(" "));
    let without = |sentence: &String| {
        let words: Vec<String> = names::words(&sentence.to_lowercase());
        let all = words.iter().map(|own| names::singular(own));
        let joined = format!(" {} ", all.collect::<Vec<_>>().join(" "));
        let is_named = name.len() > 1 && joined.contains(&own);
        if is_named {
            joined.replace(&own, " ")
        } else {
            sentence.clone()
        }
    };
    sentences.iter().map(without).collect()
}

/// The words of what is said to be in the way, also of one of them.
fn said(sentences: &[String]) -> BTreeSet<String> {
    let is_in_the_way = |own: &&String| {
        read(own, &[], "").is_none() && !names::words(own).contains(&"no".to_owned())
    };
    let words = sentences.iter().filter(is_in_the_way);
    let words = words.flat_map(|own| names::words(own));
    words.flat_map(|own| [names::singular(&own), own]).collect()
}

/// Whether words speak of what an operation makes: by its name, by what it does, or by where it stands.
fn is_said(call: &Call<'_>, other: &Call<'_>, said: &BTreeSet<String>) -> bool {
    let record = other.record().map(|own| own.name.as_str());
    let mut kinds = [Some(other.about.as_str()), record].into_iter().flatten();
    let is_named = kinds.any(|kind| {
        let kind = names::words(kind);
        !kind.is_empty() && kind.iter().all(|own| said.contains(own))
    });
    // What is lent is in use since it was lent.
    let verb = verb(other).filter(|own| !ANY.contains(&own.as_str()));
    let is_done = verb.is_some_and(|verb| said.iter().any(|own| names::is_done(own, &verb)));
    // `stock` is what is under `/products/{id}/stock/adjustments`, too.
    let under = other.operation.path.strip_prefix(call.operation.path);
    let mut under = under.into_iter().flat_map(|own| own.split('/'));
    let is_under = under.any(|own| !own.is_empty() && said.contains(&names::singular(own)));
    is_named || is_done || is_under
}

/// The ways to some calls, the chosen one of each first: one makes what is in the way, another what is not, as `open`
/// payments. Where states are told of, another example may make what is in one of them.
fn ways<'w, 'd>(
    world: &World<'w, '_, '_, 'd>,
    all: &[&'w Call<'d>],
    has_states: bool,
) -> Vec<(&'w Call<'d>, &'w Recipe<'d>)> {
    let ways = all.iter().flat_map(|other| {
        // What only the records of examples stand for is in the way as well.
        let first = world.chosen(other);
        let (named, plain): (Vec<_>, Vec<_>) = world
            .ways(other)
            .into_iter()
            .partition(|own| own.names_more);
        let is_made = has_states && other.role == Role::Create;
        let plain = plain.into_iter().take(if is_made { EXAMPLES } else { 0 });
        let all = first.into_iter().chain(named).chain(plain);
        all.map(|way| (*other, way))
    });
    ways.collect()
}

/// The steps on what some calls make, which may lead it to another state that is in the way.
fn steps_on<'w, 'd>(world: &World<'w, '_, '_, 'd>, makers: &[&'w Call<'d>]) -> Vec<&'w Call<'d>> {
    let model: &'w Model<'d> = world.model;
    let is_of = |own: &Call<'d>| {
        let mut kinds = makers.iter().filter_map(|maker| maker.record());
        own.record()
            .is_some_and(|own| kinds.any(|kind| kind.is(own)))
    };
    let is_step = |own: &&Call<'d>| {
        own.role == Role::Change && own.operation.method == Method::Post && is_of(own)
    };
    let steps = model.calls.iter().filter(is_step);
    steps.filter(|own| world.covers(own)).collect()
}

/// Whether a record is in a state that is told of, where one is, and in none that is denied: it is that state that is in the way.
fn is_as_told(
    model: &Model<'_>,
    other: &Call<'_>,
    record: &Node,
    (told, denied): (&BTreeSet<String>, &BTreeSet<String>),
) -> bool {
    let shape = Shape::of(model.document, other.record().map(|own| &own.schema));
    let mut states = record.entries().filter(|own| names::tells_state(&own.key));
    states.all(|own| {
        let known = shape.property(model.document, &own.key).known_values();
        let is_told = |state: &str| told.contains(&state.to_lowercase());
        let state = own.value.as_str().unwrap_or_default();
        let is_denied = denied.contains(&state.to_lowercase());
        !is_denied && (is_told(state) || !known.into_iter().any(is_told))
    })
}

/// What is in the way, in a state that is told of where one is: as it was made, or after one step on it.
async fn led<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    (other, made): (&Call<'d>, &Exchange),
    record: Node,
    told: (&BTreeSet<String>, &BTreeSet<String>),
) -> Option<Node> {
    let model = world.model;
    if is_as_told(model, other, &record, told) {
        return Some(record);
    }
    let is_step = |step: &&Call<'d>| {
        let kinds = step.record().zip(other.record());
        let is_plain = step.body.is_none() && step.operation.method == Method::Post;
        step.role == Role::Change && is_plain && kinds.is_some_and(|(one, other)| one.is(other))
    };
    for step in model.calls.iter().filter(is_step).take(STEPS) {
        if !world.covers(step) {
            continue;
        }
        let sent = world.compose_read(step, &record, &made.sent, &[]).ok()?;
        let done = world.send(sent).await;
        let Some(after) = record_of(step, &done).filter(|_| succeeded(&done)) else {
            continue;
        };
        return is_as_told(model, other, after, told).then(|| after.clone());
    }
    None
}

/// Whether a record whose state may end by itself is still in it.
async fn stays<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    (other, made): (&Call<'d>, &Exchange),
    record: &Node,
) -> bool {
    let readers = world.readers_for(other, record, &made.sent);
    let Some(reader) = readers.first().copied() else {
        return false;
    };
    let read = world.read(reader, record, &made.sent).await;
    let Some(now) = read.ok().and_then(|own| record_of(reader, &own).cloned()) else {
        return false;
    };
    let mut states = record.entries().filter(|own| names::tells_state(&own.key));
    states.all(|own| {
        now.get(&own.key)
            .is_some_and(|now| now.same_value(&own.value))
    })
}

/// The states that a text says to be in the way: "open payments (status `authorized`)", "while a payment in `authorized` uses it,
/// the answer is `409`".
fn told_states(call: &Call<'_>) -> BTreeSet<String> {
    let quoted = bars(call).flat_map(|own| own.split('`').skip(1).step_by(2));
    quoted.map(str::to_lowercase).collect()
}

/// The sentences that tell of what is in the way.
fn bars<'c>(call: &Call<'c>) -> impl Iterator<Item = &'c str> {
    const BARS: [&str; 5] = ["cannot", "not", "refused", "409", "422"];
    let said = call.texts().flat_map(prose::sentences);
    said.filter(|own| prose::has(&names::words(own), &BARS))
}

/// The states of what some calls make that a text says to be in the way: `an invoice which is sent, paid or void`.
fn named_states(
    model: &Model<'_>,
    (call, refusal): (&Call<'_>, &[String]),
    makers: &[&Call<'_>],
) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for maker in makers {
        let record = Shape::of(model.document, maker.record().map(|own| &own.schema));
        let names = record.property_names().into_iter();
        let states = names.filter(|own| names::tells_state(own));
        let known: Vec<&str> = states
            .flat_map(|own| record.property(model.document, own).known_values())
            .collect();
        let of_refusal = refusal.iter().map(String::as_str);
        for sentence in bars(call).chain(of_refusal) {
            let words = names::words(&sentence.to_lowercase());
            all.extend(which_are(&words, &known));
            let noun = maker
                .record()
                .map(|own| own.name.as_str())
                .unwrap_or_default();
            all.extend(before_noun(&words, noun, &known));
        }
    }
    all
}

/// The states in a row behind `which is` or `that are`.
fn which_are(words: &[String], known: &[&str]) -> Vec<String> {
    let opens = |own: &[String]| {
        matches!(own[0].as_str(), "which" | "that") && matches!(own[1].as_str(), "is" | "are")
    };
    let Some(at) = words.windows(2).position(opens) else {
        return Vec::new();
    };
    let row = words[at + 2..].iter();
    let row = row.filter(|own| *own != "or" && *own != "and" && *own != "either");
    let row = row.take_while(|own| known.contains(&own.as_str()));
    row.cloned().collect()
}

/// The states in a row before what they are said of: `an active or paused subscription`.
fn before_noun(words: &[String], kind: &str, known: &[&str]) -> Vec<String> {
    let noun = kind.rsplit(' ').next().unwrap_or_default();
    let Some(at) = words.iter().position(|own| names::singular(own) == noun) else {
        return Vec::new();
    };
    let row = words[..at].iter().rev();
    let row = row.filter(|own| *own != "or" && *own != "and");
    let mut row: Vec<String> = row
        .take_while(|own| known.contains(&own.as_str()))
        .cloned()
        .collect();
    row.reverse();
    if row.len() < 2 { Vec::new() } else { row }
}

/// The record that a call is about, among those that another call names.
fn about<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (other, ready): (&Call<'d>, &Ready<'_, 'd>),
) -> Option<(Node, Sent)> {
    let parameter = call.path_parameters().last().copied()?;
    let maker = world.model.creator_for(&call.operation, parameter)?;
    let is_asked = !call
        .operation
        .parameters()
        .iter()
        .any(|own| own.required() && own.location != openapi_document::view::Location::Path);
    let is_other = other.operation.label() != maker.operation.label();
    let named = named(world, ready, maker.record()?);
    named.into_iter().next().filter(|_| is_asked && is_other)
}

#[cfg(test)]
mod tests {
    use super::{before_noun, denied, which_are};
    use crate::names;

    #[test]
    fn the_states_that_are_in_the_way() {
        let known = ["draft", "sent", "paid", "void"];
        for (text, expected) in [
            (
                "A client that has an invoice which is sent, paid or void cannot be deleted",
                &["sent", "paid", "void"][..],
            ),
            ("Orders that are paid are in the way", &["paid"]),
            ("A client which is not known is refused", &[]),
            ("A client with drafts cannot be deleted", &[]),
        ] {
            assert_eq!(which_are(&names::words(text), &known), expected, "{text}");
        }
    }

    #[test]
    fn the_states_before_what_is_in_the_way() {
        let known = ["active", "paused", "canceled"];
        for (text, expected) in [
            (
                "The customer still has an active or paused subscription.",
                &["active", "paused"][..],
            ),
            ("The customer has an active subscription.", &[]),
            ("A subscription is active or paused", &[]),
        ] {
            let words = names::words(&text.to_lowercase());
            let found = before_noun(&words, "stored subscription", &known);
            assert_eq!(found, expected, "{text}");
        }
        let text = "Once the order has a payment that is not voided its items are fixed".to_owned();
        assert!(denied(&[text]).contains("voided"));
        let text = "A payment which is neither `voided` nor `paid` is in its way";
        let denied = denied(&[text.to_owned()]);
        assert!(["voided", "paid"].iter().all(|own| denied.contains(*own)));
    }

    #[test]
    fn what_is_said_not_to_change_then() {
        for (text, property, expected) in [
            (
                "The currency cannot change while the plan is in use",
                "currency",
                true,
            ),
            (
                "when `amount` is given and the link has a payment",
                "amount",
                true,
            ),
            (
                "when `amount` is given and it is more than the limit",
                "limit",
                false,
            ),
            (
                "the amount is given back while there is a payment",
                "amount",
                false,
            ),
        ] {
            let found = super::says_fixed(&super::words(text), &super::names::words(property));
            assert_eq!(found, expected, "{text}");
        }
    }
}
