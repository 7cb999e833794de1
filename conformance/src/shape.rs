//! What the schemas of a document say of one place in a value: every schema that applies there,
//! through references and combinations.

use spec::document::{Document, Located};
use spec::{Level, Node, Provenance};

/// All schemas that apply to one place of a value, the nearest first.
#[derive(Debug, Clone, Default)]
pub struct Shape<'d> {
    parts: Vec<Located<'d>>,
}

impl<'d> Shape<'d> {
    /// The shape that a schema gives to the whole value.
    pub fn of(document: &'d Document, schema: Option<&Located<'d>>) -> Self {
        let mut shape = Self::default();
        if let Some(schema) = schema {
            shape.add(document, schema);
        }
        shape
    }

    fn add(&mut self, document: &'d Document, schema: &Located<'d>) {
        if self.parts.iter().any(|part| part.pointer == schema.pointer) {
            return;
        }
        self.parts.push(schema.clone());
        if schema.node.reference().is_some() {
            if let Ok(target) = document.resolve(schema) {
                self.add(document, &target);
            }
            return;
        }
        for combination in ["allOf", "oneOf", "anyOf"] {
            for member in schema.get(combination).iter().flat_map(Located::items) {
                self.add(document, &member);
            }
        }
    }

    /// The shape of a property.
    #[must_use]
    pub fn property(&self, document: &'d Document, name: &str) -> Self {
        let mut shape = Self::default();
        for part in &self.parts {
            if let Some(property) = part.get("properties").and_then(|all| all.get(name)) {
                shape.add(document, &property);
            }
        }
        if shape.parts.is_empty() {
            let free = |part: &Located<'d>| part.get("additionalProperties");
            for schema in self.parts.iter().filter_map(free) {
                shape.add(document, &schema);
            }
        }
        shape
    }

    /// The shape of an array's items.
    #[must_use]
    pub fn items(&self, document: &'d Document) -> Self {
        let mut shape = Self::default();
        for items in self.parts.iter().filter_map(|part| part.get("items")) {
            shape.add(document, &items);
        }
        shape
    }

    /// The shape one step down: a property, or the items where the value is an array.
    #[must_use]
    pub fn child(&self, document: &'d Document, parent: &Node, segment: &str) -> Self {
        if parent.as_sequence().is_some() {
            self.items(document)
        } else {
            self.property(document, segment)
        }
    }

    /// The first value of a keyword among the schemas.
    pub fn keyword(&self, key: &str) -> Option<&'d Node> {
        self.parts.iter().find_map(|part| part.node.get(key))
    }

    /// Whether one of the schemas has the flag.
    pub fn flag(&self, key: &str) -> bool {
        let set = |part: &Located<'_>| part.node.get(key).and_then(Node::as_bool) == Some(true);
        self.parts.iter().any(set)
    }

    /// The `format`, where there is one.
    pub fn format(&self) -> Option<&'d str> {
        self.keyword("format")?.as_str()
    }

    /// The known values of an enumeration, open or closed; empty where it is none.
    pub fn known_values(&self) -> Vec<&'d str> {
        let lists = ["enum", "x-extensible-enum"];
        let values = |part: &Located<'d>| {
            let lists = lists.iter().filter_map(|key| part.node.get(key));
            lists.flat_map(Node::strings).collect::<Vec<_>>()
        };
        self.parts.iter().flat_map(values).collect()
    }

    /// Whether the schemas list the properties that an object may have.
    pub fn lists_properties(&self) -> bool {
        self.parts
            .iter()
            .any(|part| part.node.get("properties").is_some())
    }

    /// Whether the schemas speak of properties that they do not list.
    pub fn is_open(&self) -> bool {
        let open = [
            "additionalProperties",
            "patternProperties",
            "unevaluatedProperties",
        ];
        let speaks = |part: &Located<'_>| open.iter().any(|key| part.node.get(key).is_some());
        self.parts.iter().any(speaks)
    }

    /// Whether the keys of an object are data rather than fields.
    pub fn is_map(&self) -> bool {
        !self.lists_properties() && self.is_open()
    }

    /// The schema that is nearest, to point at.
    pub fn nearest(&self) -> Option<&Located<'d>> {
        self.parts.first()
    }

    /// The schema that the nearest one leads to through its references.
    pub fn target(&self) -> Option<&Located<'d>> {
        self.parts
            .iter()
            .find(|part| part.node.reference().is_none())
    }

    /// What the nearest schema that says so says of its provenance.
    pub fn level(&self) -> Option<Level> {
        let say = |part: &Located<'_>| Provenance::of(part.node);
        self.parts
            .iter()
            .find_map(say)
            .map(|provenance| provenance.level)
    }

    /// The provenance of the flag that makes a property required; `None` where nothing says.
    pub fn required_level(&self, name: &str) -> Option<Level> {
        self.parts.iter().find_map(|part| {
            let required = part.node.get("required")?;
            if !required.strings().any(|own| own == name) {
                return None;
            }
            let provenance = Provenance::read(part.node.get("x-required-provenance")?)?;
            Some(provenance.level)
        })
    }

    /// Whether one of the schemas requires a property.
    pub fn requires(&self, name: &str) -> bool {
        let mut lists = self
            .parts
            .iter()
            .filter_map(|part| part.node.get("required"));
        lists.any(|list| list.strings().any(|own| own == name))
    }

    /// The names of all listed properties, in the order of the schemas.
    pub fn property_names(&self) -> Vec<&'d str> {
        let mut names = Vec::new();
        for listed in self
            .parts
            .iter()
            .filter_map(|part| part.node.get("properties"))
        {
            for entry in listed.entries() {
                if !names.contains(&entry.key.as_str()) {
                    names.push(entry.key.as_str());
                }
            }
        }
        names
    }
}
