//! Servers: compares the base addresses of operations.

use std::collections::{BTreeMap, HashSet};

use super::both::{Both, template};
use super::schema::canonical;
use super::side::{Mark, identity};
use super::{Comparison, Finding, Scope};
use openapi_document::node::Node;
use openapi_document::view::Operation;

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

/// Compares the servers of an operation, if it or its path overrides them.
pub(super) fn compare_operation<'d>(comparison: &mut Comparison<'d, '_>, both: &Both<'d>) {
    let overriding = |operation: &Operation<'d>| {
        operation
            .at
            .node
            .get("servers")
            .or_else(|| operation.item.node.get("servers"))
    };
    let (old, new) = (overriding(&both.base), overriding(&both.revision));
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

/// A list of servers, and the node that contains it or would.
type List<'d> = (Option<&'d Node>, &'d Node);

fn compare<'d>(
    comparison: &mut Comparison<'d, '_>,
    from: List<'d>,
    to: List<'d>,
    finding: &dyn Fn(&str, &str) -> Finding<'d>,
) {
    let (old, new) = (read(from), read(to));
    let at = |list: List<'d>| Mark::of(list.0.unwrap_or(list.1));
    let mut reported = HashSet::new();
    for (key, server) in &new {
        let address = &server.shown;
        match old.get(key) {
            None => comparison.push(Finding {
                detail: address.clone(),
                base: Some((at(from), "it is not here")),
                revision: Some((server.mark, "added here")),
                ..finding("api-server-added", &format!("`{address}` was added"))
            }),
            Some(before) if before.differs(server) && reported.insert(identity(server.node)) => {
                comparison.push(Finding {
                    detail: address.clone(),
                    base: Some((mark(before.node), "before")),
                    revision: Some((mark(server.node), "now")),
                    ..finding(
                        "api-server-variable-changed",
                        &format!("`{address}` has other variables"),
                    )
                });
            }
            Some(_) => {}
        }
    }
    for (key, server) in &old {
        let address = &server.shown;
        // The default of a variable is still a valid address.
        let is_usual = || new.values().any(|other| other.usual == *key);
        if !new.contains_key(key) && !is_usual() {
            comparison.push(Finding {
                detail: address.clone(),
                base: Some((server.mark, "was here")),
                revision: Some((at(to), "it is no longer here")),
                ..finding("api-server-removed", &format!("`{address}` was removed"))
            });
        }
    }
}

/// A server, marked at its URL.
fn mark(server: &Node) -> Mark<'_> {
    let span = server.get("url").map_or(server.span, |url| url.span);
    Mark { node: server, span }
}

/// A base address.
struct Server<'d> {
    node: &'d Node,
    /// The place to show.
    mark: Mark<'d>,
    /// The URL as written.
    shown: String,
    /// The canonical URL, with the defaults of its variables.
    usual: String,
    /// The URL without the names of its variables.
    template: String,
    /// The defaults of its variables, in the order of the URL.
    variables: Vec<String>,
}

impl Server<'_> {
    /// Whether the variables of the same address have other defaults.
    fn differs(&self, other: &Self) -> bool {
        self.template == other.template && self.variables != other.variables
    }
}

/// The servers by canonical address, without the names of variables. An empty list means the
/// address of the document. A server with listed variable values counts as one server per value.
fn read(list: List<'_>) -> BTreeMap<String, Server<'_>> {
    let mut servers = BTreeMap::new();
    for node in list.0.into_iter().flat_map(Node::items) {
        let url = node.get("url").and_then(Node::as_str).unwrap_or_default();
        for address in addresses(node) {
            let server = Server {
                node,
                mark: address.value.map_or_else(|| mark(node), Mark::of),
                template: template(url),
                shown: address.shown,
                usual: spelling(&address.usual),
                variables: address.variables,
            };
            servers.entry(spelling(&address.key)).or_insert(server);
        }
    }
    if servers.is_empty() {
        let server = Server {
            node: list.1,
            mark: mark(list.1),
            shown: "/".to_owned(),
            usual: "/".to_owned(),
            template: "/".to_owned(),
            variables: Vec::new(),
        };
        servers.insert("/".to_owned(), server);
    }
    servers
}

/// An address while its variables are replaced.
#[derive(Clone, Default)]
struct Address<'d> {
    /// The listed value in it, of several the last.
    value: Option<&'d Node>,
    key: String,
    shown: String,
    usual: String,
    variables: Vec<String>,
}

