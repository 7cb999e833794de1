//! Unready: a record on which a step is refused as documented, since the step does not lead from the state that the record was
//! brought to.

use openapi_document::Node;

use crate::exchange::Exchange;
use crate::laws::trial::answered::record_of;
use crate::model::{Call, Model, names, prose};
use crate::shape::Shape;

use super::barred::verb;
use super::stated::{read, texts};

/// One way that was taken to a call, and was not granted.
pub(crate) struct Attempt {
    /// What was answered before the call.
    pub(crate) before: Vec<Exchange>,
    /// Whether all of that was granted.
    pub(crate) is_granted: bool,
    /// The step that was to change the record, if there was one.
    pub(crate) change: Option<String>,
}

/// The state of the record that a call was sent for, where a text says that the call is refused in it, whichever way was
/// taken. A change that is said to lead to another one, and was granted, has to lead on: where the record stays as it
/// was made, there is none.
pub(crate) fn state<'e>(
    model: &Model<'_>,
    call: &Call<'_>,
    status: u16,
    all: &'e [Attempt],
) -> Option<&'e str> {
    let kind = call.record()?;
    let shape = Shape::of(model.document, Some(&kind.schema));
    let property = names::own_state(shape.property_names().into_iter())?;
    let brought_to = |own: &'e Attempt| {
        let record = own.before.iter().rev().find_map(|exchange| {
            let made = model.call(&exchange.sent.operation)?;
            let is_alike = made.record().is_some_and(|own| own.is(kind));
            record_of(made, exchange).filter(|_| is_alike)
        })?;
        record.get(property).and_then(Node::as_str)
    };
    let mut said: Vec<String> = Vec::new();
    texts(call.response(status)?.at.node, &mut said);
    let sentences = call.texts().flat_map(prose::sentences).map(str::to_owned);
    said.extend(sentences);
    let states = shape.property(model.document, property).known_values();
    let verb = verb(call)?;
    let bars = |state: &str| {
        let mut said = said.iter().filter_map(|own| read(own, &states, &verb));
        said.any(|own| own.bars(state, &verb))
    };
    let is_told = |operation: &String| {
        let Some(step) = model.call(operation) else {
            return false;
        };
        let verbs = names::words(&step.about);
        let said: Vec<String> = step.texts().flat_map(names::words).collect();
        let mut led_to = states.iter().filter(|own| !bars(own));
        led_to.any(|own| {
            let own = names::words(&own.to_lowercase());
            let is_said = said.windows(own.len()).any(|part| part == own);
            let is_done = |word: &String| verbs.iter().any(|verb| names::is_done(word, verb));
            is_said || own.iter().any(is_done)
        })
    };
    let mut plain = all.iter().filter(|own| own.change.is_none());
    let made = plain.find_map(brought_to);
    let has_stayed = |own: &'e Attempt| {
        let is_meant = own.is_granted && own.change.as_ref().is_some_and(is_told);
        is_meant && brought_to(own) == made
    };
    let mut known = all.iter().filter_map(brought_to).peekable();
    let first = known.peek().copied()?;
    (known.all(bars) && !all.iter().any(has_stayed)).then_some(first)
}
