//! Supply: of what a record tells to be available no more is taken than that, in one request or in two, or at once. What
//! is said to be reserved is no longer available, what is said to be released is again, and what only takes what was
//! reserved changes nothing of it.

use spec::document::Method;
use spec::{Node, Pointer};

use crate::checks::{self, Check};
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role, names};
use crate::shape::Shape;
use crate::value;

use crate::laws::trial::answered::{own_key, record_of, status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::{Ready, World};

/// Words of a refusal for want of something.
const WANTING: [&str; 6] = [
    "insufficient",
    "enough",
    "fewer",
    "available",
    "out",
    "sold",
];

/// Words of what there may be too little of.
const SUPPLIES: [&str; 8] = [
    "stock",
    "inventory",
    "item",
    "unit",
    "seat",
    "ticket",
    "capacity",
    "place",
];

/// Words of how much of it there is, the most telling first.
const LEFT: [&str; 5] = ["available", "remaining", "left", "stock", "inventory"];

/// Words of how much is wanted, and of what may be less than nothing.
const COUNTS: [&str; 6] = ["quantity", "count", "seats", "units", "tickets", "delta"];

/// Words of what takes, or keeps, what is there.
const TAKING: [&str; 11] = [
    "reserve",
    "hold",
    "deduct",
    "decrease",
    "decrement",
    "reduce",
    "remove",
    "take",
    "book",
    "allocate",
    "subtract",
];

/// Words of what gives it back.
const BACK: [&str; 7] = [
    "release",
    "back",
    "restock",
    "restore",
    "free",
    "return",
    "replenish",
];

/// So many parts are asked for at once.
const TWINS: usize = 4;

/// So many steps are taken after it at most.
const STEPS: usize = 4;

/// Tries an operation that is said to be refused for want of what a record tells to be available.
pub(crate) async fn run<'d>(world: &mut World<'_, '_, '_, 'd>, call: &Call<'d>) {
    let writes = matches!(call.role, Role::Create | Role::Change) && world.may_write();
    if !writes || call.operation.method != Method::Post || call.body.is_none() || !wants(call) {
        return;
    }
    let mut draft = world.draft("supply", call);
    if let Ok(true) = of(world, call, &mut draft).await {
        world.settle(draft);
    }
}

/// What is taken from: who reads how much there is, and where a request says how much it wants.
struct Supply<'w, 'd> {
    reader: &'w Call<'d>,
    record: Node,
    key: Node,
    with: Sent,
    wanted: Pointer,
    /// Whether what is wanted is told as less than nothing.
    is_signed: bool,
}

/// How much there is, and the record that tells it.
struct Level {
    name: String,
    left: i64,
    record: Node,
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = world.ready(call, "supply").await?;
    let sent = world.compose(&ready, "supply")?;
    let Some(supply) = supply(world, call, &ready, &sent) else {
        return Ok(false);
    };
    if supply.is_signed {
        supply.fill(world, call, &ready, draft).await;
    }
    let Some(before) = supply.level(world).await.filter(|own| own.left > 1) else {
        return Ok(!draft.is_clean());
    };
    let Some(beyond) = supply.request(world, call, &ready, (before.left + 1, "beyond")) else {
        return Ok(false);
    };
    let refused = world.send(beyond).await;
    if succeeded(&refused) {
        supply.exceeded(
            world,
            call,
            (before.left, before.left + 1),
            (&refused, draft),
        );
        return Ok(true);
    }
    let code = status(&refused).filter(|own| matches!(own, 409 | 422));
    let Some(response) = code.and_then(|own| call.response(own)) else {
        return Ok(false);
    };
    world.judge_form(draft, call, &response, &refused);
    if let (Some(code), true) = (code, draft.is_clean()) {
        let id = draft.id().to_owned();
        world.reach(call, code, &id);
    }
    if let Some(after) = supply
        .level(world)
        .await
        .filter(|own| own.left != before.left)
    {
        let texts = (
            format!("{}, as before it was refused", before.left),
            after.left.to_string(),
        );
        supply.differ(
            world,
            call,
            (&checks::REFUSAL_CHANGED_STATE, &after.name, texts),
            (&refused, draft),
        );
        return Ok(true);
    }
    let part = before.left / 2 + 1;
    let Some(half) = supply.request(world, call, &ready, (part, "half")) else {
        return Ok(true);
    };
    let taken = world.send(half).await;
    if !succeeded(&taken) || !says(call, &TAKING) {
        return Ok(true);
    }
    supply
        .is_taken(world, call, (&before, part), (&taken, draft))
        .await;
    if draft.is_clean() {
        supply
            .rest(world, call, &ready, (before.left, part), draft)
            .await;
    }
    if draft.is_clean() && world.may_race() {
        at_once(world, call, draft).await?;
    }
    if draft.is_clean() {
        steps_after(world, call, draft).await;
    }
    Ok(true)
}

