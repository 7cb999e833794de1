//! Schemas: the normalized schemas of a document, each computed on first use.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::flat::{Flat, Group, Values};
use super::keywords;
use super::settle;
use super::types::Types;
use crate::side::identity;
use openapi_document::node::Node;
use openapi_document::pointer::Pointer;
use openapi_document::view::Document;

/// A schema, or the conjunction of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SchemaId(usize);

/// A part of a conjunction.
#[derive(Debug, Clone, Copy)]
enum Part<'d> {
    Whole(&'d Node),
    /// The schema without its alternatives.
    Bare(&'d Node),
    /// No requirement; the node is the owner.
    Nothing(&'d Node),
}

/// The maximum nesting of references and `allOf`; deeper schemas accept everything.
const DEPTH: usize = 128;

/// The schemas of a document.
#[derive(Debug)]
pub(crate) struct Schemas<'d> {
    document: &'d Document,
    is_30: bool,
    ids: HashMap<Vec<(u8, usize)>, SchemaId>,
    parts: Vec<Vec<Part<'d>>>,
    flats: Vec<Option<Rc<Flat<'d>>>>,
    nodes: HashMap<(u8, usize), Rc<Flat<'d>>>,
    open: HashSet<(u8, usize)>,
    targets: HashMap<&'d str, Option<&'d Node>>,
    pub(super) digests: HashMap<(SchemaId, u8), u64>,
}

impl<'d> Schemas<'d> {
    pub(crate) fn new(document: &'d Document) -> Self {
        Self {
            document,
            is_30: document
                .version()
                .is_none_or(|version| version.starts_with("3.0")),
            ids: HashMap::new(),
            parts: Vec::new(),
            flats: Vec::new(),
            nodes: HashMap::new(),
            open: HashSet::new(),
            targets: HashMap::new(),
            digests: HashMap::new(),
        }
    }

    /// The id of a conjunction of schemas. Without any, it accepts everything, and `owner` is its
    /// node.
    pub(crate) fn intern(&mut self, nodes: &[&'d Node], owner: &'d Node) -> SchemaId {
        let mut parts: Vec<_> = nodes
            .iter()
            .map(|node| Part::Whole(self.resolve(node)))
            .collect();
        if parts.is_empty() {
            parts.push(Part::Nothing(owner));
        }
        self.intern_parts(parts)
    }

    pub(super) fn child_id(&mut self, node: &'d Node) -> SchemaId {
        self.intern(&[node], node)
    }

    /// The id of a schema combined with one of its alternatives.
    pub(crate) fn choose(&mut self, id: SchemaId, alternative: &'d Node) -> SchemaId {
        let bare = |part: &Part<'d>| match *part {
            Part::Whole(node) | Part::Bare(node) => Part::Bare(node),
            Part::Nothing(node) => Part::Nothing(node),
        };
        let mut parts: Vec<_> = self.parts[id.0].iter().map(bare).collect();
        parts.push(Part::Whole(self.resolve(alternative)));
        self.intern_parts(parts)
    }

    /// The current number of schemas.
    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    fn intern_parts(&mut self, mut parts: Vec<Part<'d>>) -> SchemaId {
        let mut seen = HashSet::new();
        parts.retain(|part| seen.insert(part.key()));
        let mut key: Vec<_> = parts.iter().map(Part::key).collect();
        key.sort_unstable();
        let next = SchemaId(self.parts.len());
        let id = *self.ids.entry(key).or_insert(next);
        if id == next {
            self.parts.push(parts);
            self.flats.push(None);
        }
        id
    }

    /// The normalized schema.
    pub(crate) fn flat(&mut self, id: SchemaId) -> Rc<Flat<'d>> {
        if let Some(flat) = &self.flats[id.0] {
            return Rc::clone(flat);
        }
        let parts = self.parts[id.0].clone();
        let mut flat: Option<Flat<'d>> = None;
        for part in parts {
            let part_flat = self.part(part, 0);
            match &mut flat {
                Some(flat) => flat.conjoin(&part_flat),
                None => flat = Some((*part_flat).clone()),
            }
        }
        let mut flat = flat.unwrap_or_else(|| Flat::any(&self.document.root));
        settle::settle(&mut flat);
        // A `not` schema for another type has no effect.
        flat.nots = std::mem::take(&mut flat.nots);
        flat.nots.retain(|node| {
            let part = Part::Whole(self.resolve(node));
            self.part(part, 0).types.has(flat.types)
        });
        let flat = Rc::new(flat);
        self.flats[id.0] = Some(Rc::clone(&flat));
        flat
    }

    /// The schema object, with references followed.
    pub(crate) fn resolve(&mut self, node: &'d Node) -> &'d Node {
        let mut here = node;
        let mut seen = HashSet::new();
        while let Some(reference) = here.reference() {
            if !self.is_mere_reference(here) || !seen.insert(reference) {
                break;
            }
            match self.target(reference) {
                Some(target) => here = target,
                None => break,
            }
        }
        here
    }

    /// The schema that a mapping value names: a reference, or the name of a component.
    pub(super) fn named(&mut self, name: &'d str) -> Option<&'d Node> {
        let target = if name.contains('/') {
            self.target(name)
        } else {
            let pointer = Pointer::from_iter(["components", "schemas", name]);
            self.document.lookup(&pointer).map(|at| at.node)
        };
        target.map(|node| self.resolve(node))
    }

    /// Whether a node is only a reference; in 3.1, it may have other keywords beside it.
    fn is_mere_reference(&self, node: &Node) -> bool {
        let describes = |key: &str| {
            key == "$ref" || key.starts_with("x-") || key == "description" || key == "summary"
        };
        self.is_30 || node.entries().all(|entry| describes(&entry.key))
    }

    pub(super) fn target(&mut self, reference: &'d str) -> Option<&'d Node> {
        let document = self.document;
        *self.targets.entry(reference).or_insert_with(|| {
            let pointer = Pointer::parse_fragment(reference.strip_prefix('#')?)?;
            document.lookup(&pointer).map(|at| at.node)
        })
    }

    fn part(&mut self, part: Part<'d>, depth: usize) -> Rc<Flat<'d>> {
        let (node, bare) = match part {
            Part::Nothing(node) => return Rc::new(Flat::any(node)),
            Part::Whole(node) => (node, false),
            Part::Bare(node) => (node, true),
        };
        let key = part.key();
        if let Some(known) = self.nodes.get(&key) {
            return Rc::clone(known);
        }
        if depth > DEPTH || !self.open.insert(key) {
            return Rc::new(Flat::any(node));
        }
        let flat = Rc::new(self.read(node, bare, depth));
        self.open.remove(&key);
        self.nodes.insert(key, Rc::clone(&flat));
        flat
    }

    fn read(&mut self, node: &'d Node, bare: bool, depth: usize) -> Flat<'d> {
        if node.as_bool() == Some(false) {
            return Flat {
                types: Types::NONE,
                type_at: Some(node),
                ..Flat::any(node)
            };
        }
        let mut flat = keywords::read(node, self.is_30);
        let mut members: Vec<&'d Node> = Vec::new();
        if let Some(target) = node
            .reference()
            .and_then(|reference| self.target(reference))
        {
            members.push(target);
        }
        for member in node.get("allOf").into_iter().flat_map(Node::items) {
            if only_describes(member) {
                flat.descriptions.push(member);
            }
            members.push(member);
        }
        for member in members {
            let part = self.again(member, bare);
            let part_flat = self.part(part, depth + 1);
            flat.conjoin(&part_flat);
        }
        for (exactly_one, keyword) in [(true, "oneOf"), (false, "anyOf")] {
            if let Some(at) = node.get(keyword).filter(|_| !bare) {
                self.alternatives(&mut flat, exactly_one, at, depth);
            }
        }
        if !self.is_30 {
            self.settle_unevaluated(&mut flat, node);
        }
        flat
    }

    fn again(&mut self, node: &'d Node, bare: bool) -> Part<'d> {
        let node = self.resolve(node);
        if bare {
            Part::Bare(node)
        } else {
            Part::Whole(node)
        }
    }

    /// The alternatives of a list. An alternative that is only a list of the same kind is replaced
    /// by its members, unless a discriminator names it.
    fn spread(&mut self, flat: &Flat<'d>, exactly_one: bool, at: &'d Node) -> Vec<&'d Node> {
        let keyword = if exactly_one { "oneOf" } else { "anyOf" };
        let mut seen = HashSet::from([identity(at)]);
        let mut open: Vec<&'d Node> = at.items().collect();
        open.reverse();
        let mut all = Vec::new();
        while let Some(node) = open.pop() {
            let target = self.resolve(node);
            let inner = target.get(keyword).filter(|_| {
                let mut entries = target.entries();
                flat.discriminator.is_none()
                    && entries.all(|entry| entry.key == keyword || describes(&entry.key))
            });
            match inner {
                Some(list) if list.items().next().is_some() && seen.insert(identity(list)) => {
                    open.extend(list.items().collect::<Vec<_>>().into_iter().rev());
                }
                _ => all.push(node),
            }
        }
        all
    }

    /// Reads alternatives. If only one is left, or if they are only lists of values, they become
    /// part of the schema.
    fn alternatives(&mut self, flat: &mut Flat<'d>, exactly_one: bool, at: &'d Node, depth: usize) {
        let all = self.spread(flat, exactly_one, at);
        let (nulls, others): (Vec<&'d Node>, Vec<&'d Node>) =
            all.iter().partition(|node| is_null(self.resolve(node)));
        let listed: Option<Vec<_>> = others
            .iter()
            .map(|node| listed(self.resolve(node)))
            .collect();
        let null = nulls.first().copied();
        match (listed, others.as_slice()) {
            (_, []) if null.is_none() => {}
            (Some(lists), _) => {
                let nodes = lists.into_iter().flatten().chain(null_value(null));
                let values = Values {
                    list: keywords::list(nodes),
                    at,
                };
                flat.conjoin(&Flat {
                    values: Some(values),
                    ..Flat::any(flat.at)
                });
            }
            (None, [one]) => {
                let part = self.again(one, false);
                let mut part_flat = (*self.part(part, depth + 1)).clone();
                if null.is_some() {
                    part_flat.types = part_flat.types.or(Types::NULL);
                    if let Some(values) = &mut part_flat.values {
                        values
                            .list
                            .entry("null".to_owned())
                            .or_insert(&keywords::NULL);
                    }
                }
                flat.conjoin(&part_flat);
            }
            (None, _) => {
                let group = Group {
                    exactly_one,
                    at,
                    alternatives: all,
                };
                flat.groups.push(group);
            }
        }
    }
}

impl Part<'_> {
    fn key(&self) -> (u8, usize) {
        match self {
            Part::Whole(node) => (0, identity(node)),
            Part::Bare(node) => (1, identity(node)),
            Part::Nothing(node) => (2, identity(node)),
        }
    }
}

/// Whether a schema accepts only null.
fn is_null(node: &Node) -> bool {
    let one = |key: &str| node.get(key).and_then(|values| values.as_sequence());
    node.get("type").and_then(Node::as_str) == Some("null")
        || node.get("const").is_some_and(Node::is_null)
        || one("enum").is_some_and(|values| !values.is_empty() && values.iter().all(Node::is_null))
}

/// The null of an alternative that accepts only null.
fn null_value(alternative: Option<&Node>) -> Option<&Node> {
    let alternative = alternative?;
    let listed = alternative.get("enum").and_then(|values| values.item(0));
    listed
        .or_else(|| alternative.get("const"))
        .or(Some(&keywords::NULL))
}

/// The values of a schema that only lists values.
fn listed(node: &Node) -> Option<Vec<&Node>> {
    let lists = |key: &str| {
        matches!(
            key,
            "enum" | "const" | "type" | "title" | "description" | "deprecated" | "example"
        ) || (key.starts_with("x-") && key != "x-extensible-enum")
    };
    if !node.entries().all(|entry| lists(&entry.key)) {
        return None;
    }
    let types = node
        .get("type")
        .and_then(Node::as_str)
        .and_then(Types::parse);
    let fits = |value: &&Node| types.is_none_or(|types| types.covers(Types::of(value)));
    let values = match (node.get("const"), node.get("enum")) {
        (Some(value), None) => vec![value],
        (None, Some(values)) => values.items().collect(),
        _ => return None,
    };
    Some(values.into_iter().filter(fits).collect())
}

/// Whether a keyword is only for people.
fn describes(keyword: &str) -> bool {
    matches!(
        keyword,
        "title" | "description" | "example" | "examples" | "externalDocs"
    )
}

/// Whether a member of `allOf` has no requirements.
fn only_describes(node: &Node) -> bool {
    node.as_mapping()
        .is_some_and(|mapping| !mapping.entries.is_empty())
        && node.entries().all(|entry| describes(&entry.key))
}
