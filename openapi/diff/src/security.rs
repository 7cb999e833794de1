//! Security: compares schemes, and the requirements of operations.

use std::collections::{BTreeMap, BTreeSet};

use super::both::Both;
use super::rule::Level;
use super::schema::canonical;
use super::side::Mark;
use super::{Comparison, Finding, Scope};
use openapi_document::node::{Entry, Node};
use openapi_document::view::{Document, Operation};

/// One alternative of a requirement: schemes, each with the required scopes.
type Alternative = BTreeMap<String, BTreeSet<String>>;

/// The alternatives of a `security` list, each with its node.
#[derive(Debug)]
struct Required<'d> {
    at: &'d Node,
    alternatives: Vec<(Alternative, &'d Node)>,
}

impl<'d> Required<'d> {
    /// Reads a list; `names` maps renamed schemes to their old names.
    fn read(list: Option<&'d Node>, owner: &'d Node, names: &BTreeMap<&str, &str>) -> Self {
        let scheme = |entry: &Entry| {
            let name = names.get(entry.key.as_str()).copied().unwrap_or(&entry.key);
            (
                name.to_owned(),
                entry.value.strings().map(str::to_owned).collect(),
            )
        };
        let items = list.into_iter().flat_map(Node::items);
        let alternatives = items
            .map(|item| (item.entries().map(scheme).collect(), item))
            .collect();
        Self {
            at: list.unwrap_or(owner),
            alternatives,
        }
    }

    /// Whether no credentials are needed.
    fn is_open(&self) -> bool {
        self.alternatives.is_empty() || self.alternatives.iter().any(|(one, _)| one.is_empty())
    }

    fn same(&self, other: &Self) -> bool {
        let set = |required: &Self| -> BTreeSet<String> {
            required
                .alternatives
                .iter()
                .map(|(one, _)| shown(one))
                .collect()
        };
        set(self) == set(other)
    }
}

/// The alternative for people: `oauth2[read, write] and key`, or `none`.
fn shown(alternative: &Alternative) -> String {
    if alternative.is_empty() {
        return "none".to_owned();
    }
    let scheme = |(name, scopes): (&String, &BTreeSet<String>)| {
        let scopes: Vec<_> = scopes.iter().map(String::as_str).collect();
        if scopes.is_empty() {
            name.clone()
        } else {
            format!("{name}[{}]", scopes.join(", "))
        }
    };
    alternative
        .iter()
        .map(scheme)
        .collect::<Vec<_>>()
        .join(" and ")
}

/// The old name of each scheme that was only renamed.
fn renamed<'d>(base: &'d Document, revision: &'d Document) -> BTreeMap<&'d str, &'d str> {
    let (old, new) = (
        base.components("securitySchemes"),
        revision.components("securitySchemes"),
    );
    let has = |list: &[(&str, _)], name: &str| list.iter().any(|(other, _)| *other == name);
    let mut free: Vec<_> = old.iter().filter(|(name, _)| !has(&new, name)).collect();
    let mut names = BTreeMap::new();
    for (name, scheme) in new.iter().filter(|(name, _)| !has(&old, name)) {
        let print = canonical::text(scheme.node);
        let same = free
            .iter()
            .position(|(_, other)| canonical::text(other.node) == print);
        if let Some(place) = same {
            names.insert(*name, free.remove(place).0);
        }
    }
    names
}

/// Compares the requirements of the document, which apply to operations that state none.
pub(super) fn compare_root<'d>(
    comparison: &mut Comparison<'d, '_>,
    old: &[Operation<'d>],
    new: &[Operation<'d>],
) {
    let all_override = |list: &[Operation<'d>]| {
        !list.is_empty()
            && list
                .iter()
                .all(|operation| operation.at.node.get("security").is_some())
    };
    if all_override(old) || all_override(new) {
        return;
    }
    let (base, revision) = comparison.documents();
    let names = renamed(base, revision);
    let from = Required::read(base.root.get("security"), &base.root, &BTreeMap::new());
    let to = Required::read(revision.root.get("security"), &revision.root, &names);
    let finding = |id: &str, phrase: &str| {
        let title = format!("the security of all operations {phrase}");
        Finding::new(id, &Scope::default(), "security", title)
    };
    compare(comparison, &from, &to, "api-global-security", &finding);
}

/// Compares the requirements of an operation that states them on at least one side.
pub(super) fn compare_operation<'d>(comparison: &mut Comparison<'d, '_>, both: &Both<'d>) {
    let list = |operation: &Operation<'d>| operation.at.node.get("security");
    let (old, new) = (list(&both.base), list(&both.revision));
    if both.is_callback || (old.is_none() && new.is_none()) {
        return;
    }
    let (base, revision) = comparison.documents();
    let names = renamed(base, revision);
    let inherited = |stated: Option<&'d Node>, document: &'d Document| {
        stated.or_else(|| document.root.get("security"))
    };
    let from = Required::read(inherited(old, base), both.base.at.node, &BTreeMap::new());
    let to = Required::read(inherited(new, revision), both.revision.at.node, &names);
    let finding = |id: &str, phrase: &str| both.finding(id, "security", phrase);
    compare(comparison, &from, &to, "api-security", &finding);
}

