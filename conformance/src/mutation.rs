//! Mutation: derives from a valid value those that each break one keyword of its schema. Pure.

use openapi_document::node::Entry;
use openapi_document::schema::Violation;
use openapi_document::view::Located;
use openapi_document::{Node, Pointer, Value};

use crate::contract::Contract;
use crate::encoding::Encoding;
use crate::names;
use crate::sample::{self, Extent};
use crate::shape::Shape;
use crate::value;

mod casing;
mod near_miss;
mod number;
mod text;

/// The greatest number of mutations of one value.
const MOST: usize = 160;

/// The name of a property that no schema declares.
pub(crate) const UNDECLARED: &str = "undocumentedProperty";

/// The greatest number of absent properties to break, and of keywords for each.
const ABSENT: usize = 10;
const OF_ABSENT: usize = 2;

/// The greatest number of mutations in the last item of an array.
const OF_LAST: usize = 3;

/// A value that breaks one keyword.
#[derive(Debug, Clone)]
pub struct Mutation {
    /// The place of the violation.
    pub pointer: Pointer,
    /// The keyword, such as `maxLength`.
    pub keyword: &'static str,
    /// The whole value.
    pub value: Node,
    /// The change in a few words.
    pub what: String,
}

/// Every mutation of a valid value. Each breaks its schema, in the form in which the server parses
/// it, at exactly one place.
pub fn mutations<'d>(
    contract: &Contract<'d>,
    schema: &Located<'d>,
    (valid, encoding): (&Node, &Encoding),
) -> Vec<Mutation> {
    let mut mutator = Mutator {
        contract,
        root: valid,
        list: Vec::new(),
    };
    let shape = Shape::of(contract.document, Some(schema));
    mutator.walk(&Pointer::root(), valid, &shape);
    let mut list = mutator.list;
    list.retain(|item| {
        let read = encoding.read(contract.document, &item.value, &shape);
        breaks_one_place(contract, schema, (item, &read))
    });
    list.truncate(MOST);
    list
}

/// Whether a mutation breaks exactly one place. Values that must be equal may be broken together.
fn breaks_one_place(
    contract: &Contract<'_>,
    schema: &Located<'_>,
    (mutation, read): (&Mutation, &Node),
) -> bool {
    let Ok(violations) = contract.validate_request(schema, read) else {
        return false;
    };
    let Some(first) = violations.first() else {
        return false;
    };
    let last = mutation.pointer.segments().next_back();
    let is_alike = |other: &Violation| {
        let both = mutation.keyword == "enum" && other.keyword == "enum";
        both && last.is_some() && other.instance.segments().next_back() == last
    };
    violations
        .iter()
        .all(|other| other.instance == first.instance || is_alike(other))
}

struct Mutator<'m, 'd> {
    contract: &'m Contract<'d>,
    root: &'m Node,
    list: Vec<Mutation>,
}

