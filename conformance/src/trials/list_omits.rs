//! List omits: a list must not contain records that meet the condition of a fact.

use openapi_document::{Node, Pointer};
use openapi_facts::rule::{Condition, ListOmits};
use openapi_facts::{Evidence, Fact, Rule};

use crate::answered::{items_of, key_name, record_of, succeeded};
use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Model, Role};
use crate::scene::Scene;
use crate::scene::addressing::can_address;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::place::Place;
use crate::shape::Shape;
use crate::value;

/// At most this many operations are tried to bring a record to meet the condition.
const MOST: usize = 6;

/// Lists whose items have the property of the condition.
pub(super) fn applies(rule: &ListOmits, model: &Model<'_>, call: &Call<'_>) -> bool {
    let shape = Shape::of(model.document, call.record().map(|record| &record.schema));
    let names = shape.property_names();
    call.role == Role::List && names.contains(&rule.omits.name.as_str())
}

/// Brings a record to meet the condition and searches for it in the list.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    (fact, rule): (&Fact, &ListOmits),
    draft: &mut Draft,
) -> Tried {
    if !scene.may_write() {
        return Ok(false);
    }
    let kind = list.record().ok_or("the list has no items")?;
    let key = key_name(list).ok_or("the items of the list have no key")?;
    let leads = |call: &&Call<'d>| {
        let is_of_kind = call.record().is_some_and(|record| kind.describes(record));
        is_of_kind && matches!(call.role, Role::Create | Role::Change) && scene.covers(call)
    };
    let mut all: Vec<&Call<'d>> = scene.model.calls.iter().filter(leads).collect();
    all.sort_by_key(|call| !sets(scene, call, &rule.omits));
    all.truncate(MOST);
    for call in all {
        let found = left_out(scene, (list, call), rule, key).await;
        let Some((record, with, was_listed)) = found else {
            continue;
        };
        let requested = unless(scene, list, rule.unless.as_ref());
        let query: Vec<(&str, Node)> = requested.into_iter().collect();
        let is_found = match &query[..] {
            [] => was_listed,
            query => find(scene, list, (&record, &with), query, key)
                .await
                .is_some_and(|pair| pair.1),
        };
        // A list that never contains the record may omit it for another reason.
        if !is_found {
            continue;
        }
        let Some((exchange, is_there)) = find(scene, list, (&record, &with), &[], key).await else {
            continue;
        };
        if is_there {
            let at = Pointer::root().join(rule.omits.name.as_str());
            let actual = scene.shown(list, &at, record.get(&rule.omits.name));
            let expected = format!("no such item: {rule}");
            let basis = scene.basis(fact);
            let claim = Claim::new(&checks::FILTER_IGNORED, basis, expected, actual);
            scene.differ(draft, list, claim.at(at), &exchange);
        }
        return Ok(true);
    }
    if fact.evidence() == Evidence::Stated {
        return Err(format!("no operation led to an item where {}", rule.omits));
    }
    Ok(false)
}

/// Whether a fact says that a call gives a record a value of a condition.
fn sets(scene: &Scene<'_, '_>, call: &Call<'_>, condition: &Condition) -> bool {
    let mut facts = scene.facts.list.iter();
    facts.any(|fact| match &fact.rule {
        Rule::Effect(rule) => {
            rule.operation == call.operation.label() && condition.values.contains(&rule.value)
        }
        _ => false,
    })
}

/// A record that an operation brought to meet the condition, the request to address its list with, and whether the
/// list contained it before.
async fn left_out<'d>(
    scene: &mut Scene<'_, 'd>,
    (list, call): (&Call<'d>, &Call<'d>),
    rule: &ListOmits,
    key: &str,
) -> Option<(Node, Sent, bool)> {
    let tag = format!("list-omits-{}", list.operation.label());
    let ready = scene.ready(call, &tag).await.ok()?;
    let sent = scene.compose(&ready, &tag).ok()?;
    let before = scene
        .record_before(call, &ready)
        .map(|(_, record)| record.clone());
    let was_listed = match before {
        Some(before) if !rule.omits.holds(&before) => find(scene, list, (&before, &sent), &[], key)
            .await
            .is_some_and(|pair| pair.1),
        _ => false,
    };
    let mut exchange = scene.send(sent).await;
    let is_left_out = |exchange: &Exchange| {
        record_of(call, exchange).is_some_and(|record| rule.omits.holds(record))
    };
    if !is_left_out(&exchange) {
        exchange = as_asked(scene, call, rule, &tag).await?;
        is_left_out(&exchange).then_some(())?;
    }
    let record = record_of(call, &exchange)?.clone();
    (!scene.model.is_moving(&record)).then_some((record, exchange.sent, was_listed))
}

/// Sends a request that itself sets the property of the condition.
async fn as_asked<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    rule: &ListOmits,
    tag: &str,
) -> Option<Exchange> {
    let document = scene.model.document;
    let place = Place::of(document, call, &rule.omits.name)?;
    let shape = place.shape(document, call);
    let wanted = value::of_type(rule.omits.values.first()?, shape.type_name())?;
    let tag = format!("{tag}-asked");
    let ready = scene.ready(call, &tag).await.ok()?;
    let sent = scene.altered(call, (&ready, &tag), &[(&place, wanted)])?;
    let exchange = scene.send(sent).await;
    succeeded(&exchange).then_some(exchange)
}

/// The parameter, with a value, that makes the list include the omitted records.
fn unless<'r>(
    scene: &Scene<'_, '_>,
    list: &Call<'_>,
    condition: Option<&'r Condition>,
) -> Option<(&'r str, Node)> {
    let condition = condition?;
    let parameters = list.operation.parameters();
    let parameter = parameters
        .iter()
        .find(|parameter| parameter.name == condition.name)?;
    let shape = Shape::of(scene.model.document, parameter.schema().as_ref());
    let known = shape.known_values().first().copied();
    let first = condition.values.first().map(String::as_str);
    let text = first
        .or(known)
        .or((shape.type_name() == Some("boolean")).then_some("true"))?;
    Some((
        condition.name.as_str(),
        value::of_type(text, shape.type_name())?,
    ))
}

/// Whether the first page of a list contains a record, with the exchange.
async fn find<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    (record, with): (&Node, &Sent),
    query: &[(&str, Node)],
    key: &str,
) -> Option<(Exchange, bool)> {
    can_address(list, record, with).then_some(())?;
    let sent = scene.compose_read(list, record, with, query).ok()?;
    let exchange = scene.send(sent).await;
    let value = record.get(key)?;
    let mut items = items_of(list, &exchange)?.iter();
    let is_there = items.any(|item| item.get(key).is_some_and(|other| other.same_value(value)));
    Some((exchange, is_there))
}
