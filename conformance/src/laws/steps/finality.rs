//! Finality: a record in a final state, by its name, must not reach another state.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::case::Step;
use crate::checks;
use crate::exchange::Exchange;
use crate::fresh::{is_natural_name, is_said_unique};
use crate::model::{Call, Role};
use crate::names;
use crate::shape::Shape;

use crate::answered::{record_of, succeeded};
use crate::scene::basis::Basis;
use crate::scene::compare::tells_of_changes;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::{Ready, Scene};

/// Words of final states.
const OVER: [&str; 5] = ["cancelled", "canceled", "voided", "revoked", "terminated"];

/// States, and steps that can never follow them if a refusal of the step is documented.
const NEVER: [(&[&str], &[&str]); 2] = [
    (
        &["delivered", "completed", "fulfilled"],
        &["cancel", "void", "release", "dispatch", "ship", "reserve"],
    ),
    (
        &["released", "expired", "rejected", "declined"],
        &["fulfill", "fulfil", "deliver", "confirm"],
    ),
];

/// Words of steps that reopen a record.
const REOPENING: [&str; 18] = [
    "reopen",
    "open",
    "restore",
    "retry",
    "renew",
    "reactivate",
    "activate",
    "resume",
    "undelete",
    "unarchive",
    "recover",
    "resubmit",
    "restart",
    "reset",
    "reinstate",
    "uncancel",
    "archive",
    "delete",
];

/// Tests an operation that ends a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Change || !scene.may_write() {
        return Ok(false);
    }
    test_call(scene, call, draft).await.or(Ok(false))
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "finality").await?;
    let others = others(scene, call, &ready);
    if others.is_empty() {
        return Ok(false);
    }
    let ended = scene.call(&ready, "finality").await?;
    let Some(record) = record_of(call, &ended).cloned() else {
        return Ok(false);
    };
    let Some((property, state)) = state(&record) else {
        return Ok(false);
    };
    let is_over = over(&record).is_some();
    for (other, step) in others {
        if !is_over && !never(&state, other) {
            continue;
        }
        let sent = scene.compose_step(&ready, &step, "finality")?;
        let exchange = scene.send(sent).await;
        let now = state_after(
            scene,
            (call, other),
            (&record, &ended),
            &exchange,
            &property,
        )
        .await;
        let is_step = other.operation.method == Method::Post;
        if let Some(now) = now.filter(|now| (*now != state || !is_step) && succeeded(&exchange)) {
            let claim = Claim::new(
                &checks::TRANSITION_FORBIDDEN,
                Basis::Names,
                format!(
                    "a refusal of `{}` in the state {state}",
                    other.operation.label()
                ),
                format!("the state {now}"),
            )
            .at(Pointer::root().join(property.as_str()));
            scene.differ(draft, other, claim, &exchange);
            break;
        }
    }
    Ok(true)
}

/// The other operations on the record that document a conflict, with a step for each.
fn others<'w, 'd>(
    scene: &Scene<'w, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Vec<(&'w Call<'d>, Step<'d>)> {
    let Some(kind) = call.record() else {
        return Vec::new();
    };
    let created: Vec<&str> = ready
        .state
        .values
        .outputs
        .keys()
        .map(String::as_str)
        .collect();
    let is_other = |other: &&Call<'d>| {
        other.role == Role::Change
            && (other.operation.method == Method::Post || is_of_state(scene, other))
            && other.operation.label() != call.operation.label()
            && other.record().is_some_and(|record| record.is(kind))
            && other.first_of(&[409, 422]).is_some()
            && scene.covers(other)
            && !begins_again(other)
    };
    let model = scene.model;
    let all = model.calls.iter().filter(is_other);
    let with_step = all.filter_map(|item| {
        let fits = |step: &Step<'d>| {
            step.flow
                .needs
                .iter()
                .all(|word| created.contains(&word.as_str()))
        };
        let mut steps = scene
            .recipes(item)
            .into_iter()
            .filter_map(|recipe| Some(recipe.split()?.0));
        let step = steps.find(|step| !step.flow.needs.is_empty() && fits(step))?;
        Some((item, step.clone()))
    });
    with_step.collect()
}

/// Whether the documented conflict of a change must concern the state: the change has no unique property and takes no
/// version.
fn is_of_state<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> bool {
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let mut names = shape.property_names().into_iter();
    let may_be_taken = |name: &str| {
        let shape = shape.property(document, name);
        let words = names::words(name);
        let is_name = matches!(
            words.last().map(String::as_str),
            Some("name" | "label" | "code")
        );
        let is_version = tells_of_changes(name) || names::names_state(name);
        is_name
            || is_version
            || is_natural_name(name)
            || is_said_unique(&shape)
            || names::subject(name).is_some()
    };
    let headers = call.operation.parameters();
    let asks = headers
        .iter()
        .any(|parameter| names::same(parameter.name, "if-match"));
    call.response(409).is_some() && !asks && !names.any(may_be_taken)
}

fn begins_again(call: &Call<'_>) -> bool {
    let says_again = |text: &str| {
        names::words(text)
            .iter()
            .any(|word| REOPENING.contains(&word.as_str()))
    };
    says_again(&call.operation.label()) || says_again(crate::model::collection(call.operation.path))
}

/// The state property with its value, if the state is final.
fn over(record: &Node) -> Option<(String, String)> {
    let (property, state) = state(record)?;
    let words = names::words(&state.to_lowercase());
    let is_over = words.len() == 1 && OVER.contains(&words[0].as_str());
    is_over.then_some((property, state))
}

/// Whether a step can never follow a state.
fn never(state: &str, other: &Call<'_>) -> bool {
    let last = other
        .operation
        .stem()
        .rsplit('/')
        .next()
        .unwrap_or_default();
    let (state, steps) = (state.to_lowercase(), names::words(last));
    let [step] = &steps[..] else { return false };
    let mut all = NEVER.iter();
    all.any(|(states, steps)| states.contains(&state.as_str()) && steps.contains(&step.as_str()))
}

fn state(record: &Node) -> Option<(String, String)> {
    let property = names::state_name(record.entries().map(|entry| entry.key.as_str()))?;
    Some((
        property.to_owned(),
        record.get(property)?.as_str()?.to_owned(),
    ))
}

/// The state after a step: from a reading, else from its answer.
async fn state_after<'d>(
    scene: &mut Scene<'_, 'd>,
    (call, other): (&Call<'d>, &Call<'d>),
    (record, ended): (&Node, &Exchange),
    exchange: &Exchange,
    property: &str,
) -> Option<String> {
    let state_of = |record: &Node| Some(record.get(property)?.as_str()?.to_owned());
    let reader = scene
        .readers_for(call, record, &ended.sent)
        .first()
        .copied();
    let Some(reader) = reader else {
        return state_of(record_of(other, exchange)?);
    };
    let read = scene.read(reader, record, &ended.sent).await.ok()?;
    state_of(record_of(reader, &read)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn final_states() {
        for (record, expected) in [
            (r#"{"status":"cancelled"}"#, Some("cancelled")),
            (r#"{"state":"VOIDED","id":1}"#, Some("VOIDED")),
            (r#"{"status":"partially_refunded"}"#, None),
            (r#"{"status":"open"}"#, None),
            (r#"{"status":"closed","payment_status":"open"}"#, None),
        ] {
            let record = openapi_document::json::read_text(record).unwrap();
            let found = over(&record).map(|(_, state)| state);
            assert_eq!(found.as_deref(), expected, "{}", record.to_json());
        }
    }
}
