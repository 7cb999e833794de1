//! Vocabulary: the names and values of a document that sentences can refer to.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use openapi_document::Node;
use openapi_document::view::{Document, Located, MediaType, Operation, Response, Status};

use crate::lexicon::Lexicon;
use crate::name::singular;
use crate::subject::Subject;

/// The maximum depth to which references, compositions and arrays are followed.
const DEEPEST: usize = 6;

/// The names and values of a document.
#[derive(Debug)]
pub struct Vocabulary<'d> {
    pub(crate) document: &'d Document,
    operations: Vec<Entry<'d>>,
    /// The position in `operations`, by the address of the operation's node.
    index: HashMap<*const Node, usize>,
    /// Component schemas by name in lower case.
    schemas: HashMap<String, Located<'d>>,
    owners: OnceCell<Vec<String>>,
    asked: OnceCell<HashSet<&'d str>>,
}

/// An operation, with data that is computed on first use.
#[derive(Debug)]
struct Entry<'d> {
    operation: Operation<'d>,
    inputs: OnceCell<Vec<Input<'d>>>,
    record: OnceCell<Vec<Property<'d>>>,
}

/// A parameter, or a property of a body, with its schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input<'d> {
    pub(crate) name: &'d str,
    pub(crate) schema: Option<&'d Node>,
}

/// A property of a record.
#[derive(Debug, Clone)]
pub(crate) struct Property<'d> {
    pub(crate) name: &'d str,
    pub(crate) schema: Located<'d>,
}

/// A property of a record that holds its state.
#[derive(Debug, Clone)]
pub struct StateField<'d> {
    /// Its name.
    pub name: &'d str,
    /// Its place in the record's schema; references are not followed.
    pub at: Located<'d>,
    /// The states; at least two.
    pub values: Vec<&'d str>,
}

impl<'d> Vocabulary<'d> {
    /// The vocabulary of a document.
    pub fn new(document: &'d Document) -> Self {
        let operations: Vec<Entry<'d>> = { document.operations().into_iter() }
            .map(|operation| Entry {
                operation,
                inputs: OnceCell::new(),
                record: OnceCell::new(),
            })
            .collect();
        let index = operations.iter().enumerate();
        let index = index.map(|(at, entry)| (std::ptr::from_ref(entry.operation.at.node), at));
        let schemas = document.components("schemas").into_iter();
        Self {
            document,
            owners: OnceCell::new(),
            asked: OnceCell::new(),
            index: index.collect(),
            operations,
            schemas: schemas
                .map(|(name, schema)| (name.to_lowercase(), schema))
                .collect(),
        }
    }

    /// The name of a component schema, compared without case.
    pub(crate) fn component(&self, name: &str) -> Option<String> {
        let schema = self.schemas.get(&name.to_lowercase())?;
        schema.pointer.last().map(Into::into)
    }