fn compare<'d>(
    comparison: &mut Comparison<'d, '_>,
    from: &Required<'d>,
    to: &Required<'d>,
    prefix: &str,
    finding: &dyn Fn(&str, &str) -> Finding<'d>,
) {
    if from.same(to) {
        return;
    }
    let has = |list: &Required<'d>, one: &Alternative| {
        list.alternatives.iter().any(|(other, _)| other == one)
    };
    let mut removed: Vec<_> = from
        .alternatives
        .iter()
        .filter(|(one, _)| !has(to, one))
        .collect();
    let added: Vec<_> = to
        .alternatives
        .iter()
        .filter(|(one, _)| !has(from, one))
        .collect();
    for (after, to_at) in added {
        let schemes = |one: &Alternative| one.keys().cloned().collect::<Vec<_>>();
        let same = removed
            .iter()
            .position(|(before, _)| schemes(before) == schemes(after));
        if let Some(place) = same {
            let (before, from_at) = removed.remove(place);
            let at = (*from_at, *to_at);
            compare_scopes(comparison, (before, after), at, prefix, finding);
            continue;
        }
        // If no credentials were needed, a new requirement is an error.
        let locked = from.is_open() && !to.is_open();
        comparison.push(Finding {
            level: locked.then_some(Level::Error),
            detail: shown(after),
            base: Some((Mark::of(from.at), "")),
            revision: Some((Mark::of(to_at), "added here")),
            ..finding(
                &format!("{prefix}-added"),
                &format!("accepts {}", shown(after)),
            )
        });
    }
    for (before, from_at) in removed {
        // A client that satisfied an alternative also satisfies a part of it.
        let met = |(one, _): &(Alternative, &Node)| is_part(one, before);
        let level = match to.is_open() {
            true => Some(Level::Warning),
            false if to.alternatives.iter().any(met) => Some(Level::Info),
            false => None,
        };
        comparison.push(Finding {
            level,
            detail: shown(before),
            base: Some((Mark::of(from_at), "was here")),
            revision: Some((Mark::of(to.at), "it is no longer here")),
            ..finding(
                &format!("{prefix}-removed"),
                &format!("no longer accepts {}", shown(before)),
            )
        });
    }
}

/// Whether an alternative is a subset of another one.
fn is_part(one: &Alternative, whole: &Alternative) -> bool {
    one.iter().all(|(name, scopes)| {
        let known = whole.get(name);
        known.is_some_and(|known| scopes.is_subset(known))
    })
}

fn compare_scopes<'d>(
    comparison: &mut Comparison<'d, '_>,
    (before, after): (&Alternative, &Alternative),
    (from_at, to_at): (&'d Node, &'d Node),
    prefix: &str,
    finding: &dyn Fn(&str, &str) -> Finding<'d>,
) {
    for (name, scopes) in after {
        let old = before.get(name).cloned().unwrap_or_default();
        let mut note = |scope: &String, action: &str, phrase: &str| {
            comparison.push(Finding {
                detail: format!("{name} {scope}"),
                base: Some((Mark::of(from_at), "")),
                revision: Some((Mark::of(to_at), "")),
                ..finding(
                    &format!("{prefix}-scope-{action}"),
                    &format!("{phrase} the scope `{scope}` of `{name}`"),
                )
            });
        };
        for scope in scopes.difference(&old) {
            note(scope, "added", "needs");
        }
        for scope in old.difference(scopes) {
            note(scope, "removed", "no longer needs");
        }
    }
}

