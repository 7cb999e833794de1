//! Shape: all schemas that apply to one place in a value, through references and combinations.

use std::collections::BTreeSet;

use crate::node::Node;
use crate::pointer::Pointer;
use crate::provenance::{Level, Provenance};
use crate::view::{Document, Located};

/// All schemas that apply to one place in a value, nearest first.
#[derive(Debug, Clone, Default)]
pub struct Shape<'d> {
    parts: Vec<Part<'d>>,
}

#[derive(Debug, Clone)]
struct Part<'d> {
    at: Located<'d>,
    /// Whether it is one of several alternatives of `oneOf` or `anyOf`, and so may not apply.
    is_alternative: bool,
    /// The outermost such alternative.
    branch: Option<Pointer>,
}

impl<'d> Shape<'d> {
    /// The shape of a whole value with this schema.
    pub fn of(document: &'d Document, schema: Option<&Located<'d>>) -> Self {
        let mut shape = Self::default();
        if let Some(schema) = schema {
            shape.add(document, schema, false);
        }
        shape
    }

    fn add(&mut self, document: &'d Document, schema: &Located<'d>, is_alternative: bool) {
        self.add_of(document, schema, is_alternative, None);
    }

    fn add_of(
        &mut self,
        document: &'d Document,
        schema: &Located<'d>,
        is_alternative: bool,
        branch: Option<&Pointer>,
    ) {
        if self
            .parts
            .iter()
            .any(|part| part.at.pointer == schema.pointer)
        {
            return;
        }
        self.parts.push(Part {
            at: schema.clone(),
            is_alternative,
            branch: branch.cloned(),
        });
        if schema.node.reference().is_some() {
            if let Ok(target) = document.resolve(schema) {
                self.add_of(document, &target, is_alternative, branch);
            }
            return;
        }
        for combination in ["allOf", "oneOf", "anyOf"] {
            let Some(members) = schema.get(combination) else {
                continue;
            };
            let members: Vec<Located<'d>> = members.items().collect();
            let offers = combination != "allOf" && members.len() > 1;
            for member in members {
                let branch = branch.or(offers.then_some(&member.pointer)).cloned();
                self.add_of(document, &member, is_alternative || offers, branch.as_ref());
            }
        }
    }

    /// The nearest schema with alternatives, and the alternatives.
    pub fn offers(&self) -> Option<(Located<'d>, Vec<Located<'d>>)> {
        self.parts.iter().find_map(|part| {
            let members = part.at.get("oneOf").or_else(|| part.at.get("anyOf"))?;
            let members: Vec<Located<'d>> = members.items().collect();
            (members.len() > 1).then(|| (part.at.clone(), members))
        })
    }

    /// The schemas that apply whichever alternative is chosen.
    #[must_use]
    pub fn certain(&self) -> Self {
        let parts = self.parts.iter().filter(|part| !part.is_alternative);
        Self {
            parts: parts.cloned().collect(),
        }
    }

    /// The shape of a property.
    #[must_use]
    pub fn property(&self, document: &'d Document, name: &str) -> Self {
        let mut shape = Self::default();
        for part in &self.parts {
            // Checks the node first, because building a pointer is expensive and most parts lack
            // the property.
            let is_there = part.at.node.get("properties").and_then(|all| all.get(name));
            let property = is_there.and_then(|_| part.at.get("properties")?.get(name));
            if let Some(property) = property {
                shape.add(document, &property, part.is_alternative);
            }
        }
        if shape.parts.is_empty() {
            for part in &self.parts {
                if let Some(schema) = part.at.get("additionalProperties") {
                    shape.add(document, &schema, part.is_alternative);
                }
            }
        }
        shape
    }

    /// The shape of an array's items.
    #[must_use]
    pub fn items(&self, document: &'d Document) -> Self {
        let mut shape = Self::default();
        for part in &self.parts {
            if let Some(items) = part.at.get("items") {
                shape.add(document, &items, part.is_alternative);
            }
        }
        shape
    }