impl<'d> Address<'d> {
    fn push(&mut self, key: &str, shown: &str, usual: &str) {
        self.key.push_str(key);
        self.shown.push_str(shown);
        self.usual.push_str(usual);
    }

    /// The address with a listed value of a variable appended.
    fn with(&self, value: &'d Node) -> Self {
        let mut copy = self.clone();
        let text = word(value);
        copy.push(&text, &text, &text);
        copy.value = Some(value);
        copy
    }
}

/// The addresses of a server.
fn addresses<'d>(server: &'d Node) -> Vec<Address<'d>> {
    /// The maximum number of addresses; beyond it, a variable counts as one without listed values.
    const MOST: usize = 64;
    let url = server.get("url").and_then(Node::as_str).unwrap_or_default();
    let mut all = vec![Address::default()];
    for (text, name) in parts(url) {
        for address in &mut all {
            address.push(text, text, text);
        }
        let Some(name) = name else {
            continue;
        };
        let variable = server.get("variables").and_then(|all| all.get(name));
        let default = variable
            .and_then(|variable| variable.get("default"))
            .map(word);
        let usual = default.unwrap_or_else(|| "{}".to_owned());
        let listed = variable.and_then(|variable| variable.get("enum"));
        let listed: Vec<&Node> = listed.into_iter().flat_map(Node::items).collect();
        let is_open = listed.is_empty() || listed.len() * all.len() > MOST;
        for address in &mut all {
            address.variables.push(usual.clone());
            if is_open {
                address.push("{}", &format!("{{{name}}}"), &usual);
            }
        }
        if !is_open {
            let each = |address: &Address<'d>| -> Vec<_> {
                listed.iter().map(|value| address.with(value)).collect()
            };
            all = all.iter().flat_map(each).collect();
        }
    }
    all
}

/// A variable value as it appears in an address.
fn word(node: &Node) -> String {
    let plain = node.as_str().or_else(|| node.as_number());
    plain.map_or_else(|| canonical::text(node), str::to_owned)
}

/// The fixed texts of a template, each with the variable after it.
fn parts(url: &str) -> Vec<(&str, Option<&str>)> {
    let mut rest = url;
    let mut all = Vec::new();
    while let Some((text, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        all.push((text, Some(name)));
        rest = after;
    }
    all.push((rest, None));
    all
}

/// The canonical form of an address: scheme and host in lower case, without a default port and
/// without a trailing slash.
fn spelling(address: &str) -> String {
    let address = address.trim_end_matches('/');
    let Some((scheme, rest)) = address.split_once("://") else {
        return if address.is_empty() { "/" } else { address }.to_owned();
    };
    let scheme = scheme.to_ascii_lowercase();
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    let host = host.to_ascii_lowercase();
    let port = match scheme.as_str() {
        "https" | "wss" => ":443",
        "http" | "ws" => ":80",
        _ => "",
    };
    let host = host.strip_suffix(port).unwrap_or(&host);
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_canonical_form() {
        for (written, spelled) in [
            ("HTTPS://Shop.Example:443/V1/", "https://shop.example/V1"),
            ("http://shop.example:80", "http://shop.example"),
            ("https://shop.example:8443/", "https://shop.example:8443"),
            ("http://shop.example:443", "http://shop.example:443"),
            ("/v1/", "/v1"),
            ("/", "/"),
            ("", "/"),
        ] {
            assert_eq!(spelling(written), spelled, "{written}");
        }
    }
}
