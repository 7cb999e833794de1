//! Invariant: the records in each answer must keep to the facts about their properties.

use std::cmp::Ordering;

use openapi_document::view::{Document, MediaType};
use openapi_document::{Node, Pointer};
use openapi_facts::rule::{
    Comparison, Condition, Equation, Measure, Need, Range, Relation, Requires,
};
use openapi_facts::{Bound, Decimal, Fact, Part, Rule, parts};

use super::{effect, relation};
use crate::answered::describe;
use crate::checks;
use crate::model::{Call, Model, Role};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Draft, Tried};
use crate::scene::facts::because;
use crate::scene::watch::Breach;
use crate::scene::whole::at;
use crate::value;

/// The law that reports the facts.
pub(super) const LAW: &str = "balance";

/// The kinds of facts that bind answers.
pub(super) const KINDS: [&str; 4] = ["equation", "requires", "relation", "range"];

/// Calls the operation; the scene checks each answer.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let facts = scene.facts.list.iter();
    let facts = facts.filter(|fact| fact.binds_answers_of(&call.operation));
    // Effects have a law of their own.
    let facts: Vec<&Fact> = facts
        .filter(|fact| KINDS.contains(&fact.rule.kind()))
        .collect();
    if facts.is_empty() || call.success.is_none() {
        return Ok(false);
    }
    let body = answer(scene, call).await;
    for fact in facts {
        let shown = body.as_ref().map_err(String::clone);
        draft.account_for(fact, &shown.map(|body| is_shown(scene, call, fact, body)));
    }
    body.map(|_| true)
}

/// The body of a successful answer.
async fn answer<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>) -> Result<Node, String> {
    let ready = scene.ready(call, LAW).await?;
    let done = scene.call(&ready, LAW).await?;
    let body = done.outcome.as_ref().ok().filter(|item| item.is_success());
    let body = body.and_then(|answer| answer.json());
    body.cloned()
        .ok_or_else(|| format!("the call did not succeed: {}", describe(&done)))
}

/// Whether a record in a body has the properties of a fact.
fn is_shown<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, fact: &Fact, body: &Node) -> bool {
    let parts = parts_of(scene.model.document, call, body);
    let mut parts = parts.iter().filter(|part| is_of(part, fact, call));
    parts.any(|part| {
        let is_of_list = matches!(&fact.rule, Rule::Equation(rule) if rule.is_of_list());
        is_of_list || verdict(&fact.rule, part.node).is_some()
    })
}

/// The first record in an answer that breaks one of the facts.
pub(crate) fn breach(
    facts: &[&Fact],
    (model, call): (&Model<'_>, &Call<'_>),
    (body, is_whole): (&Node, bool),
    newest_first: bool,
) -> Option<Breach> {
    if facts.is_empty() {
        return None;
    }
    let parts = parts_of(model.document, call, body);
    let broken = facts.iter().find_map(|fact| {
        let mut records = parts.iter().filter(|part| is_of(part, fact, call));
        let (part, (due, observed)) = records.find_map(|part| match &fact.rule {
            Rule::Equation(rule) if rule.is_of_list() => {
                let record =
                    with_previous(rule, part, &parts, newest_first).filter(|_| is_whole)?;
                Some((part, verdict(&fact.rule, &record)?.err()?))
            }
            rule => Some((part, verdict(rule, part.node)?.err()?)),
        })?;
        let name = fact.rule.subject()?.name.as_deref().unwrap_or_default();
        Some(Breach {
            check: match fact.rule {
                Rule::Equation(_) => &checks::SUM_DIFFERS,
                _ => &checks::EFFECT_DIFFERS,
            },
            basis: Basis::Fact(because(model, fact)),
            pointer: name
                .split('.')
                .fold(part.at.clone(), |at, name| at.join(name)),
            expected: format!("{due}: {}", fact.rule),
            actual: observed,
        })
    });
    // What a step sets may depend on its request; a new record has one first state.
    let creates = call.role == Role::Create && !effect::is_of_event(model, call);
    broken.or_else(|| unset(facts, model, body).filter(|_| creates))
}

