//! A change that is refused leaves its record as it was.

use openapi_document::{Mapping, Node, Value};

use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::mutation::{Mutation, mutations};
use crate::value;

use crate::answered::{record_of, succeeded};
use crate::scene::addressing::can_address;
use crate::scene::draft::{Draft, Tried};
use crate::scene::untouched::tell;
use crate::scene::{Ready, Scene};

/// So many refusals are provoked of one operation at most.
const MOST: usize = 8;

/// Tries an operation that changes or removes a record which can be read.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Change || call.body.is_none() {
        return Ok(false);
    }
    // Nothing reads what it changes, or nothing of it is refused.
    of(scene, call, draft).await
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
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
    for own in all {
        let exchange = provoke(scene, &ready, own).await?;
        if succeeded(&exchange) {
            // The law of constraints tells of it; the record is another one now.
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
        tell(scene, (call, reader), (&before, &after), &refused, draft);
    }
    Ok(true)
}

/// Refusals of many kinds: what is asked for beside the mistake is as much of a change as it may be.
pub(crate) fn chosen(all: Vec<Mutation>) -> Vec<Mutation> {
    let mut list: Vec<Mutation> = Vec::new();
    for own in all.into_iter().rev() {
        let is_inside = !own.pointer.is_root();
        let is_new = !list
            .iter()
            .any(|other| other.keyword == own.keyword && other.pointer == own.pointer);
        if is_inside && is_new && list.len() < MOST {
            list.push(own);
        }
    }
    list
}

/// The operation that reads what the request is about: its path and its body name it.
fn reader<'w, 'd>(
    scene: &Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    sent: &Sent,
) -> Option<&'w Call<'d>> {
    let named = named(sent);
    let kind = call.record()?;
    let readers = scene.model.readers(kind).into_iter();
    let mut readers = readers.filter(|own| !own.path_parameters().is_empty());
    readers.find(|own| can_address(own, &named, sent))
}

/// What the body says of the record, in the place of the record.
fn named(sent: &Sent) -> Node {
    let nothing = || value::node(Value::Mapping(Mapping::default()));
    sent.json.clone().unwrap_or_else(nothing)
}

async fn read<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    reader: &Call<'d>,
    sent: &Sent,
) -> Result<Option<Node>, String> {
    let exchange = scene.read(reader, &named(sent), sent).await?;
    Ok(record_of(reader, &exchange).cloned())
}

async fn provoke<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    ready: &Ready<'_, 'd>,
    own: Mutation,
) -> Result<Exchange, String> {
    let mut sent = scene.compose(ready, "refusals")?;
    scene.put_json(&mut sent, &ready.call, own.value);
    Ok(scene.send(sent).await)
}

#[cfg(test)]
mod tests {
    use super::*;
    use openapi_document::Pointer;

    #[test]
    fn many_kinds_of_mistakes_are_chosen() {
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
