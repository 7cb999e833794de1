//! States: decides which states of records a list must contain and which ones it may omit.

use openapi_document::Node;
use openapi_document::view::Location;

use crate::model::Call;
use crate::names;
use crate::prose;
use crate::scene::Scene;
use crate::shape::Shape;

/// Words of states that lists may omit, and of lists that omit some.
const AWAY: [&str; 12] = [
    "archived", "archive", "deleted", "removed", "hidden", "inactive", "disabled", "draft", "open",
    "active", "current", "excluded",
];

/// The state property by which a list can be filtered, if the unfiltered list has all states.
pub(super) fn of_state<'d>(scene: &Scene<'_, '_, '_, 'd>, list: &Call<'d>) -> Option<&'d str> {
    let document = scene.model.document;
    let shape = Shape::of(document, list.record().map(|own| &own.schema));
    let text = |key| list.operation.at.node.get(key).and_then(Node::as_str);
    let words = [text("summary"), text("description"), text("operationId")];
    let mut words = words.into_iter().flatten().flat_map(names::words);
    if words.any(|own| AWAY.contains(&own.as_str())) {
        return None;
    }
    let all = list.operation.parameters();
    let mut query = all.iter().filter(|own| own.location == Location::Query);
    query.find_map(|own| {
        let listed = shape.property_names().into_iter();
        let mut same =
            listed.filter(|name| names::same(name, own.name) && names::tells_state(name));
        let schema = own.schema();
        let asked = Shape::of(document, schema.as_ref());
        let has_default = asked.keyword("default").is_some();
        let says = own.at.node.get("description").and_then(Node::as_str);
        let says_more = names::words(says.unwrap_or_default())
            .iter()
            .any(|own| own == "default");
        same.next().filter(|_| !has_default && !says_more)
    })
}

/// Whether a list has records of a state: it can be filtered by state, and its text excludes none.
pub(super) fn keeps<'d>(scene: &Scene<'_, '_, '_, 'd>, list: &Call<'d>, state: &str) -> bool {
    const SOME: [&str; 6] = ["only", "except", "excluding", "excludes", "other", "but"];
    let own = names::words(&state.to_lowercase());
    let is_said = |words: &Vec<String>| {
        prose::has(words, &SOME) || words.windows(own.len()).any(|part| part == own)
    };
    of_state(scene, list).is_some() && !is_left_out(state) && !list.spoken().iter().any(is_said)
}

/// Whether a list may omit records of a state.
pub(super) fn is_left_out(state: &str) -> bool {
    let words = names::words(&state.to_lowercase());
    prose::has(&words, &AWAY)
}
