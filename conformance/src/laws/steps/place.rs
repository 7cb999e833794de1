//! State place: the body property that sets a state, and the record property that shows it.

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

/// The body property that sets a state, and the record property that shows it.
#[derive(Clone)]
pub(crate) struct Place<'d> {
    pub(crate) requested: &'d str,
    pub(crate) observed: &'d str,
    /// The states that can be set.
    pub(crate) values: Vec<&'d str>,
}

impl Place<'_> {
    /// Whether a success shows the record in a state.
    pub(crate) fn is_stated(&self, call: &Call<'_>, led: &Exchange, state: &str) -> bool {
        let observed = record_of(call, led).and_then(|node| node.get(self.observed)?.as_str());
        succeeded(led) && observed == Some(state)
    }
}

/// The body property whose values are states of the record, and the record's state property.
pub(crate) fn place<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Option<Place<'d>> {
    let document = scene.model.document;
    let body = Shape::of(document, call.body.as_ref());
    let record = Shape::of(document, call.record().map(|record| &record.schema));
    let observed = record
        .property_names()
        .into_iter()
        .find(|word| names::names_state(word))?;
    let states = record.property(document, observed).known_values();
    let is_of_states = |name: &&str| {
        let all = body.property(document, name).known_values();
        !all.is_empty() && all.iter().all(|item| states.contains(item))
    };
    let requested = body.property_names().into_iter().find(is_of_states)?;
    let values = body.property(document, requested).known_values();
    Some(Place {
        requested,
        observed,
        values,
    })
}

/// A request that sets a state: the documented one, else one with its state replaced.
pub(crate) fn asking<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (step, place, state): (&Step<'d>, &Place<'d>, &str),
    mut sent: Sent,
) -> Option<Sent> {
    let asks = |node: &Node| node.get(place.requested).and_then(Node::as_str) == Some(state);
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
            &Pointer::root().join(place.requested),
            value::string(state),
        )
        .ok()?;
        json
    };
    scene.put_valid(call, (&mut sent, step), json)?;
    Some(sent)
}
