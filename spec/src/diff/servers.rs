//! Servers: the base addresses of operations.

use std::collections::BTreeMap;

use super::operations::Both;
use super::schema::canonical;
use super::side::Mark;
use super::{Comparison, Finding, Scope};
use crate::document::Operation;
use crate::node::Node;

/// Compares the servers of the whole document.
pub(super) fn compare_root(comparison: &mut Comparison<'_, '_>) {
    let (base, revision) = comparison.documents();
    let list = |root| (Node::get(root, "servers"), root);
    let finding = |id: &str, phrase: &str| {
        Finding::new(
            id,
            &Scope::default(),
            "servers",
            format!("the base address {phrase}"),
        )
    };
    compare(comparison, list(&base.root), list(&revision.root), &finding);
}

/// Compares the servers of an operation, where it or its path has some of its own.
pub(super) fn compare_operation<'d>(comparison: &mut Comparison<'d, '_>, both: &Both<'d>) {
    let own = |operation: &Operation<'d>| {
        operation
            .at
            .node
            .get("servers")
            .or_else(|| operation.item.node.get("servers"))
    };
    let (old, new) = (own(&both.base), own(&both.revision));
    if both.is_callback || (old.is_none() && new.is_none()) {
        return;
    }
    let (base, revision) = comparison.documents();
    let from = (old.or_else(|| base.root.get("servers")), both.base.at.node);
    let to = (
        new.or_else(|| revision.root.get("servers")),
        both.revision.at.node,
    );
    let finding = |id: &str, phrase: &str| Finding {
        title: format!("the base address {phrase}"),
        ..both.finding(id, "servers", "")
    };
    compare(comparison, from, to, &finding);
}

/// A list of servers, and where it would be written.
type List<'d> = (Option<&'d Node>, &'d Node);

fn compare<'d>(
    comparison: &mut Comparison<'d, '_>,
    from: List<'d>,
    to: List<'d>,
    finding: &dyn Fn(&str, &str) -> Finding<'d>,
) {
    let (old, new) = (read(from), read(to));
    let at = |list: List<'d>| Mark::of(list.0.unwrap_or(list.1));
    for (address, server) in &new {
        match old.get(address) {
            None => comparison.push(Finding {
                detail: address.clone(),
                base: Some((at(from), "it is not here")),
                revision: Some((mark(server), "added here")),
                ..finding("api-server-added", &format!("`{address}` was added"))
            }),
            Some(before) if variables(before) != variables(server) => comparison.push(Finding {
                detail: address.clone(),
                base: Some((mark(before), "before")),
                revision: Some((mark(server), "now")),
                ..finding(
                    "api-server-variable-changed",
                    &format!("`{address}` has other variables"),
                )
            }),
            Some(_) => {}
        }
    }
    for (address, server) in &old {
        if !new.contains_key(address) {
            comparison.push(Finding {
                detail: address.clone(),
                base: Some((mark(server), "was here")),
                revision: Some((at(to), "it is no longer here")),
                ..finding("api-server-removed", &format!("`{address}` was removed"))
            });
        }
    }
}

/// A server, shown by its address.
fn mark(server: &Node) -> Mark<'_> {
    let span = server.get("url").map_or(server.span, |url| url.span);
    Mark { node: server, span }
}

/// Servers by their addresses; without any, the document's own.
fn read(list: List<'_>) -> BTreeMap<String, &Node> {
    let mut servers = BTreeMap::new();
    for server in list.0.into_iter().flat_map(Node::items) {
        let url = server.get("url").and_then(Node::as_str).unwrap_or_default();
        let address = url.trim_end_matches('/');
        servers
            .entry(if address.is_empty() { "/" } else { address }.to_owned())
            .or_insert(server);
    }
    if servers.is_empty() {
        servers.insert("/".to_owned(), list.1);
    }
    servers
}

/// The variables of an address that it has, each with its default and its values in order.
fn variables(server: &Node) -> BTreeMap<&str, (String, Vec<String>)> {
    let url = server.get("url").and_then(Node::as_str).unwrap_or_default();
    let list = server.get("variables").into_iter().flat_map(Node::entries);
    list.filter(|entry| url.contains(&format!("{{{}}}", entry.key)))
        .map(|entry| {
            let default = entry
                .value
                .get("default")
                .map(canonical::text)
                .unwrap_or_default();
            let values = entry.value.get("enum").into_iter().flat_map(Node::items);
            let mut values: Vec<_> = values.map(canonical::text).collect();
            values.sort();
            (entry.key.as_str(), (default, values))
        })
        .collect()
}
