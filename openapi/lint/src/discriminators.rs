//! Checks the property and the mapping of discriminators.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;

pub(super) const PROPERTY: Rule = Rule {
    id: "discriminator-not-required",
    default: Level::Warning,
    summary: "The property of a discriminator is defined and required in each alternative",
    why: "If the property may be missing, a client does not know which alternative it got.",
    remedy: "Define the property in each alternative, and require it.",
    wrong: "\
components:
  schemas:
    Pet:
      oneOf: [{$ref: '#/components/schemas/Cat'}]
      discriminator: {propertyName: kind}
    Cat: {type: object, properties: {kind: {type: string}}}",
    right: "\
components:
  schemas:
    Pet:
      oneOf: [{$ref: '#/components/schemas/Cat'}]
      discriminator: {propertyName: kind}
    Cat: {type: object, required: [kind], properties: {kind: {type: string}}}",
    check: Check::Document(check_property),
};

pub(super) const MAPPING: Rule = Rule {
    id: "unresolved-discriminator-mapping",
    default: Level::Error,
    summary: "Each value under `mapping` leads to a schema",
    why: "A client cannot parse objects with a mapped value that leads nowhere.",
    remedy: "Name a schema under `components`, or write a reference to one.",
    wrong: "\
components:
  schemas:
    Pet:
      oneOf: [{$ref: '#/components/schemas/Cat'}]
      discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Kat'}}
    Cat: {type: object, required: [kind], properties: {kind: {type: string}}}",
    right: "\
components:
  schemas:
    Pet:
      oneOf: [{$ref: '#/components/schemas/Cat'}]
      discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat'}}
    Cat: {type: object, required: [kind], properties: {kind: {type: string}}}",
    check: Check::Document(check_mapping),
};

/// The maximum depth of nested schemas.
const DEPTH: usize = 16;

fn check_property(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for schema in context.of(Kind::Schema) {
        let discriminator = schema.node.get("discriminator");
        let Some(property) = discriminator.and_then(|one| one.get("propertyName")) else {
            continue;
        };
        let Some(name) = property.as_str() else {
            continue;
        };
        let lists = ["oneOf", "anyOf"]
            .into_iter()
            .filter_map(|key| schema.node.get(key));
        let mut branches: Vec<&Node> = lists.flat_map(Node::items).collect();
        if branches.is_empty() || requires(context, schema.node, name, DEPTH) {
            branches = vec![schema.node];
        }
        for branch in branches
            .into_iter()
            .filter(|branch| !requires(context, branch, name, DEPTH))
        {
            let which = branch.reference().and_then(|text| text.rsplit('/').next());
            let which = which.map_or(String::new(), |name| format!(" in `{name}`"));
            let finding = PROPERTY.finding(format!("`{name}` is not required{which}"));
            let finding = finding.at(
                property.span,
                "this property distinguishes the alternatives",
            );
            diagnostics.push(finding.also(branch.span, "here").help(PROPERTY.remedy));
        }
    }
}

/// Whether a schema requires a property and defines it.
fn requires<'d>(context: &Context<'d>, schema: &'d Node, name: &str, depth: usize) -> bool {
    let parts = parts(context, schema, depth);
    let has = |key: &str, named: &dyn Fn(&Node) -> bool| {
        parts.iter().filter_map(|part| part.get(key)).any(named)
    };
    let all_require = |part: &&'d Node| {
        let part: &'d Node = part;
        let alternatives = ["oneOf", "anyOf"]
            .into_iter()
            .filter_map(|key| part.get(key));
        let mut alternatives = alternatives.flat_map(Node::items).peekable();
        alternatives.peek().is_some()
            && depth > 0
            && alternatives.all(|one| requires(context, one, name, depth - 1))
    };
    (has("required", &|list| {
        list.strings().any(|required| required == name)
    }) && has("properties", &|properties| properties.get(name).is_some()))
        || parts.iter().any(all_require)
}

/// A schema and the parts of its `allOf`.
fn parts<'d>(context: &Context<'d>, schema: &'d Node, depth: usize) -> Vec<&'d Node> {
    let Some(schema) = context.resolve(schema).filter(|_| depth > 0) else {
        return Vec::new();
    };
    let mut all = vec![schema];
    for part in schema.get("allOf").into_iter().flat_map(Node::items) {
        all.extend(parts(context, part, depth - 1));
    }
    all
}

fn check_mapping(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let schemas = context
        .document
        .root
        .get("components")
        .and_then(|all| all.get("schemas"));
    for discriminator in context.of(Kind::Discriminator) {
        let mapping = discriminator.node.get("mapping").into_iter();
        for value in mapping.flat_map(Node::entries).map(|entry| &entry.value) {
            let Some(text) = value.as_str() else { continue };
            let leads = match text.strip_prefix('#') {
                Some(fragment) => {
                    let pointer = openapi_document::pointer::Pointer::parse_fragment(fragment);
                    pointer.is_some_and(|pointer| context.document.lookup(&pointer).is_some())
                }
                // A text with a slash or a dot names a file, which only the loader can follow.
                None if text.contains(['/', '#', '.']) => true,
                None => schemas.is_some_and(|schemas| schemas.get(text).is_some()),
            };
            if !leads {
                let finding = MAPPING.finding(format!("`{text}` does not lead to a schema"));
                diagnostics.push(finding.at(value.span, "").help(MAPPING.remedy));
            }
        }
    }
}
