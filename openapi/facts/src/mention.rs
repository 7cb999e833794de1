//! Mention: an operation, schema or property that a rule names, and whether the document has it.

use openapi_document::spelling::nearest;
use openapi_document::view::{Located, MediaType, Operation, Response};

use crate::name::normalized;
use crate::subject::Subject;
use crate::vocabulary::Vocabulary;

/// The maximum depth to which schemas are followed.
const DEEPEST: usize = 8;

/// Something in the document that a rule names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mention<'r> {
    /// An operation, a schema or another component.
    Owner(&'r str),
    /// An operation.
    Operation(&'r str),
    /// A schema.
    Schema(&'r str),
    /// A parameter or property; dots lead to nested ones: `lines.price`.
    Property { owner: &'r str, path: &'r str },
    /// A state of a record.
    State(&'r str),
}

impl Subject {
    /// The parts of the document that the subject names.
    pub(crate) fn mentions(&self) -> Vec<Mention<'_>> {
        let owner = self.owner.as_str();
        let property = self.name.as_deref();
        let property = property.map(|path| Mention::Property { owner, path });
        [Mention::Owner(owner)]
            .into_iter()
            .chain(property)
            .collect()
    }
}

impl<'r> Mention<'r> {
    /// The text in the entry that names it.
    pub(crate) fn text(self) -> &'r str {
        match self {
            Self::Owner(text) | Self::Operation(text) | Self::Schema(text) | Self::State(text) => {
                text
            }
            Self::Property { path, .. } => path,
        }
    }

    /// The id of the finding that the document lacks it.
    pub(crate) fn finding(self) -> &'static str {
        match self {
            Self::Owner(_) => "behaviour-unknown-owner",
            Self::Operation(_) => "behaviour-unknown-operation",
            Self::Schema(_) => "behaviour-unknown-name",
            Self::Property { .. } => "behaviour-unknown-property",
            Self::State(_) => "behaviour-unknown-state",
        }
    }

    /// The title of the finding that the document lacks it.
    pub(crate) fn title(self) -> String {
        match self {
            Self::Owner(name) => format!("the document has no operation and no schema `{name}`"),
            Self::Operation(name) => format!("the document has no operation `{name}`"),
            Self::Schema(name) => format!("the document has no schema `{name}`"),
            Self::Property { owner, path } => format!("`{owner}` has no property `{path}`"),
            Self::State(name) => format!("no record of the document has the state `{name}`"),
        }
    }

    /// A help text: the most similar name, or how to write names.
    pub(crate) fn help(self, vocabulary: &Vocabulary<'_>) -> String {
        let operations = || vocabulary.operations().map(Operation::label).collect();
        let (names, otherwise): (Vec<String>, _) = match self {
            Self::Owner(_) => (
                vocabulary.owners().to_vec(),
                "name an operation by its operationId, or a schema by its name",
            ),
            Self::Operation(_) => (operations(), "name an operation by its operationId"),
            Self::Schema(_) => (vocabulary.schema_names(), "name a schema by its name"),
            Self::Property { owner, .. } => (
                vocabulary.property_names(owner),
                "name a property as the document does; parts are divided by dots",
            ),
            Self::State(_) => (
                vocabulary.states(),
                "name a value that a state property lists",
            ),
        };
        match nearest(self.text(), names.iter().map(String::as_str)) {
            Some(name) => format!("did you mean `{name}`?"),
            None => otherwise.to_owned(),
        }
    }
}

impl<'d> Vocabulary<'d> {
    /// Whether the document has what a rule names. A property counts as unknown only if its owner
    /// is known and has a schema.
    pub(crate) fn knows(&self, mention: Mention<'_>) -> bool {
        match mention {
            Mention::Owner(name) => self.has_owner(name),
            Mention::Operation(name) => self.labelled(name).is_some(),
            Mention::Schema(name) => self.schema_names().iter().any(|known| known == name),
            Mention::Property { owner, path } => self.knows_property(owner, path),
            Mention::State(name) => {
                let states = self.states();
                let wanted = normalized(name);
                // A flag has two states.
                states.is_empty()
                    || matches!(name, "true" | "false")
                    || states.iter().any(|state| normalized(state) == wanted)
            }
        }
    }

    /// The states of all records.
    fn states(&self) -> Vec<String> {
        let fields = self
            .operations()
            .filter_map(|operation| self.state_field_nearby(operation));
        let states = fields.flat_map(|field| field.values);
        states.map(str::to_owned).collect()
    }