impl<'d> Supply<'_, 'd> {
    /// How much there is now.
    async fn level(&self, world: &mut World<'_, '_, '_, 'd>) -> Option<Level> {
        let read = world
            .read(self.reader, &self.record, &self.with)
            .await
            .ok()?;
        let record = record_of(self.reader, &read)?.clone();
        let name = left_in(&record)?.to_owned();
        let left = record.get(&name)?.to_json().parse().ok()?;
        Some(Level { name, left, record })
    }

    /// What is added is there.
    async fn fill(
        &self,
        world: &mut World<'_, '_, '_, 'd>,
        call: &Call<'d>,
        ready: &Ready<'_, 'd>,
        draft: &mut Draft,
    ) -> Option<()> {
        let before = self.level(world).await?;
        let added = world.call(ready, "supply-fill").await.ok()?;
        let number = added.sent.json.as_ref()?.at(&self.wanted)?;
        let number: i64 = number.to_json().parse().ok()?;
        let after = self.level(world).await.filter(|_| succeeded(&added))?;
        let due = before.left + number;
        if after.left != due {
            let what = format!("{due} when {number} were added to {}", before.left);
            let texts = (what, after.left.to_string());
            let place = (&checks::SUM_DIFFERS, after.name.as_str(), texts);
            self.differ(world, call, place, (&added, draft));
        }
        Some(())
    }

    /// The request for so many.
    fn request(
        &self,
        world: &World<'_, '_, '_, 'd>,
        call: &Call<'d>,
        ready: &Ready<'_, 'd>,
        (number, tag): (i64, &str),
    ) -> Option<Sent> {
        let mut sent = world.compose(ready, &format!("supply-{tag}")).ok()?;
        let mut json = sent.json.clone()?;
        let number = if self.is_signed { -number } else { number };
        value::put(&mut json, &self.wanted, value::number(number)).ok()?;
        let found = world
            .contract()
            .validate_request(call.body.as_ref()?, &json)
            .ok()?;
        found.is_empty().then_some(())?;
        world.put_json(&mut sent, &ready.call, json);
        Some(sent)
    }

    /// What was taken is no longer available, and counted under the name of what was done.
    async fn is_taken(
        &self,
        world: &mut World<'_, '_, '_, 'd>,
        call: &Call<'d>,
        (before, part): (&Level, i64),
        (taken, draft): (&Exchange, &mut Draft),
    ) -> Option<()> {
        let after = self.level(world).await?;
        let due = before.left - part;
        if after.left != due {
            let texts = (
                format!("{due} when {part} were taken of {}", before.left),
                after.left.to_string(),
            );
            self.differ(
                world,
                call,
                (&checks::SUM_DIFFERS, &after.name, texts),
                (taken, draft),
            );
        }
        let verbs = verbs(call);
        for entry in before.record.entries() {
            let words = names::words(&entry.key);
            let is_done = words
                .iter()
                .any(|word| verbs.iter().any(|verb| names::is_done(word, verb)));
            let number = |own: &Node| own.to_json().parse::<i64>().ok();
            let (was, is) = (
                number(&entry.value),
                after.record.get(&entry.key).and_then(number),
            );
            let (Some(was), Some(is), true) = (was, is, is_done && words.len() <= 2) else {
                continue;
            };
            if is != was + part {
                let texts = (
                    format!("{} when {part} more were", was + part),
                    is.to_string(),
                );
                self.differ(
                    world,
                    call,
                    (&checks::SUM_DIFFERS, &entry.key, texts),
                    (taken, draft),
                );
            }
        }
        // `onHandAfter` tells what `onHand` is then.
        for entry in record_of(call, taken)?.entries() {
            let words = names::words(&entry.key);
            let Some((last, stem)) = words.split_last() else {
                continue;
            };
            let own = after
                .record
                .entries()
                .find(|own| names::words(&own.key) == stem);
            let Some(own) = own.filter(|_| last == "after") else {
                continue;
            };
            if !own.value.same_value(&entry.value) {
                let texts = (
                    format!("{}, as `{}` is then", own.value.to_json(), own.key),
                    entry.value.to_json(),
                );
                self.differ(
                    world,
                    call,
                    (&checks::SUM_DIFFERS, &entry.key, texts),
                    (taken, draft),
                );
            }
        }
        Some(())
    }

    /// As much again is too much, and what is left is not.
    async fn rest(
        &self,
        world: &mut World<'_, '_, '_, 'd>,
        call: &Call<'d>,
        ready: &Ready<'_, 'd>,
        (all, part): (i64, i64),
        draft: &mut Draft,
    ) -> Option<()> {
        let again = self.request(world, call, ready, (part, "again"))?;
        let second = world.send(again).await;
        if succeeded(&second) {
            self.exceeded(world, call, (all, 2 * part), (&second, draft));
            return None;
        }
        let left = all - part;
        (left > 0).then_some(())?;
        let last = self.request(world, call, ready, (left, "rest"))?;
        let last = world.send(last).await;
        if matches!(status(&last), Some(409 | 422)) {
            let claim = Claim {
                check: &checks::VALID_REFUSED,
                pointer: self.wanted.clone(),
                expected: format!("the {left} that are left can be taken"),
                actual: told(&last),
                spot: world.spot(call),
            };
            world.differ(draft, call, claim, &last);
        }
        Some(())
    }

    fn exceeded(
        &self,
        world: &World<'_, '_, '_, 'd>,
        call: &Call<'d>,
        (all, granted): (i64, i64),
        (exchange, draft): (&Exchange, &mut Draft),
    ) {
        let claim = Claim {
            check: &checks::SUM_EXCEEDED,
            pointer: self.wanted.clone(),
            expected: format!("no more than the {all} that are available"),
            actual: format!("granted: {granted}"),
            spot: world.spot(call),
        };
        world.differ(draft, call, claim, exchange);
    }

    fn differ(
        &self,
        world: &World<'_, '_, '_, 'd>,
        call: &Call<'d>,
        (check, name, (expected, actual)): (&'static Check, &str, (String, String)),
        (exchange, draft): (&Exchange, &mut Draft),
    ) {
        let claim = Claim {
            check,
            pointer: Pointer::root().join(name),
            expected,
            actual,
            spot: world.spot(call),
        };
        world.differ(draft, call, claim, exchange);
    }
}

