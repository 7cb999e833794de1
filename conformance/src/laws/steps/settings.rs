//! A state that a change sets is one that its text leads to from the state that there is: "`status` can be set from `active`
//! to `suspended`. Any other transition is answered with `409`". What is refused changes nothing else either.

use spec::document::Method;
use spec::{Node, Pointer};

use crate::checks;
use crate::collect::request;
use crate::collect::sample::Extent;
use crate::model::{Call, Role, names, prose};
use crate::shape::Shape;
use crate::value;

use super::refusal::settle;
use crate::laws::requests::untouched::Untouched;
use crate::laws::trial::answered::succeeded;
use crate::laws::trial::draft::{Claim, Draft, Tried};
use crate::laws::trial::world::World;

/// So many states are set at most.
const MOST: usize = 6;

/// Tries a change of which a text says from which state to which it leads.
pub(crate) async fn run<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let changes = matches!(call.operation.method, Method::Patch | Method::Put);
    if call.role != Role::Change || !changes || !world.may_write() {
        return Ok(false);
    }
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let mut names = shape.property_names().into_iter();
    let Some(name) = names.find(|own| names::tells_state(own)) else {
        return Ok(false);
    };
    let known = shape.property(document, name).known_values();
    let pairs = pairs(call);
    if pairs.is_empty() || !bars_others(call) {
        return Ok(false);
    }
    let mut tried = false;
    for (index, state) in known.into_iter().take(MOST).enumerate() {
        let tag = format!("settings-{index}");
        tried |= set(world, call, (name, state, &pairs), &tag, draft).await?;
    }
    Ok(tried)
}

/// Sets a state together with whatever else a documented request asks for, where no text leads there.
async fn set<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (name, state, pairs): (&str, &str, &[(&str, &str)]),
    tag: &str,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = world.ready(call, tag).await?;
    let Some(record) = world.made_by_now(call, &ready).await else {
        return Ok(false);
    };
    let now = record.get(name).and_then(Node::as_str).unwrap_or_default();
    if now.is_empty() || now == state || pairs.contains(&(now, state)) {
        return Ok(false);
    }
    let before = Untouched::of(world, call, &ready).await;
    let mut sent = world.compose(&ready, tag)?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    let at = Pointer::root().join(name);
    value::put(&mut json, &at, value::string(state))?;
    let schema = call.body.as_ref().ok_or("the call has no schema")?;
    // What else is asked for must not be done either.
    let more = request::invented_body(world.contract(), &call.operation, Extent::Other);
    let more = more.as_ref().and_then(|own| own.value.plain());
    for entry in more.into_iter().flat_map(Node::entries) {
        let is_free = !names::tells_state(&entry.key) && entry.value.as_str().is_some();
        let mut whole = json.clone();
        let put = value::put(
            &mut whole,
            &Pointer::root().join(&*entry.key),
            entry.value.clone(),
        );
        let is_valid = |own| world.contract().validate_request(schema, own);
        let fits = is_free && json.get(&entry.key).is_none() && put.is_ok();
        if fits && is_valid(&whole)?.is_empty() {
            json = whole;
        }
    }
    if !world.contract().validate_request(schema, &json)?.is_empty() {
        return Ok(false);
    }
    world.put_json(&mut sent, &ready.call, json);
    let exchange = world.send(sent).await;
    let expected = format!("a refusal: no text leads from {now} to {state}");
    if succeeded(&exchange) {
        let actual = "a success";
        let claim = Claim::new(&checks::TRANSITION_FORBIDDEN, expected, actual).at(at);
        world.differ(draft, call, claim, &exchange);
        return Ok(true);
    }
    settle(world, call, expected, &exchange, draft);
    if let Some(before) = before {
        before.look(world, call, &exchange, draft).await;
    }
    Ok(true)
}

/// The states that sentences lead from, and to: from `active` to `suspended`.
fn pairs<'d>(call: &Call<'d>) -> Vec<(&'d str, &'d str)> {
    call.texts().flat_map(pairs_in).collect()
}

fn pairs_in(text: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = text.split('`').collect();
    let steps = parts.windows(4).step_by(2);
    let pairs = steps.filter_map(|own| {
        let [before, from, between, to] = own else {
            return None;
        };
        let is_from = before.trim_end().ends_with("from");
        (is_from && between.trim() == "to").then_some((*from, *to))
    });
    pairs.collect()
}

/// Whether a text says that no other state is set: any other transition is answered with `409`.
fn bars_others(call: &Call<'_>) -> bool {
    let mut sentences = call.texts().flat_map(prose::spoken);
    sentences.any(|words| bars(&words))
}

fn bars(words: &[String]) -> bool {
    const REFUSED: [&str; 6] = ["refused", "rejected", "409", "422", "conflict", "invalid"];
    let is_other = words
        .windows(2)
        .any(|own| matches!(own[0].as_str(), "any" | "every" | "all") && own[1] == "other");
    let is_only = prose::has(words, &["only"]) && prose::has(words, &["from"]);
    (is_other || is_only) && prose::has(words, &REFUSED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_where() {
        let text = "`status` can be set from `active` to `suspended` and from `suspended` to `active`. \
                    Any other transition is answered with `409`.";
        let expected = [("active", "suspended"), ("suspended", "active")];
        assert_eq!(pairs_in(text), expected);
        assert!(prose::spoken(text).iter().any(|own| bars(own)));
        assert!(pairs_in("It goes from `active` and to `closed`").is_empty());
        assert!(
            !prose::spoken("Any other field is kept")
                .iter()
                .any(|own| bars(own))
        );
    }
}
