//! Described: whether each property of an answer is as its description says, refusals too, where no documented answer is
//! otherwise. What a description says is up to who asks. Pure.

use openapi_document::node::Entry;
use openapi_document::view::{Document, MediaType};
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::laws::trial::contradiction::Contradiction;
use crate::model::Call;
use crate::shape::Shape;

/// A text in an answer with what is beside it.
pub(super) struct Place<'p, 'd> {
    /// Its name.
    pub(super) name: &'p str,
    /// What its description is.
    pub(super) text: &'d str,
    /// What is told.
    pub(super) told: &'p str,
    /// The object that it stands in, and the schema of that.
    pub(super) object: &'p Node,
    pub(super) shape: &'p Shape<'d>,
}

/// Reads a description: whether a property of some name may have one that says something, and what is due, where what is
/// told is otherwise.
pub(super) struct Reading<'r, 'd> {
    pub(super) document: &'d Document,
    pub(super) may_say: &'r dyn Fn(&str) -> bool,
    pub(super) due: &'r dyn Fn(&Place<'_, 'd>) -> Option<String>,
}

impl<'d> Reading<'_, 'd> {
    /// The first property of an answer that is not as it is described.
    pub(super) fn contradiction(
        &self,
        call: &Call<'d>,
        exchange: &Exchange,
    ) -> Option<Contradiction> {
        let answer = exchange.outcome.as_ref().ok()?;
        let body = answer.json()?;
        let response = call.operation.response(answer.status)?;
        let content = response.content();
        let schema = content.iter().find_map(MediaType::schema);
        let shape = Shape::of(self.document, schema.as_ref());
        let found = |body: &Node| self.first_within(&shape, body, &Pointer::root());
        let astray = found(body)?;
        let mut shown = content.iter().flat_map(MediaType::examples);
        let is_shown = shown.any(|own| found(own.value.node).is_some());
        (!is_shown).then_some(astray)
    }

    fn first_within(&self, shape: &Shape<'d>, node: &Node, at: &Pointer) -> Option<Contradiction> {
        // Most of an answer are plain values of which no text says anything.
        let may_have = |own: &&Entry| !is_plain(&own.value) || (self.may_say)(&own.key);
        let mut entries = node.entries().filter(may_have);
        let of_entries = entries.find_map(|entry| {
            let own = shape.property(self.document, &entry.key);
            let pointer = at.join(entry.key.as_str());
            let text = own.keyword("description").and_then(Node::as_str);
            let due = text.zip(entry.value.as_str()).and_then(|(text, told)| {
                (self.due)(&Place {
                    name: &entry.key,
                    text,
                    told,
                    object: node,
                    shape,
                })
            });
            let astray = due.map(|due| Contradiction {
                check: &checks::EFFECT_DIFFERS,
                pointer: pointer.clone(),
                due,
                told: entry.value.to_json(),
            });
            astray.or_else(|| self.first_within(&own, &entry.value, &pointer))
        });
        of_entries.or_else(|| {
            let shape = shape.items(self.document);
            let mut items = node.items().enumerate();
            items.find_map(|(index, own)| {
                self.first_within(&shape, own, &at.join(index.to_string()))
            })
        })
    }
}

/// Whether a value has nothing within it.
fn is_plain(node: &Node) -> bool {
    node.as_mapping().is_none() && node.as_sequence().is_none()
}
