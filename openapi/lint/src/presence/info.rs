//! Checks the fields of `info`.

use super::{lacks, missing};
use crate::context::Context;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;

pub(crate) const DESCRIPTION: Rule = Rule {
    id: "info-without-description",
    default: Level::Warning,
    summary: "The document has a description of the service",
    why: "It is the first text that readers see: what the service does, and for whom.",
    remedy: "Write `description` under `info`.",
    wrong: "info: {title: Things, version: '1'}",
    right: "info: {title: Things, version: '1', description: Keeps things.}",
    check: Check::Document(check_description),
};

pub(crate) const CONTACT: Rule = Rule {
    id: "info-without-contact",
    default: Level::Off,
    summary: "The document has a contact",
    why: "Readers need to know where to ask questions. The rule is off because many documents are \
          published where the contact is obvious.",
    remedy: "Write `contact` under `info`, with a `name`, `url` or `email`.",
    wrong: "info: {title: Things, version: '1'}",
    right: "info: {title: Things, version: '1', contact: {url: https://things.test/help}}",
    check: Check::Document(check_contact),
};

pub(crate) const INCOMPLETE: Rule = Rule {
    id: "incomplete-contact",
    default: Level::Off,
    summary: "A contact has a `name`, a `url` and an `email`",
    why: "Some publishers give all three. The rule is off because one of them is usually enough.",
    remedy: "Add the missing fields.",
    wrong: "info: {title: Things, version: '1', contact: {name: Keepers}}",
    right: "info: {title: Things, version: '1', contact: {name: Keepers, url: https://things.test, email: help@things.test}}",
    check: Check::Document(check_incomplete),
};

pub(crate) const LICENSE: Rule = Rule {
    id: "info-without-license",
    default: Level::Warning,
    summary: "The document has a license",
    why: "Without a license, others may not copy the document, or code generated from it.",
    remedy: "Write `license` under `info`, with a `name` and a `url`.",
    wrong: "info: {title: Things, version: '1'}",
    right: "info: {title: Things, version: '1', license: {name: MIT, url: https://spdx.org/licenses/MIT.html}}",
    check: Check::Document(check_license),
};

pub(crate) const URL: Rule = Rule {
    id: "license-without-url",
    default: Level::Warning,
    summary: "A license has a `url`, or in OpenAPI 3.1 an `identifier`",
    why: "A name alone does not identify the license text.",
    remedy: "Add the `url` of the license text.",
    wrong: "info: {title: Things, version: '1', license: {name: MIT}}",
    right: "info: {title: Things, version: '1', license: {name: MIT, url: https://spdx.org/licenses/MIT.html}}",
    check: Check::Document(check_url),
};

fn check_description(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    missing(
        context,
        &DESCRIPTION,
        Kind::Info,
        "description",
        diagnostics,
    );
}

fn check_contact(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    missing(context, &CONTACT, Kind::Info, "contact", diagnostics);
}

fn check_incomplete(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for field in ["name", "url", "email"] {
        missing(context, &INCOMPLETE, Kind::Contact, field, diagnostics);
    }
}

fn check_license(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    missing(context, &LICENSE, Kind::Info, "license", diagnostics);
}

fn check_url(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let has_identifier = |node: &Node| !context.is_30() && !lacks(node, "identifier");
    for license in context.of(Kind::License) {
        if lacks(license.node, "url") && !has_identifier(license.node) {
            let finding = URL.finding("the license has no `url`");
            diagnostics.push(
                finding
                    .at(license.node.span, "")
                    .help("add the `url` of its text"),
            );
        }
    }
}
