//! `servers` and their variables.

use openapi_document::node::Node;
use openapi_document::view::Operation as Source;

use super::docs;
use crate::ir::{Server, ServerVariable};

/// The servers of a list.
pub(super) fn servers(list: Option<&Node>) -> Vec<Server> {
    let mut all: Vec<Server> = Vec::new();
    for server in list.into_iter().flat_map(Node::items).filter_map(server) {
        if !all.iter().any(|other| other.url == server.url) {
            all.push(server);
        }
    }
    all
}

/// The servers of an operation, where it or its path has some of its own.
pub(super) fn own(source: &Source<'_>) -> Vec<Server> {
    let own = source.at.node.get("servers");
    servers(own.or_else(|| source.item.node.get("servers")))
}

fn server(node: &Node) -> Option<Server> {
    let url = node.get("url")?.as_str()?.trim_end_matches('/').to_owned();
    let variables = node.get("variables").into_iter().flat_map(Node::entries);
    let mut variables: Vec<ServerVariable> = variables
        .filter(|entry| url.contains(&format!("{{{}}}", entry.key)))
        .map(|entry| variable(&entry.key, &entry.value))
        .collect();
    variables.sort_by(|a, b| a.name.cmp(&b.name));
    let docs = docs::of(node);
    Some(Server {
        url,
        docs,
        variables,
    })
}

fn variable(name: &str, node: &Node) -> ServerVariable {
    let scalar = |node: &Node| {
        let text = node.as_str().or_else(|| node.as_number());
        text.map(str::to_owned)
    };
    let values = node.get("enum").into_iter().flat_map(Node::items);
    let mut values: Vec<String> = values.filter_map(scalar).collect();
    let default = node.get("default").and_then(scalar);
    let default = default
        .or_else(|| values.first().cloned())
        .unwrap_or_default();
    if !values.is_empty() && !values.contains(&default) {
        values.push(default.clone());
    }
    let mut seen = std::collections::BTreeSet::new();
    values.retain(|value| seen.insert(value.clone()));
    ServerVariable {
        name: name.to_owned(),
        default,
        values,
        docs: docs::of(node),
    }
}
