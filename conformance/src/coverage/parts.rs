//! Parts: the optional parts of a schema, and those that a body has.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::view::Located;
use openapi_document::{Node, Pointer, Value};

use super::{Part, PartKind};
use crate::contract::Contract;

/// Limits for recursive schemas.
const MOST_PARTS: usize = 500;
const DEEPEST: usize = 24;
const MOST_VISITS: usize = 20_000;

/// The place in the body, and the place of the schema or property in the contract.
pub(super) type Key = (String, Pointer);

/// Collects the parts of a schema.
pub(super) struct Walk<'d> {
    contract: &'d Contract<'d>,
    parts: Vec<Part>,
    index: BTreeMap<Key, usize>,
    /// The schemas that contain the current one.
    trail: Vec<Pointer>,
    left: usize,
}

impl<'d> Walk<'d> {
    pub(super) fn new(contract: &'d Contract<'d>) -> Self {
        Self {
            contract,
            parts: Vec::new(),
            index: BTreeMap::new(),
            trail: Vec::new(),
            left: MOST_VISITS,
        }
    }

    pub(super) fn finish(self) -> (Vec<Part>, BTreeMap<Key, usize>) {
        (self.parts, self.index)
    }

    /// Adds the parts of a body.
    pub(super) fn document(&mut self, schema: &Located<'d>) {
        self.schema(schema, "", &BTreeSet::new());
    }

    /// Adds the parts of a schema. `required` are the properties that an enclosing schema requires.
    fn schema(&mut self, schema: &Located<'d>, at: &str, required: &BTreeSet<String>) {
        let Some(schema) = resolved(self.contract, schema) else {
            return;
        };
        let full = self.parts.len() >= MOST_PARTS || self.trail.len() >= DEEPEST || self.left == 0;
        if full || self.trail.contains(&schema.pointer) {
            return;
        }
        self.left -= 1;
        self.trail.push(schema.pointer.clone());
        let required = demanded(self.contract, &schema, required);
        for member in members(&schema, "allOf") {
            self.schema(&member, at, &required);
        }
        for (kind, keyword) in ALTERNATIVES {
            let branches = members(&schema, keyword);
            let offers = branches.len() > 1;
            for (number, branch) in branches.iter().enumerate() {
                if offers {
                    self.add(at, kind, Some(name(self.contract, branch, number)), branch);
                }
                self.schema(branch, at, &required);
            }
        }
        for (name, property) in properties(&schema) {
            let below = format!("{at}/{}", escaped(&name));
            if !required.contains(&name) && !is_write_only(self.contract, &property) {
                self.add(&below, PartKind::Property, None, &property);
            }
            self.schema(&property, &below, &BTreeSet::new());
        }
        for keyword in ["items", "additionalProperties"] {
            if let Some(inner) = schema.get(keyword) {
                self.schema(&inner, &format!("{at}/*"), &BTreeSet::new());
            }
        }
        self.trail.pop();
    }

    fn add(&mut self, at: &str, kind: PartKind, name: Option<String>, part: &Located<'d>) {
        let key = (at.to_owned(), part.pointer.clone());
        if self.index.contains_key(&key) {
            return;
        }
        self.index.insert(key, self.parts.len());
        self.parts.push(Part {
            pointer: at.to_owned(),
            kind,
            name,
            seen: 0,
            spec: self.contract.spot_of(part.node),
        });
    }
}

const ALTERNATIVES: [(PartKind, &str); 2] =
    [(PartKind::OneOf, "oneOf"), (PartKind::AnyOf, "anyOf")];

/// The parts of a body, each once for each value that has it.
pub(super) fn seen<'d>(contract: &Contract<'d>, schema: &Located<'d>, body: &Node) -> Vec<Key> {
    let mut visit = Visit {
        contract,
        parts: Vec::new(),
        left: MOST_VISITS,
    };
    visit.value(schema, body, "", 0);
    visit.parts
}

/// Matches a body with its schema.
struct Visit<'c, 'd> {
    contract: &'c Contract<'d>,
    parts: Vec<Key>,
    left: usize,
}

