//! Entailed: what a text says that a step, or a deletion, does to the records that belong to its own: "detaches all of their payment
//! methods", "its `open` invoices become `void`". Those that nothing makes by itself are found by what names them.

use std::ops::Range;

use openapi_document::{Mapping, Node, Value};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Record, Role, names, prose};
use crate::shape::Shape;
use crate::value;

use super::blocked::named;
use crate::laws::trial::answered::{record_of, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// What becomes of the records of a kind.
#[derive(Debug, PartialEq, Eq)]
struct Entailed<'s> {
    /// The state in which they have to be; of all of them where there is none.
    before: Option<&'s str>,
    /// The state in which they are then.
    after: &'s str,
}

/// Makes what is said to follow, takes the step, and reads it.
pub(crate) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> bool {
    let is_bare = call.body.is_none() || matches!(call.role, Role::Delete);
    let acts = matches!(call.role, Role::Change | Role::Delete) && world.may_write();
    if !is_bare || !acts {
        return false;
    }
    let model = world.model;
    let mut is_tried = false;
    let mut kinds: Vec<&Record<'d>> = Vec::new();
    for kind in model.of(Role::Read).filter_map(Call::record) {
        let is_own = call.record().is_some_and(|own| own.is(kind));
        if is_own || kinds.iter().any(|own| own.is(kind)) {
            continue;
        }
        kinds.push(kind);
        let shape = Shape::of(model.document, Some(&kind.schema));
        let mut all = shape.property_names().into_iter();
        let Some(property) = all.find(|own| names::tells_state(own)) else {
            continue;
        };
        let states = shape.property(model.document, property).known_values();
        let mut said = call.texts().flat_map(prose::sentences);
        let noun = owner(world, call).map(|own| own.name.as_str());
        let kinds = (kind.name.as_str(), noun.unwrap_or_default());
        let entailed = said.find_map(|own| read(own, kinds, &states));
        if let Some(entailed) = entailed {
            let what = (kind, property, &entailed);
            is_tried |= of(world, call, what, draft).await.is_some();
        }
    }
    is_tried
}

/// A record with the request that made it, or what it belongs to.
type Made = (Node, Sent);

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (kind, property, entailed): (&Record<'d>, &str, &Entailed<'_>),
    draft: &mut Draft,
) -> Option<()> {
    let (owner, child) = match both(world, call, kind).await {
        Some(own) => own,
        None => issued(world, call, kind).await?,
    };
    let reader = world.model.readers(kind);
    let reader = reader.into_iter().find(|own| own.role == Role::Read)?;
    let read = world.compose_read(reader, &child.0, &child.1, &[]).ok()?;
    let before = world.send(read.clone()).await;
    let state = |own: &Exchange| Some(record_of(reader, own)?.get(property)?.as_str()?.to_owned());
    let was = state(&before)?;
    let is_meant = entailed.before.is_none_or(|own| own == was);
    (is_meant && was != entailed.after).then_some(())?;
    let step = world.compose_read(call, &owner.0, &owner.1, &[]).ok()?;
    let done = world.send(step).await;
    succeeded(&done).then_some(())?;
    let after = world.send(read).await;
    let now = state(&after)?;
    if now != entailed.after {
        let by = call.operation.label();
        let expected = format!("{:?} after `{by}`, as is said of it", entailed.after);
        let actual = format!("{now:?}, {}", told(&after));
        let at = reader.record()?.at.join(property);
        let claim = Claim::new(
            &checks::EFFECT_DIFFERS,
            Ground::Name(reader.operation.at.node.span),
            expected,
            actual,
        )
        .at(at);
        world.differ(draft, call, claim, &after);
    }
    Some(())
}

/// What is made of a kind, and the record that it names and that a call is about.
async fn both<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    kind: &Record<'d>,
) -> Option<(Made, Made)> {
    let model = world.model;
    let owner = owner(world, call)?;
    let makes = |own: &&Call<'d>| own.record().is_some_and(|own| own.is(kind));
    let maker = model.of(Role::Create).find(makes)?;
    let tag = format!("entailed-{}", call.operation.label());
    let ready = world.ready(maker, &tag).await.ok()?;
    let all = named(world, &ready, owner);
    let [(owner, with)] = &all[..] else {
        return None;
    };
    let made = world.call(&ready, &tag).await.ok()?;
    let child = record_of(maker, &made).filter(|_| succeeded(&made))?;
    let child = (child.clone(), made.sent.clone());
    Some(((owner.clone(), with.clone()), child))
}