    fn knows_property(&self, owner: &str, path: &str) -> bool {
        let roots = self.roots(owner);
        let is_parameter = self.labelled(owner).is_some_and(|operation| {
            let mut parameters = operation.parameters().into_iter();
            let is_it = parameters.any(|item| item.name.eq_ignore_ascii_case(path));
            let mut record = self.record(operation).iter();
            let responses = operation.responses();
            let mut headers = responses.iter().flat_map(Response::headers);
            let is_header = headers.any(|(name, _)| name.eq_ignore_ascii_case(path));
            is_it || is_header || record.any(|property| leads(property.name, path).is_some())
        });
        let has = |schema: &Located<'d>| {
            let inner = self.parts(schema);
            let mut inner = inner.iter().flat_map(properties);
            self.has_path(schema, path, DEEPEST)
                || inner.any(|(_, inner)| self.has_path(&inner, path, DEEPEST))
        };
        is_parameter || roots.is_empty() || roots.iter().any(has)
    }

    /// The schemas with the properties of an owner: the schema of that name, or the bodies of an
    /// operation.
    fn roots(&self, owner: &str) -> Vec<Located<'d>> {
        let Some(operation) = self.labelled(owner) else {
            let schemas = self.document.components("schemas").into_iter();
            let named = schemas.filter(|(name, _)| *name == owner);
            return named.map(|(_, schema)| schema).collect();
        };
        let body = operation.request_body().into_iter();
        let sent = body.flat_map(|body| body.content());
        let responses = operation.responses();
        let answered = responses.iter().flat_map(Response::content);
        let content: Vec<MediaType<'d>> = sent.chain(answered).collect();
        content.iter().filter_map(MediaType::schema).collect()
    }

    /// Whether a path leads to a property of a schema. An object without properties may have any
    /// property.
    fn has_path(&self, schema: &Located<'d>, path: &str, depth: usize) -> bool {
        let parts = self.parts(schema);
        let mut named = parts.iter().flat_map(properties).peekable();
        if named.peek().is_none() || depth == 0 {
            let kinds = parts.iter().map(|part| part.node.get("type"));
            let mut kinds = kinds.map(|kind| kind.and_then(|kind| kind.as_str()));
            return kinds.any(|kind| kind == Some("object"));
        }
        named.any(|(name, inner)| match leads(name, path) {
            Some("") => true,
            Some(rest) => self.has_path(&inner, rest, depth - 1),
            None => false,
        })
    }

    /// The schemas that make up a schema, with references followed, and the item schema of a list.
    fn parts(&self, schema: &Located<'d>) -> Vec<Located<'d>> {
        let mut found = Vec::new();
        let mut open = vec![(schema.clone(), DEEPEST)];
        while let Some((schema, depth)) = open.pop() {
            let Some(schema) = self.resolved(&schema).filter(|_| depth > 0) else {
                continue;
            };
            for keyword in ["allOf", "oneOf", "anyOf"] {
                let composed = schema.get(keyword).into_iter();
                open.extend(composed.flat_map(|all| {
                    let all: Vec<_> = all.items().map(|part| (part, depth - 1)).collect();
                    all
                }));
            }
            open.extend(schema.get("items").map(|items| (items, depth - 1)));
            found.push(schema);
        }
        found
    }

    /// The names of all schemas.
    fn schema_names(&self) -> Vec<String> {
        let schemas = self.document.components("schemas").into_iter();
        schemas.map(|(name, _)| name.to_owned()).collect()
    }

    /// The names of the properties of an owner.
    fn property_names(&self, owner: &str) -> Vec<String> {
        let roots = self.roots(owner);
        let parts: Vec<_> = { roots.iter() }.flat_map(|root| self.parts(root)).collect();
        let named = parts.iter().flat_map(properties);
        named.map(|(name, _)| name.to_owned()).collect()
    }
}

/// The properties that a schema itself lists.
fn properties<'d>(schema: &Located<'d>) -> Vec<(&'d str, Located<'d>)> {
    let found = schema.get("properties");
    let found = found.as_ref().into_iter().flat_map(Located::entries);
    found
        .map(|(entry, schema)| (entry.key.as_str(), schema))
        .collect()
}

/// The rest of a path after a property; empty if the property is the last one, `None` if the path
/// does not begin with it.
fn leads<'p>(property: &str, path: &'p str) -> Option<&'p str> {
    let rest = path.strip_prefix(property)?;
    if rest.is_empty() {
        return Some("");
    }
    rest.strip_prefix('.')
}