impl<'d> Mutator<'_, 'd> {
    fn walk(&mut self, pointer: &Pointer, node: &Node, shape: &Shape<'d>) {
        if self.list.len() > MOST * 2 || shape.flag("readOnly") {
            return;
        }
        self.type_of(pointer, node, shape);
        match &node.value {
            Value::String(text) => self.text(pointer, text, shape),
            Value::Number(text) => self.number(pointer, text, shape),
            Value::Sequence(items) => self.array(pointer, items, shape),
            Value::Mapping(_) => self.object(pointer, node, shape),
            Value::Bool(_) | Value::Null => {}
        }
    }

    fn add(&mut self, pointer: &Pointer, keyword: &'static str, new: Node, what: String) {
        let mut whole = self.root.clone();
        if value::put(&mut whole, pointer, new).is_ok() {
            self.list.push(Mutation {
                pointer: pointer.clone(),
                keyword,
                value: whole,
                what,
            });
        }
    }

    /// Replaces a text wherever it occurs under the same name, because these values may have to be
    /// equal.
    fn everywhere(&mut self, pointer: &Pointer, (old, new): (&str, &str), what: String) {
        let Some(name) = pointer.segments().next_back() else {
            return;
        };
        let mut whole = self.root.clone();
        let count = casing::replaced(&mut whole, &name, (old, new));
        let is_known = |mutation: &Mutation| mutation.value.same_value(&whole);
        if count > 1 && !self.list.iter().any(is_known) {
            self.list.push(Mutation {
                pointer: pointer.clone(),
                keyword: "enum",
                value: whole,
                what,
            });
        }
    }

    /// A copy of an item with another free text, because items may have to differ.
    fn another(&self, item: &Node, shape: &Shape<'d>, number: usize) -> Node {
        let mut other = item.clone();
        let is_free = |entry: &Entry| {
            let property = shape.property(self.contract.document, &entry.key);
            let mut bound = ["enum", "const", "pattern", "format"].into_iter();
            let is_bound = bound.any(|key| property.keyword(key).is_some());
            entry.value.as_str().is_some() && !is_bound && names::subject(&entry.key).is_none()
        };
        let is_listed = shape.keyword("enum").is_some() || shape.keyword("const").is_some();
        let is_formed = shape.keyword("pattern").is_some() || shape.keyword("format").is_some();
        match &mut other.value {
            Value::String(text) if !is_listed && !is_formed => text.push_str(&number.to_string()),
            Value::Number(text) if !is_listed => {
                let sum = text.parse::<i64>().ok();
                let sum = sum.and_then(|sum| sum.checked_add(i64::try_from(number).ok()?));
                if let Some(sum) = sum {
                    *text = sum.to_string();
                }
            }
            _ => {}
        }
        if let Value::Mapping(mapping) = &mut other.value {
            let mut all = mapping.entries.iter_mut();
            let free = all.find(|item| is_free(item));
            if let Some(free_entry) = free {
                let text = free_entry.value.as_str().unwrap_or_default();
                free_entry.value = value::string(&format!("{text} {number}"));
            }
        }
        other
    }

    fn type_of(&mut self, pointer: &Pointer, node: &Node, shape: &Shape<'d>) {
        if shape.type_name().is_none() && shape.keyword("enum").is_none() {
            return;
        }
        let other = match &node.value {
            Value::String(_) => value::node(Value::Bool(true)),
            Value::Number(text) => value::string(text),
            Value::Bool(flag) => value::string(&flag.to_string()),
            Value::Sequence(_) => value::node(Value::Mapping(openapi_document::Mapping::default())),
            Value::Mapping(_) => value::node(Value::Sequence(Vec::new())),
            Value::Null => return,
        };
        let what = format!("{} in the place of {}", other.type_name(), node.type_name());
        self.add(pointer, "type", other, what);
        if !pointer.is_root() {
            let null = value::node(Value::Null);
            self.add(pointer, "nullable", null, "null".to_owned());
        }
    }

    fn array(&mut self, pointer: &Pointer, items: &[Node], shape: &Shape<'d>) {
        let length = |key| shape.keyword(key).and_then(Node::as_u64);
        let array = |items: Vec<Node>| value::node(Value::Sequence(items));
        if let Some(min) = length("minItems").filter(|min| *min > 0) {
            let wanted = usize::try_from(min).unwrap_or_default() - 1;
            let few = items.iter().take(wanted).cloned().collect();
            self.add(pointer, "minItems", array(few), format!("{wanted} items"));
        }
        if let (Some(max), Some(first)) =
            (length("maxItems").filter(|max| *max < 1000), items.first())
        {
            let wanted = usize::try_from(max).unwrap_or_default() + 1;
            let mut many = items.to_vec();
            let of_item = shape.items(self.contract.document);
            let more =
                (many.len() + 1..=wanted).map(|wanted| self.another(first, &of_item, wanted));
            many.extend(more);
            // The server would refuse equal items for another reason.
            let is_distinct = !shape.flag("uniqueItems") || all_differ(&many);
            if is_distinct {
                self.add(pointer, "maxItems", array(many), format!("{wanted} items"));
            }
        }
        if let (true, Some(first)) = (shape.flag("uniqueItems"), items.first()) {
            let mut twice = items.to_vec();
            twice.push(first.clone());
            self.add(
                pointer,
                "uniqueItems",
                array(twice),
                "an item twice".to_owned(),
            );
        }
        let Some(first) = items.first() else { return };
        let shape = shape.items(self.contract.document);
        self.walk(&pointer.join("0"), first, &shape);
        // A few mutations of the last item detect servers that only validate the first one.
        let (last, known) = (items.len() - 1, self.list.len());
        if last > 0 {
            let last_pointer = pointer.join(last.to_string());
            self.walk(&last_pointer, &items[last], &shape);
            let mut within = self.list.split_off(known);
            within.retain(|other| {
                other.pointer.depth() > last_pointer.depth() || items[last].as_mapping().is_none()
            });
            within.truncate(OF_LAST);
            self.list.append(&mut within);
        }
    }

    /// Breaks limits on the number of properties.
    fn count(&mut self, pointer: &Pointer, node: &Node, shape: &Shape<'d>) {
        let limit = |key| shape.keyword(key).and_then(Node::as_u64);
        let mut whole = node.clone();
        let Value::Mapping(mapping) = &mut whole.value else {
            return;
        };
        if limit("minProperties").is_some_and(|least| least > 0) {
            let empty = value::node(Value::Mapping(openapi_document::Mapping::default()));
            self.add(pointer, "minProperties", empty, "no properties".to_owned());
        }
        let first = mapping.entries.first().map(|entry| entry.value.clone());
        if let Some(most) = limit("maxProperties").filter(|limit| *limit < 200) {
            let wanted = usize::try_from(most).unwrap_or_default() + 1;
            let value = first.unwrap_or_else(|| value::string("x"));
            for number in mapping.entries.len()..wanted {
                let key = format!("more{number}");
                mapping.entries.push(value::entry(&key, value.clone()));
            }
            let what = format!("{wanted} properties");
            self.add(pointer, "maxProperties", whole, what);
        }
    }

    fn object(&mut self, pointer: &Pointer, node: &Node, shape: &Shape<'d>) {
        self.count(pointer, node, shape);
        for entry in node.entries() {
            if shape.requires(&entry.key) {
                let without = without(node, &entry.key);
                let what = format!("without `{}`", entry.key);
                let mut whole = self.root.clone();
                if value::put(&mut whole, pointer, without).is_ok() {
                    self.list.push(Mutation {
                        pointer: pointer.join(entry.key.as_str()),
                        keyword: "required",
                        value: whole,
                        what,
                    });
                }
            }
            let property = shape.property(self.contract.document, &entry.key);
            self.walk(&pointer.join(entry.key.as_str()), &entry.value, &property);
        }
        self.absent(pointer, node, shape);
        let closed = shape
            .keyword("additionalProperties")
            .and_then(Node::as_bool)
            == Some(false);
        if closed {
            let strange = pointer.join(UNDECLARED);
            let what = "a property that is not listed".to_owned();
            self.add(&strange, "additionalProperties", value::string("x"), what);
        }
    }
}

