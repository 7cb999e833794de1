//! Reads keywords and extensions that state a fact.

use openapi_document::Node;
use openapi_document::view::{Location, MediaType, Operation, Parameter};

use crate::collection::Collection;
use crate::fact::Fact;
use crate::rule::{Condition, Need};
use crate::rule::{Default, Idempotency, Paging, PagingRole, Requires, Rule, Unique};
use crate::source::Source;
use crate::subject::Subject;
use crate::vocabulary::Vocabulary;

/// Adds what the keywords of an operation state.
pub(super) fn read<'d>(
    vocabulary: &Vocabulary<'d>,
    operation: &Operation<'d>,
    facts: &mut Collection,
) {
    for parameter in operation.parameters() {
        of_parameter(vocabulary, operation, &parameter, facts);
    }
    of_body(vocabulary, operation, facts);
    if let Some((flag, holds)) = flag(operation.at.node, "x-idempotent") {
        let key = subject(operation, None);
        let rule = Rule::Idempotency(Idempotency::new(key, holds));
        facts.add(Fact::new(rule, Source::Schema(flag.span)));
    }
    if let Some(mark) = operation.at.node.get("x-pagination") {
        of_pages(operation, mark, facts);
    }
}

/// The stated paging of a list: none, or the parameter that leads to the next page.
fn of_pages(operation: &Operation<'_>, mark: &Node, facts: &mut Collection) {
    const WAYS: [(&str, PagingRole); 4] = [
        ("page", PagingRole::Page),
        ("offset", PagingRole::Offset),
        ("cursor", PagingRole::Cursor),
        ("lastItem", PagingRole::Cursor),
    ];
    let mut state = |node: &Node, name: Option<&str>, role| {
        let subject = subject(operation, name);
        let rule = Rule::Paging(Paging { subject, role });
        facts.add(Fact::new(rule, Source::Schema(node.span)));
    };
    if mark.as_bool() == Some(false) {
        state(mark, None, PagingRole::None);
    }
    let parameters = operation.parameters();
    for (way, role) in WAYS {
        let stated = mark.get(way).and_then(|node| Some((node, node.as_str()?)));
        if let Some((node, name)) =
            stated.filter(|(_, name)| parameters.iter().any(|one| one.name == *name))
        {
            state(node, Some(name), role);
        }
    }
}

/// An extension with a boolean value.
fn flag<'d>(node: &'d Node, key: &str) -> Option<(&'d Node, bool)> {
    let flag = node.get(key)?;
    Some((flag, flag.as_bool()?))
}

fn of_parameter<'d>(
    vocabulary: &Vocabulary<'d>,
    operation: &Operation<'d>,
    parameter: &Parameter<'d>,
    facts: &mut Collection,
) {
    let schema = parameter
        .schema()
        .and_then(|schema| vocabulary.resolved(&schema));
    if let Some(schema) = schema {
        of_value(operation, parameter.name, schema.node, facts);
    }
    let flag = flag(parameter.at.node, "x-idempotency-key");
    if let (Some((flag, holds)), Location::Header) = (flag, parameter.location) {
        let key = subject(operation, Some(parameter.name));
        let rule = Rule::Idempotency(Idempotency::new(key, holds));
        facts.add(Fact::new(rule, Source::Schema(flag.span)));
    }
}

fn of_body<'d>(vocabulary: &Vocabulary<'d>, operation: &Operation<'d>, facts: &mut Collection) {
    let body = operation.request_body();
    let content = body.map(|body| body.content()).unwrap_or_default();
    let Some(schema) = content.iter().find_map(MediaType::schema) else {
        return;
    };
    for property in vocabulary.properties(&schema) {
        if let Some(schema) = vocabulary.resolved(&property.schema) {
            of_value(operation, property.name, schema.node, facts);
        }
    }
    let resolved = vocabulary.resolved(&schema);
    let dependent = resolved.and_then(|schema| schema.node.get("dependentRequired"));
    for entry in dependent.into_iter().flat_map(Node::entries) {
        for name in entry.value.strings() {
            let rule = Rule::Requires(Requires {
                subject: subject(operation, Some(name)),
                need: Need::Present,
                condition: Condition {
                    name: entry.key.clone(),
                    values: Vec::new(),
                    negated: false,
                },
            });
            facts.add(Fact::new(rule, Source::Schema(entry.value.span)));
        }
    }
}

/// The default of a value, and whether its `x-natural-key` makes it unique.
fn of_value(operation: &Operation<'_>, name: &str, schema: &Node, facts: &mut Collection) {
    if let Some(value) = schema.get("default").filter(|value| !value.is_null()) {
        let rule = Rule::Default(Default {
            subject: subject(operation, Some(name)),
            value: value
                .as_str()
                .map_or_else(|| value.to_json(), str::to_owned),
        });
        facts.add(Fact::new(rule, Source::Schema(value.span)));
    }
    let flag = schema.get("x-natural-key");
    if let Some(flag) = flag.filter(|flag| flag.as_bool() == Some(true)) {
        let rule = Rule::Unique(Unique {
            subject: subject(operation, Some(name)),
            holds: true,
            ignores_case: false,
            scope: None,
            status: None,
        });
        facts.add(Fact::new(rule, Source::Schema(flag.span)));
    }
}

fn subject(operation: &Operation<'_>, name: Option<&str>) -> Subject {
    Subject {
        owner: operation.label(),
        name: name.map(str::to_owned),
    }
}
