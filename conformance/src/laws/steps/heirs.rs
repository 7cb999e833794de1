//! Heirs: when the record that alone has a flag is deleted, the one that a text tells takes it over: "when the default card is
//! deleted, the card stored last becomes the default".

use std::time::Duration;

use openapi_document::{Node, Pointer, Value};

use super::sole::{ONE_ALONE, asked};
use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::laws::lists::listing::lists;
use crate::laws::lists::paging::Paging;
use crate::laws::trial::addressing::can_address;
use crate::laws::trial::answered::{own_key, record_of, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};
use crate::model::{Call, Model, Role, names, prose};
use crate::shape::Shape;
use crate::value;

/// So many records are made: the one that is deleted, and two that may take its flag over.
const MADE: usize = 3;

/// Times that are told in whole seconds and lie further apart than this are not the same.
const SECOND: Duration = Duration::from_millis(1100);

/// Which of the other records takes the flag over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heir {
    Newest,
    Oldest,
}

/// Deletes the first of three records, which has the flag, and looks which of the others has it then.
pub(crate) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    if call.role != Role::Delete || !world.may_write() {
        return None;
    }
    let model: &Model<'d> = world.model;
    let said: Vec<&str> = call.texts().flat_map(prose::sentences).collect();
    let (word, heir) = said.iter().find_map(|own| heir(&names::words(own)))?;
    let parameter = call.path_parameters().last().copied()?;
    let maker = model.creator_for(&call.operation, parameter)?;
    let flag = flag(world, maker, &word)?;
    let tag = format!("heirs-{}", call.operation.label());
    let ready = world.ready(maker, &tag).await.ok()?;
    let made = made(world, maker, (&ready, flag), &tag).await?;
    let name = own_key(maker)?;
    let key = |at: usize| Some(record_of(maker, made.get(at)?)?.get(name)?.to_json());
    let (first, second, third) = (key(0)?, key(1)?, key(2)?);
    let with = &made[0].sent;
    let record = record_of(maker, &made[0])?;
    let list = lists(world, maker)
        .into_iter()
        .find(|own| can_address(own, record, with))?;
    let (_, before) = having(world, list, (record, with), (name, flag)).await?;
    let is_first = before.len() == MADE && holders(&before) == [first.as_str()];
    is_first.then_some(())?;
    let gone = world.compose_read(call, record, with, &[]).ok()?;
    succeeded(&world.send(gone).await).then_some(())?;
    let (read, after) = having(world, list, (record, with), (name, flag)).await?;
    let (due, which) = match heir {
        Heir::Newest => (third, "newest"),
        Heir::Oldest => (second, "oldest"),
    };
    if after.len() == MADE - 1 && holders(&after) != [due.as_str()] {
        let by = call.operation.label();
        let expected =
            format!("true of the {which} of the others, once `{by}` has deleted what had it");
        let claim = Claim::new(
            &checks::EFFECT_DIFFERS,
            Ground::Name(list.operation.at.node.span),
            expected,
            "true of another one",
        );
        let claim = claim.at(Pointer::root().join(flag));
        world.differ(draft, call, claim, &read);
    }
    Some(())
}

/// The flag of a record by a word.
fn flag<'d>(world: &World<'_, '_, '_, 'd>, maker: &Call<'d>, word: &str) -> Option<&'d str> {
    let document = world.model.document;
    let record = Shape::of(document, maker.record().map(|own| &own.schema));
    let mut all = record.property_names().into_iter();
    all.find(|name| {
        let is_flag = record.property(document, name).type_name() == Some("boolean");
        is_flag && names::words(name).last().is_some_and(|own| own == word)
    })
}