/// Parts of more than half, asked for at once: one at most is granted.
async fn at_once<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = world.ready(call, "supply-race").await?;
    let sent = world.compose(&ready, "supply")?;
    let Some(supply) = supply(world, call, &ready, &sent) else {
        return Ok(());
    };
    if supply.is_signed {
        world.call(&ready, "supply-fill").await?;
    }
    let Some(before) = supply.level(world).await else {
        return Ok(());
    };
    let part = before.left / 2 + 1;
    let twin = |twin| supply.request(world, call, &ready, (part, &format!("twin-{twin}")));
    let twins: Vec<Sent> = (0..TWINS).filter_map(twin).collect();
    let exchanges = world.send_together(twins).await;
    let granted: Vec<&Exchange> = exchanges.iter().filter(|own| succeeded(own)).collect();
    if let (2.., Some(last)) = (granted.len(), granted.last()) {
        let times = i64::try_from(granted.len()).unwrap_or(i64::MAX);
        supply.exceeded(
            world,
            call,
            (before.left, part.saturating_mul(times)),
            (last, draft),
        );
    }
    Ok(())
}

/// What is said to give it back does so, and what is said to take what was reserved takes no more.
async fn steps_after<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let kind = call.record()?;
    let model = world.model;
    let readers = model.readers(kind);
    let is_step = |own: &&Call<'d>| {
        let path = own.operation.path;
        let is_under = readers
            .iter()
            .any(|reader| path.starts_with(reader.operation.path));
        let is_post = own.operation.method == Method::Post;
        is_under && is_post && world.covers(own) && speaks(own)
    };
    let steps: Vec<&Call<'d>> = model.calls.iter().filter(is_step).take(STEPS).collect();
    for step in steps {
        let tag = format!("supply-{}", step.operation.label());
        let Ok(ready) = world.ready(step, &tag).await else {
            continue;
        };
        let label = call.operation.label();
        let kept = ready.state.kept.clone().unwrap_or_default();
        let Some(ordered) = kept.iter().find(|own| own.sent.operation == label) else {
            continue;
        };
        let Some(supply) = supply(world, call, &ready, &ordered.sent) else {
            continue;
        };
        let Some(before) = supply.level(world).await else {
            continue;
        };
        let Ok(done) = world.call(&ready, &tag).await else {
            continue;
        };
        if !succeeded(&done) || status(&done) == Some(202) {
            continue;
        }
        let Some(after) = supply.level(world).await else {
            continue;
        };
        let number =
            |sent: &Sent, at: &Pointer| sent.json.as_ref()?.at(at)?.to_json().parse::<i64>().ok();
        let asked = done.sent.json.as_ref();
        let of_step = asked.and_then(|own| beside(own, &supply.key, &Pointer::root()));
        let of_step = of_step.and_then(|at| number(&done.sent, &at));
        let all = number(&ordered.sent, &supply.wanted)?;
        let back = if says(step, &BACK) {
            of_step.unwrap_or(all)
        } else {
            0
        };
        if after.left != before.left + back {
            let what = match back {
                0 => format!("{}, as before: it was taken already", before.left),
                _ => format!("{} when {back} are given back", before.left + back),
            };
            let texts = (what, after.left.to_string());
            supply.differ(
                world,
                step,
                (&checks::SUM_DIFFERS, &after.name, texts),
                (&done, draft),
            );
        }
    }
    Some(())
}

