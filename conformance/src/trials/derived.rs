//! Derived: a value in the answer must equal the result of an equation over another record that the call names.

use openapi_document::{Node, Pointer};
use openapi_facts::Fact;
use openapi_facts::rule::Equation;

use crate::answered::{describe, record_of, succeeded};
use crate::checks;
use crate::model::{Call, Model};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::whole::{Whole, at};
use crate::value;

/// Operations that change something, if the equation has properties of another record.
pub(super) fn applies(rule: &Equation, _: &Model<'_>, call: &Call<'_>) -> bool {
    rule.from.is_some()
        && !rule.is_of_list()
        && !call.operation.method.is_safe()
        && call.record().is_some()
}

/// Calls the operation and reads the other record.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Equation),
    draft: &mut Draft,
) -> Tried {
    let from = rule.from.as_deref().ok_or("the equation names no record")?;
    let (ready, whole) = Whole::ready(scene, call, (from, &format!("derived-{from}"))).await?;
    let done = scene.call(&ready, "derived").await?;
    if !succeeded(&done) {
        return Err(format!("the call did not succeed: {}", describe(&done)));
    }
    let Some(mut record) = record_of(call, &done).cloned() else {
        return Err("the answer shows no record".to_owned());
    };
    let other = whole.read(scene).await.ok_or("the record cannot be read")?;
    value::put(&mut record, &Pointer::root().join(from), singled(other)?)?;
    if rule
        .condition
        .as_ref()
        .is_some_and(|one| !one.holds(&record))
    {
        return Ok(false);
    }
    let mistake = if rule.sides(&record).is_some() {
        { rule.mistake(&record) }.map(|(due, now)| (due.to_string(), now.to_string()))
    } else {
        let (due, now) = copied(rule, &record).ok_or("the records do not show the values")?;
        (due != now).then_some((due, now))
    };
    if let Some((due, observed)) = mistake {
        let names = rule.subject.name.as_deref().unwrap_or_default().split('.');
        let at = names.fold(Pointer::root(), |at, name| at.join(name));
        let expected = format!("{due}: {rule}");
        let claim = Claim::new(&checks::SUM_DIFFERS, scene.basis(fact), expected, observed);
        scene.differ(draft, call, claim.at(at), &done);
    }
    Ok(true)
}

/// The expected and the actual text, if a property must be that of the other record.
fn copied(rule: &Equation, record: &Node) -> Option<(String, String)> {
    let mut paths = rule.equals.properties();
    let due = at(record, paths.next().filter(|_| paths.next().is_none())?)?.as_str()?;
    let now = at(record, rule.subject.name.as_deref()?)?.as_str()?;
    Some((due.to_owned(), now.to_owned()))
}

/// A record in which the only item of a list stands for the list.
fn singled(mut record: Node) -> Result<Node, String> {
    let lists = record
        .entries()
        .filter_map(|entry| match entry.value.as_sequence()? {
            [only] => Some((Pointer::root().join(entry.key.as_str()), only.clone())),
            _ => None,
        });
    for (at, only) in lists.collect::<Vec<_>>() {
        value::put(&mut record, &at, only)?;
    }
    Ok(record)
}
