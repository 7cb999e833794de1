//! Place: what a text of a document describes.

use openapi_document::view::{Document, Located, Operation};
use openapi_document::{Node, Pointer};

use crate::lexicon::Lexicon;
use crate::name::normalized;
use crate::subject::Subject;
use crate::vocabulary::Vocabulary;

/// What a text describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlaceKind {
    /// An operation.
    Operation,
    /// A parameter of a query.
    Query,
    /// Another parameter, or a header.
    Parameter,
    /// A property of a schema.
    Property,
    /// A schema.
    Schema,
    /// A response with this status; 0 where it is shared or covers several.
    Response(u16),
    /// Anything else.
    Other,
}

/// The way from the root of a document to a node: each segment with the node that it leads to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trail<'d> {
    steps: Vec<(&'d str, &'d Node)>,
}

impl<'d> Trail<'d> {
    pub(crate) fn push(&mut self, segment: &'d str, node: &'d Node) {
        self.steps.push((segment, node));
    }

    pub(crate) fn pop(&mut self) {
        self.steps.pop();
    }

    /// The trail that a pointer describes.
    pub(crate) fn of(document: &'d Document, pointer: &Pointer) -> Option<Self> {
        let mut trail = Self::default();
        let mut node = &document.root;
        for segment in pointer.segments() {
            let (key, child) = match node.as_mapping() {
                Some(mapping) => {
                    let entry = mapping.entry(&segment)?;
                    (entry.key.as_str(), &entry.value)
                }
                None => ("", node.child(&segment)?),
            };
            trail.push(key, child);
            node = child;
        }
        Some(trail)
    }

    fn segment(&self, from_end: usize) -> &'d str {
        let at = self.steps.len().checked_sub(from_end + 1);
        at.and_then(|at| self.steps.get(at))
            .map_or("", |step| step.0)
    }

    fn node(&self, from_end: usize) -> Option<&'d Node> {
        let at = self.steps.len().checked_sub(from_end + 1)?;
        Some(self.steps.get(at)?.1)
    }
}

/// What a text describes, with the names and values that it can be bound to.
#[derive(Debug)]
pub(crate) struct Place<'v, 'd> {
    pub(crate) vocabulary: &'v Vocabulary<'d>,
    pub(crate) kind: PlaceKind,
    /// What the described thing belongs to.
    pub(crate) owner: String,
    /// The name of the parameter or property.
    pub(crate) name: Option<&'d str>,
    /// The operation that it is part of.
    pub(crate) operation: Option<&'v Operation<'d>>,
    /// The names beside it: of the other parameters and properties of the same request or schema.
    pub(crate) names: Vec<String>,
    /// The values of its `enum`.
    pub(crate) values: Vec<&'d str>,
    /// Whether it is or has a list.
    pub(crate) is_list: bool,
    /// Whether its schema has the keyword `default`.
    pub(crate) has_default: bool,
}

impl<'v, 'd> Place<'v, 'd> {
    /// What the texts of a node describe.
    pub(crate) fn new(vocabulary: &'v Vocabulary<'d>, trail: &Trail<'d>) -> Option<Self> {
        let node = trail.node(0)?;
        let operation = trail.steps.get(2);
        let operation = operation.and_then(|step| vocabulary.operation(step.1));
        let mut place = Self {
            vocabulary,
            kind: PlaceKind::Other,
            owner: owner(trail, operation),
            name: None,
            operation,
            names: Vec::new(),
            values: Vec::new(),
            is_list: false,
            has_default: false,
        };
        place.classify(trail, node);
        Some(place)
    }

