//! Traces: what a text says that a step leaves in a list, such as one entry for each capture, is there once it is done, and
//! nothing else.

use openapi_document::view::{Location, Method};
use openapi_document::{Node, Pointer};

use crate::answered::{own_key, record_of, status, succeeded};
use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::laws::lists::paging::Paging;
use crate::laws::steps::barred::step_on;
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::scene::addressing::can_address;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};
use crate::shape::Shape;
use crate::trials::taking::taking;

/// So many steps are tried at most, and so many others before each of them.
const MOST: usize = 4;
const BEFORE: usize = 2;

/// So many ways to make a record that is done already are tried.
const WAYS: usize = 3;

/// A step is done so often in parts, if that is granted.
const TURNS: usize = 2;
const PARTS: i128 = 4;

/// A step, and how many entries each leaves, or leaves at least.
struct Step<'w, 'd> {
    call: &'w Call<'d>,
    leaves: usize,
    is_exact: bool,
}

/// The record that steps are done on, and the property of entries that names it, where they do not stand under it.
struct Stand<'d> {
    record: Node,
    with: Sent,
    property: Option<&'d str>,
    key: Node,
}

/// Does each step that leaves something in a list, and counts what the list has of its record.
pub(super) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    draft: &mut Draft,
) -> bool {
    let steps = steps(scene, list);
    let mut tried = false;
    for own in steps.iter().take(MOST) {
        tried |= by_itself(scene, list, own, draft).await.is_some();
        let others = steps.iter();
        let others = others.filter(|other| other.leaves > 0 && !std::ptr::eq(other.call, own.call));
        for other in others.take(BEFORE) {
            if draft.is_clean() {
                tried |= after(scene, list, (own, other), draft).await.is_some();
            }
        }
    }
    if draft.is_clean() {
        tried |= at_once(scene, list, &steps, draft).await;
    }
    tried
}

/// The steps of which a text says how many entries each leaves in a list.
fn steps<'w, 'd>(scene: &Scene<'w, '_, '_, 'd>, list: &Call<'d>) -> Vec<Step<'w, 'd>> {
    let Some(kind) = list.record().map(|own| names::words(&own.name)) else {
        return Vec::new();
    };
    let model = scene.model;
    let own = spoken(list.texts());
    let is_step = |own: &&Call<'d>| {
        let writes = matches!(own.role, Role::Change | Role::Create);
        writes && own.operation.method == Method::Post && scene.covers(own)
    };
    let all = model.calls.iter().filter(is_step).filter_map(|call| {
        let of_call = spoken(call.texts());
        let mut said = of_call.iter();
        let said = said.find_map(|own| leaves(own, &call.about, &kind));
        // Another sentence about entries may tell of more of them.
        let of_kind = of_call
            .iter()
            .filter(|own| own.iter().any(|own| Some(own) == kind.last()));
        let is_exact = said.is_some() && of_kind.count() == 1;
        let mut of_list = own.iter();
        let told = || of_list.find_map(|own| told(own, &call.about, &kind));
        let leaves = said.filter(|_| is_exact).or_else(told)?;
        Some(Step {
            call,
            leaves,
            is_exact,
        })
    });
    all.collect()
}

/// The words of each sentence of some texts, in the singular.
fn spoken<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<Vec<String>> {
    let all = texts.flat_map(prose::spoken);
    all.map(|own| own.iter().map(|own| names::singular(own)).collect())
        .collect()
}

/// Words of what does not always hold.
const OPEN: [&str; 17] = [
    "if", "unless", "may", "might", "when", "except", "only", "some", "not", "without", "until",
    "once", "per", "for", "or", "than", "both",
];

/// Words for how many there are.
const NUMBERS: [(&str, usize); 4] = [("no", 0), ("one", 1), ("a", 1), ("an", 1)];

