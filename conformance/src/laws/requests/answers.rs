//! Answers: every answer must follow the schema of its documented status, whatever the law that caused it.

use openapi_document::view::{Location, MediaType, Method};
use openapi_document::{Mapping, Value};

use crate::model::{Call, Role};
use crate::shape::Shape;
use crate::value;

use super::probes;
use crate::answered::status;
use crate::checks;
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};

/// The reason of a skip without comparable answers.
const NO_FORM: &str = "no answer with a documented JSON schema came";

/// At most this many recipes are tried to get an answer if no other law caused one.
const WAYS: usize = 3;

/// At most this many enumerated values of a query parameter are requested.
const VALUES: usize = 6;

/// Tests an operation with a documented answer schema, after all other laws.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    probes::send(scene, call).await;
    let tried = if has_form(call) {
        test_call(scene, call, draft).await
    } else {
        Ok(false)
    };
    let has_undeclared = undeclared(scene, call, draft);
    match tried {
        Ok(false) if has_undeclared => Err(NO_FORM.to_owned()),
        tried => tried,
    }
}

/// Notes the statuses that an operation answered and does not document, at the level MAY.
fn undeclared<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, draft: &mut Draft) -> bool {
    let operation = call.operation.label();
    let found = scene.sender.account.forms().undeclared(&operation);
    let Some(first) = found.first() else {
        return false;
    };
    let statuses = found
        .iter()
        .filter_map(status)
        .map(|status| status.to_string());
    let statuses: Vec<String> = statuses.collect();
    let documented = call.operation.responses();
    let documented: Vec<String> = documented
        .iter()
        .map(|response| response.status.to_string())
        .collect();
    let claim = Claim::new(
        &checks::UNDECLARED_STATUS,
        Basis::Responses,
        format!("a documented status ({})", documented.join(", ")),
        format!(
            "status {} (first in `{}`)",
            statuses.join(", "),
            first.sent.case
        ),
    );
    scene.note(draft, call, claim, first);
    true
}

/// Reports the answers of the operation that break their schemas.
async fn test_call<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, draft: &mut Draft) -> Tried {
    let operation = call.operation.label();
    let is_reading = call.operation.method == Method::Get && call.role != Role::List;
    let is_of_all = is_reading && call.path_parameters().is_empty();
    if !scene.sender.account.forms().has_held(&operation) {
        ask(scene, call).await;
    }
    if is_of_all {
        ask_of_all(scene, call).await;
    }
    let odd = scene.sender.account.forms().untold(&operation);
    for odd in odd {
        let mut difference = odd.difference;
        if odd.sent.case != draft.id() {
            difference.actual = format!("{} (in `{}`)", difference.actual, odd.sent.case);
        }
        scene.add(draft, vec![difference], &odd.sent);
    }
    if !scene.sender.account.forms().has_held(&operation) {
        return Err(NO_FORM.to_owned());
    }
    Ok(true)
}

/// Whether the operation documents a JSON answer with a schema.
fn has_form(call: &Call<'_>) -> bool {
    let is_form = |media: &MediaType<'_>| media.is_json() && media.schema().is_some();
    let responses = call.operation.responses();
    responses
        .iter()
        .any(|body| body.content().iter().any(is_form))
}

/// Sends the operation to get an answer.
async fn ask<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>) {
    if !scene.may_write() && !call.operation.method.is_safe() {
        return;
    }
    for recipe in scene.recipes(call).into_iter().take(WAYS) {
        if let Ok(ready) = scene.prepare(recipe, "answers").await {
            // The runner compares every answer, so the result is not needed here.
            let _ = scene.call(&ready, "answers").await;
        }
    }
}

/// Reads a value derived from all records, such as a balance, again at the end; once per value if a required query
/// parameter is enumerated.
async fn ask_of_all<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>) -> Option<()> {
    let ready = scene.ready(call, "answers-of-all").await.ok()?;
    let with = scene.compose(&ready, "answers-of-all").ok()?;
    let parameters = call.operation.parameters().into_iter();
    let mut listed = parameters.filter_map(|parameter| {
        let is_requested = parameter.location == Location::Query && parameter.required();
        let values = Shape::of(scene.model.document, parameter.schema().as_ref()).known_values();
        (is_requested && !values.is_empty()).then_some((parameter.name, values))
    });
    let Some((name, values)) = listed.next().filter(|_| listed.next().is_none()) else {
        scene.send(with).await;
        return Some(());
    };
    let nothing = value::node(Value::Mapping(Mapping::default()));
    for text in values.into_iter().take(VALUES) {
        let requested = [(name, value::string(text))];
        let sent = scene.compose_read(call, &nothing, &with, &requested).ok()?;
        scene.send(sent).await;
    }
    Some(())
}
