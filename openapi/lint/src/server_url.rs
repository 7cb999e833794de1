//! Checks the addresses of servers.

use super::context::Context;
use super::edit::{replace_scalar, safe};
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::{Diagnostics, Fix};
use openapi_document::grammar::Kind;
use openapi_document::node::Node;

pub(super) const NONE: Rule = Rule {
    id: "document-without-servers",
    default: Level::Warning,
    summary: "The document names at least one server",
    why: "Without servers, clients use `/`, the host that served the document.",
    remedy: "Write `servers`; use a variable for a part that is unknown.",
    wrong: "servers: []",
    right: "servers: [{url: 'https://things.test'}]",
    check: Check::Document(check_none),
};

pub(super) const EMPTY: Rule = Rule {
    id: "empty-server-url",
    default: Level::Error,
    summary: "The URL of a server is not empty",
    why: "Tools treat an empty URL as the root, as the folder of the document, or as an error.",
    remedy: "Write the address, or `/` for the address of the document.",
    wrong: "servers: [{url: ''}]",
    right: "servers: [{url: /}]",
    check: Check::Document(check_empty),
};

pub(super) const SLASH: Rule = Rule {
    id: "server-url-trailing-slash",
    default: Level::Warning,
    summary: "The URL of a server does not end with a slash",
    why: "Paths begin with a slash and are appended to the URL: many servers do not know the path \
          `//things`.",
    remedy: "Remove the slash.",
    wrong: "servers: [{url: 'https://things.test/'}]",
    right: "servers: [{url: 'https://things.test'}]",
    check: Check::Document(check_slash),
};

pub(super) const EXAMPLE: Rule = Rule {
    id: "example-server",
    default: Level::Warning,
    summary: "No server has a host that is reserved for examples",
    why: "The address, such as `example.com`, is a placeholder that was not replaced.",
    remedy: "Write the address, or a variable if each customer has another one.",
    wrong: "servers: [{url: 'https://api.example.com'}]",
    right: "servers: [{url: 'https://things.test'}]",
    check: Check::Document(check_example),
};

pub(super) const INSECURE: Rule = Rule {
    id: "insecure-server",
    default: Level::Warning,
    summary: "Server URLs use https, except for the local machine",
    why: "Over http, anyone on the network can read credentials and bodies.",
    remedy: "Write `https`. Loopback addresses may use `http`.",
    wrong: "servers: [{url: 'http://things.test'}]",
    right: "servers: [{url: 'https://things.test'}, {url: 'http://127.0.0.1:8080'}]",
    check: Check::Document(check_scheme),
};

fn check_none(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let root = &context.document.root;
    let servers = root.get("servers");
    if servers.and_then(|servers| servers.item(0)).is_none() {
        let span = servers.or(root.get("openapi")).unwrap_or(root).span;
        let finding = NONE.finding("the document names no server").at(span, "");
        diagnostics.push(finding.help(NONE.remedy));
    }
}

fn check_empty(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each(context, &EMPTY, diagnostics, |url| {
        url.trim()
            .is_empty()
            .then(|| "the URL of the server is empty".to_owned())
    });
}

fn check_slash(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each(context, &SLASH, diagnostics, |url| {
        let ends = url.len() > 1 && url.ends_with('/');
        ends.then(|| format!("`{url}` ends with a slash"))
    });
}

fn check_example(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each(context, &EXAMPLE, diagnostics, |url| {
        let host = host(url)?;
        let reserved = ["example.com", "example.org", "example.net"];
        let is_reserved = reserved.iter().any(|name| {
            let rest = host.strip_suffix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        });
        is_reserved.then(|| format!("`{host}` is reserved for examples"))
    });
}

fn check_scheme(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each(context, &INSECURE, diagnostics, |url| {
        let host = url.starts_with("http://").then(|| host(url))??;
        let is_local = host == "localhost" || host.starts_with("127.") || host.starts_with('[');
        // A variable may be the local machine.
        (!is_local && !host.contains('{')).then(|| format!("`{url}` does not use https"))
    });
}

fn each(
    context: &Context<'_>,
    rule: &Rule,
    diagnostics: &mut Diagnostics,
    problem: impl Fn(&str) -> Option<String>,
) {
    for server in context.of(Kind::Server) {
        let Some(url) = server.node.get("url") else {
            continue;
        };
        if let Some(title) = url.as_str().and_then(&problem) {
            let finding = rule.finding(title).at(url.span, "").help(rule.remedy);
            diagnostics.push(finding.fix(repair(context, rule, url)));
        }
    }
}

/// The host in a URL, without its port.
fn host(url: &str) -> Option<&str> {
    let rest = url.split_once("://")?.1;
    let host = rest.split(['/', '?', '#']).next()?;
    let host = host.rsplit('@').next()?;
    Some(if host.starts_with('[') {
        host
    } else {
        host.split(':').next()?
    })
}

/// The fix for a rule: it removes the slash, or writes https. https is not a safe fix, because the
/// server may not support it.
fn repair(context: &Context<'_>, rule: &Rule, url: &Node) -> Option<Fix> {
    let sources = &context.document.sources;
    if rule.id == SLASH.id {
        let bare = |text: &str| match text.trim_end_matches('/') {
            "" => "/".to_owned(),
            bare => bare.to_owned(),
        };
        let edit = replace_scalar(sources, url, bare)?;
        return Some(safe("remove the slash", edit));
    }
    let secure = |text: &str| text.replacen("http://", "https://", 1);
    let edit = replace_scalar(sources, url, secure).filter(|_| rule.id == INSECURE.id)?;
    Some(Fix {
        is_safe: false,
        ..safe("write `https`", edit)
    })
}
