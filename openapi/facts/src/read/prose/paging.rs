//! Reads what parameters are for in the paging of a list: `The number of parcels per page`.

use super::clause::Clause;
use crate::rule::{Paging, PagingRole, Rule};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let (form, _) = clause.find("paging")?;
    let role = PagingRole::parse(form.says.get("role")?)?;
    let subject = match role {
        PagingRole::None => clause.place.whole(),
        _ => clause.place.subject()?,
    };
    Some(Rule::Paging(Paging { subject, role }))
}
