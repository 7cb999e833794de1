//! Place: what a text of a document describes, and the names and values in its reach.

use openapi_document::view::{Document, Located, Operation};
use openapi_document::{Node, Pointer};

use crate::lexicon::Lexicon;
use crate::name::normalized;
use crate::subject::Subject;
use crate::vocabulary::{Input, Vocabulary};

/// What a text describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlaceKind {
    /// An operation.
    Operation,
    /// A query parameter.
    Query,
    /// Another parameter, or a header.
    Parameter,
    /// A property of a schema.
    Property,
    /// A schema.
    Schema,
    /// A response with this status; 0 if it is shared or covers several statuses.
    Response(u16),
    /// Anything else.
    Other,
}

/// The path from the root of a document to a node: each segment with its node.
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

    /// The trail of a pointer; `None` if the document has no such node.
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

    /// The description of the last node.
    pub(crate) fn text(&self) -> Option<&'d str> {
        self.node(0)?.get("description")?.as_str()
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

/// What a text describes, with the names and values that its sentences can refer to.
#[derive(Debug)]
pub(crate) struct Place<'v, 'd> {
    pub(crate) vocabulary: &'v Vocabulary<'d>,
    pub(crate) kind: PlaceKind,
    /// The operation or component that the described thing belongs to.
    pub(crate) owner: String,
    /// The name of the parameter or property.
    pub(crate) name: Option<&'d str>,
    /// The operation that it is part of; `None` in shared components.
    pub(crate) operation: Option<&'v Operation<'d>>,
    /// The other parameters and properties of the same request or schema.
    pub(crate) siblings: Vec<Input<'d>>,
    /// The properties of the enclosing objects.
    pub(crate) outer: Vec<Input<'d>>,
    /// The values of its `enum`.
    pub(crate) values: Vec<&'d str>,
    /// The schema of the parameter, the property or the component.
    schema: Option<&'d Node>,
    /// Whether it is part of a request.
    pub(crate) is_asked: bool,
    /// Whether it is a list or has one.
    pub(crate) is_list: bool,
    /// Whether its schema has the keyword `default`.
    pub(crate) has_default: bool,
}

