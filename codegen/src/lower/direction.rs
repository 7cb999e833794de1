//! `readOnly` and `writeOnly`: what a schema requires of requests and of answers.
//!
//! In `OpenAPI` 3.0, a required read-only property is required in answers only, and a required
//! write-only property in requests only. 3.1 does not define this; the generator treats it the
//! same. A schema that has or leads to such a property becomes two types: one for answers, and one
//! for requests.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use openapi_document::Document;
use openapi_document::node::Node;
use openapi_document::pointer::Pointer;
use openapi_document::view::Located;
use serde_json::Value;

use super::Lowering;
use super::view::{Part, View};

/// Where a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Direction {
    /// From the service.
    Answer,
    /// To the service.
    Request,
}

impl Direction {
    /// The keyword of properties that go the other way only.
    fn other(self) -> &'static str {
        match self {
            Self::Answer => "writeOnly",
            Self::Request => "readOnly",
        }
    }
}

/// Which schemas differ between requests and answers.
#[derive(Debug, Default)]
pub(super) struct Directions {
    /// The components that do.
    components: BTreeSet<String>,
    /// The same of other schemas, as far as it was asked.
    others: HashMap<Pointer, bool>,
    /// Whether any schema does.
    any: bool,
}

impl Directions {
    /// Looks at all components.
    pub(super) fn read(document: &Document) -> Self {
        let mut own = Self {
            any: mentions(&document.root),
            ..Self::default()
        };
        if !own.any {
            return own;
        }
        let mut users: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut open = Vec::new();
        for (name, schema) in document.components("schemas") {
            let mut found = Found::default();
            found.look(document, &schema);
            if found.differs {
                open.push(name.to_owned());
            }
            for reference in found.references {
                users.entry(reference).or_default().push(name.to_owned());
            }
        }
        while let Some(name) = open.pop() {
            if own.components.insert(name.clone()) {
                open.extend(users.get(&name).into_iter().flatten().cloned());
            }
        }
        own
    }
}

impl<'d> Lowering<'d> {
    /// Whether the schemas, in a request, are another type than in an answer.
    pub(super) fn is_of_request(&mut self, parts: &[Part<'d>]) -> bool {
        self.direction == Direction::Request
            && self.directions.any
            && parts.iter().any(|part| self.differs(&part.at))
    }

    fn differs(&mut self, at: &Located<'d>) -> bool {
        if let Some(name) = at.pointer.component("schemas") {
            return self.directions.components.contains(&*name);
        }
        if let Some(known) = self.directions.others.get(&at.pointer) {
            return *known;
        }
        let mut found = Found::default();
        found.look(self.document, at);
        let mut references = found.references.iter();
        let differs =
            found.differs || references.any(|name| self.directions.components.contains(name));
        self.directions.others.insert(at.pointer.clone(), differs);
        differs
    }

    /// Whether a property is not required in the direction that is being lowered.
    pub(super) fn is_of_other_direction(&self, descriptions: &[Part<'d>]) -> bool {
        let flag = self.direction.other();
        let parts = descriptions.iter();
        self.directions.any
            && parts
                .into_iter()
                .any(|part| is(self.document, &part.at, flag))
    }

    /// Takes out of a rule that properties of the other direction are required.
    pub(super) fn without_other_direction(&self, view: &View<'d>, rule: &mut Value) {
        if !self.directions.any {
            return;
        }
        let flag = self.direction.other();
        let mut names = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open: Vec<Located<'d>> = view.parts.iter().map(|part| part.at.clone()).collect();
        while let Some(at) = open.pop() {
            let mut references = BTreeSet::new();
            each_object(&at, &mut |at| {
                for (entry, schema) in properties(at) {
                    if is(self.document, &schema, flag) {
                        names.insert(entry);
                    }
                }
                references.extend(at.node.reference().and_then(|own| own.strip_prefix('#')));
            });
            for reference in references {
                if seen.insert(reference)
                    && let Some(pointer) = Pointer::parse_fragment(reference)
                {
                    open.extend(self.document.lookup(&pointer));
                }
            }
        }
        if !names.is_empty() {
            not_required(rule, &names);
        }
    }
}

/// What a schema says of directions, and the components that it leads to.
#[derive(Default)]
struct Found {
    differs: bool,
    references: BTreeSet<String>,
}

impl Found {
    fn look(&mut self, document: &Document, schema: &Located<'_>) {
        each_object(schema, &mut |at| {
            let reference = at.node.reference().and_then(|own| own.strip_prefix('#'));
            let target = reference.and_then(Pointer::parse_fragment);
            if let Some(name) = target.and_then(|own| Some(own.segments().nth(2)?.into_owned())) {
                self.references.insert(name);
            }
            if at.node.get("required").is_some() || at.node.get("allOf").is_some() {
                self.differs |= requires_one(document, at);
            }
        });
    }
}

/// Whether a conjunction requires a property of one direction.
fn requires_one(document: &Document, at: &Located<'_>) -> bool {
    let (view, _) = View::of(document, &[Part::new(at.clone())]);
    let lists = view.all("required");
    let required: BTreeSet<&str> = lists.iter().flat_map(|list| list.node.strings()).collect();
    let one_way = |at: &Located<'_>| is(document, at, "readOnly") || is(document, at, "writeOnly");
    view.parts.iter().any(|part| {
        let mut properties = properties(&part.at).into_iter();
        properties.any(|(name, schema)| required.contains(name) && one_way(&schema))
    })
}

fn properties<'d>(at: &Located<'d>) -> Vec<(&'d str, Located<'d>)> {
    let all = at.get("properties");
    let entries = all.iter().flat_map(|all| all.entries().collect::<Vec<_>>());
    entries
        .map(|(entry, schema)| (entry.key.as_str(), schema))
        .collect()
}

/// Whether a schema, or a schema that it refers to, has the flag set.
fn is(document: &Document, at: &Located<'_>, flag: &str) -> bool {
    let set = |at: &Located<'_>| at.node.get(flag).and_then(Node::as_bool) == Some(true);
    set(at) || document.resolve(at).is_ok_and(|end| set(&end))
}

/// Calls `visit` for a schema and all within it; references are not followed.
fn each_object<'d>(at: &Located<'d>, visit: &mut dyn FnMut(&Located<'d>)) {
    visit(at);
    for (entry, value) in at.entries() {
        if !matches!(
            entry.key.as_str(),
            "example" | "examples" | "default" | "enum" | "const"
        ) {
            each_object(&value, visit);
        }
    }
    for item in at.items() {
        each_object(&item, visit);
    }
}

/// Whether a document speaks of directions at all.
fn mentions(node: &Node) -> bool {
    let own = |key: &str| node.get(key).and_then(Node::as_bool) == Some(true);
    own("readOnly")
        || own("writeOnly")
        || node.entries().any(|entry| mentions(&entry.value))
        || node.items().any(mentions)
}

fn not_required(schema: &mut Value, names: &BTreeSet<&str>) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| not_required(item, names)),
        Value::Object(fields) => {
            if let Some(Value::Array(required)) = fields.get_mut("required") {
                required.retain(|name| !name.as_str().is_some_and(|name| names.contains(name)));
            }
            fields
                .values_mut()
                .for_each(|value| not_required(value, names));
        }
        _ => {}
    }
}
