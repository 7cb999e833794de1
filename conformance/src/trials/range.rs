//! Range: the server must refuse a value beyond a bound and accept the same request with a value within it.

use openapi_document::view::Location;
use openapi_document::{Node, Pointer, Value};
use openapi_facts::rule::{Measure, Range};
use openapi_facts::{Bound, Evidence, Fact, Rule};

use super::pair::{Pair, refuses};
use crate::amount::{self, Amount};
use crate::checks;
use crate::model::{Call, Model};
use crate::scene::Scene;
use crate::scene::draft::{Draft, Tried};
use crate::scene::moment::{DAY, Moment, seconds};
use crate::scene::place::Place;
use crate::value;

/// Longer texts and lists are not sent.
const LONGEST: i128 = 10_000;

/// Operations whose request can have the value.
pub(super) fn applies(rule: &Range, model: &Model<'_>, call: &Call<'_>) -> bool {
    let name = rule
        .subject
        .name
        .as_deref()
        .filter(|_| rule.condition.is_none());
    name.is_some_and(|name| Place::of(model.document, call, name).is_some())
}

/// Sends a value beyond each bound, after one within the bounds.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Range),
    draft: &mut Draft,
) -> Tried {
    let name = rule.subject.name.as_deref().unwrap_or_default();
    let place =
        Place::of(scene.model.document, call, name).ok_or("the request has no such value")?;
    // A list may reduce a page size that is too large instead of refusing it.
    let is_requested =
        matches!(&place, Place::Parameter(parameter) if parameter.location == Location::Query);
    if is_requested && rule.status.is_none() && fact.evidence() != Evidence::Stated {
        return Ok(false);
    }
    let tag = format!("range-{name}");
    let ready = scene.ready(call, &tag).await?;
    let sent = scene.compose(&ready, &tag)?;
    let form = scene
        .value_at(call, &place, &sent)
        .ok_or("no value is known")?;
    let is_there = place
        .value(&sent, &place.shape(scene.model.document, call))
        .is_some();
    let Some(values) = Values::of(rule, &form) else {
        return Ok(false);
    };
    let within = values.within.or_else(|| Some(form).filter(|_| !is_there));
    let mut tried = Ok(false);
    for (index, beyond) in values.beyond.into_iter().enumerate() {
        let pair = Pair {
            fact,
            status: rule.status,
            check: &checks::CONSTRAINT_IGNORED,
            tag: format!("{tag}-{index}"),
            at: &place,
            kept: within.iter().map(|item| (&place, item.clone())).collect(),
            broken: vec![(&place, beyond)],
        };
        tried = super::both(tried, refuses(scene, call, pair, draft).await);
    }
    tried
}

/// Whether a fact forbids a number in the body of a request.
pub(crate) fn forbids<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (pointer, number): (&Pointer, &Node),
) -> bool {
    let rules = scene.facts_about(call).filter_map(|fact| match &fact.rule {
        Rule::Range(rule) => {
            Some(rule).filter(|rule| rule.measure == Measure::Value && rule.condition.is_none())
        }
        _ => None,
    });
    let mut values = rules.filter_map(|rule| {
        let name = rule.subject.name.as_deref()?;
        match Place::of(scene.model.document, call, name)? {
            Place::Body(at) if at == *pointer => Values::of_numbers(rule, number),
            _ => None,
        }
    });
    values.any(|values| values.within.is_some())
}

/// Values to send.
#[derive(Debug)]
struct Values {
    /// A value within the bounds; `None` if the current one is.
    within: Option<Node>,
    /// One value beyond each bound.
    beyond: Vec<Node>,
}

impl Values {
    /// Values in the form of a known one.
    fn of(rule: &Range, form: &Node) -> Option<Self> {
        let all = [&rule.least, &rule.above, &rule.most, &rule.below];
        let is_time = all.into_iter().flatten().any(Bound::is_duration);
        match rule.measure {
            Measure::Value if is_time => Self::of_times(rule, Moment::read(form)?),
            Measure::Value => Self::of_numbers(rule, form),
            Measure::Length => {
                let text = form.as_str()?;
                Self::of_sizes(rule, text.chars().count(), |size| {
                    value::string(&stretched(text, size))
                })
            }
            Measure::Items => {
                let items = form.as_sequence()?;
                let last = items.last()?;
                Self::of_sizes(rule, items.len(), |size| {
                    let all = items.iter().chain(std::iter::repeat(last)).take(size);
                    value::node(Value::Sequence(all.cloned().collect()))
                })
            }
        }
    }

