//! Checks for texts that run code when a page shows them.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::Node;

pub(super) const SCRIPT: Rule = Rule {
    id: "script-in-markdown",
    default: Level::Warning,
    summary: "No text contains a `<script>`",
    why: "A page that shows the document runs the script with the rights of its reader.",
    remedy: "Remove the tag; show code in backticks without it.",
    wrong: "info: {title: Things, version: '1', description: 'See <script>run()</script>.'}",
    right: "info: {title: Things, version: '1', description: 'See below.'}",
    check: Check::Document(check_script),
};

pub(super) const EVAL: Rule = Rule {
    id: "eval-in-markdown",
    default: Level::Warning,
    summary: "No text contains a call of `eval(`",
    why: "A page that mistakes the text for code runs it with the rights of its reader.",
    remedy: "Remove the call, or describe it in words.",
    wrong: "info: {title: Things, version: '1', description: 'Then eval(input).'}",
    right: "info: {title: Things, version: '1', description: 'Then the input is read.'}",
    check: Check::Document(check_eval),
};

fn check_script(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each_text(context, &mut |node, text| {
        if text.contains('<') && text.to_ascii_lowercase().contains("<script") {
            let finding = SCRIPT
                .finding("this text has a `<script>`")
                .at(node.span, "");
            diagnostics.push(finding.help(SCRIPT.remedy));
        }
    });
}

fn check_eval(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each_text(context, &mut |node, text| {
        if text.contains("eval(") {
            let finding = EVAL.finding("this text calls `eval(`").at(node.span, "");
            diagnostics.push(finding.help(EVAL.remedy));
        }
    });
}

fn each_text<'d>(context: &Context<'d>, visit: &mut dyn FnMut(&'d Node, &'d str)) {
    for object in context
        .objects()
        .iter()
        .filter(|object| !object.is_reference())
    {
        let texts = ["title", "summary", "description"];
        for node in texts.iter().filter_map(|key| object.node.get(key)) {
            if let Some(text) = node.as_str() {
                visit(node, text);
            }
        }
    }
}
