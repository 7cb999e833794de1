//! One change to a document.

use fastrand::Rng;
use openapi_document::grammar::Kind;
use openapi_document::node::{Entry, Mapping, Node, Value};

use crate::choice::{KEYWORD_VALUES, one_of};
use crate::seeds::Seeds;
use crate::{overlay, tree};

/// Names that are hard to turn into a Rust identifier, or that may collide with a generated one.
const NAMES: &[&str] = &[
    "",
    " ",
    "self",
    "Self",
    "crate",
    "super",
    "type",
    "async",
    "gen",
    "_",
    "__",
    "-",
    "1",
    "1a",
    "String",
    "Option",
    "Vec",
    "Box",
    "Result",
    "Value",
    "Error",
    "Client",
    "Server",
    "Router",
    "Default",
    "Unknown",
    "Other",
    "Inline",
    "Body",
    "body",
    "new",
    "clone",
    "fmt",
    "router",
    "models",
    "runtime",
    "shared",
    "operations",
    "mod",
    "lib",
    "additional_properties",
    "a_b",
    "aB",
    "a-b",
    "a.b",
    "A_B",
    "金額",
    "Ünï",
    "😀",
    "e\u{301}",
    "\u{202e}",
    "\0",
    "a\nb",
    "a\"b",
    "*/",
    "{a}",
    "{",
    "}",
    "#",
    "r#type",
    "'a",
    "a/b",
    "~",
    "%2F",
    "$ref",
    "x-a",
    "é",
    "É",
];

/// Changes a document in one place.
pub fn mutate(document: &mut Node, seeds: &Seeds, rng: &mut Rng) {
    match rng.u8(..16) {
        0 => remove(document, rng),
        1 => duplicate(document, rng),
        2 => swap(document, rng),
        3 => graft(document, seeds, rng),
        4 | 5 => retype(document, rng),
        6 | 7 => rename(document, rng),
        8 => say(document, rng),
        9 => refer(document, rng),
        10 => nest(document, rng),
        11 => change_version(document, rng),
        12 if rng.bool() => overlay::add(document, rng),
        _ => add_keyword(document, rng),
    }
}

/// Changes a text in one place.
pub fn mutate_text(text: &str, rng: &mut Rng) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let at = rng.usize(..characters.len().max(1));
    let end = (at + rng.usize(..40)).min(characters.len());
    match rng.u8(..5) {
        0 => characters.truncate(at),
        1 => drop(characters.drain(at..end)),
        2 => {
            let copied = characters[at..end].to_vec();
            characters.splice(at..at, copied);
        }
        3 => characters.insert(
            at,
            one_of(
                &['\0', '\t', '\u{feff}', '"', '{', '&', '*', '\r', '-'],
                rng,
            ),
        ),
        _ => {
            let opening = if rng.bool() { "[" } else { "{\"a\":" };
            characters.splice(at..at, opening.repeat(rng.usize(1..4000)).chars());
        }
    }
    characters.into_iter().collect()
}

/// A node with the JSON value of a text and the span of another node.
fn literal(text: &str, at: &Node) -> Node {
    let value = openapi_document::json::read_text(text).map_or(Value::Null, |node| node.value);
    Node {
        value,
        span: at.span,
    }
}

fn text(text: &str, at: &Node) -> Node {
    Node {
        value: Value::String(text.to_owned()),
        span: at.span,
    }
}

fn entry(key: &str, value: Node) -> Entry {
    Entry {
        key: key.to_owned(),
        key_span: value.span,
        value,
    }
}

fn mapping(entries: Vec<Entry>, at: &Node) -> Node {
    Node {
        value: Value::Mapping(Mapping { entries }),
        span: at.span,
    }
}

/// Any mapping that is not empty.
fn some_mapping<'n>(document: &'n mut Node, rng: &mut Rng) -> Option<&'n mut Mapping> {
    let size = tree::size(document);
    let number = (0..32).map(|_| rng.usize(..size)).find(|&number| {
        tree::nth(document, number)
            .and_then(|node| node.as_mapping())
            .is_some_and(|mapping| !mapping.entries.is_empty())
    })?;
    match &mut tree::nth(document, number)?.value {
        Value::Mapping(mapping) => Some(mapping),
        _ => None,
    }
}

fn remove(document: &mut Node, rng: &mut Rng) {
    match tree::any(document, rng).map(|node| &mut node.value) {
        Some(Value::Mapping(mapping)) if !mapping.entries.is_empty() => {
            let at = rng.usize(..mapping.entries.len());
            mapping.entries.remove(at);
        }
        Some(Value::Sequence(items)) if !items.is_empty() => {
            let at = rng.usize(..items.len());
            items.remove(at);
        }
        _ => {}
    }
}

/// Once more, under the same name or another.
fn duplicate(document: &mut Node, rng: &mut Rng) {
    let Some(mapping) = some_mapping(document, rng) else {
        return;
    };
    let mut twin = mapping.entries[rng.usize(..mapping.entries.len())].clone();
    twin.key = match rng.u8(..4) {
        0 => twin.key,
        1 => twin.key.to_uppercase(),
        2 => format!("{}_", twin.key),
        _ => one_of(NAMES, rng).to_owned(),
    };
    mapping.entries.push(twin);
}

fn swap(document: &mut Node, rng: &mut Rng) {
    let Some(other) = tree::any(document, rng).map(|node| node.clone()) else {
        return;
    };
    if tree::size(&other) < 400
        && let Some(node) = tree::any(document, rng)
    {
        *node = other;
    }
}