/// How many entries of a kind the text of a step says that it leaves: "every capture makes one entry", "makes no entry".
fn leaves(sentence: &[String], about: &str, kind: &[String]) -> Option<usize> {
    const MAKES: [&str; 10] = [
        "make", "create", "add", "leave", "write", "record", "produce", "book", "adds", "makes",
    ];
    if prose::has(sentence, &OPEN) {
        return None;
    }
    let words: Vec<&str> = sentence.iter().map(String::as_str).collect();
    let verb = words.iter().position(|own| MAKES.contains(own))?;
    let subject = words[..verb].join(" ");
    let is_it = match subject.as_str() {
        "" | "it" | "the request" | "the call" => true,
        own => ["every", "each", "a", "the"].iter().any(|every| {
            let deed = own.strip_prefix(every);
            deed.is_some_and(|own| own.starts_with(' ') && own.trim() == about)
        }),
    };
    let rest = words[verb + 1..].strip_prefix(&["exactly"]);
    let rest = rest.unwrap_or(&words[verb + 1..]);
    let (number, rest) = rest.split_first()?;
    let number = NUMBERS.iter().find(|(own, _)| own == number)?.1;
    let rest = rest.strip_prefix(&kind.iter().map(String::as_str).collect::<Vec<_>>()[..])?;
    let ends = matches!(rest.first(), None | Some(&("of" | "with" | "in")));
    (is_it && ends).then_some(number)
}

/// How many entries the text of their list says that it has of each of some deeds: "one entry for every capture and every refund".
fn told(sentence: &[String], about: &str, kind: &[String]) -> Option<usize> {
    const EVERY: [&str; 2] = ["every", "each"];
    let all = OPEN.iter().filter(|own| **own != "for");
    let is_open = all
        .clone()
        .any(|own| sentence.iter().any(|word| word == own));
    let words: Vec<&str> = sentence.iter().map(String::as_str).collect();
    let rest = words.strip_prefix(&["exactly"]).unwrap_or(&words);
    let (first, rest) = rest.split_first()?;
    let at = rest.iter().position(|own| *own == "for")?;
    let noun: Vec<String> = rest[..at].iter().map(|own| (*own).to_owned()).collect();
    let is_kind = !noun.is_empty() && kind.ends_with(&noun);
    let deed = names::words(about);
    let is_each = rest[at + 1..].windows(deed.len() + 1).any(|own| {
        let is_it = own[1..].iter().zip(&deed).all(|(one, other)| one == other);
        EVERY.contains(&own[0]) && is_it
    });
    (*first == "one" && is_kind && is_each && !is_open).then_some(1)
}

/// Does a step on a record of its own, in parts where it may be done again.
async fn by_itself<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    step: &Step<'_, 'd>,
    draft: &mut Draft,
) -> Option<()> {
    let tag = format!("traces-{}", step.call.operation.label());
    let ready = scene.ready(step.call, &tag).await.ok()?;
    let stand = stand(scene, list, (step.call, &ready))?;
    for turn in 0..TURNS {
        let tag = format!("{tag}-{turn}");
        let sent = in_part(scene, step.call, &ready, &tag).await;
        let sent = sent.map_or_else(|| scene.compose(&ready, &tag).ok(), Some)?;
        if counted(scene, list, (step, &stand, sent), draft)
            .await
            .is_none()
        {
            return (turn > 0).then_some(());
        }
    }
    Some(())
}

/// Does a step after another one was done in part.
async fn after<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    (step, other): (&Step<'_, 'd>, &Step<'_, 'd>),
    draft: &mut Draft,
) -> Option<()> {
    let label = step.call.operation.label();
    let tag = format!("traces-{label}-{}", other.call.operation.label());
    let ready = scene.ready(other.call, &tag).await.ok()?;
    let stand = stand(scene, list, (other.call, &ready))?;
    let next = step_on(scene, step.call, &ready)?;
    let first = in_part(scene, other.call, &ready, &tag).await;
    let first = first.map_or_else(|| scene.compose(&ready, &tag).ok(), Some)?;
    succeeded(&scene.send(first).await).then_some(())?;
    let sent = scene.compose_step(&ready, &next, &label).ok()?;
    counted(scene, list, (step, &stand, sent), draft).await
}

