//! Equal values: sets request properties that must equal a property of a record, as texts require.
//!
//! Example: a payment must equal the `balanceDue` of its invoice. The value comes from the last answer with that
//! record.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use super::growth::{Grower, Growth};
use super::plan::Plan;
use crate::case::Request;
use crate::expression::{Expression, Template};
use crate::model::{Call, Model, Record, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;

impl<'d> Grower<'_, 'd> {
    /// Sets the request property that must equal a property of the record. Adds a reading of the record if no earlier
    /// step answers it.
    pub(super) fn bind_equal(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        request: &mut Request<'d>,
        plan: &Plan<'d>,
        depth: usize,
    ) -> Option<()> {
        request.body.as_ref()?;
        let creator = self.creator_of_record(call);
        let kind = creator.map_or_else(|| call.record(), Call::record)?;
        let (property, name) = equals(self.model, call, kind)?;
        let value = if let Some(value) = self.last_value(growth, kind, name) {
            value
        } else {
            let mut readers = self.model.of(Role::Read);
            let is_same = |other: &&Call<'d>| {
                let is_alike = other.record().is_some_and(|record| record.is(kind));
                is_alike && other.path_parameters() == call.path_parameters()
            };
            let reader = readers.find(is_same).filter(|_| creator.is_none())?;
            self.grow(growth, reader, &plan.beside(), depth + 1)?;
            self.last_value(growth, kind, name)?
        };
        let at = Pointer::root().join(property);
        request.replacements.push((at, value));
        Some(())
    }

    /// Sets request properties of a replacing PUT that cannot change, by their texts, to the record's values.
    pub(super) fn bind_fixed(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        request: &mut Request<'d>,
    ) -> Option<()> {
        let body = request.body.as_ref()?.value.plain()?.clone();
        let replaces = call.operation.method == Method::Put && call.role == Role::Change;
        let kind = self
            .creator_of_record(call)
            .filter(|_| replaces)?
            .record()?;
        let document = self.model.document;
        let record = Shape::of(document, Some(&kind.schema)).property_names();
        let shape = Shape::of(document, call.body.as_ref());
        let spoken = call.spoken();
        let is_kept = |name: &&str| {
            let text = shape.property(document, name);
            let text = text.keyword("description").and_then(Node::as_str);
            let sentences = text.map_or_else(Vec::new, prose::spoken);
            record.contains(name)
                && (spoken.iter().any(|said| names_kept(said, name))
                    || sentences.iter().any(|sentence| keeps(sentence)))
        };
        for name in shape.property_names().into_iter().filter(is_kept) {
            if body.get(name).is_some()
                && let Some(value) = self.last_value(growth, kind, name)
            {
                let at = Pointer::root().join(name);
                request.replacements.push((at, value));
            }
        }
        Some(())
    }

    /// Sets the amount of a payment to the amount that the record shows as due.
    pub(super) fn bind_due(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        request: &mut Request<'d>,
    ) -> Option<()> {
        let (property, due) = self.due(call)?;
        let kind = self.creator_of_record(call)?.record()?;
        let value = self.last_value(growth, kind, due)?;
        request
            .replacements
            .push((Pointer::root().join(property), value));
        Some(())
    }

    /// The amount property of a call, and the record's property for the amount that is due.
    pub(super) fn due(&self, call: &Call<'d>) -> Option<(&'d str, &'d str)> {
        const DUE: [&str; 5] = ["due", "outstanding", "remaining", "unpaid", "owed"];
        let kind = self.creator_of_record(call)?.record()?;
        let document = self.model.document;
        let record = Shape::of(document, Some(&kind.schema));
        let body = Shape::of(document, call.body.as_ref());
        let is_amount = |name: &&str| names::words(name).iter().any(|word| word == "amount");
        let amounts: Vec<&'d str> = body
            .property_names()
            .into_iter()
            .filter(is_amount)
            .collect();
        let [property] = amounts[..] else { return None };
        let form = |shape: &Shape<'d>, name: &str| {
            let property = shape.property(document, name);
            (property.type_name(), property.property_names())
        };
        let wanted = form(&body, property);
        // A date can be called `due`, too, so the form has to match.
        let is_due =
            |name: &&str| prose::has(&names::words(name), &DUE) && form(&record, name) == wanted;
        let mut all = record.property_names().into_iter().filter(is_due);
        let due = all.next().filter(|_| all.next().is_none())?;
        Some((property, due))
    }

    /// The operation that creates the call's record. `None` if it creates another record that comes with this one.
    fn creator_of_record(&self, call: &Call<'d>) -> Option<&Call<'d>> {
        let creator = self.creator(call)?;
        let label = creator.operation.label();
        let mut of_path = call.path_parameters().into_iter();
        let is_issued = of_path.any(|name| {
            let issuer = self.model.issuer_for(&call.operation, name);
            issuer.is_some_and(|pair| pair.0.operation.label() == label)
        });
        (!is_issued).then_some(creator)
    }

    /// The value of a property from the last step that answers a kind of record.
    fn last_value(
        &self,
        growth: &mut Growth<'d>,
        kind: &Record<'d>,
        name: &str,
    ) -> Option<Template> {
        let model = self.model;
        let mut steps = growth.steps.iter().rev();
        let (step, pointer) = steps.find_map(|step| {
            let answered = model.call(&step.name.operation)?.record()?;
            let is_it = answered.is(kind);
            is_it.then(|| (step.id.clone(), answered.at.join(name)))
        })?;
        let value = growth.output(&step, name, Expression::ResponseBody(pointer));
        value.map(Template::Whole)
    }
}

