//! Reads names: what parameters are called like.

use openapi_document::view::{Location, Operation};

use crate::collection::Collection;
use crate::fact::Fact;
use crate::lexicon::Lexicon;
use crate::name::normalized;
use crate::rule::{Idempotency, Order, Paging, PagingRole, Rule};
use crate::source::Source;
use crate::subject::Subject;
use crate::vocabulary::Vocabulary;

/// Roles of the lexicon that names have, with what such a parameter is for.
const PAGING: [(&str, PagingRole); 4] = [
    ("size-name", PagingRole::Size),
    ("page-name", PagingRole::Page),
    ("offset-name", PagingRole::Offset),
    ("cursor-name", PagingRole::Cursor),
];

/// Adds what the names of parameters suggest.
pub(super) fn read(vocabulary: &Vocabulary<'_>, lexicon: &Lexicon, facts: &mut Collection) {
    for operation in vocabulary.operations() {
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
}

/// What a query parameter of this name is for in the paging of a list.
pub fn paging_role(name: &str) -> Option<PagingRole> {
    role(Lexicon::english(), &normalized(name))
}

fn role(lexicon: &Lexicon, normalized: &str) -> Option<PagingRole> {
    let mut known = PAGING.iter();
    let found = known.find(|(role, _)| lexicon.roles.has(role, normalized));
    found.map(|(_, role)| *role)
}

/// Whether a header of this name carries a key under which a repeated request takes effect once.
pub fn is_idempotency_key(name: &str) -> bool {
    let lexicon = Lexicon::english();
    lexicon.roles.has("key-name", &normalized(name))
}

fn of_query(lexicon: &Lexicon, name: &str, subject: Subject) -> Option<Rule> {
    if lexicon.roles.has("order-name", name) {
        return Some(Rule::Order(Order {
            subject,
            by: None,
            direction: None,
        }));
    }
    let role = role(lexicon, name)?;
    Some(Rule::Paging(Paging { subject, role }))
}

fn of_header(
    lexicon: &Lexicon,
    operation: &Operation<'_>,
    name: &str,
    subject: Subject,
) -> Option<Rule> {
    let is_key = lexicon.roles.has("key-name", name) && !operation.method.is_safe();
    is_key.then_some(Rule::Idempotency(Idempotency { key: subject }))
}