/// A request that takes a part of what its record has.
async fn in_part<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    tag: &str,
) -> Option<Sent> {
    let taking = taking(scene, call, ready).await?;
    let part = taking.whole.with(taking.whole.units / PARTS);
    (part.units > 0).then_some(())?;
    taking.request(scene, ready, (part, tag)).ok()
}

/// Sends a step, and counts the entries before and after it; `None` where it is not granted.
async fn counted<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    (step, stand, sent): (&Step<'_, 'd>, &Stand<'d>, Sent),
    draft: &mut Draft,
) -> Option<()> {
    let (before, _) = entries(scene, list, stand).await?;
    let done = scene.send(sent).await;
    let is_open = record_of(step.call, &done).is_some_and(|own| scene.model.is_moving(own))
        || status(&done) == Some(202);
    (succeeded(&done) && !is_open).then_some(())?;
    let (after, last) = entries(scene, list, stand).await?;
    let due = before + step.leaves;
    if after < due || (step.is_exact && after > due) {
        let what = step.call.operation.label();
        let new = match step.leaves {
            0 => format!("no new item after `{what}`"),
            _ => format!("one new item after `{what}`"),
        };
        let expected = format!("{new}: {due} of its record");
        let claim = Claim::new(
            &checks::EVENT_ASTRAY,
            Ground::Text,
            expected,
            format!("{after} of it"),
        );
        scene.differ(draft, list, claim, &last);
    }
    Some(())
}

/// The record that a step is done on, where entries of a list name it.
fn stand<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    (call, ready): (&Call<'d>, &Ready<'_, 'd>),
) -> Option<Stand<'d>> {
    let (maker, record) = scene.made_before(call, ready)?;
    let with = scene.compose(ready, "traces-stand").ok()?;
    named(scene, list, maker, (record, with))
}

/// The property of entries of a list that names a record.
fn named<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    maker: &Call<'d>,
    (record, with): (&Node, Sent),
) -> Option<Stand<'d>> {
    let key = record.get(own_key(maker)?)?.clone();
    let kind = &maker.record()?.name;
    let document = scene.model.document;
    let shape = Shape::of(document, list.record().map(|own| &own.schema));
    let names = |own: &&str| names::subject(own).is_some_and(|own| own == *kind);
    let property = shape.property_names().into_iter().find(names);
    // What stands under the record is all of it.
    let parameter = list.path_parameters().last().copied();
    let above = parameter.and_then(|own| scene.model.creator_for(&list.operation, own));
    let is_under = above.is_some_and(|own| own.operation.label() == maker.operation.label());
    let is_addressed = if is_under {
        can_address(list, record, &with)
    } else {
        property.is_some() && parameter.is_none()
    };
    is_addressed.then_some(())?;
    let property = property.filter(|_| !is_under);
    Some(Stand {
        record: record.clone(),
        with,
        property,
        key,
    })
}

/// How many items of a list name a record, where its end is not too far, and the last answer.
async fn entries<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    stand: &Stand<'d>,
) -> Option<(usize, Exchange)> {
    let paging = Paging::of(scene, list);
    let parameters = list.operation.parameters().into_iter();
    let mut queries = parameters.filter(|own| own.location == Location::Query);
    let asked = stand
        .property
        .filter(|name| queries.any(|own| own.name == *name));
    let asked = asked.map(|name| (name, stand.key.clone()));
    let more = asked.as_slice();
    let size = paging.largest();
    let at = (&stand.record, &stand.with);
    let walk = paging.walk(scene, list, at, size, more).await.ok()?;
    let pointer = list.record()?.at.clone();
    let names_it = |item: &&Node| {
        stand.property.is_none_or(|name| {
            let own = item.at(&pointer).and_then(|own| own.get(name));
            own.is_some_and(|own| own.same_value(&stand.key))
        })
    };
    let last = walk.last.filter(|own| walk.ended && succeeded(own))?;
    let count = walk.pages.iter().flatten().filter(names_it).count();
    Some((count, last))
}

