//! Refusals: a refused change must leave its record unchanged.

use openapi_document::{Mapping, Node, Value};

use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::mutation::{Mutation, mutations};
use crate::value;

use crate::answered::{record_of, succeeded};
use crate::scene::addressing::can_address;
use crate::scene::draft::{Draft, Tried};
use crate::scene::unchanged::claim_changes;
use crate::scene::{Ready, Scene};

/// At most this many refusals per operation.
const MOST: usize = 8;

/// Tests an operation that changes a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Change || call.body.is_none() {
        return Ok(false);
    }
    // `of` returns `false` if no operation reads the record, or nothing is refused.
    test_call(scene, call, draft).await
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "refusals").await?;
    let sent = scene.compose(&ready, "refusals")?;
    let (Some(body), Some(schema)) = (sent.json.clone(), &call.body) else {
        return Ok(false);
    };
    let Some(reader) = reader(scene, call, &sent) else {
        return Ok(false);
    };
    let all = chosen(mutations(scene.contract(), schema, (&body, &sent.encoding)));
    let Some(before) = read(scene, reader, &sent).await? else {
        return Ok(false);
    };
    let mut refused = None;
    for mutation in all {
        let exchange = provoke(scene, &ready, mutation).await?;
        if succeeded(&exchange) {
            // The law `constraints` reports it; the record is changed now.
            return Ok(false);
        }
        refused = Some(exchange);
    }
    let Some(refused) = refused else {
        return Ok(false);
    };
    if let Some(after) = read(scene, reader, &sent).await?
        && !scene.model.is_moving(&before)
    {
        claim_changes(scene, (call, reader), (&before, &after), &refused, draft);
    }
    Ok(true)
}

/// Mistakes of different kinds. The last ones come first, as they keep most of the change.
pub(crate) fn chosen(all: Vec<Mutation>) -> Vec<Mutation> {
    let mut list: Vec<Mutation> = Vec::new();
    for mutation in all.into_iter().rev() {
        let is_inside = !mutation.pointer.is_root();
        let is_new = !list
            .iter()
            .any(|other| other.keyword == mutation.keyword && other.pointer == mutation.pointer);
        if is_inside && is_new && list.len() < MOST {
            list.push(mutation);
        }
    }
    list
}

/// The operation that reads the record which the request names.
fn reader<'w, 'd>(scene: &Scene<'w, 'd>, call: &Call<'d>, sent: &Sent) -> Option<&'w Call<'d>> {
    let named = named(sent);
    let kind = call.record()?;
    let readers = scene.model.readers(kind).into_iter();
    let mut readers = readers.filter(|call| !call.path_parameters().is_empty());
    readers.find(|call| can_address(call, &named, sent))
}

/// The body of the request in place of the record.
fn named(sent: &Sent) -> Node {
    let nothing = || value::node(Value::Mapping(Mapping::default()));
    sent.json.clone().unwrap_or_else(nothing)
}

async fn read<'d>(
    scene: &mut Scene<'_, 'd>,
    reader: &Call<'d>,
    sent: &Sent,
) -> Result<Option<Node>, String> {
    let exchange = scene.read(reader, &named(sent), sent).await?;
    Ok(record_of(reader, &exchange).cloned())
}

async fn provoke<'d>(
    scene: &mut Scene<'_, 'd>,
    ready: &Ready<'_, 'd>,
    mutation: Mutation,
) -> Result<Exchange, String> {
    let mut sent = scene.compose(ready, "refusals")?;
    scene.put_json(&mut sent, &ready.call, mutation.value);
    Ok(scene.send(sent).await)
}

#[cfg(test)]
mod tests {
    use super::*;
    use openapi_document::Pointer;

    #[test]
    fn mistakes_of_different_kinds_are_chosen() {
        let mutation = |pointer: &str, keyword| Mutation {
            pointer: Pointer::parse(pointer).unwrap(),
            keyword,
            value: value::number(1),
            what: String::new(),
        };
        let all = vec![
            mutation("", "type"),
            mutation("/a", "pattern"),
            mutation("/a", "pattern"),
            mutation("/b", "pattern"),
        ];
        assert_eq!(chosen(all).len(), 2);
    }
}
