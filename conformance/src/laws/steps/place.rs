//! Place: where the body of a change has the state that it asks for, and where the record has the one that it is in.

use openapi_document::{Node, Pointer};

use crate::case::Step;
use crate::collect::request;
use crate::exchange::{Exchange, Sent};
use crate::model::Call;
use crate::names;
use crate::shape::Shape;
use crate::value;

use crate::answered::{record_of, succeeded};
use crate::scene::Scene;

/// Where a request says which state it is about, and where the record tells it.
#[derive(Clone)]
pub(crate) struct Place<'d> {
    pub(crate) asked: &'d str,
    pub(crate) told: &'d str,
    /// The states that may be asked for.
    pub(crate) values: Vec<&'d str>,
}

impl Place<'_> {
    /// Whether an answer tells that a record is in a state.
    pub(crate) fn is_told(&self, call: &Call<'_>, led: &Exchange, state: &str) -> bool {
        let told = record_of(call, led).and_then(|own| own.get(self.told)?.as_str());
        succeeded(led) && told == Some(state)
    }
}

/// The property of a body that has a state, and that of the record which has the same ones.
pub(crate) fn place<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<Place<'d>> {
    let document = scene.model.document;
    let body = Shape::of(document, call.body.as_ref());
    let record = Shape::of(document, call.record().map(|own| &own.schema));
    let told = record
        .property_names()
        .into_iter()
        .find(|own| names::tells_state(own))?;
    let states = record.property(document, told).known_values();
    let is_of_states = |name: &&str| {
        let all = body.property(document, name).known_values();
        !all.is_empty() && all.iter().all(|own| states.contains(own))
    };
    let asked = body.property_names().into_iter().find(is_of_states)?;
    let values = body.property(document, asked).known_values();
    Some(Place {
        asked,
        told,
        values,
    })
}

/// A request that asks for a state: the documented one that does, else any with the state in its place.
pub(crate) fn asking<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (step, place, state): (&Step<'d>, &Place<'d>, &str),
    mut sent: Sent,
) -> Option<Sent> {
    let asks = |own: &Node| own.get(place.asked).and_then(Node::as_str) == Some(state);
    let keys = request::keys(&call.operation).into_iter();
    let shown = keys.filter_map(|key| {
        let body = request::body(scene.contract(), &call.operation, Some(key)).ok()??;
        body.value.plain().cloned()
    });
    let shown = shown.into_iter().find(asks);
    let json = if let Some(shown) = shown {
        shown
    } else {
        let mut json = sent.json.clone()?;
        value::put(
            &mut json,
            &Pointer::root().join(place.asked),
            value::string(state),
        )
        .ok()?;
        json
    };
    scene.put_valid(call, (&mut sent, step), json)?;
    Some(sent)
}
