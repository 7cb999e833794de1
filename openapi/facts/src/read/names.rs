//! Reads the names of parameters.

use openapi_document::view::{Location, Operation};

use crate::collection::Collection;
use crate::fact::Fact;
use crate::lexicon::Lexicon;
use crate::name::normalized;
use crate::rule::{Idempotency, Order, Paging, PagingRole, Rule};
use crate::source::Source;
use crate::subject::Subject;

/// Adds what the parameter names of an operation suggest.
pub(super) fn read(operation: &Operation<'_>, lexicon: &Lexicon, facts: &mut Collection) {
    for parameter in operation.parameters() {
        let name = normalized(parameter.name);
        let subject = Subject {
            owner: operation.label(),
            name: Some(parameter.name.to_owned()),
        };
        let rule = match parameter.location {
            Location::Query if operation.method.is_safe() => of_query(lexicon, &name, subject),
            Location::Header => of_header(lexicon, operation, &name, subject),
            _ => None,
        };
        if let Some(rule) = rule {
            facts.add(Fact::new(rule, Source::Name(parameter.at.node.span)));
        }
    }
}

fn of_query(lexicon: &Lexicon, name: &str, subject: Subject) -> Option<Rule> {
    if lexicon.roles.has("order-name", name) {
        return Some(Rule::Order(Order {
            subject,
            by: None,
            direction: None,
        }));
    }
    let role = PagingRole::of_name(name)?;
    Some(Rule::Paging(Paging { subject, role }))
}

fn of_header(
    lexicon: &Lexicon,
    operation: &Operation<'_>,
    name: &str,
    subject: Subject,
) -> Option<Rule> {
    let is_key = lexicon.roles.has("key-name", name) && !operation.method.is_safe();
    is_key.then(|| Rule::Idempotency(Idempotency::new(subject, true)))
}