/// An item with the one that was created before it in the same list, as far as the fact says.
fn with_previous(
    rule: &Equation,
    part: &Part<'_, '_>,
    parts: &[Part<'_, '_>],
    newest_first: bool,
) -> Option<Node> {
    let place = |part: &Part<'_, '_>| {
        let index: usize = part.at.last()?.parse().ok()?;
        let mut list = part.at.clone();
        list.pop();
        Some((list, index))
    };
    let (list, index) = place(part)?;
    let shared = |node: &Node| Some(node.get(rule.per.as_deref()?)?.to_json());
    let others = parts.iter().filter_map(|other| {
        let (_, at) = place(other).filter(|(at, _)| *at == list)?;
        (shared(other.node) == shared(part.node)).then_some((at, other.node))
    });
    let previous = if newest_first {
        others
            .filter(|(at, _)| *at > index)
            .min_by_key(|(at, _)| *at)
    } else {
        others
            .filter(|(at, _)| *at < index)
            .max_by_key(|(at, _)| *at)
    };
    let mut record = part.node.clone();
    let at = Pointer::root().join(Equation::PREVIOUS);
    value::put(&mut record, &at, previous?.1.clone()).ok()?;
    Some(record)
}

/// The first property of an answered record that has none of the values that the operation sets.
fn unset(facts: &[&Fact], model: &Model<'_>, body: &Node) -> Option<Breach> {
    let effect = |fact: &&Fact| match &fact.rule {
        Rule::Effect(rule) => Some((rule.property.clone()?, rule.value.clone())),
        _ => None,
    };
    let all: Vec<(String, String)> = facts.iter().filter_map(effect).collect();
    facts.iter().find_map(|fact| {
        let (name, due) = effect(fact)?;
        let now = value::plain(body.get(&name)?);
        let is_set = all.contains(&(name.clone(), now.clone()));
        (!is_set && !model.is_moving(body)).then(|| Breach {
            check: &checks::STEP_UNDONE,
            basis: Basis::Fact(because(model, fact)),
            pointer: Pointer::root().join(name),
            expected: format!("{due}: {}", fact.rule),
            actual: now,
        })
    })
}

fn parts_of<'d, 'n>(document: &'d Document, call: &Call<'d>, body: &'n Node) -> Vec<Part<'d, 'n>> {
    let media = call.success.as_ref().and_then(|item| item.media.as_ref());
    let schema = media.and_then(MediaType::schema);
    schema.map_or_else(Vec::new, |schema| parts(document, &schema, body))
}

fn is_of(part: &Part<'_, '_>, fact: &Fact, call: &Call<'_>) -> bool {
    part.is_of(fact.rule.owner(), &call.operation.label())
}

/// Whether a record keeps to a rule; an error has the expected and the actual value. `None` if the record does not show
/// it.
fn verdict(rule: &Rule, record: &Node) -> Option<Result<(), (String, String)>> {
    let when = |condition: &Option<Condition>| {
        let holds = condition.as_ref().is_none_or(|one| one.holds(record));
        holds.then_some(())
    };
    match rule {
        Rule::Equation(rule) => {
            when(&rule.condition)?;
            rule.sides(record)?;
            let mistake = rule.mistake(record);
            let mistake = mistake.map(|(due, now)| (due.to_string(), now.to_string()));
            Some(mistake.map_or(Ok(()), Err))
        }
        Rule::Relation(rule) => {
            when(&rule.condition)?;
            compared(rule, record)
        }
        Rule::Range(rule) => {
            when(&rule.condition)?;
            within(rule, record)
        }
        Rule::Requires(rule) => needed(rule, record),
        _ => None,
    }
}

type Verdict = Option<Result<(), (String, String)>>;

fn compared(rule: &Relation, record: &Node) -> Verdict {
    let (one, other) = (
        at(record, rule.subject.name.as_deref()?)?,
        at(record, &rule.other)?,
    );
    let holds = if rule.is == Comparison::DifferentFrom {
        !one.same_value(other)
    } else {
        let order = relation::order(one, other)?;
        match rule.is {
            Comparison::After | Comparison::Above => order == Ordering::Greater,
            Comparison::Before | Comparison::Below => order == Ordering::Less,
            Comparison::NotBefore | Comparison::AtLeast => order != Ordering::Less,
            _ => order != Ordering::Greater,
        }
    };
    let due = || format!("{} {}", rule.is.words(), value::plain(other));
    Some(if holds {
        Ok(())
    } else {
        Err((due(), value::plain(one)))
    })
}