    fn of_numbers(rule: &Range, form: &Node) -> Option<Self> {
        let amount = Amount::read_signed(form)?;
        let bound = |bound: &Option<Bound>, by: i128| {
            let bound = Amount::read_signed(&value::string(&bound.as_ref()?.to_string()))?;
            let bound = in_form(amount, bound)?;
            Some(bound.with(bound.units + by))
        };
        let (least, most) = bounds(rule, bound);
        let is_within = |amount: Amount| {
            let beside = |other: Option<Amount>, order| {
                other.and_then(|other| amount.compared(other)) == Some(order)
            };
            !beside(least, std::cmp::Ordering::Less) && !beside(most, std::cmp::Ordering::Greater)
        };
        let node = |amount: Amount| amount::like(form, amount.node());
        let within = least.or(most).filter(|_| !is_within(amount));
        let beyond = [
            least.map(|amount| amount.with(amount.units - 1)),
            most.map(|amount| amount.with(amount.units + 1)),
        ];
        Some(Self {
            within: within.map(node),
            beyond: beyond.into_iter().flatten().map(node).collect(),
        })
    }

    fn of_sizes(rule: &Range, size: usize, of_size: impl Fn(usize) -> Node) -> Option<Self> {
        let bound = |bound: &Option<Bound>, by: i128| {
            let number: i128 = bound.as_ref()?.to_string().parse().ok()?;
            Some(number + by)
        };
        let (least, most) = bounds(rule, bound);
        let size = i128::try_from(size).ok()?;
        let is_within =
            least.is_none_or(|least| least <= size) && most.is_none_or(|most| size <= most);
        let of_size = |size: i128| {
            let size = Some(size).filter(|item| (0..=LONGEST).contains(item))?;
            usize::try_from(size).ok().map(&of_size)
        };
        let beyond = [least.map(|item| item - 1), most.map(|item| item + 1)];
        let beyond = beyond.into_iter().flatten().filter_map(of_size).collect();
        let within = least.or(most).filter(|_| !is_within).map(of_size);
        Some(Self {
            within: within.map_or(Some(None), |item| item.map(Some))?,
            beyond,
        })
    }

    fn of_times(rule: &Range, form: Moment) -> Option<Self> {
        let now = form.now();
        let seconds_of = |bound: &Option<Bound>| match bound {
            Some(Bound::Duration(item)) => Some(seconds(item)),
            _ => None,
        };
        let (least, most) = (
            seconds_of(&rule.least).or(seconds_of(&rule.above)),
            seconds_of(&rule.most).or(seconds_of(&rule.below)),
        );
        // The time zone of a date is unknown, so two days are added.
        let (early, late) = (
            least.map(|pair| pair.1 + DAY * 2),
            most.map(|pair| pair.0 - DAY * 2),
        );
        let middle = least
            .zip(most)
            .map(|((_, early), (late, _))| i64::midpoint(early, late));
        let within = now.plus(middle.or(early).or(late)?)?;
        let beyond = [
            least.map(|pair| pair.0 - DAY * 2),
            most.map(|pair| pair.1 + DAY * 2),
        ];
        let beyond = beyond
            .into_iter()
            .flatten()
            .filter_map(|item| now.plus(item));
        Some(Self {
            within: Some(within.node()),
            beyond: beyond.map(Moment::node).collect(),
        })
    }
}

/// The lowest and the highest valid value. An exclusive bound is moved by one.
fn bounds<T>(
    rule: &Range,
    bound: impl Fn(&Option<Bound>, i128) -> Option<T>,
) -> (Option<T>, Option<T>) {
    let least = bound(&rule.least, 0).or_else(|| bound(&rule.above, 1));
    let most = bound(&rule.most, 0).or_else(|| bound(&rule.below, -1));
    (least, most)
}

/// A bound with as many decimal places as another amount. `None` if it has more.
fn in_form(form: Amount, bound: Amount) -> Option<Amount> {
    let more = form.places().saturating_sub(bound.places());
    let units = bound.units.checked_mul(10_i128.checked_pow(more)?)?;
    let fits = form.places() >= bound.places();
    fits.then(|| form.with(units))
}

/// A text with this many characters, extended by its last character.
fn stretched(text: &str, wanted: usize) -> String {
    let last = text.chars().last().unwrap_or('x');
    let all = text.chars().chain(std::iter::repeat(last));
    all.take(wanted).collect()
}