/// The record that a call is about, and what was brought about with it, as its answer names that.
async fn issued<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    kind: &Record<'d>,
) -> Option<(Made, Made)> {
    let model = world.model;
    let owner = owner(world, call)?;
    let reader = model.readers(kind).into_iter().next()?;
    let parameter = reader.path_parameters().last().copied()?;
    let (issuer, at) = model.issuer_for(&reader.operation, parameter)?;
    issuer.record().filter(|own| own.is(owner))?;
    let tag = format!("entailed-{}", call.operation.label());
    let ready = world.ready(issuer, &tag).await.ok()?;
    let made = world.call(&ready, &tag).await.ok()?;
    let record = record_of(issuer, &made).filter(|_| succeeded(&made))?;
    let key = record.at(&at)?.clone();
    let keys = ["id", parameter].map(|own| value::entry(own, key.clone()));
    let child = Mapping {
        entries: keys.into(),
    };
    let child = value::node(Value::Mapping(child));
    let record = record.clone();
    Some(((record, made.sent.clone()), (child, made.sent)))
}

/// The kind of record that a call is about.
fn owner<'w, 'd>(world: &World<'w, '_, '_, 'd>, call: &Call<'d>) -> Option<&'w Record<'d>> {
    let parameter = call.path_parameters().last().copied()?;
    world
        .model
        .creator_for(&call.operation, parameter)?
        .record()
}

/// What a sentence says to become of the records of a kind.
fn read<'s>(
    sentence: &str,
    (kind, owner): (&str, &str),
    states: &[&'s str],
) -> Option<Entailed<'s>> {
    const DOUBTFUL: [&str; 12] = [
        "not", "never", "no", "unless", "if", "cannot", "only", "without", "refused", "may",
        "kept", "stay",
    ];
    const WHOSE: [&str; 4] = ["its", "their", "all", "the"];
    // What comes behind a semicolon is another sentence.
    let sentence = sentence.split(';').next()?;
    let words = names::words(&sentence.to_lowercase());
    let noun = several(&words, kind).filter(|_| !prose::has(&words, &DOUBTFUL))?;
    // `its open invoices`, `all of their payment methods`
    let before = noun.start.checked_sub(1).map(|own| &words[own..noun.start]);
    let is_before = |own: &&&str| before == Some(&names::words(&own.to_lowercase()));
    let mut state = states.iter().find(is_before);
    let whose = noun.start.checked_sub(1 + usize::from(state.is_some()));
    let is_whose = whose.is_some_and(|own| WHOSE.contains(&words[own].as_str()));
    let (is_of_it, rest) = belonging(&words[noun.end..], owner)?;
    let is_of_it = is_of_it && !prose::has(&words, &SOMETIMES);
    (is_whose || is_of_it).then_some(())?;
    let mut rest = rest;
    if let Some(own) = still(rest) {
        let is_so = |state: &&&str| own.starts_with(&names::words(&state.to_lowercase()));
        let own_state = states.iter().find(is_so)?;
        rest = &own[names::words(own_state).len()..];
        state = Some(own_state);
    }
    // What they are with it, they become.
    let is_with_it = words
        .windows(2)
        .any(|own| own[0] == "with" && matches!(own[1].as_str(), "it" | "them"));
    let becomes = rest.first().is_some_and(|own| match own.as_str() {
        "become" | "becomes" => true,
        "are" => is_with_it || (is_of_it && state.is_some()),
        _ => false,
    });
    let after = if becomes {
        become_what(&rest[1..], states)
    } else {
        done_to(&words[..whose.unwrap_or_default()], states)
    };
    Some(Entailed {
        before: state.copied(),
        after: after?,
    })
}

/// Words with which something follows, but not at once, or not always.
const SOMETIMES: [&str; 9] = [
    "after",
    "before",
    "automatically",
    "later",
    "eventually",
    "within",
    "until",
    "once",
    "when",
];

/// Where the records of a kind are named, as several.
fn several(words: &[String], kind: &str) -> Option<Range<usize>> {
    let kind = names::words(kind);
    let is_kind = |at: &usize| {
        let own = words[*at..].iter().take(kind.len());
        own.map(|own| names::singular(own)).eq(kind.iter().cloned())
    };
    let last = words.len().checked_sub(kind.len())?;
    let at = (0..=last).find(is_kind)?;
    let end = at + kind.len();
    (names::singular(&words[end - 1]) != words[end - 1]).then_some(at..end)
}