/// What a request takes from: a record that was made for it, which the request names beside how many it wants.
fn supply<'w, 'd>(
    world: &World<'w, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    sent: &Sent,
) -> Option<Supply<'w, 'd>> {
    let model = world.model;
    let json = sent.json.as_ref()?;
    let kept = ready.state.kept.as_deref().unwrap_or_default();
    kept.iter().find_map(|exchange| {
        let maker = model
            .call(&exchange.sent.operation)
            .filter(|own| own.role == Role::Create)?;
        let record = record_of(maker, exchange)?;
        let key = record.get(own_key(maker)?)?;
        let in_path = sent
            .path_arguments
            .iter()
            .any(|(_, own)| *own == value::plain(key));
        let wanted = beside(json, key, &Pointer::root())
            .or_else(|| in_path.then(|| count_in(json, &Pointer::root())).flatten())?;
        let tells = |own: &&Call<'d>| {
            let shape = Shape::of(model.document, own.record().map(|own| &own.schema));
            let mut listed = shape.property_names().into_iter();
            let of_maker = own.path_parameters().last().is_some_and(|name| {
                let creator = model.creator_for(&own.operation, name);
                creator.is_some_and(|own| own.operation.label() == maker.operation.label())
            });
            of_maker && own.path_parameters().len() == 1 && listed.any(tells_left)
        };
        let reader = model.of(Role::Read).find(tells)?;
        let shape = wanted.segments().fold(
            Shape::of(model.document, call.body.as_ref()),
            |shape, segment| {
                if shape.type_name() == Some("array") {
                    shape.items(model.document)
                } else {
                    shape.property(model.document, &segment)
                }
            },
        );
        let least = shape.keyword("minimum").map(Node::to_json);
        Some(Supply {
            reader,
            record: record.clone(),
            key: key.clone(),
            with: exchange.sent.clone(),
            wanted,
            is_signed: least.is_some_and(|own| own.starts_with('-')),
        })
    })
}

/// Where a body says how many it wants of what has a key, in the object that names it.
fn beside(node: &Node, key: &Node, at: &Pointer) -> Option<Pointer> {
    let is_named = node.entries().any(|own| own.value.same_value(key));
    if is_named && let Some(found) = count_in(node, at) {
        return Some(found);
    }
    let entries = node.entries().map(|own| (own.key.clone(), &own.value));
    let items = node
        .items()
        .enumerate()
        .map(|(index, own)| (index.to_string(), own));
    entries
        .chain(items)
        .find_map(|(name, inner)| beside(inner, key, &at.join(name)))
}

