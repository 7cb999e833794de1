//! What a request has to be equal to, by what is said of its operation: a payment to the `balanceDue` of the record that
//! it is about. It is taken from the last step that has answered that record.

use spec::Pointer;

use super::growth::{Grower, Growth};
use crate::case::Request;
use crate::expression::{Expression, Template};
use crate::model::{Call, Record, names, prose};
use crate::shape::Shape;

impl<'d> Grower<'_, 'd> {
    /// Puts what has to be equal to something of a record into a request.
    pub(super) fn bind_equal(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        request: &mut Request<'d>,
    ) -> Option<()> {
        request.body.as_ref()?;
        let kind = self.maker(call)?.record()?;
        let record = Shape::of(self.model.document, Some(&kind.schema));
        let body = Shape::of(self.model.document, call.body.as_ref());
        let [own] = body.property_names()[..] else {
            return None;
        };
        let spoken = call.spoken();
        let listed = record.property_names();
        let name = listed
            .iter()
            .find(|name| spoken.iter().any(|own| is_equal(own, name)))?;
        let value = self.told_last(growth, kind, name)?;
        let at = Pointer::root().join(own);
        request.replacements.push((at, value));
        Some(())
    }

    /// Puts all that a record says to be due into a request that pays it.
    pub(super) fn bind_due(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        request: &mut Request<'d>,
    ) -> Option<()> {
        let (own, due) = self.due(call)?;
        let kind = self.maker(call)?.record()?;
        let value = self.told_last(growth, kind, due)?;
        request
            .replacements
            .push((Pointer::root().join(own), value));
        Some(())
    }

    /// The amount that a call pays on a record, and what the record says to be due of it.
    pub(super) fn due(&self, call: &Call<'d>) -> Option<(&'d str, &'d str)> {
        const DUE: [&str; 5] = ["due", "outstanding", "remaining", "unpaid", "owed"];
        let kind = self.maker(call)?.record()?;
        let document = self.model.document;
        let record = Shape::of(document, Some(&kind.schema));
        let body = Shape::of(document, call.body.as_ref());
        let is_amount = |own: &&str| names::words(own).iter().any(|own| own == "amount");
        let amounts: Vec<&'d str> = body
            .property_names()
            .into_iter()
            .filter(is_amount)
            .collect();
        let [own] = amounts[..] else { return None };
        let form = |shape: &Shape<'d>, name: &str| {
            let property = shape.property(document, name);
            (property.type_name(), property.property_names())
        };
        let wanted = form(&body, own);
        // A day is due, too.
        let is_due =
            |name: &&str| prose::has(&names::words(name), &DUE) && form(&record, name) == wanted;
        let mut all = record.property_names().into_iter().filter(is_due);
        let due = all.next().filter(|_| all.next().is_none())?;
        Some((own, due))
    }

    /// What the last answer before it tells of a property of a kind of record.
    fn told_last(
        &self,
        growth: &mut Growth<'d>,
        kind: &Record<'d>,
        name: &str,
    ) -> Option<Template> {
        let model = self.model;
        let mut steps = growth.steps.iter_mut().rev();
        let (step, pointer) = steps.find_map(|step| {
            let answered = model.call(&step.name.operation)?.record()?;
            answered.is(kind).then(|| (step, answered.at.join(name)))
        })?;
        let output = (name.to_owned(), Expression::ResponseBody(pointer));
        if !step.flow.outputs.contains(&output) {
            step.flow.outputs.push(output);
        }
        Some(Template::Whole(Expression::StepOutput {
            step: step.id.clone(),
            name: name.to_owned(),
        }))
    }
}

/// Whether a sentence says that something has to be equal to a property.
fn is_equal(sentence: &[String], name: &str) -> bool {
    const EQUAL: [&str; 4] = ["equal", "match", "exactly", "same"];
    const HAS_TO: [&str; 4] = ["has", "have", "must", "should"];
    let own = names::words(name);
    let at = sentence.windows(own.len()).position(|part| part == own);
    let before = at.map(|at| &sentence[..at]).unwrap_or_default();
    own.len() > 1 && prose::has(before, &EQUAL) && prose::has(before, &HAS_TO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_to_be_equal() {
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
            let said = prose::spoken(text).iter().any(|own| is_equal(own, name));
            assert_eq!(said, expected, "{text}");
        }
    }
}
