//! Reads what has to be there with what: `Required if kind is parcel`.

use super::clause::Clause;
use crate::pattern::{Capture, Match};
use crate::rule::{Condition, Need, Requires, Rule};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let (form, found) = clause.find("requires")?;
    // A further alternative after a remark in brackets belongs to the condition.
    if clause.after(&found).iter().any(|token| token.lower == "or") {
        return None;
    }
    let place = clause.place;
    let names: Vec<String> = found.all(&[Capture::Ref, Capture::Name]);
    let (first, other) = (names.first()?.clone(), names.last()?.clone());
    let need = form.says.get("need")?;
    // "`x` is required if `y` is" at an operation names both.
    if need == "two" {
        return Some(Rule::Requires(Requires {
            subject: place.named_subject(&first),
            need: Need::Present,
            condition: Condition {
                name: other,
                values: values(&found),
                negated: false,
            },
        }));
    }
    // "You must provide `x`" at a place asks for `x` where the place is given.
    let Some(need) = Need::parse(need) else {
        return Some(Rule::Requires(Requires {
            subject: place.named_subject(&other),
            need: Need::Present,
            condition: Condition {
                name: place.name?.to_owned(),
                values: Vec::new(),
                negated: false,
            },
        }));
    };
    Some(Rule::Requires(Requires {
        subject: place.subject()?,
        need,
        condition: Condition {
            name: other,
            values: values(&found),
            negated: form.says.contains_key("negated"),
        },
    }))
}

fn values(found: &Match) -> Vec<String> {
    let values = found.get(Capture::Values);
    values.map_or_else(Vec::new, <[String]>::to_vec)
}