fn within(rule: &Range, record: &Node) -> Verdict {
    let node = at(record, rule.subject.name.as_deref()?)?;
    let now = match rule.measure {
        Measure::Value => Decimal::of_node(node)?,
        Measure::Length => Decimal::parse(&node.as_str()?.chars().count().to_string())?,
        Measure::Items => Decimal::parse(&node.as_sequence()?.len().to_string())?,
    };
    let now = Bound::Number(now);
    let beside = |bound: &Option<Bound>| now.cmp_value(bound.as_ref()?);
    let holds = beside(&rule.least).is_none_or(Ordering::is_ge)
        && beside(&rule.above).is_none_or(Ordering::is_gt)
        && beside(&rule.most).is_none_or(Ordering::is_le)
        && beside(&rule.below).is_none_or(Ordering::is_lt);
    let actual = || ("a value within the bounds".to_owned(), now.to_string());
    Some(if holds { Ok(()) } else { Err(actual()) })
}

fn needed(rule: &Requires, record: &Node) -> Verdict {
    // A record that lacks the property of a condition says nothing about it.
    record.get(&rule.condition.name)?;
    let name = rule.subject.name.as_deref()?;
    let holds = rule.condition.holds(record);
    let is_there = at(record, name).is_some_and(|node| !node.is_null());
    let due = match rule.need {
        Need::Present if holds => true,
        Need::Absent | Need::Null if holds => false,
        Need::OnlyThen if !holds => false,
        Need::OneOf => !holds,
        _ => return None,
    };
    let shown = |is_there| if is_there { "a value" } else { "no value" };
    let mistake = || (shown(due).to_owned(), shown(is_there).to_owned());
    Some(if due == is_there {
        Ok(())
    } else {
        Err(mistake())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_keeps_to_a_rule_breaks_it_or_does_not_show_it() {
        let subject = r#""subject":{"of":"Order","name":"paid"}"#;
        let when = r#""condition":{"name":"status","values":["PAID"]}"#;
        for (kind, rest, record, expected) in [
            (
                "equation",
                format!(r#""equals":"total",{when}"#),
                r#"{"paid":2,"total":2,"status":"PAID"}"#,
                Some(true),
            ),
            (
                "equation",
                format!(r#""equals":"total",{when}"#),
                r#"{"paid":1,"total":2,"status":"PAID"}"#,
                Some(false),
            ),
            (
                "equation",
                format!(r#""equals":"total",{when}"#),
                r#"{"paid":1,"total":2,"status":"OPEN"}"#,
                None,
            ),
            (
                "relation",
                r#""is":"below","other":"total""#.to_owned(),
                r#"{"paid":1,"total":2}"#,
                Some(true),
            ),
            (
                "relation",
                r#""is":"below","other":"total""#.to_owned(),
                r#"{"paid":2,"total":2}"#,
                Some(false),
            ),
            (
                "relation",
                r#""is":"below","other":"total""#.to_owned(),
                r#"{"paid":2}"#,
                None,
            ),
            (
                "range",
                r#""above":"0""#.to_owned(),
                r#"{"paid":"0.01"}"#,
                Some(true),
            ),
            (
                "range",
                r#""above":"0""#.to_owned(),
                r#"{"paid":"0.00"}"#,
                Some(false),
            ),
            (
                "requires",
                format!(r#""need":"present",{when}"#),
                r#"{"status":"PAID","paid":null}"#,
                Some(false),
            ),
            (
                "requires",
                format!(r#""need":"present",{when}"#),
                r#"{"paid":null}"#,
                None,
            ),
            (
                "requires",
                format!(r#""need":"null",{when}"#),
                r#"{"status":"PAID","paid":null}"#,
                Some(true),
            ),
            (
                "requires",
                format!(r#""need":"only-then",{when}"#),
                r#"{"status":"OPEN","paid":1}"#,
                Some(false),
            ),
        ] {
            let rule = format!(r#"{{"{kind}":{{{subject},{rest}}}}}"#);
            let rule: Rule = serde_json::from_str(&rule).unwrap();
            let record = openapi_document::json::read_text(record).unwrap();
            let found = verdict(&rule, &record).map(|kept| kept.is_ok());
            assert_eq!(found, expected, "{rule} {record:?}");
        }
    }
}
