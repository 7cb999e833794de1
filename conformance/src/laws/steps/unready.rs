//! Unready: a record on which a step is refused as documented, since the step does not lead from the state that the record was
//! made in.

use spec::Node;

use crate::exchange::Exchange;
use crate::laws::trial::answered::record_of;
use crate::model::{Call, Model, names, prose};
use crate::shape::Shape;

use super::barred::verb;
use super::stated::{read, texts};

/// The state of the record that a call was sent for, as what was answered before the call tells it, and whether a text says
/// that the call is refused in it.
pub(crate) fn state<'e>(
    model: &Model<'_>,
    call: &Call<'_>,
    status: u16,
    before: &'e [Exchange],
) -> Option<(&'e str, bool)> {
    let kind = call.record()?;
    let shape = Shape::of(model.document, Some(&kind.schema));
    let mut properties = shape.property_names().into_iter();
    let mut properties = properties.by_ref().filter(|own| names::tells_state(own));
    let property = properties.next().filter(|_| properties.next().is_none())?;
    let mut before = before.iter().rev();
    let record = before.find_map(|exchange| {
        let made = model.call(&exchange.sent.operation)?;
        let is_alike = made.record().is_some_and(|own| own.is(kind));
        record_of(made, exchange).filter(|_| is_alike)
    })?;
    let own = record.get(property).and_then(Node::as_str)?;
    let mut said: Vec<String> = Vec::new();
    texts(call.response(status)?.at.node, &mut said);
    let sentences = call.texts().flat_map(prose::sentences).map(str::to_owned);
    said.extend(sentences);
    let states = shape.property(model.document, property).known_values();
    let verb = verb(call)?;
    let bars = |text: &String| read(text, &states, &verb).is_some_and(|all| all.bars(own, &verb));
    Some((own, said.iter().any(bars)))
}
