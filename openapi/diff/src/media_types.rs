//! Media types: compares the media types of bodies and their schemas.

use std::rc::Rc;

use super::both::Both;
use super::place::{Place, Root};
use super::rule::Direction;
use super::schema::Between;
use super::side::Mark;
use super::{Comparison, Finding, Use, schema};
use openapi_document::node::Node;
use openapi_document::provenance::{self, Provenance};
use openapi_document::view::{Located, MediaType};

/// The body that has the media types.
#[derive(Debug)]
pub(super) struct Owner<'d> {
    /// Its nodes on both sides.
    pub(super) nodes: (&'d Node, &'d Node),
    pub(super) subject: String,
    pub(super) name: String,
    pub(super) direction: Direction,
    pub(super) provenance: provenance::Level,
}

impl<'d> Owner<'d> {
    fn content(&self) -> (Mark<'d>, Mark<'d>) {
        let mark = |node: &'d Node| Mark::of(node.get("content").unwrap_or(node));
        (mark(self.nodes.0), mark(self.nodes.1))
    }

    fn finding(&self, both: &Both<'d>, id: &str, media: &str, phrase: &str) -> Finding<'d> {
        let (base, revision) = self.content();
        Finding {
            subject: format!("{} {media}", self.subject),
            title: format!("`{media}` of the {} {phrase}", self.name),
            provenance: self.provenance,
            base: Some((base, "")),
            revision: Some((revision, "")),
            ..both.finding(id, "", "")
        }
    }
}

/// Compares the media types of a body.
pub(super) fn compare<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    owner: &Owner<'d>,
    old: &[MediaType<'d>],
    new: &[MediaType<'d>],
) {
    let mut removed = Vec::new();
    let mut added: Vec<&MediaType<'d>> = new.iter().collect();
    for from in old {
        let name = canonical(from.name);
        match added.iter().position(|to| canonical(to.name) == name) {
            Some(place) => compare_both(comparison, both, owner, from, added.remove(place)),
            None => removed.push(from),
        }
    }
    if owner.direction == Direction::Response {
        renamed(comparison, both, owner, &mut removed, &mut added);
    }
    let prefix = if owner.direction == Direction::Request {
        "request-body"
    } else {
        "response"
    };
    let (base, revision) = owner.content();
    for to in added {
        let id = format!("{prefix}-media-type-added");
        comparison.push(Finding {
            base: Some((base, "it is not here")),
            revision: Some((Mark::of(to.at.node), "added here")),
            ..owner.finding(both, &id, to.name, "was added")
        });
    }
    for from in removed {
        let id = format!("{prefix}-media-type-removed");
        comparison.push(Finding {
            base: Some((Mark::of(from.at.node), "was here")),
            revision: Some((revision, "it is no longer here")),
            ..owner.finding(both, &id, from.name, "was removed")
        });
    }
}

/// Reports media types that became a related one.
fn renamed<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    owner: &Owner<'d>,
    removed: &mut Vec<&MediaType<'d>>,
    added: &mut Vec<&MediaType<'d>>,
) {
    removed.retain(|from| {
        let related = added
            .iter()
            .position(|to| relation(from.name, to.name).is_some());
        let Some(to) = related.map(|place| added.remove(place)) else {
            return true;
        };
        let id = relation(from.name, to.name).unwrap_or_default();
        comparison.push(Finding {
            detail: format!("{} → {}", from.name, to.name),
            base: Some((Mark::of(from.at.node), "before")),
            revision: Some((Mark::of(to.at.node), "now")),
            ..owner.finding(both, id, from.name, &format!("became `{}`", to.name))
        });
        compare_both(comparison, both, owner, from, to);
        false
    });
}

/// The rule for a media type that became another one; `None` if they are not related.
fn relation(from: &str, to: &str) -> Option<&'static str> {
    let essence = |name: &str| {
        canonical(name)
            .split(';')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let (from, to) = (essence(from), essence(to));
    if from == to {
        Some("response-media-type-name-changed")
    } else if covers(&to, &from) {
        Some("response-media-type-name-generalized")
    } else if covers(&from, &to) {
        Some("response-media-type-name-specialized")
    } else {
        None
    }
}

/// Whether a media type includes another one: `*/*`, `text/*`, or `application/json` for
/// `application/problem+json`.
fn covers(wide: &str, narrow: &str) -> bool {
    let (Some((wide_type, wide_sub)), Some((narrow_type, narrow_sub))) =
        (wide.split_once('/'), narrow.split_once('/'))
    else {
        return false;
    };
    let same_type = wide_type == narrow_type;
    wide == "*/*"
        || (same_type && wide_sub == "*")
        || (same_type
            && narrow_sub
                .rsplit_once('+')
                .is_some_and(|(_, suffix)| suffix == wide_sub))
}

/// The canonical form of a media type: lower case, sorted parameters.
fn canonical(name: &str) -> String {
    let mut parts = name.split(';').map(|part| part.trim().to_ascii_lowercase());
    let essence = parts.next().unwrap_or_default();
    let mut parameters: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    parameters.sort();
    parameters
        .iter()
        .fold(essence, |name, one| name + ";" + one)
}

/// The keywords of a media type that hold a schema: of the body, and of each item of a stream (3.2).
const SCHEMAS: [(&str, &str, &str); 2] = [
    ("schema", "got a schema", "lost its schema"),
    (
        "itemSchema",
        "got a schema of its items",
        "lost the schema of its items",
    ),
];

fn compare_both<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    owner: &Owner<'d>,
    from: &MediaType<'d>,
    to: &MediaType<'d>,
) {
    let prefix = if owner.direction == Direction::Request {
        "request-body"
    } else {
        "response-body"
    };
    let node = |media: &MediaType<'d>, key: &str| {
        Mark::of(media.at.node.get(key).unwrap_or(media.at.node))
    };
    for (key, got, lost) in SCHEMAS {
        let action = match (from.at.get(key), to.at.get(key)) {
            (None, Some(_)) => ("added", got),
            (Some(_), None) => ("removed", lost),
            _ => continue,
        };
        let id = format!("{prefix}-media-type-schema-{}", action.0);
        comparison.push(Finding {
            base: Some((node(from, key), "")),
            revision: Some((node(to, key), "")),
            ..owner.finding(both, &id, from.name, action.1)
        });
    }
    if encodings(from) != encodings(to) {
        let id = format!("{prefix}-encoding-changed");
        comparison.push(Finding {
            base: Some((node(from, "encoding"), "before")),
            revision: Some((node(to, "encoding"), "now")),
            ..owner.finding(both, &id, from.name, "has parts with another encoding")
        });
    }
    for (key, ..) in SCHEMAS {
        if let (Some(old), Some(new)) = (from.at.get(key), to.at.get(key)) {
            compare_schemas(comparison, both, owner, (from, to), (&old, &new));
        }
    }
}