/// Whether it is said of records that they are of the step's own (`payments of the order which are still authorized are voided with
/// it`), and what is said then.
fn belonging<'w>(rest: &'w [String], owner: &str) -> Option<(bool, &'w [String])> {
    const ENDS: [&str; 6] = ["that", "which", "are", "become", "becomes", "is"];
    let [of, the, tail @ ..] = rest else {
        return Some((false, rest));
    };
    if of != "of" || !matches!(the.as_str(), "the" | "this" | "that" | "its") {
        return Some((false, rest));
    }
    let end = tail.iter().position(|own| ENDS.contains(&own.as_str()))?;
    // What belongs to another record than that of the step is not its own.
    let owner = names::words(owner).pop();
    let is_own = end > 0 && owner.as_ref() == Some(&tail[end - 1]);
    Some((is_own && end <= 2, &tail[end..]))
}

/// What records still are of which something is said: `its collections that are still pending are cancelled with it`.
fn still(rest: &[String]) -> Option<&[String]> {
    let [that, are, inner @ ..] = rest else {
        return None;
    };
    let is_so = matches!(that.as_str(), "that" | "which") && are == "are";
    let inner = inner.strip_prefix(&["still".to_owned()]).unwrap_or(inner);
    is_so.then_some(inner)
}

/// The state that records become: `become void`, `are voided`.
fn become_what<'s>(rest: &[String], states: &[&'s str]) -> Option<&'s str> {
    let is_done = |own: &str| rest.first().is_some_and(|done| names::is_done(done, own));
    let leads = |own: &&&str| rest.starts_with(&names::words(&own.to_lowercase())) || is_done(own);
    states.iter().find(leads).copied()
}

/// The state of records to which something is done: `detaches all of their payment methods`.
fn done_to<'s>(words: &[String], states: &[&'s str]) -> Option<&'s str> {
    let mut before = words.iter().rev();
    let verb = before.find(|own| !matches!(own.as_str(), "all" | "of"))?;
    let verbs = [verb.strip_suffix("es"), verb.strip_suffix('s')];
    let is_done = |own: &&&str| {
        let mut verbs = verbs.iter().flatten();
        verbs.any(|verb| names::is_done(own, verb))
    };
    states.iter().find(is_done).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_becomes_of_what_belongs_to_a_record() {
        let of = |before, after| Some(Entailed { before, after });
        let invoice = ["open", "paid", "void"];
        let method = ["attached", "detached"];
        for (sentence, kind, states, expected) in [
            (
                "Deletes a customer for good and detaches all of their payment methods",
                "payment method",
                &method[..],
                of(None, "detached"),
            ),
            (
                "Its `open` invoices become `void`",
                "invoice",
                &invoice,
                of(Some("open"), "void"),
            ),
            (
                "All of its invoices that are still `open` are void with it; those that are paid stay as they are",
                "invoice",
                &invoice,
                of(Some("open"), "void"),
            ),
            (
                "Its invoices that are late are void",
                "invoice",
                &invoice,
                None,
            ),
            ("The invoice becomes `void`", "invoice", &invoice, None),
            (
                "It is refused if its invoices become `void`",
                "invoice",
                &invoice,
                None,
            ),
            ("Voids some invoices", "invoice", &invoice, None),
            (
                "All invoices of the order that are still open are voided.",
                "invoice",
                &invoice,
                of(Some("open"), "void"),
            ),
            (
                "Invoices of the order which are still open are voided with it.",
                "invoice",
                &invoice,
                of(Some("open"), "void"),
            ),
            (
                "Invoices of the order are voided by the shop",
                "invoice",
                &invoice,
                None,
            ),
            (
                "Invoices of the customer which are still open are voided.",
                "invoice",
                &invoice,
                None,
            ),
            (
                "Invoices of the order which are open are voided after seven days.",
                "invoice",
                &invoice,
                None,
            ),
            (
                "Invoices of all that is open are voided",
                "invoice",
                &invoice,
                None,
            ),
        ] {
            assert_eq!(
                read(sentence, (kind, "order"), states),
                expected,
                "{sentence}"
            );
        }
    }
}
