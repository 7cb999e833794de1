//! Nothing: a step is refused on a record of which a text says that there is nothing in it: "an invoice whose total is `0.00` cannot
//! be sent", "an order without lines cannot be placed".

use openapi_document::view::Method;
use openapi_document::{Mapping, Node, Pointer, Value};

use crate::exchange::Sent;
use crate::model::{Call, Role, names, prose};
use crate::shape::Shape;
use crate::value;

use super::refusal::{settle, with_its_code};
use super::stated::texts;
use crate::laws::amounts::amount::{Amount, names_amount};
use crate::laws::requests::scope::{name_of, rename};
use crate::laws::trial::answered::{own_key, record_of};
use crate::laws::trial::draft::Draft;
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Makes such a record, and takes the step on it.
pub(crate) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let is_step = call.role == Role::Change && call.operation.method == Method::Post;
    let kind = call.record().filter(|_| is_step)?;
    let record = Shape::of(world.model.document, Some(&kind.schema));
    let names = record.property_names();
    let said = sentences(call);
    let name = said.iter().find_map(|own| nothing(own, &names))?;
    let ready = world.ready(call, "nothing").await.ok()?;
    let (maker, usual) = world.made_before(call, &ready)?;
    let (maker, usual) = (maker.clone(), usual.clone());
    maker.record().filter(|own| own.is(kind))?;
    if is_nothing(usual.get(name)) {
        return None;
    }
    let way = world.chosen(call)?;
    let mut before = way.split()?.1.iter();
    let step = before.find(|own| own.name.operation == maker.operation.label())?;
    let key = own_key(&maker)?;
    let bodies = world.compose_anew(&ready, step, "nothing").ok()?;
    let bodies = emptied(bodies.json.as_ref()?);
    for (index, empty) in bodies.into_iter().enumerate() {
        let mut sent = world
            .compose_anew(&ready, step, &format!("nothing-{index}"))
            .ok()?;
        let own = same_but(sent.json.as_ref()?, &empty);
        if world.put_valid(&maker, (&mut sent, step), own).is_none() {
            continue;
        }
        let made = world.send(sent).await;
        let Some(other) = record_of(&maker, &made) else {
            continue;
        };
        if !is_nothing(other.get(name)) || state(other) != state(&usual) {
            continue;
        }
        let keys = [(name_of(&usual, key)?, name_of(other, key)?)];
        let sent: Sent = world.compose(&ready, "nothing").ok()?;
        let sent = rename(world, call, &sent, &keys)?;
        let exchange = world.send(sent).await;
        let expected = format!("a refusal, as documented: its `{name}` is nothing");
        settle(
            world,
            call,
            (Ground::Refusal(409), expected),
            &exchange,
            draft,
        );
        with_its_code(world, call, &exchange, draft);
        return Some(());
    }
    None
}

/// What is said to be refused, in the responses and where the operation is described.
fn sentences(call: &Call<'_>) -> Vec<String> {
    const BARS: [&str; 5] = ["cannot", "refused", "rejected", "409", "422"];
    let mut found = Vec::new();
    let node = call.operation.at.node;
    for code in ["409", "422"] {
        let own = node.get("responses").and_then(|own| own.get(code));
        if let Some(own) = own.filter(|own| own.reference().is_none()) {
            texts(own, &mut found);
        }
    }
    let said = call.texts().flat_map(prose::sentences);
    let bars = said.filter(|own| prose::has(&names::words(own), &BARS));
    found.extend(bars.map(str::to_owned));
    found
}