fn compare_schemas<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    owner: &Owner<'d>,
    (from, to): (&MediaType<'d>, &MediaType<'d>),
    (old, new): (&Located<'d>, &Located<'d>),
) {
    let owners = (from.at.node, to.at.node);
    let between = Between {
        base: &[old.node],
        revision: &[new.node],
        owners,
    };
    let Some(pair) = comparison.pairs.enter(between) else {
        return;
    };
    let stated = Provenance::of(old.node).map(|provenance| provenance.level);
    comparison.uses.push(Use {
        scope: Rc::clone(&both.scope),
        place: Place::new(owner.direction, Root::Body, !from.is_json()),
        subject: format!("{} {}", owner.subject, from.name),
        name: owner.name.clone(),
        provenance: stated.unwrap_or(owner.provenance),
        pair,
        sites: Some((Mark::of(old.node), Mark::of(new.node))),
    });
}

/// The encodings of the parts of a body in a canonical form, without defaults.
fn encodings(media: &MediaType<'_>) -> Vec<String> {
    let parts = media.at.node.get("encoding");
    let parts = parts.into_iter().flat_map(Node::entries);
    let mut parts: Vec<_> = parts
        .map(|entry| (entry, encoding(&entry.value)))
        .filter(|(_, keywords)| !keywords.is_empty())
        .map(|(entry, keywords)| format!("{} {}", entry.key, keywords.join(" ")))
        .collect();
    parts.sort();
    parts
}

/// The keywords of one encoding that differ from the defaults.
fn encoding(part: &Node) -> Vec<String> {
    let style = part.get("style").and_then(Node::as_str).unwrap_or("form");
    let explode = part.get("explode").and_then(Node::as_bool);
    let is_usual = |key: &str, value: &Node| match key {
        "style" => style == "form",
        "explode" => explode == Some(style == "form"),
        "allowReserved" => value.as_bool() == Some(false),
        _ => key.starts_with("x-"),
    };
    let keywords = part.entries();
    let mut keywords: Vec<_> = keywords
        .filter(|entry| !is_usual(&entry.key, &entry.value))
        .map(|entry| format!("{} {}", entry.key, schema::canonical::text(&entry.value)))
        .collect();
    keywords.sort();
    keywords
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_are_related_or_not() {
        for (from, to, id) in [
            (
                "application/problem+json",
                "application/json",
                Some("generalized"),
            ),
            (
                "application/json",
                "application/problem+json",
                Some("specialized"),
            ),
            ("text/plain", "text/*", Some("generalized")),
            ("text/html", "*/*", Some("generalized")),
            ("text/html; charset=utf-8", "text/html", Some("changed")),
            ("text/html", "text/plain", None),
            ("application/json", "text/json", None),
        ] {
            let found =
                relation(from, to).map(|id| id.trim_start_matches("response-media-type-name-"));
            assert_eq!(found, id, "{from} → {to}");
        }
        assert_eq!(
            canonical("Text/HTML; b=2;a=1"),
            canonical("text/html;a=1; b=2")
        );
    }
}