/// A record that is made in the state which a step leads to has what the step leaves.
async fn at_once<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    steps: &[Step<'_, 'd>],
    draft: &mut Draft,
) -> bool {
    let model = scene.model;
    let texts = spoken(list.texts());
    let Some(kind) = list.record().map(|own| names::words(&own.name)) else {
        return false;
    };
    let is_told = |own: &&Step<'_, 'd>| {
        let mut texts = texts.iter();
        own.leaves == 1 && texts.any(|text| told(text, &own.call.about, &kind).is_some())
    };
    let mut tried = false;
    for step in steps.iter().filter(is_told) {
        let makers = model.of(Role::Create).filter(|own| {
            let leads = step.call.operation.path.strip_prefix(own.operation.path);
            leads.is_some_and(|own| own.starts_with("/{") && own.matches('/').count() == 2)
        });
        for maker in makers.filter(|own| scene.covers(own)).collect::<Vec<_>>() {
            for (index, way) in scene.ways(maker).into_iter().take(WAYS).enumerate() {
                let tag = format!("traces-at-once-{index}");
                let Ok(ready) = scene.prepare(way, &tag).await else {
                    continue;
                };
                let found = made_done(scene, list, (step, maker, &ready), draft).await;
                tried |= found.is_some();
            }
        }
    }
    tried
}

async fn made_done<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    (step, maker, ready): (&Step<'_, 'd>, &Call<'d>, &Ready<'_, 'd>),
    draft: &mut Draft,
) -> Option<()> {
    let made = scene.call(ready, "traces-at-once").await.ok()?;
    let record = record_of(maker, &made)?;
    let mut telling = record.entries().filter(|own| names::tells_state(&own.key));
    let state = telling.next()?.value.as_str()?;
    let is_said = maker.spoken().iter().any(|own| prose::has(own, &[state]));
    (is_said && names::is_done(state, &step.call.about)).then_some(())?;
    let stand = named(scene, list, maker, (record, made.sent.clone()))?;
    let (count, last) = entries(scene, list, &stand).await?;
    if count == 0 {
        let expected = format!("an item of what was made `{state}`");
        let claim =
            Claim::new(&checks::EVENT_ASTRAY, Ground::Text, expected, "none").at(Pointer::root());
        scene.differ(draft, list, claim, &last);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, read: fn(&[String], &str, &[String]) -> Option<usize>) -> Option<usize> {
        let kind = ["balance", "entry"].map(str::to_owned);
        spoken(std::iter::once(text))
            .iter()
            .find_map(|own| read(own, "capture", &kind))
    }

    #[test]
    fn what_a_step_is_said_to_leave() {
        for (text, expected) in [
            ("Every capture makes one balance entry.", Some(1)),
            ("Each capture adds exactly one balance entry", Some(1)),
            ("Makes no balance entry. The request has no body.", Some(0)),
            ("It creates a balance entry of type `capture`", Some(1)),
            ("Every refund makes one balance entry", None),
            ("Every capture makes one balance entry per line", None),
            ("Makes one balance entry, or two", None),
            ("If it is final, it makes one balance entry", None),
            ("Every capture makes one ledger entry", None),
            ("Makes one balance entry fewer", None),
        ] {
            assert_eq!(said(text, leaves), expected, "{text}");
        }
    }

    #[test]
    fn what_a_list_is_said_to_have() {
        for (text, expected) in [
            (
                "One entry for every capture (`type: capture`) and every refund, newest first",
                Some(1),
            ),
            ("One balance entry for each capture", Some(1)),
            ("One entry for every refund", None),
            ("One entry for every capture, except small ones", None),
            ("An entry for captures", None),
        ] {
            assert_eq!(said(text, told), expected, "{text}");
        }
    }
}