impl<'d> Mutator<'_, 'd> {
    /// Adds optional properties that are absent, each with a wrong type and one more violation.
    fn absent(&mut self, pointer: &Pointer, node: &Node, shape: &Shape<'d>) {
        let document = self.contract.document;
        let names = shape.property_names().into_iter();
        let names = names.filter(|name| node.get(name).is_none());
        for name in names.take(ABSENT) {
            let property = shape.property(document, name);
            let sample = sample::invent(document, &property, Extent::Required);
            let Some(sample) = sample.filter(is_plain) else {
                continue;
            };
            let before = self.list.len();
            self.walk(&pointer.join(name), &sample, &property);
            let mut keywords = Vec::new();
            let mut added: Vec<Mutation> = self.list.drain(before..).collect();
            // The server may treat null like an absent property.
            let is_null = |mutation: &Mutation| {
                mutation
                    .value
                    .at(&mutation.pointer)
                    .is_some_and(Node::is_null)
            };
            added.retain(|item| {
                if is_null(item) {
                    return false;
                }
                let is_new = !keywords.contains(&item.keyword) && keywords.len() < OF_ABSENT;
                if is_new {
                    keywords.push(item.keyword);
                }
                is_new
            });
            self.list.append(&mut added);
        }
    }
}

fn is_plain(node: &Node) -> bool {
    matches!(
        node.value,
        Value::String(_) | Value::Number(_) | Value::Bool(_)
    )
}

fn without(node: &Node, key: &str) -> Node {
    let mut node = node.clone();
    if let Value::Mapping(mapping) = &mut node.value {
        mapping.entries.retain(|entry| entry.key != key);
    }
    node
}