/// The property of which a sentence says that there is nothing in it: `whose total is 0.00`, `its total is zero`, `without lines`.
fn nothing<'d>(sentence: &str, properties: &[&'d str]) -> Option<&'d str> {
    const DOUBTFUL: [&str; 7] = ["unless", "except", "if", "may", "than", "below", "above"];
    let plain: String = sentence.replace(['`', '"'], "");
    let words: Vec<String> = plain
        .split_whitespace()
        .map(|own| {
            own.trim_matches(|own: char| !own.is_alphanumeric())
                .to_lowercase()
        })
        .collect();
    if prose::has(&words, &DOUBTFUL) {
        return None;
    }
    let is_zero = |own: &String| {
        let is_number = own.chars().all(|own| own == '0' || own == '.') && own.contains('0');
        is_number || matches!(own.as_str(), "zero" | "nothing" | "empty")
    };
    let named = |part: &[String], name: &str| {
        let own = names::words(name);
        part.len() >= own.len() && part[..own.len()] == own
    };
    let is_it = |name: &&&str| {
        let length = names::words(name).len();
        (0..words.len()).any(|at| {
            let rest = &words[at + 1..];
            match words[at].as_str() {
                "whose" | "its" => {
                    let is = rest
                        .get(length)
                        .is_some_and(|own| own == "is" || own == "are");
                    named(rest, name) && is && rest.get(length + 1).is_some_and(is_zero)
                }
                "without" => {
                    let next = rest.get(length);
                    named(rest, name) && next.is_none_or(|own| own == "cannot")
                }
                "no" => {
                    let before = at.checked_sub(1).map(|at| words[at].as_str());
                    let has = matches!(before, Some("has" | "have" | "are"));
                    has && named(rest, name) && rest.get(length).is_none()
                }
                _ => false,
            }
        })
    };
    properties.iter().find(is_it).copied()
}

/// Bodies of less and less: as it is, without each list, and with nothing in each amount of its items or its own.
fn emptied(body: &Node) -> Vec<Node> {
    let mut found = vec![body.clone()];
    for entry in body
        .entries()
        .filter(|own| own.value.as_sequence().is_some())
    {
        let mut own = body.clone();
        value::remove(&mut own, &entry.key);
        found.push(own);
        let mut own = body.clone();
        let none = value::node(Value::Sequence(Vec::new()));
        if value::put(&mut own, &Pointer::root().join(entry.key.as_str()), none).is_ok() {
            found.push(own);
        }
    }
    found.push(zeroed(body));
    found
}

/// The same with nothing in each amount, but what is counted.
fn zeroed(node: &Node) -> Node {
    let entries = node.entries().map(|own| {
        let is_amount = names_amount(&own.key);
        let value = match &own.value.value {
            Value::Sequence(items) => {
                value::node(Value::Sequence(items.iter().map(zeroed).collect()))
            }
            Value::Mapping(_) => zeroed(&own.value),
            _ => {
                let amount = Amount::read(&own.value).filter(|_| is_amount);
                amount.map_or_else(|| own.value.clone(), |own| own.with(0).node())
            }
        };
        value::entry(&own.key, value)
    });
    if node.as_mapping().is_none() {
        return node.clone();
    }
    let entries = entries.collect();
    value::node(Value::Mapping(Mapping { entries }))
}

/// A body with what is new in it, and as little in it as another one.
fn same_but(fresh: &Node, empty: &Node) -> Node {
    let entries = empty.entries().map(|own| {
        let is_plain = own.value.as_sequence().is_none() && Amount::read(&own.value).is_none();
        let value = fresh.get(&own.key).filter(|_| is_plain);
        value::entry(&own.key, value.unwrap_or(&own.value).clone())
    });
    let entries = entries.collect();
    value::node(Value::Mapping(Mapping { entries }))
}

fn is_nothing(own: Option<&Node>) -> bool {
    own.is_some_and(|own| match own.as_sequence() {
        Some(items) => items.is_empty(),
        None => Amount::read(own).is_some_and(|own| own.units == 0),
    })
}

fn state(record: &Node) -> Option<&str> {
    let mut states = record.entries().filter(|own| names::tells_state(&own.key));
    states.next()?.value.as_str()
}

#[cfg(test)]
mod tests {
    use super::nothing;

    #[test]
    fn what_there_is_to_be_something_in() {
        let properties = ["total", "amountDue", "lines"];
        for (text, expected) in [
            (
                "An invoice whose total is `\"0.00\"` cannot be sent",
                Some("total"),
            ),
            (
                "The invoice is not a draft, or its total is zero (`nothingToBill`).",
                Some("total"),
            ),
            (
                "An invoice whose amount due is zero cannot be paid",
                Some("amountDue"),
            ),
            ("An order without lines cannot be placed", Some("lines")),
            ("The order has no lines.", Some("lines")),
            ("An order whose total is below 0.50 is refused", None),
            ("An order without lines of goods is refused", None),
            ("Already placed; no lines are added", None),
        ] {
            assert_eq!(nothing(text, &properties), expected, "{text}");
        }
    }
}