impl<'d> Visit<'_, 'd> {
    fn value(&mut self, schema: &Located<'d>, value: &Node, at: &str, depth: usize) {
        let Some(schema) = resolved(self.contract, schema) else {
            return;
        };
        if depth >= DEEPEST || self.left == 0 {
            return;
        }
        self.left -= 1;
        for member in members(&schema, "allOf") {
            self.value(&member, value, at, depth + 1);
        }
        for (_, keyword) in ALTERNATIVES {
            self.branches(&members(&schema, keyword), value, at, depth + 1);
        }
        match &value.value {
            Value::Sequence(items) => {
                for item in items {
                    self.inner(schema.get("items"), item, at, depth);
                }
            }
            Value::Mapping(_) => self.object(&schema, value, at, depth),
            _ => {}
        }
    }

    /// Visits the branches that the value satisfies.
    fn branches(&mut self, branches: &[Located<'d>], value: &Node, at: &str, depth: usize) {
        for branch in branches {
            let fits = branches.len() == 1
                || self
                    .contract
                    .validate_answer(branch, value)
                    .is_ok_and(|violations| violations.is_empty());
            if fits {
                self.parts.push((at.to_owned(), branch.pointer.clone()));
                self.value(branch, value, at, depth);
            }
        }
    }

    fn object(&mut self, schema: &Located<'d>, value: &Node, at: &str, depth: usize) {
        let known: BTreeMap<String, Located<'d>> = properties(schema).into_iter().collect();
        for entry in value.entries() {
            if let Some(property) = known.get(&entry.key) {
                let below = format!("{at}/{}", escaped(&entry.key));
                self.parts.push((below.clone(), property.pointer.clone()));
                self.value(property, &entry.value, &below, depth + 1);
            } else {
                let others = schema.get("additionalProperties");
                self.inner(others, &entry.value, at, depth);
            }
        }
    }

    /// Visits an item of an array, or the value of an additional property.
    fn inner(&mut self, schema: Option<Located<'d>>, value: &Node, at: &str, depth: usize) {
        if let Some(schema) = schema {
            self.value(&schema, value, &format!("{at}/*"), depth + 1);
        }
    }
}

fn resolved<'d>(contract: &Contract<'d>, schema: &Located<'d>) -> Option<Located<'d>> {
    contract.document.resolve(schema).ok()
}

fn members<'d>(schema: &Located<'d>, keyword: &str) -> Vec<Located<'d>> {
    let members = schema.get(keyword);
    members.map_or_else(Vec::new, |members| members.items().collect())
}

fn properties<'d>(schema: &Located<'d>) -> Vec<(String, Located<'d>)> {
    let properties = schema.get("properties");
    properties.map_or_else(Vec::new, |all| {
        let pair =
            |(entry, at): (&openapi_document::node::Entry, Located<'d>)| (entry.key.clone(), at);
        all.entries().map(pair).collect()
    })
}

/// The properties that a schema requires, with those that enclosing and combined schemas require.
fn demanded<'d>(
    contract: &Contract<'d>,
    schema: &Located<'d>,
    around: &BTreeSet<String>,
) -> BTreeSet<String> {
    let mut names = around.clone();
    let mut add = |schema: &Located<'d>| {
        if let Some(list) = schema.node.get("required") {
            names.extend(list.strings().map(str::to_owned));
        }
    };
    add(schema);
    for member in members(schema, "allOf") {
        if let Some(member) = resolved(contract, &member) {
            add(&member);
        }
    }
    names
}

fn is_write_only<'d>(contract: &Contract<'d>, property: &Located<'d>) -> bool {
    let flag = |schema: &Located<'_>| schema.node.get("writeOnly").and_then(Node::as_bool);
    let target = || resolved(contract, property).and_then(|schema| flag(&schema));
    flag(property).or_else(target) == Some(true)
}

/// The name of a branch: its component, its title, or its number.
fn name<'d>(contract: &Contract<'d>, branch: &Located<'d>, number: usize) -> String {
    let component = branch
        .node
        .reference()
        .and_then(|reference| reference.rsplit('/').next());
    let title = || resolved(contract, branch)?.node.get("title")?.as_str();
    let name = component.or_else(title).map(str::to_owned);
    name.unwrap_or_else(|| format!("#{}", number + 1))
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
