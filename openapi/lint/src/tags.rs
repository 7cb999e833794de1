//! Checks the tags of the document and of its operations.

use std::collections::HashMap;

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostic;
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;
use openapi_document::spelling::nearest;

pub(super) const DUPLICATE: Rule = Rule {
    id: "duplicate-tag",
    default: Level::Error,
    summary: "Each tag is declared once",
    why: "The specification requires it, and tools may show either of two descriptions.",
    remedy: "Remove one of the two tags.",
    wrong: "tags: [{name: a, description: One.}, {name: a, description: Other.}]",
    right: "tags: [{name: a, description: One.}, {name: b, description: Other.}]",
    check: Check::Document(check_duplicates),
};

pub(super) const UNDEFINED: Rule = Rule {
    id: "undefined-tag",
    default: Level::Warning,
    summary: "Each tag of an operation is declared under `tags`",
    why: "A mistyped tag creates an extra chapter. The rule does not apply to documents that \
          declare no tags.",
    remedy: "Declare the tag, or correct the name.",
    wrong: "\
tags: [{name: things, description: T.}]
paths:
  /things: {get: {tags: [thing], responses: {}}}",
    right: "\
tags: [{name: things, description: T.}]
paths:
  /things: {get: {tags: [things], responses: {}}}",
    check: Check::Document(check_undefined),
};

pub(super) const NONE: Rule = Rule {
    id: "document-without-tags",
    default: Level::Off,
    summary: "The document declares tags",
    why: "They define the order and the descriptions of chapters. The rule is off because small \
          documents need none.",
    remedy: "Write `tags` at the top.",
    wrong: "paths: {}",
    right: "\
paths: {}
tags: [{name: things, description: T.}]",
    check: Check::Document(check_none),
};

pub(super) const UNSORTED: Rule = Rule {
    id: "unsorted-tags",
    default: Level::Off,
    summary: "Tags are in alphabetical order",
    why: "Some authors prefer this order. The rule is off because others order tags for reading.",
    remedy: "Sort the tags.",
    wrong: "tags: [{name: b, description: B.}, {name: a, description: A.}]",
    right: "tags: [{name: a, description: A.}, {name: b, description: B.}]",
    check: Check::Document(check_order),
};

pub(super) const SEVERAL: Rule = Rule {
    id: "operation-with-several-tags",
    default: Level::Off,
    summary: "An operation has one tag",
    why: "Generators that write a file per tag put the operation into each file, or only into the \
          first. The rule is off because documentation may show an operation twice.",
    remedy: "Keep the most suitable tag.",
    wrong: "\
paths:
  /things: {get: {tags: [things, lists], responses: {}}}",
    right: "\
paths:
  /things: {get: {tags: [things], responses: {}}}",
    check: Check::Document(check_several),
};

/// The declared tags: name, and node of the name.
fn declared<'d>(context: &Context<'d>) -> Vec<(&'d str, &'d Node)> {
    let named = |name: &'d Node| Some((name.as_str()?, name));
    let tags = context.of(Kind::Tag);
    tags.filter_map(|tag| named(tag.node.get("name")?))
        .collect()
}

fn check_duplicates(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let mut first = HashMap::new();
    for (name, node) in declared(context) {
        if let Some(before) = first.insert(name, node.span) {
            let finding = DUPLICATE.finding(format!("the tag `{name}` is declared twice"));
            let finding = finding
                .at(node.span, "again here")
                .also(before, "first here");
            diagnostics.push(finding.help(DUPLICATE.remedy));
        }
    }
}

fn check_undefined(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let declared = declared(context);
    if declared.is_empty() {
        return;
    }
    let known = |name: &str| declared.iter().any(|(declared, _)| *declared == name);
    each_tag(context, &mut |name, tag| {
        if !known(name) {
            let names = declared.iter().map(|(name, _)| *name);
            let help = match nearest(name, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => UNDEFINED.remedy.to_owned(),
            };
            let finding = UNDEFINED.finding(format!("the tag `{name}` is not declared"));
            diagnostics.push(finding.at(tag.span, "").help(help));
        }
    });
}

fn each_tag<'d>(context: &Context<'d>, visit: &mut dyn FnMut(&'d str, &'d Node)) {
    for operation in context.operations() {
        let tags = operation.at.node.get("tags").into_iter();
        for tag in tags.flat_map(Node::items) {
            if let Some(name) = tag.as_str() {
                visit(name, tag);
            }
        }
    }
}

fn check_none(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let root = &context.document.root;
    if declared(context).is_empty() {
        let span = root
            .get("tags")
            .or(root.get("openapi"))
            .unwrap_or(root)
            .span;
        let finding = NONE.finding("the document declares no tag").at(span, "");
        diagnostics.push(finding.help(NONE.remedy));
    }
}

fn check_order(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for pair in declared(context).windows(2) {
        let [(before, _), (after, node)] = pair else {
            continue;
        };
        if before.to_lowercase() > after.to_lowercase() {
            let title = format!("the tag `{after}` comes after `{before}`");
            diagnostics.push(UNSORTED.finding(title).at(node.span, ""));
        }
    }
}

fn check_several(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for operation in context.operations() {
        let tags = operation.at.node.get("tags");
        if let Some(second) = tags.and_then(|tags| tags.item(1)) {
            let title = format!("`{}` has several tags", operation.label());
            let finding: Diagnostic = SEVERAL.finding(title).at(second.span, "the second");
            diagnostics.push(finding.help(SEVERAL.remedy));
        }
    }
}
