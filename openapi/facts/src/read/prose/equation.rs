//! Reads how a number is computed from others: `The total minus the fee`.

use super::clause::Clause;
use crate::expression::Expression;
use crate::pattern::Capture;
use crate::rule::{Equation, Rule};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let place = clause.place;
    let is_number = matches!(place.type_name()?, "integer" | "number");
    // Sentences seldom say to how many decimals a value is rounded.
    if !is_number || clause.has("round") {
        return None;
    }
    let (_, found) = clause.find("equation")?;
    let sum = || {
        let names = found.all(&[Capture::Refs]);
        (names.len() > 1).then(|| names.join(" + "))
    };
    let text = found.first(Capture::Formula).or_else(sum)?;
    let equals = Expression::try_from(text).ok()?;
    let subject = place.subject()?;
    let is_itself = equals
        .properties()
        .any(|name| subject.name.as_deref() == Some(name));
    (!is_itself).then_some(Rule::Equation(Equation {
        subject,
        equals,
        decimals: None,
        rounded: None,
        from: None,
        per: None,
        condition: None,
    }))
}