/// Makes the records under the same parents, and asks for the flag with the first alone.
async fn made<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    maker: &Call<'d>,
    (ready, flag): (&Ready<'_, 'd>, &str),
    tag: &str,
) -> Option<Vec<Exchange>> {
    let asked = asked(world, maker, flag);
    let mut made = Vec::new();
    for index in 0..MADE {
        let mut sent = world.compose(ready, &format!("{tag}-{index}")).ok()?;
        if let (Some(asked), Some(body)) = (asked, sent.json.clone()) {
            let mut body = body;
            let set = value::node(Value::Bool(index == 0));
            value::put(&mut body, &Pointer::root().join(asked), set).ok()?;
            world.put_valid(maker, (&mut sent, &ready.call), body)?;
        }
        // Of what was made at the same time none is the newest.
        if index + 1 == MADE {
            world.pass(SECOND).await;
        }
        let exchange = world.send(sent).await;
        record_of(maker, &exchange)?;
        made.push(exchange);
    }
    Some(made)
}

/// The keys of the records of a list, and whether each has the flag.
async fn having<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    list: &Call<'d>,
    stand: (&Node, &Sent),
    (name, flag): (&str, &str),
) -> Option<(Exchange, Vec<(String, bool)>)> {
    let paging = Paging::of(world, list);
    let walk = paging.walk(world, list, stand, None, &[]).await.ok()?;
    let at = &list.record()?.at;
    let items = walk.pages.iter().flatten();
    let of = |item: &Node| {
        let record = item.at(at)?;
        Some((record.get(name)?.to_json(), record.get(flag)?.as_bool()?))
    };
    let all: Option<Vec<(String, bool)>> = items.map(of).collect();
    Some((walk.last?, all?))
}

/// The keys of those that have the flag.
fn holders(all: &[(String, bool)]) -> Vec<&str> {
    let having = all.iter().filter(|own| own.1);
    having.map(|own| own.0.as_str()).collect()
}

/// The flag that a sentence tells of, and which record takes it over from a deleted one.
fn heir(words: &[String]) -> Option<(String, Heir)> {
    const DELETED: [&str; 4] = ["deleted", "removed", "detached", "deleting"];
    const NEWEST: [&str; 4] = ["newest", "latest", "last", "recently"];
    const OLDEST: [&str; 3] = ["oldest", "earliest", "first"];
    const MADE: [&str; 8] = [
        "stored", "created", "added", "made", "saved", "attached", "newest", "oldest",
    ];
    const DOUBTFUL: [&str; 9] = [
        "not", "no", "never", "unless", "may", "can", "used", "least", "if",
    ];
    let at = words
        .iter()
        .position(|own| matches!(own.as_str(), "becomes" | "become"))?;
    let (before, after) = words.split_at(at);
    let flag = |words: &[String]| {
        let mut own = words.iter();
        own.find(|own| ONE_ALONE.contains(&own.as_str())).cloned()
    };
    let word = flag(after)?;
    let gone = before
        .iter()
        .position(|own| DELETED.contains(&own.as_str()))?;
    let is_of_flag = flag(&before[..gone]).as_ref() == Some(&word);
    let who = &before[gone + 1..];
    let (is_newest, is_oldest) = (prose::has(who, &NEWEST), prose::has(who, &OLDEST));
    let is_told = is_newest != is_oldest && prose::has(who, &MADE);
    let is_plain = is_of_flag && is_told && !prose::has(words, &DOUBTFUL);
    is_plain.then_some((
        word,
        if is_newest {
            Heir::Newest
        } else {
            Heir::Oldest
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_takes_a_flag_over() {
        for (text, expected) in [
            (
                "When the default card is deleted, the card\nstored last becomes the default",
                Some(Heir::Newest),
            ),
            (
                "When the default card is deleted, the most recently stored of the remaining cards becomes the default",
                Some(Heir::Newest),
            ),
            (
                "When the primary address is removed, the oldest one becomes primary",
                Some(Heir::Oldest),
            ),
            (
                "When the default card is deleted, the card used last becomes the default",
                None,
            ),
            (
                "When the default card is deleted, no card becomes the default",
                None,
            ),
            ("The card stored last becomes the default", None),
        ] {
            let found = heir(&names::words(text)).map(|own| own.1);
            assert_eq!(found, expected, "{text}");
        }
    }
}
