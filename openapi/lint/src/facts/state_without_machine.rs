//! Checks that each property that an operation moves to another state has a machine.

use openapi_document::behaviour::contradictions::{property, schema};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::Node;
use openapi_document::view::{Located, Operation};
use openapi_facts::{Rule as Says, StateField};

use crate::context::Reading;
use crate::level::Level;
use crate::rule::{Check, Rule};

pub(super) const RULE: Rule = Rule {
    id: "state-field-without-machine",
    default: Level::Info,
    summary: "Each property that an operation moves to another state belongs to a record",
    why: "Without a machine, no test knows in which states the operation is allowed. The rule \
          considers properties with a state-like name and listed values if an operation leads to \
          one of the values: a sentence says so, or the operation is named like the value. \
          `behaviour-unmodelled-state` reports properties of components whose name ends with \
          `state` or `status`.",
    remedy: "Add a record with its `schema`, `property` and machine to behaviour.yaml; or write \
             `x-state: false` on a property that never changes.",
    wrong: "\
paths:
  /projects/{id}/archive:
    post:
      operationId: archiveProject
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Project'}}}}}
components:
  schemas:
    Project:
      properties:
        phase: {type: string, enum: [running, archived]}
# behaviour.yaml
behaviour: 2.0.0",
    right: "\
paths:
  /projects/{id}/archive:
    post:
      operationId: archiveProject
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Project'}}}}}
components:
  schemas:
    Project:
      properties:
        phase: {type: string, enum: [running, archived]}
# behaviour.yaml
behaviour: 2.0.0
actors: {owner: {summary: Who owns it.}}
records:
  project:
    summary: A project.
    schema: Project
    property: phase
    states: {running: {summary: It runs.}, archived: {summary: It is kept.}}
    events: {archive: {summary: It ends., done: archived, by: owner, operations: {project: archiveProject}}}
    machines:
      project: {summary: A project., initial: [running], transitions: [{from: running, event: archive, to: archived}]}",
    check: Check::Facts(check),
};

/// The maximum number of letters that turn a verb into a state: `cancel`, `cancelled`.
const ENDING: usize = 3;

fn check(reading: &Reading<'_>, diagnostics: &mut Diagnostics) {
    let modelled: Vec<&Node> = modelled(reading).map(|field| field.node).collect();
    let mut found: Vec<(StateField<'_>, &Node, Vec<String>)> = Vec::new();
    for operation in reading.vocabulary.operations() {
        let Some((field, node, value)) = moved(reading, operation) else {
            continue;
        };
        let words = format!("`{value}` by {}", operation.label());
        match found
            .iter_mut()
            .find(|(_, known, _)| std::ptr::eq(*known, node))
        {
            Some((_, _, all)) => all.push(words),
            None => found.push((field, node, vec![words])),
        }
    }
    for (field, node, moves) in found {
        if modelled.iter().any(|known| std::ptr::eq(*known, node)) {
            continue;
        }
        let (name, moves) = (field.name, moves.join(", "));
        let title = format!("`{name}` becomes {moves}, but no record of the behaviour file has it");
        let finding = RULE.finding(title).at(field.at.node.span, "");
        diagnostics.push(finding.help(RULE.remedy));
    }
}

/// The state property that an operation moves, its schema, and the new state.
fn moved<'d>(
    reading: &Reading<'d>,
    operation: &Operation<'d>,
) -> Option<(StateField<'d>, &'d Node, String)> {
    let is_step = !operation.method.is_safe() && operation.path.contains('{');
    if !is_step || has_event(reading, operation) {
        return None;
    }
    let field = reading.vocabulary.state_field(operation)?;
    let node = reading.document.resolve(&field.at).ok()?.node;
    let is_excused = node.get("x-state").and_then(Node::as_bool) == Some(false);
    if is_excused || is_of_another_rule(&field) {
        return None;
    }
    let value = by_fact(reading, operation, &field).or_else(|| by_name(operation, &field))?;
    Some((field, node, value))
}

/// Whether a machine has an event for the operation.
fn has_event(reading: &Reading<'_>, operation: &Operation<'_>) -> bool {
    let records = reading.behaviour.records.iter();
    let events = records.flat_map(|record| &record.events);
    let mut operations = events.flat_map(|event| &event.operations);
    operations.any(|(_, name)| Some(name.text.as_str()) == operation.id())
}

/// Whether `behaviour-unmodelled-state` checks the property.
fn is_of_another_rule(field: &StateField<'_>) -> bool {
    let name = field.name.to_lowercase();
    let is_named = name.ends_with("state") || name.ends_with("status");
    is_named
        && field
            .at
            .pointer
            .as_str()
            .starts_with("/components/schemas/")
}

/// The state that an operation leads to according to a fact.
fn by_fact(
    reading: &Reading<'_>,
    operation: &Operation<'_>,
    field: &StateField<'_>,
) -> Option<String> {
    let label = operation.label();
    let mut facts = reading.facts.list.iter();
    facts.find_map(|fact| match &fact.rule {
        Says::Effect(effect) if effect.operation == label => field
            .values
            .contains(&effect.value.as_str())
            .then(|| effect.value.clone()),
        _ => None,
    })
}

/// The only state that is named like an operation: `cancelOrder`, or `/orders/{id}/cancel`, leads
/// to `cancelled`.
fn by_name(operation: &Operation<'_>, field: &StateField<'_>) -> Option<String> {
    let last = operation
        .path
        .rsplit('/')
        .next()
        .filter(|name| !name.contains('{'));
    let verbs = [operation.id().map(verb), last.map(verb)];
    verbs.into_iter().flatten().find_map(|verb| {
        let mut values = field.values.iter().filter(|value| is_done(&verb, value));
        let only = values.next()?;
        values.next().is_none().then(|| (*only).to_owned())
    })
}

/// The first word of a name, in lower case.
fn verb(name: &str) -> String {
    let is_more = |(at, c): (usize, char)| at > 0 && !c.is_ascii_lowercase();
    let end = name.char_indices().position(is_more).unwrap_or(name.len());
    name.chars()
        .take(end)
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a state is the participle of a verb.
fn is_done(verb: &str, state: &str) -> bool {
    let state = state.to_lowercase();
    let rest = state.strip_prefix(verb);
    verb.len() > 2 && rest.is_some_and(|rest| rest.len() <= ENDING && rest.ends_with('d'))
}

/// The properties that records name.
fn modelled<'d>(reading: &Reading<'d>) -> impl Iterator<Item = Located<'d>> {
    reading.behaviour.records.iter().filter_map(|record| {
        let shown = schema(reading.document, &record.schema.as_ref()?.text)?;
        property(reading.document, &shown, &record.property.as_ref()?.text)
    })
}
