//! Reach: merges the same change of a shared part into one finding, with the operations that it
//! affects.
//!
//! A change is the same if rule and both places are equal. It is identified by the shared part, so
//! it keeps its identity when further operations use the part.

use super::change::{Change, Spot};
use openapi_document::pointer::Pointer;
use openapi_document::view::Method;

/// The maximum number of operations in a title.
const NAMED: usize = 3;

/// A part of a document that operations may share, and a place in it.
struct Shared {
    noun: String,
    name: String,
    way: String,
}

/// The shared part that changed; `None` if it belongs to one operation. The deeper of the two
/// places decides.
pub(super) fn shared(change: &Change) -> Option<String> {
    let part = part(change)?;
    let space = if part.way.is_empty() { "" } else { " " };
    Some(format!("{} {}{space}{}", part.noun, part.name, part.way))
}

/// Adds the affected operations to the title, if there are several.
pub(super) fn describe(change: &mut Change, phrase: Option<&str>) {
    if change.reach.len() < 2 {
        return;
    }
    if let (Some(part), Some(phrase)) = (part(change), phrase) {
        let Shared { noun, name, way } = part;
        change.title = if way.is_empty() {
            format!("{noun} `{name}` {phrase}")
        } else {
            format!("`{way}` of the {noun} `{name}` {phrase}")
        };
    }
    if let Some(shared) = &change.shared {
        change.subject.clone_from(shared);
    }
    change.operation = None;
    let names = change.reach.iter();
    let names = names.filter_map(|one| one.operation.as_deref());
    let names: Vec<_> = names.take(NAMED).map(|name| format!("`{name}`")).collect();
    let (count, names) = (change.reach.len(), names.join(", "));
    let rest = match count.saturating_sub(NAMED) {
        0 => String::new(),
        rest => format!(" and {rest} more"),
    };
    let reached = format!(" ({count} operations: {names}{rest})");
    change.title.push_str(&reached);
}

fn part(change: &Change) -> Option<Shared> {
    let depth = |spot: &&Spot| spot.pointer.depth();
    let places = [change.base.as_ref(), change.revision.as_ref()];
    let deeper = places.into_iter().flatten().max_by_key(depth);
    named(&deeper?.pointer)
}

/// The name of a shared part and the place in it; `None` for a place in an operation.
fn named(pointer: &Pointer) -> Option<Shared> {
    let decoded: Vec<_> = pointer.segments().collect();
    let segments: Vec<&str> = decoded.iter().map(AsRef::as_ref).collect();
    match segments.as_slice() {
        ["components", section, name, rest @ ..] => Some(Shared {
            noun: noun(section).to_owned(),
            name: (*name).to_owned(),
            way: way(rest),
        }),
        ["paths", path, rest @ ..] if rest.first().is_some_and(|key| !is_operation(key)) => {
            Some(Shared {
                noun: "path".to_owned(),
                name: (*path).to_owned(),
                way: way(rest),
            })
        }
        _ => None,
    }
}

/// Whether a field of a path item holds operations.
fn is_operation(key: &str) -> bool {
    key == "additionalOperations" || Method::parse(key).is_some()
}

/// The word for a component of a section.
fn noun(section: &str) -> &str {
    match section {
        "schemas" => "schema",
        "parameters" => "parameter",
        "responses" => "response",
        "requestBodies" => "request body",
        "headers" => "header",
        "links" => "link",
        "callbacks" => "callback",
        "pathItems" => "path item",
        other => other,
    }
}

/// The path through a part, spelled like the subjects of schemas, without trailing keywords.
fn way(segments: &[&str]) -> String {
    let mut way = String::new();
    let mut rest = segments;
    while let Some((key, after)) = rest.split_first() {
        rest = after;
        let Some((next, beyond)) = after.split_first() else {
            break;
        };
        let named = match *key {
            "properties" | "headers" | "content" | "patternProperties" | "dependentSchemas" => {
                format!("/{}", openapi_document::pointer::escape(next))
            }
            "oneOf" | "anyOf" => {
                let place = next.parse::<usize>().map_or(0, |place| place + 1);
                format!("({place})")
            }
            "prefixItems" | "parameters" => format!("/{next}"),
            "allOf" => String::new(),
            "items" => {
                way.push_str("/[]");
                continue;
            }
            "additionalProperties" => {
                way.push_str("/{}");
                continue;
            }
            _ => continue,
        };
        way.push_str(&named);
        rest = beyond;
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_parts_have_names() {
        for (pointer, expected) in [
            (
                "/components/schemas/Card/properties/number/maxLength",
                Some(("schema", "Card", "/number")),
            ),
            (
                "/components/schemas/Card/properties/properties",
                Some(("schema", "Card", "/properties")),
            ),
            (
                "/components/schemas/Cards/items/properties/a~1b/type",
                Some(("schema", "Cards", "/[]/a~1b")),
            ),
            (
                "/components/schemas/Either/oneOf/1/additionalProperties/enum/0",
                Some(("schema", "Either", "(2)/{}")),
            ),
            (
                "/components/schemas/All/allOf/0/required/1",
                Some(("schema", "All", "")),
            ),
            (
                "/components/parameters/Limit/schema/maximum",
                Some(("parameter", "Limit", "")),
            ),
            (
                "/components/responses/No/content/application~1json",
                Some(("response", "No", "/application~1json")),
            ),
            ("/paths/~1a/parameters/0/schema", Some(("path", "/a", "/0"))),
            ("/paths/~1a/get/parameters/0", None),
            ("/info/version", None),
        ] {
            let pointer = Pointer::parse(pointer).unwrap();
            let found = named(&pointer);
            let found = found.as_ref().map(|shared| {
                (
                    shared.noun.as_str(),
                    shared.name.as_str(),
                    shared.way.as_str(),
                )
            });
            assert_eq!(found, expected, "{pointer}");
        }
    }
}
