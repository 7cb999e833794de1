//! Relation: the server must refuse a request whose two values do not compare as a fact says.

use std::cmp::Ordering;

use openapi_document::{Node, Pointer};
use openapi_facts::rule::{Comparison, Relation};
use openapi_facts::{Evidence, Fact, Rule};

use super::pair::{Pair, refuses};
use crate::amount::{self, Amount};
use crate::checks;
use crate::model::{Call, Model};
use crate::scene::Scene;
use crate::scene::draft::{Draft, Tried};
use crate::scene::moment::{DAY, Moment};
use crate::scene::place::Place;

/// Requests with both values.
pub(super) fn applies(rule: &Relation, model: &Model<'_>, call: &Call<'_>) -> bool {
    let is_there = |name: &str| Place::of(model.document, call, name).is_some();
    let both = rule.subject.name.as_deref().is_some_and(is_there) && is_there(&rule.other);
    both && rule.condition.is_none()
}

/// Sends values that break the relation, after some that follow it.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Relation),
    draft: &mut Draft,
) -> Tried {
    let document = scene.model.document;
    let name = rule.subject.name.as_deref().unwrap_or_default();
    let places = Place::of(document, call, name).zip(Place::of(document, call, &rule.other));
    let (place, other) = places.ok_or("the request does not have both values")?;
    let tag = format!("relation-{name}-{}", rule.other);
    let ready = scene.ready(call, &tag).await?;
    let sent = scene.compose(&ready, &tag)?;
    let value = scene
        .value_at(call, &place, &sent)
        .ok_or("no value is known")?;
    let with = scene
        .value_at(call, &other, &sent)
        .ok_or("no other value is known")?;
    let Some(values) = Values::of(rule.is, (&value, &with)) else {
        return Ok(false);
    };
    let is_stated = fact.evidence() == Evidence::Stated;
    let equal = values.equal.filter(|_| is_stated);
    let mut tried = Ok(false);
    for (index, broken) in values.broken.into_iter().chain(equal).enumerate() {
        let pair = Pair {
            fact,
            status: rule.status,
            check: &checks::CONSTRAINT_IGNORED,
            tag: format!("{tag}-{index}"),
            at: &place,
            kept: vec![(&place, values.kept.clone()), (&other, with.clone())],
            broken: vec![(&place, broken), (&other, with.clone())],
        };
        tried = super::both(tried, refuses(scene, call, pair, draft).await);
    }
    tried
}

/// Whether a fact compares a value of the body with another value.
pub(crate) fn compares<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, pointer: &Pointer) -> bool {
    let is_there = |name: &str| match Place::of(scene.model.document, call, name) {
        Some(Place::Body(at)) => at == *pointer,
        _ => false,
    };
    scene.facts_about(call).any(|fact| match &fact.rule {
        Rule::Relation(rule) if rule.condition.is_none() => {
            is_there(&rule.other) || rule.subject.name.as_deref().is_some_and(is_there)
        }
        _ => false,
    })
}

/// Values of the first property beside one of the other.
#[derive(Debug)]
struct Values {
    kept: Node,
    broken: Option<Node>,
    /// The same value as the other one, if the relation excludes it. A sentence may mean "or equal", a stated fact
    /// does not.
    equal: Option<Node>,
}

impl Values {
    fn of(is: Comparison, (node, other): (&Node, &Node)) -> Option<Self> {
        let order = match is {
            Comparison::DifferentFrom => {
                return (!node.same_value(other)).then(|| Self {
                    kept: node.clone(),
                    broken: Some(other.clone()),
                    equal: None,
                });
            }
            Comparison::After | Comparison::NotBefore | Comparison::Above | Comparison::AtLeast => {
                Ordering::Greater
            }
            _ => Ordering::Less,
        };
        let is_strict = matches!(
            is,
            Comparison::After | Comparison::Before | Comparison::Above | Comparison::Below
        );
        let (now, moved) = times(node, other).or_else(|| numbers(node, other))?;
        let sign = if order == Ordering::Greater { 1 } else { -1 };
        let kept = if now == order {
            node.clone()
        } else {
            moved(sign)?
        };
        Some(Self {
            kept,
            broken: moved(-sign),
            equal: is_strict.then(|| moved(0)).flatten(),
        })
    }
}

/// How two times, or two numbers, compare.
pub(super) fn order(one: &Node, other: &Node) -> Option<Ordering> {
    let (order, _) = times(one, other).or_else(|| numbers(one, other))?;
    Some(order)
}

/// Builds a value that differs from another one by a number of days or of units in the last place.
type Moved<'n> = Box<dyn Fn(i64) -> Option<Node> + 'n>;

fn times<'n>(node: &Node, other: &'n Node) -> Option<(Ordering, Moved<'n>)> {
    let (one, from) = (Moment::read(node)?, Moment::read(other)?);
    let moved = move |days: i64| match days {
        0 => Some(other.clone()),
        _ => Some(from.plus(days * DAY)?.node()),
    };
    Some((one.after(from).0.cmp(&0), Box::new(moved)))
}

fn numbers<'n>(node: &'n Node, other: &Node) -> Option<(Ordering, Moved<'n>)> {
    let (one, from) = (Amount::read_signed(node)?, Amount::read_signed(other)?);
    let moved = move |by: i64| {
        Some(amount::like(
            node,
            from.with(from.units + i128::from(by)).node(),
        ))
    };
    Some((one.compared(from)?, Box::new(moved)))
}
