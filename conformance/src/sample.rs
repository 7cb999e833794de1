//! Builds a value for a schema from the examples of its parts, else from types, formats, bounds and
//! patterns.

use openapi_document::node::Entry;
use openapi_document::view::Document;
use openapi_document::{Mapping, Node, Pointer, Value};

use crate::names;
use crate::shape::Shape;
use crate::value;

pub(crate) mod invention;
pub(crate) mod pattern;

/// The greatest number of values in a sample. A larger schema is recursive or its sample useless.
const MOST: usize = 500;

/// The schema's `example`, `default` or first `enum` value, else an object or array of samples.
/// `None` when a required part has no sample.
pub fn sample(document: &Document, shape: &Shape<'_>) -> Option<Node> {
    Sampler {
        document,
        left: MOST,
        invents: None,
    }
    .value(shape, &mut Vec::new())
}

/// Like [`sample`], but invents values without an example. `None` when even that is impossible.
pub fn invent(document: &Document, shape: &Shape<'_>, extent: Extent) -> Option<Node> {
    Sampler {
        document,
        left: MOST,
        invents: Some(extent),
    }
    .value(shape, &mut Vec::new())
}

/// The parts of an object to invent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Extent {
    /// All properties.
    #[default]
    Full,
    /// All properties, with other invented values than [`Self::Full`].
    Other,
    /// Required properties, and optional ones that a caller is likely to send: no `null`, no key, no time that the server sets, no
    /// choice.
    Plain,
    /// Required properties.
    Required,
}

struct Sampler<'d> {
    document: &'d Document,
    left: usize,
    /// Whether to invent values without an example.
    invents: Option<Extent>,
}

impl<'d> Sampler<'d> {
    /// `above` are the schemas around this one; meeting one of them again ends the recursion.
    fn value(&mut self, shape: &Shape<'d>, above: &mut Vec<Pointer>) -> Option<Node> {
        let first = |key| shape.keyword(key).and_then(|list| list.item(0));
        let whole = shape.keyword("example").or_else(|| first("examples"));
        let whole = whole
            .or_else(|| {
                shape
                    .keyword("default")
                    .filter(|keyword| !keyword.is_null())
            })
            .or_else(|| shape.keyword("const").filter(|_| self.invents.is_some()))
            .or_else(|| self.listed(shape));
        self.left = self.left.checked_sub(1)?;
        if let Some(whole) = whole {
            return Some(self.plain_part(shape, whole));
        }
        let schema = shape.target()?.pointer.clone();
        if above.contains(&schema) {
            return None;
        }
        above.push(schema);
        let sample = match shape.type_name() {
            _ if self.invents.is_some() && shape.offers().is_some() => self.offered(shape, above),
            Some("boolean") => Some(Value::Bool(self.invents != Some(Extent::Other))),
            Some("array") => {
                let item = self.value(&shape.items(self.document), above);
                self.array(shape, item)
            }
            Some("object") | None if shape.lists_properties() => self.object(shape, above),
            Some("object") if self.invents.is_some() => {
                let entry = self.value(&shape.property(self.document, "key"), above);
                let entries = entry.map(|item| value::entry("key", item));
                let entries = entries.into_iter().collect();
                Some(Value::Mapping(Mapping { entries }))
            }
            Some(name) => {
                let is_other = self.invents? == Extent::Other;
                invention::invent(shape, name, is_other)
            }
            None => None,
        };
        above.pop();
        sample.map(value::node)
    }

