//! What a step has changed stays in the lists of its kind, and looks there as it is read: a list that can be
//! asked for a state has, where it is not asked, all of them.

use openapi_document::Node;
use openapi_document::view::{Location, Method};

use crate::checks;
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;

use super::listing::{differ, lists, reread};
use super::paging::Paging;
use crate::answered::{own_key, record_of, status};
use crate::scene::Scene;
use crate::scene::addressing::can_address;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;

/// Words of states that a list may leave out of its own accord, and of lists that do.
const AWAY: [&str; 12] = [
    "archived", "archive", "deleted", "removed", "hidden", "inactive", "disabled", "draft", "open",
    "active", "current", "excluded",
];

/// Tries a step on a record of which there are lists.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Change || !scene.may_write() || lists(scene, call).is_empty() {
        return Ok(false);
    }
    let mut all = lists(scene, call).into_iter();
    let found = all.find_map(|own| Some((own, of_state(scene, own)?)));
    let is_step = call.operation.method == Method::Post;
    let Some((list, property)) = found.filter(|_| is_step) else {
        return Ok(false);
    };
    of(scene, call, (list, property), draft).await.or(Ok(false))
}

/// The property of a state that a list can be asked for, and shows all of where it is not.
fn of_state<'d>(scene: &Scene<'_, '_, '_, 'd>, list: &Call<'d>) -> Option<&'d str> {
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

/// Whether a list keeps what is in a state: it can be asked for states, and its text leaves out none.
pub(crate) fn keeps<'d>(scene: &Scene<'_, '_, '_, 'd>, list: &Call<'d>, state: &str) -> bool {
    const SOME: [&str; 6] = ["only", "except", "excluding", "excludes", "other", "but"];
    let own = names::words(&state.to_lowercase());
    let is_said = |words: &Vec<String>| {
        prose::has(words, &SOME) || words.windows(own.len()).any(|part| part == own)
    };
    of_state(scene, list).is_some() && !is_away(state) && !list.spoken().iter().any(is_said)
}

/// Whether a list may leave out what is in a state.
fn is_away(state: &str) -> bool {
    let words = names::words(&state.to_lowercase());
    prose::has(&words, &AWAY)
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (list, property): (&Call<'d>, &str),
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "standing").await?;
    let done = scene.call(&ready, "standing").await?;
    let record = record_of(call, &done).ok_or("no record came")?.clone();
    if status(&done) == Some(202) || scene.model.is_moving(&record) {
        return Ok(false);
    }
    let record = reread(scene, call, &record, &done.sent)
        .await
        .unwrap_or(record);
    let state = record
        .get(property)
        .and_then(Node::as_str)
        .unwrap_or_default();
    let key = own_key(call).ok_or("it has no key")?;
    let own = record.get(key).ok_or("it has no key")?;
    if is_away(state) || !can_address(list, &record, &done.sent) {
        return Ok(false);
    }
    let paging = Paging::of(scene, list);
    let stand = (&record, &done.sent);
    let search = paging.find(scene, list, stand, (key, own)).await?;
    let Some(last) = &search.last else {
        return Ok(false);
    };
    match &search.found {
        Some(item) => differ(scene, (call, list), (&record, item, last), draft),
        None if search.ended => {
            let claim = Claim::new(
                &checks::LIST_MISSES,
                Ground::Names,
                format!("an item for what is {state}: nothing else was asked for"),
                format!("{} items without it", search.seen),
            );
            scene.differ(draft, list, claim, last);
        }
        None => {}
    }
    Ok(true)
}
