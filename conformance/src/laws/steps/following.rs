//! Following: what the texts say that an operation does to the records it does not answer: the parent counts one more, its
//! balance goes up by the amount, the last time in it moves.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Record, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;

use super::outcome::{By, Change, outcomes};
use crate::amount::{self, Amount, names_amount};
use crate::answered::{record_of, status, succeeded};
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// So many ways are tried at most.
const WAYS: usize = 4;

/// So often something is done.
const TURNS: i128 = 2;

/// A record that something may follow in.
struct Follower<'w, 'd> {
    maker: &'w Call<'d>,
    reader: &'w Call<'d>,
    record: Node,
    with: Sent,
    /// Whether no other one of its kind was made.
    is_only: bool,
}

/// What follows in a record: a property, what becomes of it, and who says so.
struct Due<'d> {
    name: &'d str,
    change: Change,
    /// The state of what is made or changed that it is said of, where it is of one alone.
    state: Option<&'d str>,
}

/// Tries an operation that makes or changes a record, in each way to it.
pub(crate) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) {
    let is_step = call.role == Role::Change && call.operation.method == Method::Post;
    if !is_step && call.role != Role::Create {
        return;
    }
    for (index, way) in scene.ways(call).into_iter().enumerate().take(WAYS) {
        let tag = format!("following-{index}");
        let before = way.split().map(|own| own.1.len()).unwrap_or_default();
        if before == 0 || !draft.is_clean() {
            continue;
        }
        if let Ok(ready) = scene.prepare(way, &tag).await {
            in_way(scene, call, &ready, draft).await;
        }
    }
}

/// What is done twice is followed twice.
async fn in_way<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    draft: &mut Draft,
) -> Option<()> {
    let all = followers(scene, call, ready);
    let all: Vec<_> = all
        .into_iter()
        .filter(|own| may_follow(scene, call, own))
        .collect();
    if all.is_empty() {
        return None;
    }
    for turn in 0..TURNS {
        let mut before = Vec::new();
        for own in &all {
            before.push(read(scene, own).await?);
        }
        let sent = in_part(scene, (call, ready), turn)?;
        let done = scene.send(sent).await;
        if !succeeded(&done) || status(&done) == Some(202) {
            return None;
        }
        for (own, before) in all.iter().zip(before) {
            let after = read(scene, own).await?;
            let records = (&before, &after);
            for due in dues(scene, call, own, &done) {
                is_followed(scene, (call, own), &due, (records, &done), draft);
            }
        }
    }
    Some(())
}

/// The request of a call; where it asks for an amount, of a part, so that more can be asked for after it.
fn in_part<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    (call, ready): (&Call<'d>, &Ready<'_, 'd>),
    turn: i128,
) -> Option<Sent> {
    let sent = scene.compose(ready, &format!("following-{turn}")).ok()?;
    let part = || {
        let known = sent.json.as_ref()?;
        let mut amounts = known.entries().filter(|own| names_amount(&own.key));
        let only = amounts.next().filter(|_| amounts.next().is_none())?;
        let whole = Amount::read(&only.value)?;
        let mut json = known.clone();
        amount::put(&mut json, &only.key, whole.with(whole.units / (turn + 3))).ok()?;
        let found = scene
            .contract()
            .validate_request(call.body.as_ref()?, &json);
        let mut part = sent.clone();
        scene.put_json(&mut part, &ready.call, json);
        found.ok()?.is_empty().then_some(part)
    };
    Some(part().unwrap_or(sent))
}

/// The records that were made on the way, but the one that is changed.
fn followers<'w, 'd>(
    scene: &Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Vec<Follower<'w, 'd>> {
    let kept = ready.state.kept.as_deref().unwrap_or_default();
    let mut found: Vec<Follower<'w, 'd>> = Vec::new();
    for made in kept {
        let maker = scene.model.call(&made.sent.operation);
        let maker = maker.filter(|own| own.role == Role::Create);
        let Some((maker, kind)) = maker.and_then(|own| Some((own, own.record()?))) else {
            continue;
        };
        let Some(record) = record_of(maker, made) else {
            continue;
        };
        let is_own = call.role == Role::Change && call.record().is_some_and(|own| own.is(kind));
        let reader = scene
            .readers_for(maker, record, &made.sent)
            .first()
            .copied();
        let Some(reader) = reader.filter(|_| !is_own) else {
            continue;
        };
        let mut is_only = true;
        for own in &mut found {
            if own.maker.record().is_some_and(|own| own.is(kind)) {
                (own.is_only, is_only) = (false, false);
            }
        }
        found.push(Follower {
            maker,
            reader,
            record: record.clone(),
            with: made.sent.clone(),
            is_only,
        });
    }
    found
}

/// Whether a text says that anything follows in a record.
fn may_follow<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, own: &Follower<'_, 'd>) -> bool {
    let Some(kind) = own.maker.record() else {
        return false;
    };
    own.is_only && !said(scene, call, kind).is_empty()
}