/// The body property that must equal a property of a record, and that property. The property's text is searched
/// first,
/// then the operation's; with only one property in the body, a general sentence is enough.
pub(crate) fn equals<'d>(
    model: &Model<'d>,
    call: &Call<'d>,
    kind: &Record<'d>,
) -> Option<(&'d str, &'d str)> {
    let name = format!("{} {}", call.operation.label(), kind.schema.pointer);
    model.equals.get(&name, || find_equals(model, call, kind))
}

fn find_equals<'d>(
    model: &Model<'d>,
    call: &Call<'d>,
    kind: &Record<'d>,
) -> Option<(&'d str, &'d str)> {
    let document = model.document;
    let record = Shape::of(document, Some(&kind.schema));
    let body = Shape::of(document, call.body.as_ref());
    let (requested, listed) = (body.property_names(), record.property_names());
    let spoken = call.spoken();
    let of_itself = requested.iter().find_map(|property| {
        let text = body.property(document, property);
        let text = text.keyword("description").and_then(Node::as_str)?;
        let said = prose::spoken(text);
        let mut others = listed.iter().filter(|name| *name != property);
        let name = others.find(|name| said.iter().any(|said| is_same(said, name)))?;
        Some((*property, *name))
    });
    let of_it = || {
        requested.iter().find_map(|item| {
            let mut others = listed.iter().filter(|name| *name != item);
            let name = others.find(|name| spoken.iter().any(|said| must_be(said, item, name)))?;
            Some((*item, *name))
        })
    };
    let of_only = || {
        let [property] = requested[..] else {
            return None;
        };
        let name = listed
            .iter()
            .find(|name| spoken.iter().any(|sentence| is_equal(sentence, name)))?;
        Some((property, *name))
    };
    of_itself.or_else(of_it).or_else(of_only)
}

/// Whether a sentence requires equality with a property: `must be equal to the balance due`.
fn is_equal(sentence: &[String], name: &str) -> bool {
    const EQUAL: [&str; 4] = ["equal", "match", "exactly", "same"];
    const HAS_TO: [&str; 4] = ["has", "have", "must", "should"];
    let words = names::words(name);
    let at = sentence.windows(words.len()).position(|part| part == words);
    let before = at.map(|at| &sentence[..at]).unwrap_or_default();
    words.len() > 1 && prose::has(before, &EQUAL) && prose::has(before, &HAS_TO)
}

