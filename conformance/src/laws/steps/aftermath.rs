//! Aftermath: after a step its record is as the text of the operation says: what "becomes null" is null, what "is set" is
//! something. Held against every answer of the step, where the documented ones keep to it.

use openapi_document::Node;
use openapi_document::view::{MediaType, Method};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Model, Role, names};
use crate::shape::Shape;

use super::due::Due;
use super::invariant::Contradiction;
use super::outcome::{Change, outcomes};
use crate::laws::trial::answered::{record_of, status};

/// The first property of the answer of a step that is not as the text of its operation says.
pub(crate) fn contradiction<'d>(
    model: &Model<'d>,
    call: &Call<'d>,
    exchange: &Exchange,
) -> Option<Contradiction> {
    let is_step = call.role == Role::Change && call.operation.method == Method::Post;
    let kind = call.record().filter(|_| is_step)?;
    let record = record_of(call, exchange).filter(|_| status(exchange) != Some(202))?;
    if model.is_moving(record) {
        return None;
    }
    said_of(model, call).into_iter().find_map(|(name, due)| {
        let own = record.get(&name).filter(|own| !due.holds(own))?;
        let is_kept = shown(call).all(|shown| shown.get(&name).is_none_or(|own| due.holds(own)));
        is_kept.then(|| Contradiction {
            check: &checks::EFFECT_DIFFERS,
            pointer: kind.at.join(name.as_str()),
            due: format!("{}, as the text of the operation says", due.shown()),
            told: own.to_json(),
        })
    })
}

/// What the text of a step says that properties of its own record are afterwards.
pub(crate) fn said_of<'d>(model: &Model<'d>, call: &Call<'d>) -> Vec<(String, Due)> {
    let Some(kind) = call.record() else {
        return Vec::new();
    };
    let own = kind.name.rsplit(' ').next().unwrap_or_default();
    let body = Shape::of(model.document, call.body.as_ref());
    let asked: Vec<String> = body
        .property_names()
        .into_iter()
        .flat_map(names::words)
        .collect();
    let all = call.texts().flat_map(outcomes);
    let all = all.filter_map(|outcome| {
        let is_own = outcome.owner.as_deref().is_none_or(|of| of == own);
        let Change::Is(due) = outcome.change else {
            return None;
        };
        let name = outcome.property;
        // What a request may leave out, such as a reason, may be left out.
        let last = names::words(&name).pop().unwrap_or_default();
        let is_asked = due == Due::Something && asked.contains(&last);
        let is_plain = is_own && !names::tells_state(&name) && !is_asked;
        is_plain.then_some((name, due))
    });
    all.collect()
}

/// The records of the documented answers.
fn shown<'d>(call: &Call<'d>) -> impl Iterator<Item = &'d Node> {
    let media = call.success.as_ref().and_then(|own| own.media.as_ref());
    let at = call.record().map(|own| own.at.clone());
    let all = media.map(MediaType::examples).unwrap_or_default();
    all.into_iter()
        .filter_map(move |own| own.value.node.at(at.as_ref()?))
}
