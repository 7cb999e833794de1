//! States: decides which states of records a list must contain and which ones it may omit.

use openapi_document::Node;
use openapi_document::view::Location;
use openapi_facts::Rule;

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
pub(super) fn of_state<'d>(scene: &Scene<'_, 'd>, list: &Call<'d>) -> Option<&'d str> {
    let document = scene.model.document;
    let shape = Shape::of(document, list.record().map(|record| &record.schema));
    let text = |key| list.operation.at.node.get(key).and_then(Node::as_str);
    let words = [text("summary"), text("description"), text("operationId")];
    let mut words = words.into_iter().flatten().flat_map(names::words);
    if words.any(|word| AWAY.contains(&word.as_str())) {
        return None;
    }
    let all = list.operation.parameters();
    let mut query = all
        .iter()
        .filter(|parameter| parameter.location == Location::Query);
    query.find_map(|parameter| {
        let listed = shape.property_names().into_iter();
        let mut same =
            listed.filter(|name| names::same(name, parameter.name) && names::names_state(name));
        let schema = parameter.schema();
        let requested = Shape::of(document, schema.as_ref());
        let has_default = requested.keyword("default").is_some();
        let says = parameter.at.node.get("description").and_then(Node::as_str);
        let says_more = names::words(says.unwrap_or_default())
            .iter()
            .any(|word| word == "default");
        same.next().filter(|_| !has_default && !says_more)
    })
}

/// Whether a list has records of a state: it can be filtered by state, and its text excludes none.
pub(super) fn keeps<'d>(scene: &Scene<'_, 'd>, list: &Call<'d>, state: &str) -> bool {
    const SOME: [&str; 6] = ["only", "except", "excluding", "excludes", "other", "but"];
    let name_words = names::words(&state.to_lowercase());
    let is_said = |words: &Vec<String>| {
        prose::has(words, &SOME)
            || words
                .windows(name_words.len())
                .any(|part| part == name_words)
    };
    of_state(scene, list).is_some() && !is_left_out(state) && !list.spoken().iter().any(is_said)
}

/// Whether a fact or a sentence about a list concerns records of a state, which the list may then omit.
pub(super) fn may_omit<'d>(scene: &Scene<'_, 'd>, list: &Call<'d>, state: &str) -> bool {
    let mut facts = scene.facts_about(list);
    let is_stated = facts.any(|fact| match &fact.rule {
        Rule::ListOmits(rule) => rule.omits.values.iter().any(|value| value == state),
        _ => false,
    });
    let state_words = names::words(&state.to_lowercase());
    let names_it = |words: &Vec<String>| {
        let mut parts = words.windows(state_words.len().max(1));
        parts.any(|part| part == state_words)
    };
    is_stated || list.spoken().iter().any(names_it)
}

/// Whether a list may omit records of a state.
pub(super) fn is_left_out(state: &str) -> bool {
    let words = names::words(&state.to_lowercase());
    prose::has(&words, &AWAY)
}