/// Compares the security schemes.
pub(super) fn compare_components(comparison: &mut Comparison<'_, '_>) {
    let (base, revision) = comparison.documents();
    let names = renamed(base, revision);
    let (old, new) = (
        base.components("securitySchemes"),
        revision.components("securitySchemes"),
    );
    for (name, scheme) in &new {
        let before = names.get(name).copied().unwrap_or(name);
        match old.iter().find(|(other, _)| *other == before) {
            Some((_, from)) => compare_scheme(comparison, name, from.node, scheme.node),
            None => comparison.push(Finding {
                base: Some((Mark::of(schemes(base)), "it is not here")),
                revision: Some((Mark::of(scheme.node), "added here")),
                ..component("api-security-component-added", name, "was added")
            }),
        }
    }
    for (name, scheme) in &old {
        let kept =
            new.iter().any(|(other, _)| other == name) || names.values().any(|old| old == name);
        if !kept {
            comparison.push(Finding {
                base: Some((Mark::of(scheme.node), "was here")),
                revision: Some((Mark::of(schemes(revision)), "it is no longer here")),
                ..component("api-security-component-removed", name, "was removed")
            });
        }
    }
}

/// The place of the schemes, or where they would be.
fn schemes(document: &Document) -> &Node {
    let components = document.root.get("components");
    let schemes = components.and_then(|all| all.get("securitySchemes"));
    schemes.or(components).unwrap_or(&document.root)
}

fn component<'d>(id: &str, name: &str, phrase: &str) -> Finding<'d> {
    let subject = format!("security scheme {name}");
    Finding::new(
        id,
        &Scope::default(),
        subject,
        format!("security scheme `{name}` {phrase}"),
    )
}

fn compare_scheme<'d>(
    comparison: &mut Comparison<'d, '_>,
    name: &str,
    from: &'d Node,
    to: &'d Node,
) {
    const TRAVEL: [&str; 4] = ["in", "name", "scheme", "openIdConnectUrl"];
    let text = |node: &Node, key: &str| {
        node.get(key)
            .and_then(Node::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let mut keys = vec![("type", "api-security-component-type-changed")];
    keys.extend(TRAVEL.map(|key| (key, "api-security-component-changed")));
    for (key, id) in keys {
        let (old, new) = (text(from, key), text(to, key));
        let same = if key == "scheme" {
            old.eq_ignore_ascii_case(&new)
        } else {
            old == new
        };
        if !same {
            let mark = |node: &'d Node| Mark::of(node.get(key).unwrap_or(node));
            comparison.push(Finding {
                detail: format!("{key} {old} → {new}"),
                base: Some((mark(from), "before")),
                revision: Some((mark(to), "now")),
                ..component(id, name, &format!("has `{key}` {new} instead of {old}"))
            });
            if key == "type" {
                return;
            }
        }
    }
    let flows = |node: &'d Node| node.get("flows").into_iter().flat_map(Node::entries);
    for flow in flows(to) {
        if let Some(before) = flows(from).find(|other| other.key == flow.key) {
            compare_flow(comparison, name, &before.value, &flow.value);
        }
    }
}

fn compare_flow<'d>(comparison: &mut Comparison<'d, '_>, name: &str, from: &'d Node, to: &'d Node) {
    for (key, id) in [
        (
            "authorizationUrl",
            "api-security-component-oauth-url-changed",
        ),
        ("tokenUrl", "api-security-component-oauth-token-url-changed"),
    ] {
        let (old, new) = (from.get(key), to.get(key));
        let text = |node: Option<&Node>| node.and_then(Node::as_str).unwrap_or_default().to_owned();
        if text(old) != text(new) {
            comparison.push(Finding {
                detail: format!("{} → {}", text(old), text(new)),
                base: Some((Mark::of(old.unwrap_or(from)), "before")),
                revision: Some((Mark::of(new.unwrap_or(to)), "now")),
                ..component(id, name, &format!("has another `{key}`"))
            });
        }
    }
    let scopes = |node: &'d Node| node.get("scopes").unwrap_or(node);
    let (old, new) = (scopes(from), scopes(to));
    let mut note = |scope: &str, action: &str, base: &'d Node, revision: &'d Node| {
        let id = format!("api-security-component-oauth-scope-{action}");
        comparison.push(Finding {
            detail: scope.to_owned(),
            base: Some((Mark::of(base), "")),
            revision: Some((Mark::of(revision), "")),
            ..component(&id, name, &format!("had the scope `{scope}` {action}"))
        });
    };
    for entry in new.entries().filter(|entry| entry.value.as_str().is_some()) {
        match old.get(&entry.key) {
            None => note(&entry.key, "added", old, &entry.value),
            Some(before) if before.as_str() != entry.value.as_str() => {
                note(&entry.key, "changed", before, &entry.value);
            }
            Some(_) => {}
        }
    }
    for entry in old.entries().filter(|entry| entry.value.as_str().is_some()) {
        if new.get(&entry.key).is_none() {
            note(&entry.key, "removed", &entry.value, new);
        }
    }
}
