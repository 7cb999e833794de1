//! Leftovers: a refused creation must not create a record.

use std::collections::BTreeSet;

use openapi_document::{Mapping, Node, Pointer, Value};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::mutation::{Mutation, mutations};
use crate::value;

use super::authentication;
use super::refusals::chosen;
use crate::answered::{key_name, record_of, succeeded};
use crate::laws::lists::listing::lists;
use crate::laws::lists::paging::Paging;
use crate::scene::addressing::can_address;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::{Ready, Scene};

/// Tests an operation that creates a record, if a list shows such records.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Create || call.body.is_none() || !call.refuses_content() {
        return Ok(false);
    }
    test_call(scene, call, draft).await.or(Ok(false))
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "leftovers").await?;
    let sent = scene.compose(&ready, "leftovers")?;
    let (Some(body), Some(schema)) = (&sent.json, &call.body) else {
        return Ok(false);
    };
    let nothing = value::node(Value::Mapping(Mapping::default()));
    let mut all = lists(scene, call).into_iter();
    let list = all.find(|call| can_address(call, &nothing, &sent));
    let (Some(list), Some(key)) = (list, key_name(call)) else {
        return Ok(false);
    };
    let paging = Paging::of(scene, list);
    let address = (&nothing, &sent);
    let keys = |item: Node| key_of(&item, key);
    let Some(before) = paging.all(scene, list, address, keys).await? else {
        return Ok(false);
    };
    let mut known: BTreeSet<String> = before.into_iter().collect();
    let all = chosen(mutations(scene.contract(), schema, (body, &sent.encoding)));
    let tried = all.len();
    let (mut refused, granted) = refusals(scene, &ready, all).await?;
    // Another law reports requests that were accepted although they were wrong.
    let granted = granted
        .iter()
        .filter_map(|exchange| record_of(call, exchange)?.get(key));
    known.extend(granted.map(Node::to_json));
    if refused.len() == tried {
        refused.extend(without_credentials(scene, call, &ready).await);
    }
    let unknown = |item: Node| (!known.contains(&key_of(&item, key)?)).then_some(item);
    let Some(new) = paging.all(scene, list, address, unknown).await? else {
        return Ok(false);
    };
    for new in &new {
        let creator = refused.iter().find(|(item, _)| derives_from(new, item));
        if let Some((mutation, exchange)) = creator {
            let claim = Claim::new(
                &checks::REFUSAL_CHANGED_STATE,
                Basis::Names,
                "no record of a refused request",
                format!("`{}` has such a record", list.operation.label()),
            )
            .at(mutation.pointer.clone());
            scene.differ(draft, call, claim, exchange);
        }
    }
    Ok(!refused.is_empty())
}

fn key_of(item: &Node, key: &str) -> Option<String> {
    item.get(key).map(Node::to_json)
}

/// Sends requests with one mistake each; returns the refused ones, and the successes.
async fn refusals<'d>(
    scene: &mut Scene<'_, 'd>,
    ready: &Ready<'_, 'd>,
    all: Vec<Mutation>,
) -> Result<(Vec<(Mutation, Exchange)>, Vec<Exchange>), String> {
    let (mut refused, mut granted) = (Vec::new(), Vec::new());
    for mutation in all {
        let mut sent = scene.compose(ready, "leftovers")?;
        scene.put_json(&mut sent, &ready.call, mutation.value.clone());
        let exchange = scene.send(sent).await;
        if succeeded(&exchange) {
            granted.push(exchange);
        } else {
            refused.push((mutation, exchange));
        }
    }
    Ok((refused, granted))
}

/// Sends a valid request without credentials; returns it if it was refused.
async fn without_credentials<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Option<(Mutation, Exchange)> {
    let sent = authentication::without_credentials(scene, call, ready, "leftovers-nobody")?;
    let mutation = Mutation {
        pointer: Pointer::root(),
        keyword: "security",
        value: sent.json.clone()?,
        what: "no credentials".to_owned(),
    };
    let exchange = scene.send(sent).await;
    (!succeeded(&exchange)).then_some((mutation, exchange))
}

/// Whether a record has the values of a request, except at the mistake.
fn derives_from(record: &Node, mutation: &Mutation) -> bool {
    let wrong = mutation.pointer.segments().next();
    let mut shared = mutation.value.entries().filter_map(|entry| {
        let is_wrong = wrong.as_ref().is_some_and(|wrong| *wrong == entry.key);
        let other = record.get(&entry.key).filter(|_| !is_wrong)?;
        Some(other.same_value(&entry.value))
    });
    let first = shared.next();
    first == Some(true) && shared.all(|same| same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_refused_requests() {
        let read = |text: &str| openapi_document::json::read_text(text).unwrap();
        let mutation = Mutation {
            pointer: Pointer::parse("/tags/0").unwrap(),
            keyword: "maxLength",
            value: read(r#"{"name":"a","tags":["xxx"]}"#),
            what: String::new(),
        };
        for (record, expected) in [
            (r#"{"id":1,"name":"a","tags":[]}"#, true),
            (r#"{"id":1,"name":"b"}"#, false),
            (r#"{"id":1}"#, false),
        ] {
            assert_eq!(derives_from(&read(record), &mutation), expected, "{record}");
        }
    }
}
