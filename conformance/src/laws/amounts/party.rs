//! Party: a record that a request pays something into or out of, told by the keys that it names.

use spec::Node;

use crate::exchange::Sent;
use crate::model::{self, Call, Role};
use crate::shape::Shape;
use crate::value;

use super::flow::{Flow, of_part, of_verb, tells_of_balance};
use crate::laws::steps::outcome::{Change, outcomes};
use crate::laws::trial::answered::{own_key, record_of};
use crate::laws::trial::world::{Ready, World};

/// A record that something is paid into or out of.
pub(crate) struct Party<'w, 'd> {
    pub(crate) flow: Flow,
    pub(crate) maker: &'w Call<'d>,
    pub(crate) reader: &'w Call<'d>,
    pub(crate) record: Node,
    pub(crate) with: Sent,
}

/// What the text of an operation says of a balance; else the last part of the path, or the name of the operation.
pub(crate) fn flow(call: &Call<'_>) -> Option<Flow> {
    said(call)
        .or_else(|| of_verb(model::collection(call.operation.path)))
        .or_else(|| call.operation.id().and_then(of_verb))
}

/// The way that an amount goes by the text of an operation, where it says one only: a credit note lowers what an invoice
/// comes to, whatever a credit does to an account.
fn said(call: &Call<'_>) -> Option<Flow> {
    way(call.texts())
}

fn way<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Flow> {
    let all = texts.flat_map(outcomes);
    let mut ways = all.filter_map(|own| {
        let way = match own.change {
            Change::Up(_) => Flow::In,
            Change::Down(_) => Flow::Out,
            _ => return None,
        };
        tells_of_balance(&own.property).then_some(way)
    });
    let first = ways.next()?;
    ways.all(|own| own == first).then_some(first)
}

/// Whether the body names both sides of what is moved.
pub(crate) fn names_parts<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> bool {
    let shape = Shape::of(world.model.document, call.body.as_ref());
    let mut names = shape.property_names().into_iter();
    names.any(|name| of_part(name).is_some())
}

/// The records that a request names, each with the way that the amount goes there.
pub(crate) fn parties<'w, 'd>(
    world: &World<'w, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Result<Vec<Party<'w, 'd>>, String> {
    let sent = world.compose(ready, "moves")?;
    let mut parties = Vec::new();
    for exchange in ready.state.kept.as_deref().unwrap_or_default() {
        let maker = world.model.call(&exchange.sent.operation);
        let Some(maker) = maker.filter(|own| own.role == Role::Create) else {
            continue;
        };
        let record = record_of(maker, exchange);
        let key = own_key(maker).and_then(|key| record?.get(key));
        let (Some(record), Some(key)) = (record, key) else {
            continue;
        };
        let Some(flow) = towards(call, &sent, key) else {
            continue;
        };
        let readers = world.readers_for(maker, record, &exchange.sent);
        if let Some(reader) = readers.first().copied() {
            parties.push(Party {
                flow,
                maker,
                reader,
                record: record.clone(),
                with: exchange.sent.clone(),
            });
        }
    }
    Ok(parties)
}

/// The way that an amount goes between a request and the record of a key.
fn towards(call: &Call<'_>, sent: &Sent, key: &Node) -> Option<Flow> {
    let body = sent.json.iter().flat_map(Node::entries);
    let mut named = body.filter(|entry| entry.value.same_value(key));
    let text = value::plain(key);
    let mut arguments = sent.path_arguments.iter();
    match named.next() {
        Some(entry) => of_part(&entry.key).or_else(|| flow(call)),
        None => arguments.any(|(_, own)| *own == text).then(|| flow(call))?,
    }
}

pub(crate) async fn read<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    party: &Party<'_, 'd>,
) -> Option<Node> {
    let read = world.read(party.reader, &party.record, &party.with).await;
    record_of(party.reader, &read.ok()?).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_that_texts_tell_of() {
        for (text, expected) in [
            (
                "The invoice's `balance` goes down by the amount.",
                Some(Flow::Out),
            ),
            ("`availableMinor` goes up by it", Some(Flow::In)),
            (
                "The `balance` of the source goes down and the `balance` of the target goes up",
                None,
            ),
            ("`amountCredited` goes up", None),
        ] {
            assert_eq!(way([text].into_iter()), expected, "{text}");
        }
    }
}