    /// The shape of one item; in a tuple, the shape at its index.
    fn item(&self, document: &'d Document, index: &str) -> Self {
        let mut shape = Self::default();
        for part in &self.parts {
            let places = part.at.get("prefixItems");
            if let Some(place) =
                places.and_then(|all| index.parse().ok().and_then(|index| all.items().nth(index)))
            {
                shape.add(document, &place, part.is_alternative);
            }
        }
        if shape.parts.is_empty() {
            return self.items(document);
        }
        shape
    }

    /// The shape of a child: a property, or an item if the parent is an array.
    #[must_use]
    pub fn child(&self, document: &'d Document, parent: &Node, segment: &str) -> Self {
        if parent.as_sequence().is_some() {
            self.item(document, segment)
        } else {
            self.property(document, segment)
        }
    }

    /// The first value of a keyword in the schemas.
    pub fn keyword(&self, key: &str) -> Option<&'d Node> {
        self.parts.iter().find_map(|part| part.at.node.get(key))
    }

    /// Whether a keyword is `true` in one of the schemas.
    pub fn flag(&self, key: &str) -> bool {
        let set = |part: &Part<'_>| part.at.node.get(key).and_then(Node::as_bool) == Some(true);
        self.parts.iter().any(set)
    }

    /// The first `type`; if it is a list, its first entry that is not `null`.
    pub fn type_name(&self) -> Option<&'d str> {
        let keyword = self.keyword("type")?;
        let first = || keyword.strings().find(|name| *name != "null");
        keyword.as_str().or_else(first)
    }

    /// The `format`, if all texts at this place have the same one.
    pub fn format(&self) -> Option<&'d str> {
        let of = |part: &Part<'d>| part.at.node.get("format").and_then(Node::as_str);
        let mut certain = self.parts.iter().filter(|part| !part.is_alternative);
        if let Some(format) = certain.find_map(of) {
            return Some(format);
        }
        let mut formats = self.texts().map(of);
        let first = formats.next()??;
        formats.all(|other| other == Some(first)).then_some(first)
    }

    /// The alternatives that may be a text, without those that only refer to other schemas.
    fn texts(&self) -> impl Iterator<Item = &Part<'d>> {
        const ELSEWHERE: [&str; 4] = ["$ref", "allOf", "oneOf", "anyOf"];
        self.parts.iter().filter(|part| {
            let names = part.at.node.get("type");
            let is_text = names.is_none_or(|names| {
                names.as_str() == Some("string") || names.strings().any(|name| name == "string")
            });
            let leads_on = ELSEWHERE.iter().any(|key| part.at.node.get(key).is_some());
            part.is_alternative && is_text && !leads_on
        })
    }

    /// The values of an open or closed enumeration. Empty if there is none, or if an alternative
    /// allows any text.
    pub fn known_values(&self) -> Vec<&'d str> {
        let lists = ["enum", "x-extensible-enum"];
        let values = |part: &Part<'d>| {
            let lists = lists.iter().filter_map(|key| part.at.node.get(key));
            let only = part.at.node.get("const").and_then(Node::as_str);
            lists
                .flat_map(Node::strings)
                .chain(only)
                .collect::<Vec<_>>()
        };
        let certain = |part: &&Part<'_>| !part.is_alternative;
        let known: Vec<&str> = self.parts.iter().filter(certain).flat_map(values).collect();
        if !known.is_empty() || self.texts().any(|part| values(part).is_empty()) {
            return known;
        }
        self.parts.iter().flat_map(values).collect()
    }

    /// Whether one of the schemas lists properties.
    pub fn lists_properties(&self) -> bool {
        self.parts
            .iter()
            .any(|part| part.at.node.get("properties").is_some())
    }

    /// Whether one of the schemas has a keyword for unlisted properties.
    pub fn is_open(&self) -> bool {
        let open = [
            "additionalProperties",
            "patternProperties",
            "unevaluatedProperties",
        ];
        let speaks = |part: &Part<'_>| open.iter().any(|key| part.at.node.get(key).is_some());
        self.parts.iter().any(speaks)
    }

    /// Whether the keys of an object are data and not fields.
    pub fn is_map(&self) -> bool {
        !self.lists_properties() && self.is_open()
    }

    /// The nearest schema, for messages.
    pub fn nearest(&self) -> Option<&Located<'d>> {
        self.parts.first().map(|part| &part.at)
    }

    /// The schema at the end of the nearest schema's references.
    pub fn target(&self) -> Option<&Located<'d>> {
        let schemas = self.parts.iter().map(|part| &part.at);
        schemas
            .into_iter()
            .find(|schema| schema.node.reference().is_none())
    }

    /// The nearest stated provenance.
    pub fn level(&self) -> Option<Level> {
        let say = |part: &Part<'_>| Provenance::of(part.at.node);
        self.parts
            .iter()
            .find_map(say)
            .map(|provenance| provenance.level)
    }

    /// The provenance of the `required` entry for a property; `None` if not stated.
    pub fn required_level(&self, name: &str) -> Option<Level> {
        self.parts.iter().find_map(|part| {
            let required = part.at.node.get("required")?;
            if !required.strings().any(|required| required == name) {
                return None;
            }
            let provenance = Provenance::read(part.at.node.get("x-required-provenance")?)?;
            Some(provenance.level)
        })
    }

    /// Whether a property belongs only to some alternatives, so that it may be absent.
    pub fn may_lack(&self, name: &str) -> bool {
        let lists = |part: &&Part<'d>| part.at.node.get("properties").is_some();
        let has = |part: &&Part<'d>| {
            let listed = part.at.node.get("properties");
            listed.is_some_and(|all| all.get(name).is_some())
        };
        let branches = |of: &dyn Fn(&&Part<'d>) -> bool| {
            let parts = self.parts.iter().filter(of);
            let branches: BTreeSet<&Pointer> =
                parts.filter_map(|part| part.branch.as_ref()).collect();
            branches.len()
        };
        let certain = self.parts.iter().filter(|part| part.branch.is_none());
        !certain.into_iter().any(|part| has(&part)) && branches(&has) < branches(&lists)
    }

    /// Whether one of the schemas requires a property.
    pub fn requires(&self, name: &str) -> bool {
        let mut lists = self
            .parts
            .iter()
            .filter_map(|part| part.at.node.get("required"));
        lists.any(|list| list.strings().any(|required| required == name))
    }

    /// The names of all listed properties, in the order of the schemas.
    pub fn property_names(&self) -> Vec<&'d str> {
        let mut names = Vec::new();
        for listed in self
            .parts
            .iter()
            .filter_map(|part| part.at.node.get("properties"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_alternative_has_another_may_lack() {
        let text = r##"{"openapi":"3.0.4","info":{"title":"t","version":"1"},"paths":{},"components":{"schemas":{
            "A":{"type":"object","properties":{"a":{},"both":{}}},
            "B":{"type":"object","properties":{"b":{},"both":{}}},
            "Either":{"type":"object","properties":{"own":{}},
                "oneOf":[{"$ref":"#/components/schemas/A"},{"allOf":[{"$ref":"#/components/schemas/B"},{"properties":{"c":{}}}]}]},
            "OrNothing":{"anyOf":[{"$ref":"#/components/schemas/A"},{"type":"string"}]}}}}"##;
        let document = crate::loader::load_text("t.json", text).unwrap();
        let of = |wanted: &str| {
            let all = document.components("schemas");
            let (_, located) = all.into_iter().find(|(name, _)| *name == wanted).unwrap();
            Shape::of(&document, Some(&located))
        };
        for (schema, name, expected) in [
            ("Either", "a", true),
            ("Either", "c", true),
            ("Either", "both", false),
            ("Either", "own", false),
            ("OrNothing", "a", false),
            ("A", "a", false),
        ] {
            assert_eq!(of(schema).may_lack(name), expected, "{schema} {name}");
        }
    }
}
