//! Reads paging parameters: `The number of parcels per page`.

use super::clause::Clause;
use crate::pattern::Capture;
use crate::rule::{Paging, PagingRole, Rule};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let (form, found) = clause.find("paging")?;
    // A number of days is not a number of items.
    let counted = found.all(&[Capture::Some]);
    if counted.iter().any(|text| clause.text_has(text, "duration")) {
        return None;
    }
    let role = PagingRole::parse(form.says.get("role")?)?;
    let subject = match role {
        PagingRole::None => clause.place.whole(),
        _ => clause.place.subject()?,
    };
    Some(Rule::Paging(Paging { subject, role }))
}