/// The only whole number in an object whose name says how many.
fn count_in(node: &Node, at: &Pointer) -> Option<Pointer> {
    let is_count = |name: &str| {
        let words = names::words(name);
        words.iter().any(|own| COUNTS.contains(&own.as_str()))
    };
    let is_number = |own: &Node| own.to_json().parse::<i64>().is_ok();
    let mut all = node
        .entries()
        .filter(|own| is_count(&own.key) && is_number(&own.value));
    let only = all.next().filter(|_| all.next().is_none())?;
    Some(at.join(only.key.as_str()))
}

fn tells_left(name: &str) -> bool {
    let words = names::words(name);
    words.len() <= 2 && words.iter().any(|own| LEFT.contains(&own.as_str()))
}

/// The property that tells how much there is.
fn left_in(record: &Node) -> Option<&str> {
    LEFT.iter().find_map(|wanted| {
        let is_it =
            |name: &str| tells_left(name) && names::words(name).iter().any(|own| own == wanted);
        let mut all = record
            .entries()
            .filter(|own| is_it(&own.key) && own.value.to_json().parse::<i64>().is_ok());
        all.next().map(|own| own.key.as_str())
    })
}

/// Whether an operation documents that it is refused for want of a supply.
fn wants(call: &Call<'_>) -> bool {
    let texts = [409, 422].into_iter().filter_map(|code| {
        let response = call.response(code)?;
        response.at.node.get("description")?.as_str()
    });
    let mut all = texts.flat_map(sentences);
    all.any(|own| has(&own, &WANTING) && has(&own, &SUPPLIES))
}

/// Whether an operation speaks of a supply.
fn speaks(call: &Call<'_>) -> bool {
    told_of(call).iter().any(|own| has(own, &SUPPLIES))
}

/// Whether a sentence of an operation says what is done with a supply; where it stands under one, whatever is.
fn says(call: &Call<'_>, words: &[&str]) -> bool {
    let is_under = has(&names::words(call.operation.path), &SUPPLIES);
    let all = told_of(call);
    all.iter()
        .any(|own| has(own, words) && (is_under || has(own, &SUPPLIES)))
}

/// The verbs that an operation is said to be.
fn verbs(call: &Call<'_>) -> Vec<String> {
    let words = told_of(call).into_iter().flatten();
    words.filter(|own| TAKING.contains(&own.as_str())).collect()
}

/// The words of what is said of an operation, verbs and nouns in their plain form.
fn told_of(call: &Call<'_>) -> Vec<Vec<String>> {
    let texts = ["summary", "description"].map(|key| call.operation.at.node.get(key));
    let texts = texts.into_iter().flatten().filter_map(Node::as_str);
    texts.flat_map(sentences).collect()
}

fn sentences(text: &str) -> Vec<Vec<String>> {
    let text = text.to_lowercase();
    let parts = text.split(['.', ';']);
    parts
        .map(|own| {
            names::words(own)
                .iter()
                .map(|own| names::singular(own))
                .collect()
        })
        .collect()
}

fn has(words: &[String], list: &[&str]) -> bool {
    words
        .iter()
        .any(|own| list.contains(&names::singular(own).as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_are_wanted_of_what() {
        let body = r#"{"email":"a@b.c","lines":[{"sku":"A","quantity":1},{"sku":"B","quantity":2}],"count":3}"#;
        let body = spec::json::read_text(body).unwrap();
        let at = |key: &str| {
            let found = beside(&body, &value::string(key), &Pointer::root());
            found.map(|own| own.to_string())
        };
        assert_eq!(at("B").as_deref(), Some("/lines/1/quantity"));
        assert_eq!(at("a@b.c").as_deref(), Some("/count"));
        assert_eq!(at("C"), None);
    }

    #[test]
    fn what_tells_how_much_there_is() {
        for (record, expected) in [
            (
                r#"{"onHand":9,"reserved":1,"available":8}"#,
                Some("available"),
            ),
            (r#"{"price":9,"stock":8}"#, Some("stock")),
            (r#"{"available":true,"unitsLeft":3}"#, Some("unitsLeft")),
            (r#"{"price":9}"#, None),
        ] {
            let record = spec::json::read_text(record).unwrap();
            assert_eq!(left_in(&record), expected, "{}", record.to_json());
        }
    }
}
