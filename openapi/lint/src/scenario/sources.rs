//! Checks the source documents of a file.

use crate::context::Scenario;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::Node;

pub(super) const NONE: Rule = Rule {
    id: "scenario-without-source",
    default: Level::Error,
    summary: "A file names the documents whose operations it calls",
    why: "Without a source, tools do not know to which service they send the steps.",
    remedy: "Write `sourceDescriptions` with a `name`, a `url` and a `type`.",
    wrong: "sourceDescriptions: []",
    right: "sourceDescriptions: [{name: s, url: openapi.yaml, type: openapi}]",
    check: Check::Scenario(check_none),
};

pub(super) const TYPE: Rule = Rule {
    id: "scenario-unknown-source-type",
    default: Level::Error,
    summary: "The type of a source is `openapi` or `arazzo`",
    why: "Tools do not read a source of another type, or without a type.",
    remedy: "Write `type: openapi`.",
    wrong: "sourceDescriptions: [{name: s, url: openapi.yaml, type: swagger}]",
    right: "sourceDescriptions: [{name: s, url: openapi.yaml, type: openapi}]",
    check: Check::Scenario(check_types),
};

fn check_none(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    let sources = scenario.root().get("sourceDescriptions");
    if sources.and_then(|sources| sources.item(0)).is_none() {
        let at = sources
            .or(scenario.root().get("arazzo"))
            .unwrap_or(scenario.root());
        let finding = NONE.finding("the file names no source").at(at.span, "");
        diagnostics.push(finding.help(NONE.remedy));
    }
}

fn check_types(scenario: &Scenario<'_>, diagnostics: &mut Diagnostics) {
    let sources = scenario.root().get("sourceDescriptions").into_iter();
    for source in sources.flat_map(Node::items) {
        let kind = source.get("type");
        let text = kind.and_then(Node::as_str).unwrap_or_default();
        if text != "openapi" && text != "arazzo" {
            let finding = TYPE.finding(format!("`{text}` is not a type of a source"));
            diagnostics.push(
                finding
                    .at(kind.unwrap_or(source).span, "")
                    .help(TYPE.remedy),
            );
        }
    }
}
