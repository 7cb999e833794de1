//! Checks for unused components and invalid component names.

use std::collections::{HashMap, HashSet};

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::{Entry, Node};
use openapi_document::pointer::Pointer;

pub(super) const UNUSED: Rule = Rule {
    id: "unused-component",
    default: Level::Warning,
    summary: "Each component is used by an operation, directly or through other components",
    why: "An unused component costs maintenance and generated code, or its reference was \
          forgotten. Documents without paths are exempt, because they are libraries.",
    remedy: "Remove the component, or refer to it.",
    wrong: "\
paths:
  /things: {get: {responses: {'200': {$ref: '#/components/responses/All'}}}}
components:
  responses: {All: {description: All.}}
  schemas:
    Thing: {type: object}",
    right: "\
paths:
  /things: {get: {responses: {'200': {$ref: '#/components/responses/All'}}}}
components:
  responses: {All: {description: All.}}",
    check: Check::Document(check_unused),
};

pub(super) const NAME: Rule = Rule {
    id: "invalid-component-name",
    default: Level::Error,
    summary: "The name of a component has only letters, digits and `.`, `-`, `_`",
    why: "The specification demands it, because references contain the names.",
    remedy: "Rename the component.",
    wrong: "\
components:
  schemas:
    'Saved thing': {type: object}",
    right: "\
components:
  schemas:
    SavedThing: {type: object}",
    check: Check::Document(check_names),
};

/// A component: its section and its name.
type Component<'d> = (&'d str, &'d str);

fn check_unused(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    if context.operations().is_empty() && context.sent().is_empty() {
        return;
    }
    let reached = reached(context);
    each(context, &mut |section, entry| {
        if !reached.contains(&(section, entry.key.as_str())) {
            let title = format!(
                "no operation uses `{}` of `components.{section}`",
                entry.key
            );
            let finding = UNUSED.finding(title).at(entry.key_span, "");
            diagnostics.push(finding.help(UNUSED.remedy));
        }
    });
}

fn check_names(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let is_fit = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    each(context, &mut |_, entry| {
        if entry.key.is_empty() || !entry.key.chars().all(is_fit) {
            let finding = NAME.finding(format!(
                "`{}` is not a valid name for a component",
                entry.key
            ));
            diagnostics.push(finding.at(entry.key_span, "").help(NAME.remedy));
        }
    });
}

fn each<'d>(context: &Context<'d>, visit: &mut dyn FnMut(&'d str, &'d Entry)) {
    let is_no_extension = |entry: &&Entry| !entry.key.starts_with("x-");
    let sections = context.document.root.get("components").into_iter();
    for section in sections.flat_map(Node::entries).filter(is_no_extension) {
        for entry in section.value.entries().filter(is_no_extension) {
            visit(&section.key, entry);
        }
    }
}

/// Components by section and name.
type Components<'d> = HashMap<&'d str, HashMap<&'d str, &'d Node>>;

fn components<'d>(context: &Context<'d>) -> Components<'d> {
    let mut all = Components::new();
    each(context, &mut |section, entry| {
        let section = all.entry(section).or_default();
        section.entry(&entry.key).or_insert(&entry.value);
    });
    all
}

fn find<'d>(all: &Components<'d>, section: &str, name: &str) -> Option<(Component<'d>, &'d Node)> {
    let (section, components) = all.get_key_value(section)?;
    let (name, node) = components.get_key_value(name)?;
    Some(((section, name), node))
}

/// The components that the rest of the document reaches, directly or through others.
fn reached<'d>(context: &Context<'d>) -> HashSet<Component<'d>> {
    let components = components(context);
    let mut reached = HashSet::new();
    let mut open: Vec<&Node> = Vec::new();
    let mut named = Vec::new();
    let outside = context.document.root.entries();
    let outside = outside.filter(|entry| entry.key != "components");
    outside.for_each(|entry| names_under(entry, &mut named));
    loop {
        while !named.is_empty() || !open.is_empty() {
            for (section, name) in named.drain(..) {
                let found = find(&components, section, &name);
                let new = found.filter(|(key, _)| reached.insert(*key));
                open.extend(new.map(|(_, node)| node));
            }
            open.drain(..).for_each(|node| names_in(node, &mut named));
        }
        for (key, node) in variants(context, &components, &reached) {
            reached.insert(key);
            open.push(node);
        }
        if open.is_empty() {
            return reached;
        }
    }
}

/// Collects the components that a part of a document names.
fn names_in(node: &Node, names: &mut Vec<(&'static str, String)>) {
    node.items().for_each(|item| names_in(item, names));
    node.entries().for_each(|entry| names_under(entry, names));
}

fn names_under(entry: &Entry, names: &mut Vec<(&'static str, String)>) {
    match entry.key.as_str() {
        "$ref" | "$dynamicRef" => names.extend(entry.value.as_str().and_then(target)),
        "mapping" => {
            let values = entry
                .value
                .entries()
                .filter_map(|entry| entry.value.as_str());
            names.extend(values.map(|text| target(text).unwrap_or(("schemas", text.to_owned()))));
        }
        "security" => {
            let schemes = entry.value.items().flat_map(Node::entries);
            names.extend(schemes.map(|scheme| ("securitySchemes", scheme.key.clone())));
        }
        _ => {}
    }
    names_in(&entry.value, names);
}

fn target(reference: &str) -> Option<(&'static str, String)> {
    const SECTIONS: [&str; 10] = [
        "schemas",
        "responses",
        "parameters",
        "examples",
        "requestBodies",
        "headers",
        "securitySchemes",
        "links",
        "callbacks",
        "pathItems",
    ];
    let pointer = Pointer::parse_fragment(reference.strip_prefix('#')?)?;
    let mut segments = pointer.segments().skip(1);
    let (section, name) = (segments.next()?, segments.next()?);
    let section = SECTIONS.into_iter().find(|known| *known == section)?;
    Some((section, name.into_owned()))
}

/// The schemas that extend a reached schema with a discriminator: values name them without a
/// reference.
fn variants<'d>(
    context: &Context<'d>,
    components: &Components<'d>,
    reached: &HashSet<Component<'d>>,
) -> Vec<(Component<'d>, &'d Node)> {
    let extends = |node: &Node| {
        let parts = node.get("allOf").into_iter().flat_map(Node::items);
        let mut bases = parts.filter_map(|part| target(part.reference()?));
        bases.any(|(section, name)| {
            let base = find(components, section, &name);
            base.is_some_and(|(key, node)| {
                reached.contains(&key) && node.get("discriminator").is_some()
            })
        })
    };
    let mut found = Vec::new();
    each(context, &mut |section, entry| {
        let key = (section, entry.key.as_str());
        if section == "schemas" && !reached.contains(&key) && extends(&entry.value) {
            found.push((key, &entry.value));
        }
    });
    found
}