    /// The property with the state of the record that an operation addresses: it has a state-like
    /// name and an enum.
    pub fn state_field(&self, operation: &Operation<'d>) -> Option<StateField<'d>> {
        self.state_among(self.record(operation), false)
    }

    /// Like [`state_field`](Self::state_field), but also accepts a property whose name ends like a
    /// state name. If the response has none, it uses the component that is named like the path.
    pub(crate) fn state_field_nearby(&self, operation: &Operation<'d>) -> Option<StateField<'d>> {
        let answered = self.state_among(self.record(operation), true);
        answered.or_else(|| self.state_among(&self.named_like(operation.stem()), true))
    }

    /// Like [`state_field`](Self::state_field), for the last parent record in the operation's path.
    /// Also returns the path's noun for it: `bill` of `/bills/{bill_id}/payments`.
    pub(crate) fn state_field_of_parent(
        &self,
        operation: &Operation<'d>,
    ) -> Option<(String, StateField<'d>)> {
        let (above, below) = operation.stem().rsplit_once('}')?;
        let (collection, _) = above.rsplit_once("/{")?;
        let reads = |item: &&Operation<'d>| {
            let path = item.stem().strip_suffix('}');
            item.method.is_safe() && path.is_some_and(|path| path == above)
        };
        let reader = self
            .operations()
            .filter(|_| !below.is_empty())
            .find(reads)?;
        let noun = collection.rsplit('/').next()?;
        Some((singular(noun), self.state_field(reader)?))
    }

    /// The first property with a state-like name. With `is_near`, also the only one whose name ends
    /// so, such as `orderState`.
    fn state_among(&self, properties: &[Property<'d>], is_near: bool) -> Option<StateField<'d>> {
        let lexicon = Lexicon::english();
        let field = |property: &Property<'d>| {
            let values = self.values(&property.schema);
            (values.len() > 1).then(|| StateField {
                name: property.name,
                at: property.schema.clone(),
                values,
            })
        };
        let mut called_so = { properties.iter() }.filter(|item| lexicon.is_state(item.name));
        let found = called_so.find_map(field);
        found.or_else(|| {
            let nearly = properties.iter().filter(|_| is_near);
            let mut nearly = nearly.filter(|item| lexicon.ends_like_state(item.name));
            let first = nearly.next()?;
            nearly.next().is_none().then(|| field(first))?
        })
    }

    /// All operations.
    pub fn operations(&self) -> impl Iterator<Item = &Operation<'d>> {
        self.operations.iter().map(|entry| &entry.operation)
    }

    /// Whether the document has a parameter, property or list.
    pub fn has_subject(&self, subject: &Subject) -> bool {
        let Some(name) = subject.name.as_deref() else {
            return self.has_owner(&subject.owner);
        };
        let named = |found: &[Property<'d>]| found.iter().any(|property| property.name == name);
        if let Some(operation) = self.labelled(&subject.owner) {
            return self.takes(subject) || named(self.record(operation));
        }
        match self.schemas.get(&subject.owner.to_lowercase()) {
            Some(schema) => named(&self.properties(schema)),
            None => self.has_owner(&subject.owner),
        }
    }

    /// Whether a request of an operation has a parameter or property. For a list, whether the
    /// operation exists.
    pub fn takes(&self, subject: &Subject) -> bool {
        self.labelled(&subject.owner).is_some_and(|operation| {
            let name = subject.name.as_ref();
            let mut inputs = self.inputs(operation).iter();
            name.is_none_or(|name| inputs.any(|input| input.name == name))
        })
    }

    /// The operation with this label.
    pub fn labelled(&self, name: &str) -> Option<&Operation<'d>> {
        self.operations()
            .find(|operation| operation.label() == name)
    }

    /// Whether a name belongs to an operation, a schema, or another possible owner of facts.
    pub fn has_owner(&self, name: &str) -> bool {
        self.owners().iter().any(|owner| owner == name)
    }

    /// The names of all possible owners of facts.
    pub(crate) fn owners(&self) -> &[String] {
        self.owners.get_or_init(|| {
            let operations = self.operations().map(Operation::label);
            let sections = ["schemas", "responses", "requestBodies"];
            let components = { sections.iter() }
                .flat_map(|section| self.document.components(section))
                .map(|(name, _)| name.to_owned());
            let paths = self.operations().map(|operation| operation.path.to_owned());
            let any = [Subject::SHARED.to_owned()];
            operations
                .chain(components)
                .chain(paths)
                .chain(any)
                .collect()
        })
    }

    /// Whether a component is a request body.
    pub(crate) fn is_asked(&self, component: &str) -> bool {
        let asked = self.asked.get_or_init(|| {
            let bodies = self.operations().filter_map(Operation::request_body);
            let content = bodies.flat_map(|body| body.content());
            let schemas = content.filter_map(|media| media.schema());
            let references = schemas.filter_map(|schema| schema.node.reference());
            let names = references.filter_map(|reference| reference.rsplit_once('/'));
            names.map(|(_, name)| name).collect()
        });
        asked.contains(component)
    }

    /// The operation at a node.
    pub(crate) fn operation(&self, node: &Node) -> Option<&Operation<'d>> {
        let at = *self.index.get(&std::ptr::from_ref(node))?;
        Some(&self.operations.get(at)?.operation)
    }