impl<'v, 'd> Place<'v, 'd> {
    /// The place that the texts of a node describe.
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
            siblings: Vec::new(),
            outer: Vec::new(),
            values: Vec::new(),
            schema: None,
            is_asked: false,
            is_list: false,
            has_default: false,
        };
        place.classify(trail, node);
        let in_request = trail.steps.iter().any(|step| step.0 == "requestBody");
        place.is_asked = in_request || vocabulary.is_asked(&place.owner);
        Some(place)
    }

    fn classify(&mut self, trail: &Trail<'d>, node: &'d Node) {
        let last = trail.segment(0);
        // The schema of a parameter, and a part of a composition, describe the enclosing thing.
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
                self.schema = Some(node);
                self.values_of(node);
            }
            _ if trail.steps.len() == 3 && self.operation.is_some() => {
                self.kind = PlaceKind::Operation;
                let operation = self.operation;
                self.siblings = self.inputs();
                self.is_list = operation.is_some_and(|item| item.method.is_safe());
            }
            _ => {}
        }
        if matches!(self.kind, PlaceKind::Response(_)) {
            self.siblings = self.inputs();
        }
    }

    fn inputs(&self) -> Vec<Input<'d>> {
        let operation = self.operation;
        operation.map_or_else(Vec::new, |item| self.vocabulary.inputs(item).to_vec())
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
        self.siblings = self.inputs();
        self.without_itself();
        let schema = node.get("schema").unwrap_or(node);
        self.values_of(schema);
        self.schema = Some(schema);
    }

    fn property(&mut self, trail: &Trail<'d>, node: &'d Node, name: &'d str) {
        self.named(PlaceKind::Property, name);
        self.siblings = beside(self.vocabulary, trail);
        self.outer = around(trail);
        self.schema = Some(node);
        self.without_itself();
        self.values_of(node);
    }

    /// The place of the operation's parameter with this name.
    pub(crate) fn of_topic(&self, topic: &str) -> Option<Self> {
        let operation = self
            .operation
            .filter(|_| self.kind == PlaceKind::Operation)?;
        let parameters = operation.parameters().into_iter();
        let found = { parameters }.find(|parameter| parameter.name == topic)?;
        let mut place = Self {
            vocabulary: self.vocabulary,
            kind: PlaceKind::Other,
            owner: self.owner.clone(),
            name: None,
            operation: Some(operation),
            siblings: Vec::new(),
            outer: Vec::new(),
            values: Vec::new(),
            schema: None,
            is_asked: false,
            is_list: false,
            has_default: false,
        };
        place.parameter(found.at.node);
        Some(place)
    }

    fn without_itself(&mut self) {
        let name = self.name.unwrap_or_default();
        self.siblings.retain(|other| other.name != name);
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

    /// The owner as a whole.
    pub(crate) fn whole(&self) -> Subject {
        Subject {
            owner: self.owner.clone(),
            name: None,
        }
    }

    /// The type in its schema.
    pub(crate) fn type_name(&self) -> Option<&'d str> {
        let pointer = Pointer::root();
        let node = self.schema?;
        let schema = self.vocabulary.resolved(&Located { node, pointer })?;
        schema.node.get("type")?.as_str()
    }

    /// Whether its schema has one of these keywords.
    pub(crate) fn has_keyword(&self, names: &[&str]) -> bool {
        let pointer = Pointer::root();
        let schema = self
            .schema
            .and_then(|node| self.vocabulary.resolved(&Located { node, pointer }));
        schema.is_some_and(|schema| names.iter().any(|name| schema.node.get(name).is_some()))
    }

    /// Whether its format is `date`, `date-time` or `unix-time`.
    pub(crate) fn is_time(&self) -> bool {
        let format = self.schema.and_then(|node| node.get("format")?.as_str());
        matches!(format, Some("date" | "date-time" | "unix-time"))
    }

    /// Whether the type of its schema allows a value.
    pub(crate) fn admits(&self, value: &str) -> bool {
        let kind = self.type_name().filter(|_| value != "null");
        let lower = value.to_lowercase();
        match kind {
            Some("boolean") => matches!(&*lower, "true" | "false" | "yes" | "no" | "0" | "1"),
            Some("integer" | "number") => value.parse::<f64>().is_ok(),
            _ => true,
        }
    }

    /// The property that holds the record's state, with the states.
    pub(crate) fn states(&self, lexicon: &Lexicon) -> Option<(&'d str, Vec<&'d str>)> {
        if let Some(name) = self.name.filter(|name| lexicon.is_state(name)) {
            return Some((name, self.values.clone())).filter(|(_, values)| values.len() > 1);
        }
        let field = self.vocabulary.state_field_nearby(self.operation?)?;
        Some((field.name, field.values))
    }

    /// The values that a parameter or property beside it lists.
    pub(crate) fn values_beside(&self, input: &Input<'d>) -> Vec<&'d str> {
        let schema = input.schema.map(|node| Located {
            node,
            pointer: Pointer::root(),
        });
        schema.map_or_else(Vec::new, |schema| self.vocabulary.values(&schema))
    }

    /// The properties of the listed records.
    pub(crate) fn item_properties(&self) -> Vec<&'d str> {
        let is_record = matches!(self.kind, PlaceKind::Schema | PlaceKind::Property);
        if let Some(node) = self.schema.filter(|_| is_record) {
            let pointer = Pointer::root();
            let found = self.vocabulary.properties(&Located { node, pointer });
            return found.iter().map(|item| item.name).collect();
        }
        let operation = self.operation.into_iter();
        let found = operation.flat_map(|item| self.vocabulary.record(item));
        found.map(|item| item.name).collect()
    }

    /// The property of the listed records that a name refers to.
    pub(crate) fn item_property(&self, name: &str) -> Option<&'d str> {
        let wanted = normalized(name);
        let mut found = self.item_properties().into_iter();
        found.find(|item| normalized(item) == wanted)
    }
}

fn properties_of(mapping: &Node) -> impl Iterator<Item = Input<'_>> {
    mapping.entries().map(|entry| Input {
        name: &entry.key,
        schema: Some(&entry.value),
    })
}

/// The properties of the schema that contains a property; for a part of a composition, those of all
/// parts.
fn beside<'d>(vocabulary: &Vocabulary<'d>, trail: &Trail<'d>) -> Vec<Input<'d>> {
    if trail.segment(3) == "allOf"
        && let Some(node) = trail.node(4)
    {
        let pointer = Pointer::root();
        return vocabulary.inputs_of(&Located { node, pointer });
    }
    let mapping = trail.node(1).into_iter();
    mapping.flat_map(properties_of).collect()
}

/// The properties of the objects that enclose a property.
fn around<'d>(trail: &Trail<'d>) -> Vec<Input<'d>> {
    let outer = trail.steps.iter().rev().skip(2);
    let mappings = outer.filter(|step| step.0 == "properties");
    mappings.flat_map(|step| properties_of(step.1)).collect()
}

/// The name of the operation or component that contains a node.
fn owner(trail: &Trail<'_>, operation: Option<&Operation<'_>>) -> String {
    if let Some(operation) = operation {
        return operation.label();
    }
    let names: Vec<&str> = trail.steps.iter().map(|step| step.0).collect();
    match &names[..] {
        ["components", "parameters" | "headers", ..] => Subject::SHARED.to_owned(),
        ["components", _, name, ..] => (*name).to_owned(),
        ["paths" | "webhooks", path, ..] => (*path).to_owned(),
        _ => names.first().copied().unwrap_or_default().to_owned(),
    }
}