fn graft(document: &mut Node, seeds: &Seeds, rng: &mut Rng) {
    let mut other = seeds.any(rng);
    let Some(branch) = tree::any(&mut other, rng).map(|node| node.clone()) else {
        return;
    };
    if let Some(node) = tree::any(document, rng) {
        *node = branch;
    }
}

fn retype(document: &mut Node, rng: &mut Rng) {
    let value = one_of(KEYWORD_VALUES, rng);
    if let Some(node) = tree::any(document, rng) {
        *node = literal(value, node);
    }
}

fn rename(document: &mut Node, rng: &mut Rng) {
    let Some(mapping) = some_mapping(document, rng) else {
        return;
    };
    let at = rng.usize(..mapping.entries.len());
    let other = mapping.entries[rng.usize(..mapping.entries.len())]
        .key
        .clone();
    mapping.entries[at].key = match rng.u8(..6) {
        0 => other.to_uppercase(),
        1 => format!("{other}2"),
        2 => format!("{other}-"),
        _ => one_of(NAMES, rng).to_owned(),
    };
}

/// Replaces a random text with a name that is hard to generate code for.
fn say(document: &mut Node, rng: &mut Rng) {
    let name = one_of(NAMES, rng);
    for _ in 0..16 {
        if let Some(node) = tree::any(document, rng)
            && node.as_str().is_some()
        {
            *node = text(name, node);
            return;
        }
    }
}

/// Replaces a node with a reference: to a component, to the node itself, or to nothing.
fn refer(document: &mut Node, rng: &mut Rng) {
    let mut targets: Vec<String> = [
        "#",
        "#/",
        "",
        "x.yaml",
        "#/components/schemas/Missing",
        "#a",
        "#/paths",
    ]
    .map(str::to_owned)
    .to_vec();
    for section in document
        .get("components")
        .into_iter()
        .flat_map(Node::entries)
    {
        for component in section.value.entries() {
            let section = openapi_document::pointer::escape(&section.key);
            let name = openapi_document::pointer::escape(&component.key);
            let one = format!("#/components/{section}/{name}");
            targets.push(format!("{one}/properties/a"));
            targets.extend(std::iter::repeat_n(one, 4));
        }
    }
    let target = &targets[rng.usize(..targets.len())];
    let Some(node) = tree::any(document, rng) else {
        return;
    };
    let reference = mapping(vec![entry("$ref", text(target, node))], node);
    *node = match rng.u8(..4) {
        0 => {
            let members = Node {
                value: Value::Sequence(vec![reference, node.clone()]),
                span: node.span,
            };
            let keyword = one_of(&["allOf", "oneOf", "anyOf"], rng);
            mapping(vec![entry(keyword, members)], node)
        }
        _ => reference,
    };
}

/// Wraps a node many times.
fn nest(document: &mut Node, rng: &mut Rng) {
    let Some(node) = tree::any(document, rng) else {
        return;
    };
    let depth = one_of(&[1, 2, 5, 40, 120], rng);
    let way = rng.u8(..6);
    for _ in 0..depth {
        let inner = std::mem::replace(node, literal("null", node));
        let list = |items: Vec<Node>, at: &Node| Node {
            value: Value::Sequence(items),
            span: at.span,
        };
        *node = match way {
            0 => mapping(
                vec![
                    entry("type", text("array", &inner)),
                    entry("items", inner.clone()),
                ],
                &inner,
            ),
            1 => mapping(
                vec![entry("allOf", list(vec![inner.clone()], &inner))],
                &inner,
            ),
            2 => {
                let null = literal(r#"{"type":"null"}"#, &inner);
                mapping(
                    vec![entry("oneOf", list(vec![inner.clone(), null], &inner))],
                    &inner,
                )
            }
            3 => {
                let properties = mapping(vec![entry("a", inner.clone())], &inner);
                mapping(vec![entry("properties", properties)], &inner)
            }
            4 => mapping(vec![entry("additionalProperties", inner.clone())], &inner),
            _ => list(vec![inner.clone()], &inner),
        };
    }
}

fn change_version(document: &mut Node, rng: &mut Rng) {
    let versions = [
        "3.0.0", "3.0.4", "3.1.0", "3.1.1", "3.2.0", "2.0", "3.0.", "3.1.x",
    ];
    let version = one_of(&versions, rng);
    if let Value::Mapping(mapping) = &mut document.value
        && let Some(entry) = mapping
            .entries
            .iter_mut()
            .find(|entry| entry.key == "openapi")
    {
        entry.value = text(version, &entry.value);
    }
}

/// Sets a field that some object of the specification has to a value that some field takes.
fn add_keyword(document: &mut Node, rng: &mut Rng) {
    let kinds = [
        Kind::Schema,
        Kind::Schema,
        Kind::Schema,
        Kind::Parameter,
        Kind::Operation,
        Kind::MediaType,
        Kind::Response,
        Kind::PathItem,
        Kind::Encoding,
        Kind::Discriminator,
        Kind::Document,
    ];
    let names: Vec<&str> = one_of(&kinds, rng).field_names().collect();
    let name = one_of(&names, rng);
    let value = one_of(KEYWORD_VALUES, rng);
    let Some(mapping) = some_mapping(document, rng) else {
        return;
    };
    let at = mapping.entries[0].value.clone();
    mapping.entries.retain(|entry| entry.key != name);
    mapping.entries.push(entry(name, literal(value, &at)));
}
