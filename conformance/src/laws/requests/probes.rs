//! Probes: requests with one mistake for operations that document no status for it.
//!
//! They need no successful preparation; their answers show which statuses the document lacks.

use openapi_document::view::Location;

use crate::case::{ArgumentValue, Step};
use crate::collect::request;
use crate::exchange::Sent;
use crate::model::Call;
use crate::scene::{Ready, Scene};
use crate::shape::Shape;
use crate::value;

/// A value that is no number, flag or time.
const MALFORMED: &str = "malformed";

/// An unused key in the form of a UUID.
const NOBODY: &str = "00000000-0000-4000-8000-00000000dead";

/// Sends the probes for mistakes whose status an operation does not document.
pub(super) async fn send<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>) {
    if !scene.may_write() && !call.operation.method.is_safe() {
        return;
    }
    let lacks = |codes: &[u16]| !codes.iter().any(|code| call.operation.documents(*code));
    let lacks_unknown = lacks(&[400, 404, 410, 422]) && !call.path_parameters().is_empty();
    let (lacks_broken, lacks_kind) = (lacks(&[400, 422]), lacks(&[415]));
    if !lacks_unknown && !lacks_broken && !lacks_kind {
        return;
    }
    let Some(ready) = base(scene, call).await else {
        return;
    };
    let Ok(whole) = scene.compose(&ready, "probes") else {
        return;
    };
    let of_nobody = with_unused_key(scene, call, &ready).filter(|_| lacks_unknown);
    let malformed = malformed_query(scene, call, &ready).filter(|_| lacks_broken);
    let half = half_a_body(&whole).filter(|_| lacks_broken);
    let other = of_another_kind(&whole).filter(|_| lacks_kind);
    let probes = [of_nobody, half, malformed, other];
    for probe in probes.into_iter().flatten() {
        scene.send(probe).await;
    }
}

/// The prepared call, else the call of a recipe without preparation.
async fn base<'w, 'd>(scene: &mut Scene<'w, 'd>, call: &Call<'d>) -> Option<Ready<'w, 'd>> {
    if let Ok(ready) = scene.ready(call, "probes").await {
        return Some(ready);
    }
    let recipes = scene.all_recipes(call).iter();
    let plain =
        recipes.filter(|recipe| recipe.split().is_some_and(|(_, before)| before.is_empty()));
    for recipe in plain {
        if let Ok(ready) = scene.prepare(recipe, "probes").await
            && scene.compose(&ready, "probes").is_ok()
        {
            return Some(ready);
        }
    }
    None
}

/// The call with an unused key in its path.
fn with_unused_key<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Option<Sent> {
    let name = call.path_parameters().last().copied()?;
    let mut step = ready.call.clone();
    let mut arguments = step.request.arguments.iter_mut();
    let argument = arguments
        .find(|parameter| parameter.location == Location::Path && parameter.name == name)?;
    argument.value = ArgumentValue::Example(value::string(NOBODY));
    argument.natural_key = false;
    scene.compose_step(ready, &step, "probes-nobody").ok()
}

/// A body that ends early.
fn half_a_body(whole: &Sent) -> Option<Sent> {
    whole.json.as_ref()?;
    Some(with_body(whole, "{"))
}

/// A body of a media type that the operation does not accept.
fn of_another_kind(whole: &Sent) -> Option<Sent> {
    whole.body.as_ref()?;
    let mut sent = with_body(whole, "probe");
    for (name, value) in &mut sent.headers {
        if name.eq_ignore_ascii_case("content-type") {
            "text/plain".clone_into(value);
        }
    }
    Some(sent)
}

fn with_body(whole: &Sent, text: &str) -> Sent {
    let mut sent = whole.clone();
    sent.body = Some(text.as_bytes().to_vec());
    sent.json = None;
    sent.shown.body = Some(text.to_owned());
    sent
}

/// The call with an invalid value in a typed query parameter.
fn malformed_query<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Option<Sent> {
    let document = scene.model.document;
    let parameters = request::parameters(&call.operation, scene.selection);
    let parameter = parameters.iter().find(|parameter| {
        let shape = Shape::of(document, parameter.schema().as_ref());
        let is_typed = matches!(
            shape.type_name(),
            Some("integer" | "number" | "boolean" | "object")
        );
        parameter.location == Location::Query && is_typed
    })?;
    let malformed = ArgumentValue::Malformed(value::string(MALFORMED));
    let argument = request::argument(scene.contract(), parameter, malformed);
    let mut step: Step<'d> = ready.call.clone();
    step.request.arguments.retain(|parameter| {
        parameter.name != argument.name || parameter.location != argument.location
    });
    step.request.arguments.push(argument);
    scene.compose_step(ready, &step, "probes-query").ok()
}