    fn entry(&self, operation: &Operation<'d>) -> Option<&Entry<'d>> {
        let at = self.index.get(&std::ptr::from_ref(operation.at.node))?;
        self.operations.get(*at)
    }

    /// The parameters of an operation, and the properties of its body.
    pub(crate) fn inputs(&self, operation: &Operation<'d>) -> &[Input<'d>] {
        let entry = self.entry(operation);
        entry.map_or(&[], |entry| {
            entry.inputs.get_or_init(|| {
                let parameters = operation.parameters().into_iter();
                let mut found: Vec<Input<'d>> = parameters
                    .map(|item| Input {
                        name: item.name,
                        schema: item.schema().map(|schema| schema.node),
                    })
                    .collect();
                let body = operation.request_body();
                let content = body.map(|body| body.content()).unwrap_or_default();
                let schemas = content.iter().filter_map(MediaType::schema);
                for schema in schemas {
                    found.extend(self.inputs_of(&schema));
                }
                found
            })
        })
    }

    /// The properties of a schema as [`inputs`](Self::inputs) returns them.
    pub(crate) fn inputs_of(&self, schema: &Located<'d>) -> Vec<Input<'d>> {
        let found = self.properties(schema).into_iter();
        found
            .map(|property| Input {
                name: property.name,
                schema: Some(property.schema.node),
            })
            .collect()
    }

    /// The properties of the record that an operation addresses: those of its success response,
    /// else those of the component that is named like its path.
    pub(crate) fn record(&self, operation: &Operation<'d>) -> &[Property<'d>] {
        let entry = self.entry(operation);
        entry.map_or(&[], |entry| {
            entry.record.get_or_init(|| {
                let answered = self.answered(operation);
                if answered.is_empty() {
                    self.named_like(operation.path)
                } else {
                    answered
                }
            })
        })
    }

    /// The properties of the record in a success response; for a list, those of its items.
    fn answered(&self, operation: &Operation<'d>) -> Vec<Property<'d>> {
        let responses = operation.responses();
        let is_success = |item: &&Response<'d>| matches!(item.status, Status::Code(200..=299));
        let mut contents = responses
            .iter()
            .filter(is_success)
            .flat_map(Response::content);
        let schema = contents.find_map(|media| media.schema());
        schema.map_or_else(Vec::new, |schema| self.items_of(&schema))
    }

    /// The properties of a schema, of the only object in it if that has a state, or of the items of
    /// the only array in it.
    fn items_of(&self, schema: &Located<'d>) -> Vec<Property<'d>> {
        let found = self.properties(schema);
        // The only object in an envelope is the record.
        if let [only] = &found[..] {
            let inner = self.properties(&only.schema);
            if inner
                .iter()
                .any(|property| Lexicon::english().is_state(property.name))
            {
                return inner;
            }
        }
        let arrays: Vec<Located<'d>> = { found.iter() }
            .filter_map(|property| self.resolved(&property.schema)?.get("items"))
            .collect();
        match &arrays[..] {
            [items] if found.len() <= DEEPEST => {
                let inner = self.properties(items);
                if inner.is_empty() { found } else { inner }
            }
            _ => found,
        }
    }

    /// The properties of the component that is named like the last noun of a path:
    /// `/orders/{id}/cancel` → `Order`.
    fn named_like(&self, path: &str) -> Vec<Property<'d>> {
        let segments = path.rsplit('/').filter(|item| !item.starts_with('{'));
        let mut names = segments.map(|item| item.to_lowercase().replace(['-', '_'], ""));
        let schema = names.find_map(|name| {
            let single = name.strip_suffix('s').unwrap_or(&name);
            self.schemas.get(single).or_else(|| self.schemas.get(&name))
        });
        schema.map_or_else(Vec::new, |schema| self.properties(schema))
    }

    /// The properties of a schema, including those behind references, `allOf` and arrays.
    pub(crate) fn properties(&self, schema: &Located<'d>) -> Vec<Property<'d>> {
        let mut found = Vec::new();
        self.collect(schema, DEEPEST, &mut found);
        found
    }

    fn collect(&self, schema: &Located<'d>, depth: usize, found: &mut Vec<Property<'d>>) {
        let Some(schema) = self.resolved(schema).filter(|_| depth > 0) else {
            return;
        };
        if let Some(properties) = schema.get("properties") {
            found.extend(properties.entries().map(|(entry, schema)| Property {
                name: &entry.key,
                schema,
            }));
        }
        if let Some(all) = schema.get("allOf") {
            all.items()
                .for_each(|part| self.collect(&part, depth - 1, found));
        }
        if let Some(items) = schema.get("items").filter(|_| found.is_empty()) {
            self.collect(&items, depth - 1, found);
        }
    }

    /// A schema with its references followed.
    pub(crate) fn resolved(&self, schema: &Located<'d>) -> Option<Located<'d>> {
        self.document.resolve(schema).ok()
    }

    /// The `enum` of a schema or of its items.
    pub(crate) fn values(&self, schema: &Located<'d>) -> Vec<&'d str> {
        let Some(schema) = self.resolved(schema) else {
            return Vec::new();
        };
        if let Some(values) = schema.node.get("enum") {
            return values.strings().collect();
        }
        let inner = schema.get("items").or_else(|| {
            let all = schema.get("allOf")?;
            all.items().next()
        });
        let inner = inner.and_then(|inner| self.resolved(&inner));
        let values = inner.and_then(|inner| inner.node.get("enum"));
        values.map_or_else(Vec::new, |values| values.strings().collect())
    }
}