    fn classify(&mut self, trail: &Trail<'d>, node: &'d Node) {
        let last = trail.segment(0);
        // The schema of a parameter, and a part of a composition, describe what they are in.
        if last == "schema" && matches!(trail.segment(2), "parameters" | "headers") {
            let mut outer = trail.clone();
            outer.pop();
            if let Some(parameter) = trail.node(1) {
                self.classify(&outer, parameter);
            }
            return;
        }
        if last == "items" && trail.segment(2) == "properties" {
            let mut outer = trail.clone();
            outer.pop();
            if let Some(property) = trail.node(1) {
                self.classify(&outer, property);
            }
            return;
        }
        if trail.segment(1) == "allOf" {
            let mut outer = trail.clone();
            outer.pop();
            outer.pop();
            if let Some(schema) = trail.node(2) {
                self.classify(&outer, schema);
            }
            return;
        }
        match trail.segment(1) {
            "parameters" => self.parameter(node),
            "headers" => self.named(PlaceKind::Parameter, last),
            "responses" => self.kind = PlaceKind::Response(last.parse().unwrap_or(0)),
            "properties" => self.property(trail, node, last),
            "schemas" => {
                self.kind = PlaceKind::Schema;
                self.values_of(node);
            }
            _ if trail.steps.len() == 3 && self.operation.is_some() => {
                self.kind = PlaceKind::Operation;
                let operation = self.operation;
                self.names = operation.map_or_else(Vec::new, |item| self.inputs(item));
                self.is_list = operation.is_some_and(|item| item.method.is_safe());
            }
            _ => {}
        }
        if matches!(self.kind, PlaceKind::Response(_)) {
            self.names = self
                .operation
                .map_or_else(Vec::new, |item| self.inputs(item));
        }
    }

    fn inputs(&self, operation: &Operation<'d>) -> Vec<String> {
        self.vocabulary.inputs(operation).to_vec()
    }

    fn named(&mut self, kind: PlaceKind, name: &'d str) {
        self.kind = kind;
        self.name = Some(name).filter(|name| !name.is_empty());
    }

    fn parameter(&mut self, node: &'d Node) {
        let kind = match node.get("in").and_then(Node::as_str) {
            Some("query") => PlaceKind::Query,
            _ => PlaceKind::Parameter,
        };
        let name = node.get("name").and_then(Node::as_str);
        self.named(kind, name.unwrap_or_default());
        self.names = self
            .operation
            .map_or_else(Vec::new, |item| self.inputs(item));
        self.without_itself();
        self.values_of(node.get("schema").unwrap_or(node));
    }

    fn property(&mut self, trail: &Trail<'d>, node: &'d Node, name: &'d str) {
        self.named(PlaceKind::Property, name);
        let siblings = trail.node(1).into_iter().flat_map(Node::entries);
        self.names = siblings.map(|entry| entry.key.clone()).collect();
        self.without_itself();
        self.values_of(node);
    }

    fn without_itself(&mut self) {
        let name = self.name.unwrap_or_default();
        self.names.retain(|other| other != name);
    }

    fn values_of(&mut self, schema: &'d Node) {
        let schema = Located {
            node: schema,
            pointer: Pointer::root(),
        };
        self.has_default = schema.node.get("default").is_some();
        self.values = self.vocabulary.values(&schema);
        self.is_list = schema.node.get("items").is_some();
    }

    /// The parameter or property itself.
    pub(crate) fn subject(&self) -> Option<Subject> {
        Some(self.named_subject(self.name?))
    }

    /// Another parameter or property beside it.
    pub(crate) fn named_subject(&self, name: &str) -> Subject {
        Subject {
            owner: self.owner.clone(),
            name: Some(name.to_owned()),
        }
    }

    /// What it belongs to, as a whole.
    pub(crate) fn whole(&self) -> Subject {
        Subject {
            owner: self.owner.clone(),
            name: None,
        }
    }

    /// The property of the record that holds its state, with the states.
    pub(crate) fn states(&self, lexicon: &Lexicon) -> Option<(&'d str, Vec<&'d str>)> {
        if let Some(name) = self.name.filter(|name| lexicon.is_state(name)) {
            return Some((name, self.values.clone())).filter(|(_, values)| values.len() > 1);
        }
        let field = self.vocabulary.state_field(self.operation?)?;
        Some((field.name, field.values))
    }

    /// The property of the listed records that a name stands for.
    pub(crate) fn item_property(&self, name: &str) -> Option<&'d str> {
        let record = self.vocabulary.record(self.operation?);
        let wanted = normalized(name);
        let found = record.iter().find(|item| normalized(item.name) == wanted);
        found.map(|item| item.name)
    }
}

/// The name of what a node belongs to: the operation, or the component.
fn owner(trail: &Trail<'_>, operation: Option<&Operation<'_>>) -> String {
    if let Some(operation) = operation {
        return operation.label();
    }
    let names: Vec<&str> = trail.steps.iter().map(|step| step.0).collect();
    match &names[..] {
        ["components", "parameters" | "headers", ..] => "any operation".to_owned(),
        ["components", _, name, ..] => (*name).to_owned(),
        ["paths" | "webhooks", path, ..] => (*path).to_owned(),
        _ => names.first().copied().unwrap_or_default().to_owned(),
    }
}
