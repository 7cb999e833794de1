//! A value for a schema that has no example as a whole: from the examples of its parts.

use spec::document::Document;
use spec::node::Entry;
use spec::{Mapping, Node, Pointer, Value};

use crate::shape::Shape;
use crate::value;

/// A sample of more values than this is given up: its schema is recursive, or it helps nobody.
const MOST: usize = 500;

/// The value that the schema's `example`, `default`, first `enum` value or the samples of its
/// properties and items make; `None` where something required has none.
pub fn sample(document: &Document, shape: &Shape<'_>) -> Option<Node> {
    Sampler {
        document,
        left: MOST,
    }
    .value(shape, &mut Vec::new())
}

struct Sampler<'d> {
    document: &'d Document,
    left: usize,
}

impl<'d> Sampler<'d> {
    /// `above` are the schemas that this one is part of: coming back to one of them ends the way.
    fn value(&mut self, shape: &Shape<'d>, above: &mut Vec<Pointer>) -> Option<Node> {
        let first = |key| shape.keyword(key).and_then(|list| list.item(0));
        let whole = shape.keyword("example").or_else(|| first("examples"));
        let whole = whole
            .or_else(|| shape.keyword("default"))
            .or_else(|| first("enum"));
        self.left = self.left.checked_sub(1)?;
        if whole.is_some() {
            return whole.cloned();
        }
        let schema = shape.target()?.pointer.clone();
        if above.contains(&schema) {
            return None;
        }
        above.push(schema);
        let sample = match shape.type_name() {
            Some("boolean") => Some(Value::Bool(true)),
            Some("array") => {
                let item = self.value(&shape.items(self.document), above);
                item.map(|item| Value::Sequence(vec![item]))
            }
            Some("object") | None if shape.lists_properties() => self.object(shape, above),
            _ => None,
        };
        above.pop();
        sample.map(value::node)
    }

    fn object(&mut self, shape: &Shape<'d>, above: &mut Vec<Pointer>) -> Option<Value> {
        let mut entries: Vec<Entry> = Vec::new();
        for name in shape.property_names() {
            let property = shape.property(self.document, name);
            if property.flag("readOnly") {
                continue;
            }
            match self.value(&property, above) {
                Some(sample) => entries.push(value::entry(name, sample)),
                None if shape.requires(name) => return None,
                None => {}
            }
        }
        Some(Value::Mapping(Mapping { entries }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let document = spec::loader::load_text("t.json", &text).unwrap();
            let (_, located) = document.components("schemas").remove(0);
            let made = sample(&document, &Shape::of(&document, Some(&located)));
            let made = made.map(|node| node.to_json());
            assert_eq!(made.as_deref(), expected, "{schema}");
        }
    }
}