/// Whether all items differ.
fn all_differ(items: &[Node]) -> bool {
    let mut pairs = items.iter().enumerate();
    pairs.all(|(at, item)| !items[..at].iter().any(|before| before.same_value(item)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutations_of(schema: &str, valid: &str) -> Vec<String> {
        let text = format!(
            r#"{{"openapi":"3.0.4","info":{{"title":"t","version":"1"}},"paths":{{}},
                "components":{{"schemas":{{"S":{schema}}}}}}}"#
        );
        let document = openapi_document::loader::load_text("t.json", &text).unwrap();
        let contract = Contract::new(&document);
        let (_, located) = document.components("schemas").remove(0);
        let valid = openapi_document::json::read_text(valid).unwrap();
        let all = mutations(&contract, &located, (&valid, &Encoding::Json));
        let tell =
            |mutation: &Mutation| format!("{} {}", mutation.keyword, mutation.value.to_json());
        all.iter().map(tell).collect()
    }

    #[test]
    fn each_keyword_is_broken_alone() {
        for (schema, valid, expected) in [
            (
                r#"{"type":"string","maxLength":3,"minLength":2}"#,
                r#""ab""#,
                &["type true", r#"maxLength "abbb""#, r#"minLength "a""#][..],
            ),
            (
                r#"{"type":"integer","minimum":1,"maximum":9}"#,
                "5",
                &[
                    r#"type "5""#,
                    "maximum 10",
                    "minimum 0",
                    "type 5.5",
                    "type true",
                ],
            ),
            (
                r#"{"type":"object","required":["a"],"properties":{"a":{"type":"boolean"}},"additionalProperties":false}"#,
                r#"{"a":true}"#,
                &[
                    "type []",
                    "required {}",
                    r#"type {"a":"true"}"#,
                    r#"nullable {"a":null}"#,
                    r#"additionalProperties {"a":true,"undocumentedProperty":"x"}"#,
                ],
            ),
            (
                r#"{"type":"string","format":"uuid"}"#,
                r#""6a112e4a-83d0-4dd8-8111-be242b8dc188""#,
                &["type true", r#"format "not-a-uuid""#],
            ),
            (
                r#"{"enum":["a","b"]}"#,
                r#""a""#,
                &["type true", r#"enum "none-of-them""#, r#"enum "A""#],
            ),
            (
                r#"{"enum":["0.00","23.00"]}"#,
                r#""0.00""#,
                &["type true", r#"enum "none-of-them""#, r#"enum "34.11""#],
            ),
            (
                r#"{"type":"array","minItems":1,"items":{"type":"integer"}}"#,
                "[1]",
                &[
                    "type {}",
                    "minItems []",
                    r#"type ["1"]"#,
                    "nullable [null]",
                    "type [1.5]",
                    "type [true]",
                ],
            ),
            (
                r#"{"type":"array","items":{"type":"object","properties":{"a":{"type":"boolean"}}}}"#,
                r#"[{"a":true},{"a":false}]"#,
                &[
                    "type {}",
                    r#"type [[],{"a":false}]"#,
                    r#"nullable [null,{"a":false}]"#,
                    r#"type [{"a":"true"},{"a":false}]"#,
                    r#"nullable [{"a":null},{"a":false}]"#,
                    r#"type [{"a":true},{"a":"false"}]"#,
                    r#"nullable [{"a":true},{"a":null}]"#,
                ],
            ),
            (
                r#"{"type":"object","minProperties":1,"maxProperties":2}"#,
                r#"{"a":true}"#,
                &[
                    "type []",
                    "minProperties {}",
                    r#"maxProperties {"a":true,"more1":true,"more2":true}"#,
                ],
            ),
            (
                r#"{"type":"string","pattern":"^[0-9]+\\.[0-9]{2}$"}"#,
                r#""5.00""#,
                &[
                    "type true",
                    r#"pattern "~""#,
                    "pattern \"\u{2603}\"",
                    r#"pattern "a b""#,
                    r#"pattern """#,
                    r#"pattern "5.000""#,
                    r#"pattern "5.0""#,
                    r#"pattern "5""#,
                    r#"pattern "-5.00""#,
                ],
            ),
            (r#"{"type":"string"}"#, r#""a""#, &["type true"]),
            ("{}", r#""a""#, &[]),
        ] {
            assert_eq!(mutations_of(schema, valid), expected, "{schema}");
        }
    }

    #[test]
    fn values_similar_to_listed_ones() {
        for (schema, valid, expected) in [
            (
                r#"{"enum":["a","b"],"description":"Upper and lower case make no difference."}"#,
                r#""a""#,
                &["type true", r#"enum "none-of-them""#][..],
            ),
            (
                r#"{"enum":["EUR","SEK"]}"#,
                r#""EUR""#,
                &[
                    "type true",
                    r#"enum "none-of-them""#,
                    r#"enum "XTS""#,
                    r#"enum "eur""#,
                ],
            ),
            (
                r#"{"type":"array","items":{"type":"object","properties":{"a":{"enum":["x"]}}}}"#,
                r#"[{"a":"x"},{"a":"x"}]"#,
                &[
                    "type {}",
                    r#"type [[],{"a":"x"}]"#,
                    r#"nullable [null,{"a":"x"}]"#,
                    r#"type [{"a":true},{"a":"x"}]"#,
                    r#"nullable [{"a":null},{"a":"x"}]"#,
                    r#"enum [{"a":"none-of-them"},{"a":"x"}]"#,
                    r#"enum [{"a":"X"},{"a":"x"}]"#,
                    r#"enum [{"a":"X"},{"a":"X"}]"#,
                    r#"type [{"a":"x"},{"a":true}]"#,
                    r#"nullable [{"a":"x"},{"a":null}]"#,
                    r#"enum [{"a":"x"},{"a":"none-of-them"}]"#,
                ],
            ),
        ] {
            assert_eq!(mutations_of(schema, valid), expected, "{schema}");
        }
    }
}