/// What the text of an operation says of a kind of record that it does not answer.
fn said<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, kind: &Record<'d>) -> Vec<Due<'d>> {
    let shape = Shape::of(scene.model.document, Some(&kind.schema));
    let answered = Shape::of(scene.model.document, call.record().map(|own| &own.schema));
    let (listed, own) = (shape.property_names(), answered.property_names());
    let noun = kind.name.rsplit(' ').next().unwrap_or_default().to_owned();
    let sentences = call.texts().flat_map(prose::sentences);
    let all = sentences.flat_map(|own| {
        let state = state_of(scene, call, own);
        let outcomes = outcomes(own).into_iter();
        outcomes.map(move |own| (state, own))
    });
    let all = all.filter_map(|(state, outcome)| {
        let name = if outcome.is_word {
            by_word(&listed, &outcome.property)?
        } else {
            *listed.iter().find(|own| **own == outcome.property)?
        };
        let is_of = match &outcome.owner {
            Some(of) => *of == noun,
            None => !own.contains(&name),
        };
        let is_plain = is_of && !names::tells_state(name);
        is_plain.then_some(Due {
            name,
            change: outcome.change,
            state,
        })
    });
    all.collect()
}

/// The state of its record that a sentence of an operation speaks of: `an approved authorization adds its amount`.
fn state_of<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, sentence: &str) -> Option<&'d str> {
    let kind = call.record()?;
    let document = scene.model.document;
    let shape = Shape::of(document, Some(&kind.schema));
    let noun = names::words(&kind.name).pop()?;
    let words = names::words(&sentence.to_lowercase());
    let mut states = shape.property_names().into_iter();
    let states = states.find(|own| names::tells_state(own))?;
    let mut known = shape.property(document, states).known_values().into_iter();
    known.find(|state| {
        let mut pairs = words.windows(2);
        pairs.any(|own| own[0] == *state && names::singular(&own[1]) == noun)
    })
}

/// The only property that has a word, and is no time: `heldMinor` of `held`.
fn by_word<'d>(listed: &[&'d str], word: &str) -> Option<&'d str> {
    let has = |own: &&&str| {
        let words = names::words(own);
        let is_time = matches!(
            words.last().map(String::as_str),
            Some("at" | "on" | "until")
        );
        !is_time && words.iter().any(|own| own == word)
    };
    let mut all = listed.iter().filter(has);
    all.next().filter(|_| all.next().is_none()).copied()
}

/// What follows in a record, by the text of the operation and the state of what it answers.
fn dues<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    own: &Follower<'_, 'd>,
    done: &Exchange,
) -> Vec<Due<'d>> {
    let (Some(kind), Some(child)) = (own.maker.record(), record_of(call, done)) else {
        return Vec::new();
    };
    let mut states = child.entries().filter(|own| names::tells_state(&own.key));
    let state = states.next().and_then(|own| own.value.as_str());
    let mut dues = said(scene, call, kind);
    dues.retain(|own| own.state.is_none() || own.state == state);
    dues
}

async fn read<'d>(scene: &mut Scene<'_, '_, '_, 'd>, own: &Follower<'_, 'd>) -> Option<Node> {
    let read = scene.read(own.reader, &own.record, &own.with).await.ok()?;
    record_of(own.reader, &read).cloned()
}

/// Whether a property has become what it is said to.
fn is_followed<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    (call, own): (&Call<'d>, &Follower<'_, 'd>),
    due: &Due<'d>,
    ((before, after), done): ((&Node, &Node), &Exchange),
    draft: &mut Draft,
) -> Option<()> {
    let (was, is) = (before.get(due.name)?, after.get(due.name)?);
    let amounts = || Some((Amount::read_signed(was)?, Amount::read_signed(is)?));
    let answered = record_of(call, done);
    let asked = done.sent.json.as_ref().and_then(asked);
    let asked = asked.or_else(|| answered.and_then(self::asked));
    let by = |by: By| match by {
        By::One => amounts()?.0.is_whole().then_some(1),
        By::Amount => asked
            .filter(|own| amounts().is_some_and(|(was, _)| was.is_of_unit(*own)))
            .map(|own| own.units),
        By::Some => None,
    };
    let moved = |sign: i128, by: Option<i128>| {
        let (was, is) = amounts()?;
        Some(match by {
            Some(by) => is.compared(was.with(was.units + sign * by))?.is_eq(),
            None if sign > 0 => is.compared(was)?.is_gt(),
            None => is.compared(was)?.is_lt(),
        })
    };
    let (holds, expected) = match &due.change {
        Change::Is(is_due) => (is_due.holds(is), is_due.shown()),
        Change::Up(own) => (
            moved(1, by(*own))?,
            format!("more than {}{}", was.to_json(), shown(by(*own))),
        ),
        Change::Down(own) => (
            moved(-1, by(*own))?,
            format!("less than {}{}", was.to_json(), shown(by(*own))),
        ),
        Change::Moves => (
            !is.is_null() && !is.same_value(was),
            "another one than before".to_owned(),
        ),
    };
    if !holds {
        let pointer = Pointer::root().join(due.name);
        let claim = Claim::new(
            &checks::EFFECT_DIFFERS,
            Ground::Text,
            format!(
                "{expected} after `{}`, as a text says",
                call.operation.label()
            ),
            scene.shown(own.maker, &pointer, Some(is)),
        )
        .at(pointer);
        scene.differ(draft, call, claim, done);
    }
    Some(())
}

fn shown(by: Option<i128>) -> String {
    by.map_or_else(String::new, |own| format!(" by {own}"))
}

/// The only amount that a request asks for, or a record tells.
fn asked(json: &Node) -> Option<Amount> {
    let mut all = json.entries().filter(|own| names_amount(&own.key));
    let only = all.next().filter(|_| all.next().is_none())?;
    Amount::read(&only.value)
}