    fn listed(&self, shape: &Shape<'d>) -> Option<&'d Node> {
        let all = shape.keyword("enum")?.as_sequence()?;
        match self.invents {
            Some(Extent::Other) => all.iter().rfind(|node| !node.is_null()),
            _ => all.first(),
        }
    }

    fn array(&self, shape: &Shape<'d>, item: Option<Node>) -> Option<Value> {
        let least = shape.keyword("minItems").and_then(Node::as_u64);
        let least = least.unwrap_or(1).clamp(1, 20);
        match item {
            Some(item) if self.invents.is_some() => {
                let count = usize::try_from(least).ok()?;
                let mut items = vec![item; count];
                items.extend(self.second(shape, &items));
                Some(Value::Sequence(items))
            }
            Some(item) => Some(Value::Sequence(vec![item])),
            None => self.invents.map(|_| Value::Sequence(Vec::new())),
        }
    }

    /// A second text after a single one, so that a test notices when the server only keeps the
    /// first.
    fn second(&self, shape: &Shape<'d>, items: &[Node]) -> Option<Node> {
        let most = shape.keyword("maxItems").and_then(Node::as_u64);
        let is_full = self.invents == Some(Extent::Full);
        let has_room = items.len() == 1 && most.is_none_or(|most| most > 1);
        let shape_of_item = shape.items(self.document);
        if !is_full || !has_room || shape_of_item.type_name() != Some("string") {
            return None;
        }
        let other = invention::invent(&shape_of_item, "string", true).map(value::node)?;
        (!other.same_value(&items[0])).then_some(other)
    }

    /// The first alternative for which a value can be invented, merged with the properties beside
    /// the alternatives.
    fn offered(&mut self, shape: &Shape<'d>, above: &mut Vec<Pointer>) -> Option<Value> {
        let (schema, alternatives) = shape.offers()?;
        let beside = if shape.lists_properties() {
            self.object(&shape.certain(), above)
        } else {
            None
        };
        for alternative in alternatives {
            let shape_of_alternative = Shape::of(self.document, Some(&alternative));
            let Some(mut invented) = self.value(&shape_of_alternative, above) else {
                continue;
            };
            if let (Value::Mapping(invented), Some(Value::Mapping(beside))) =
                (&mut invented.value, beside)
            {
                let is_new =
                    |entry: &Entry| !invented.entries.iter().any(|other| other.key == entry.key);
                let more: Vec<Entry> = beside.entries.into_iter().filter(is_new).collect();
                invented.entries.extend(more);
            }
            invention::discriminate(&schema, &alternative, &mut invented);
            return Some(invented.value);
        }
        beside
    }

    /// Of an example as a whole what a caller is likely to say, where no more is asked for.
    fn plain_part(&self, shape: &Shape<'d>, whole: &Node) -> Node {
        let mut part = whole.clone();
        if let (Some(Extent::Plain), Value::Mapping(mapping)) = (self.invents, &mut part.value) {
            mapping.entries.retain(|item| {
                let property = shape.property(self.document, &item.key);
                shape.requires(&item.key) || self.may_be_said(&item.key, &property)
            });
        }
        part
    }

    /// Whether a caller is likely to say a property that may be left out.
    fn may_be_said(&self, name: &str, property: &Shape<'d>) -> bool {
        let may_be_null = property.flag("nullable") || {
            let types = property.keyword("type");
            types.is_some_and(|item| item.strings().any(|item| item == "null"))
        };
        if may_be_null || names_a_record(name, property) || tells_what_was_done(name) {
            return false;
        }
        if property.offers().is_some() {
            return property.keyword("nullable").and_then(Node::as_bool) == Some(false);
        }
        match property.type_name() {
            Some("array") => {
                let items = property.items(self.document);
                let is_value = !matches!(items.type_name(), None | Some("array" | "object"));
                is_value && items.offers().is_none() && items.format() != Some("uuid")
            }
            Some("object") | None => property.lists_properties(),
            Some(_) => property.format() != Some("uuid"),
        }
    }

    fn object(&mut self, shape: &Shape<'d>, above: &mut Vec<Pointer>) -> Option<Value> {
        let mut entries: Vec<Entry> = Vec::new();
        for name in shape.property_names() {
            let property = shape.property(self.document, name);
            // Only the server knows the current version.
            let is_version = self.invents.is_some() && names_version(name);
            let is_lean = self.invents == Some(Extent::Required) || is_version;
            if property.flag("readOnly") || (is_lean && !shape.requires(name)) {
                continue;
            }
            let is_plain = self.invents == Some(Extent::Plain) && !shape.requires(name);
            if is_plain && !self.may_be_said(name, &property) {
                continue;
            }
            match self.value(&property, above) {
                Some(sample) if is_plain && is_empty(&sample) => {}
                Some(sample) => entries.push(value::entry(name, invention::after(name, sample))),
                None if shape.requires(name) => return None,
                None => {}
            }
        }
        Some(Value::Mapping(Mapping { entries }))
    }
}

/// Whether a value is an object without properties.
fn is_empty(node: &Node) -> bool {
    let mapping = node.as_mapping();
    mapping.is_some_and(|mapping| mapping.entries.is_empty())
}

/// Whether a property is the key of a record, by the end of its name or by its description.
fn names_a_record(name: &str, property: &Shape<'_>) -> bool {
    const KEYS: [&str; 4] = ["id", "ids", "uuid", "guid"];
    const SAID: [&str; 2] = ["identifier", "uuid"];
    let words = names::words(name);
    let text = property.keyword("description").and_then(Node::as_str);
    let said = names::words(text.unwrap_or_default());
    words
        .last()
        .is_some_and(|word| KEYS.contains(&word.as_str()))
        || said
            .iter()
            .any(|word| SAID.contains(&word.to_lowercase().as_str()))
}

/// Whether a name is that of a time that the server sets.
fn tells_what_was_done(name: &str) -> bool {
    const DONE: [&str; 5] = ["created", "updated", "modified", "changed", "deleted"];
    let words = names::words(name);
    words.iter().any(|word| DONE.contains(&word.as_str()))
}

/// Whether a name is the version of the record to change.
fn names_version(name: &str) -> bool {
    let words = names::words(name);
    let last = words.last().map(String::as_str);
    matches!(last, Some("version" | "revision" | "etag")) && words.len() < 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(schema: &str) -> Document {
        let text = format!(
            r#"{{"openapi":"3.1.0","info":{{"title":"t","version":"1"}},"paths":{{}},
                "components":{{"schemas":{{"S":{schema}}}}}}}"#
        );
        openapi_document::loader::load_text("t.json", &text).unwrap()
    }

    /// Checks the invented value of a schema, which must be valid.
    fn assert_invented(schema: &str, extent: Extent, expected: &str) {
        let document = document(schema);
        let (_, located) = document.components("schemas").remove(0);
        let created = invent(&document, &Shape::of(&document, Some(&located)), extent);
        let created = created.unwrap_or_else(|| panic!("nothing for {schema}"));
        assert_eq!(created.to_json(), expected, "{schema}");
        let contract = crate::contract::Contract::new(&document);
        let broken = contract.validate_request(&located, &created).unwrap();
        assert!(broken.is_empty(), "{schema}: {broken:?}");
    }

    #[test]
    fn likely_properties_are_invented() {
        let object = r#"{"type":"object","required":["a"],"properties":{"a":{"type":"boolean"},"b":{"type":"string"}}}"#;
        for (schema, extent, expected) in [
            (object, Extent::Plain, r#"{"a":true,"b":"Text"}"#),
            (
                r#"{"type":"object","properties":{"id":{"type":"string"},"note":{"type":"string","nullable":true},
                    "size":{"type":"integer"},"of":{"oneOf":[{"type":"string"},{"type":"integer"}]},
                    "createdAt":{"type":"string"},"parts":{"type":"object"}}}"#,
                Extent::Plain,
                r#"{"size":100}"#,
            ),
            (
                r#"{"type":"object","properties":{"name":{"type":"string"},"extra":{"type":"object"}},
                    "example":{"name":"a","extra":{"x":1}}}"#,
                Extent::Plain,
                r#"{"name":"a"}"#,
            ),
            (
                r#"{"type":"object","properties":{"email":{"type":"string"}}}"#,
                Extent::Full,
                r#"{"email":"someone@example.com"}"#,
            ),
        ] {
            assert_invented(schema, extent, expected);
        }
    }

    /// The invented value of each schema, which must be valid.
    #[test]
    fn values_are_invented() {
        let object = r#"{"type":"object","required":["a"],"properties":{"a":{"type":"boolean"},"b":{"type":"string"}}}"#;
        let one_of = r#"{"oneOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}},"additionalProperties":false},{"type":"string"}]}"#;
        for (schema, extent, expected) in [
            (r#"{"type":"string"}"#, Extent::Full, r#""Text""#),
            (
                r#"{"type":"string","maxLength":2}"#,
                Extent::Full,
                r#""Te""#,
            ),
            (
                r#"{"type":"string","minLength":6}"#,
                Extent::Full,
                r#""Texttt""#,
            ),
            (
                r#"{"type":"string","format":"date"}"#,
                Extent::Full,
                r#""2030-01-15""#,
            ),
            (
                r#"{"type":"string","format":"email"}"#,
                Extent::Full,
                r#""someone@example.com""#,
            ),
            (
                r#"{"type":"string","pattern":"^\\+[0-9]{6,14}$"}"#,
                Extent::Full,
                r#""+000000""#,
            ),
            (
                r#"{"type":"string","pattern":"^(ab|c)+[^a-z]$"}"#,
                Extent::Full,
                r#""ab0""#,
            ),
            (
                r#"{"type":"string","pattern":"^(0|[1-9][0-9]*)\\.[0-9]{2}$"}"#,
                Extent::Full,
                r#""10.00""#,
            ),
            (r#"{"type":"integer"}"#, Extent::Full, "100"),
            (r#"{"type":"integer","maximum":9}"#, Extent::Full, "9"),
            (r#"{"type":"integer","minimum":500}"#, Extent::Full, "500"),
            (
                r#"{"type":"integer","exclusiveMaximum":9,"multipleOf":3}"#,
                Extent::Full,
                "6",
            ),
            (
                r#"{"type":"number","exclusiveMinimum":100}"#,
                Extent::Full,
                "101",
            ),
            (r#"{"const":"x"}"#, Extent::Full, r#""x""#),
            (
                r#"{"type":"array","minItems":2,"items":{"type":"integer"}}"#,
                Extent::Full,
                "[100,100]",
            ),
            (object, Extent::Full, r#"{"a":true,"b":"Text"}"#),
            (
                r#"{"type":"object","properties":{"b":{"type":"string"},"version":{"type":"integer"}}}"#,
                Extent::Full,
                r#"{"b":"Text"}"#,
            ),
            (
                r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
                Extent::Full,
                r#"{"key":100}"#,
            ),
            (
                r#"{"type":"array","items":{"type":"string"}}"#,
                Extent::Full,
                r#"["Text","Other"]"#,
            ),
            (r#"{"type":"object"}"#, Extent::Full, "{}"),
            (object, Extent::Required, r#"{"a":true}"#),
            (object, Extent::Other, r#"{"a":false,"b":"Other"}"#),
            (
                r#"{"type":"string","pattern":"^[0-9]{4}$"}"#,
                Extent::Other,
                r#""9999""#,
            ),
            (r#"{"type":"integer"}"#, Extent::Other, "101"),
            (r#"{"enum":["x","y"]}"#, Extent::Other, r#""y""#),
            (one_of, Extent::Full, r#"{"a":100}"#),
        ] {
            assert_invented(schema, extent, expected);
        }
    }

    #[test]
    fn parts_make_a_whole() {
        let object = |properties: &str, required: &str| {
            format!(r#"{{"type":"object","properties":{properties},"required":{required}}}"#)
        };
        for (schema, expected) in [
            (
                r#"{"type":"string","example":"a"}"#.to_owned(),
                Some(r#""a""#),
            ),
            (r#"{"type":"integer","default":10}"#.to_owned(), Some("10")),
            (r#"{"type":"string"}"#.to_owned(), None),
            (
                r#"{"type":"array","items":{"enum":["x","y"]}}"#.to_owned(),
                Some(r#"["x"]"#),
            ),
            (
                object(r#"{"a":{"example":1},"b":{"type":"string"}}"#, "[]"),
                Some(r#"{"a":1}"#),
            ),
            (
                object(r#"{"a":{"example":1},"b":{"type":"string"}}"#, r#"["b"]"#),
                None,
            ),
            (
                object(r#"{"a":{"example":1,"readOnly":true}}"#, r#"["a"]"#),
                Some("{}"),
            ),
            (
                object(
                    r##"{"a":{"$ref":"#/components/schemas/S"},"b":{"type":"boolean"}}"##,
                    "[]",
                ),
                Some(r#"{"b":true}"#),
            ),
        ] {
            let text = format!(
                r#"{{"openapi":"3.0.4","info":{{"title":"t","version":"1"}},"paths":{{}},
                    "components":{{"schemas":{{"S":{schema}}}}}}}"#
            );
            let document = openapi_document::loader::load_text("t.json", &text).unwrap();
            let (_, located) = document.components("schemas").remove(0);
            let invented = sample(&document, &Shape::of(&document, Some(&located)));
            let invented = invented.map(|node| node.to_json());
            assert_eq!(invented.as_deref(), expected, "{schema}");
        }
    }
}