/// Whether the text of a property equates it with a property of a record: `equal to amount_due`.
fn is_same(sentence: &[String], name: &str) -> bool {
    let words = names::words(name);
    let at = sentence.windows(words.len()).position(|part| part == words);
    let mut before = at.map(|at| &sentence[..at]).unwrap_or_default();
    if let Some(rest) = before.strip_suffix(&["the".to_owned()]) {
        before = rest;
    }
    let is_last = |one: &str, other: &str| before.ends_with(&[one.to_owned(), other.to_owned()]);
    words.len() > 1 && (is_last("equal", "to") || is_last("same", "as"))
}

/// Whether a sentence equates a property with one of a record: `amount must be the amount_due of the invoice`.
fn must_be(sentence: &[String], property: &str, name: &str) -> bool {
    let (item, name) = (names::words(property), names::words(name));
    let must = ["must".to_owned(), "be".to_owned()];
    let at = |wanted: &[String]| {
        sentence
            .windows(wanted.len())
            .position(|part| part == wanted)
    };
    let places = at(&item).zip(at(&must)).zip(at(&name));
    name.len() > 1
        && places.is_some_and(|((item, must), name)| {
            let is_said = item < must && must < name && name < must + NEAR;
            is_said && !prose::has(&sentence[must..name], &["most", "least", "than", "not"])
        })
}

/// Whether a sentence says that something cannot be changed.
fn keeps(sentence: &[String]) -> bool {
    const NOT: [&str; 4] = ["cannot", "not", "never", "fixed"];
    const CHANGED: [&str; 3] = ["changed", "change", "fixed"];
    prose::has(sentence, &["immutable"])
        || (prose::has(sentence, &NOT) && prose::has(sentence, &CHANGED))
}

/// Whether a sentence says so about a property that it names first: `the serial number cannot be changed`.
fn names_kept(sentence: &[String], name: &str) -> bool {
    let words = names::words(name);
    let changed = sentence
        .iter()
        .position(|word| word == "changed" || word == "immutable");
    let before = &sentence[..changed.unwrap_or_default()];
    keeps(sentence) && before.windows(words.len()).any(|part| part == words)
}

/// Maximum number of words from "must" to the property: `must be the invoice s amount due`.
const NEAR: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_that_a_replacement_cannot_change() {
        for (text, expected) in [
            (
                "The serial number cannot be changed; another one is refused",
                true,
            ),
            ("`serialNumber` is immutable", true),
            ("The label can be changed, the serial number too", false),
            (
                "Nothing is changed where the serial number is unknown",
                false,
            ),
        ] {
            let said = prose::spoken(text);
            let found = said
                .iter()
                .any(|sentence| names_kept(sentence, "serialNumber"));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn properties_that_equal_one_of_the_record() {
        for (text, expected) in [
            ("The amount in cents, equal to `amount_due`.", (true, false)),
            (
                "`amount` must be the invoice's `amount_due`, else `422`",
                (false, true),
            ),
            (
                "`amount` must be at least 1, and at most what is left of the `amount_due`",
                (false, false),
            ),
            ("Not more than `amount_due`", (false, false)),
            ("`amount` must be at most `amount_due`", (false, false)),
        ] {
            let said = prose::spoken(text);
            let found = (
                said.iter().any(|item| is_same(item, "amount_due")),
                said.iter()
                    .any(|sentence| must_be(sentence, "amount", "amount_due")),
            );
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn sentences_that_require_equality() {
        for (text, name, expected) in [
            (
                "The payment has to equal `balanceDue` exactly",
                "balanceDue",
                true,
            ),
            ("The amount must match the amount due.", "amount_due", true),
            (
                "Afterwards `paidAmount` equals the total",
                "paidAmount",
                false,
            ),
            ("`balanceDue` must equal zero", "balanceDue", false),
        ] {
            let said = prose::spoken(text)
                .iter()
                .any(|sentence| is_equal(sentence, name));
            assert_eq!(said, expected, "{text}");
        }
    }
}
