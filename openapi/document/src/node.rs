//! Node: a value of a document with its place; a document is a tree of nodes.
//!
//! Numbers keep their text, and mappings keep their order and their duplicate keys.

use crate::pointer::Pointer;
use crate::source::{FileId, Span};

/// A value with its place.
#[derive(Debug, Clone)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// The place in the source.
    pub span: Span,
}

/// A JSON value; a number keeps its text.
#[derive(Debug, Clone)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number in JSON's grammar, digit for digit as written.
    Number(String),
    /// A string.
    String(String),
    /// An array.
    Sequence(Vec<Node>),
    /// An object.
    Mapping(Mapping),
}

/// An object: entries in the order of the source, duplicates included.
#[derive(Debug, Clone, Default)]
pub struct Mapping {
    /// The entries.
    pub entries: Vec<Entry>,
}

/// One key and its value.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The place of the key.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Mapping {
    /// The value of a key; the first one if the key is duplicated.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The entry of a key; the first one if the key is duplicated.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// Keys and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.entries
            .iter()
            .map(|entry| (entry.key.as_str(), &entry.value))
    }

    /// Whether the key is there.
    pub fn contains(&self, key: &str) -> bool {
        self.entry(key).is_some()
    }
}

impl Node {
    /// Sets the file of all spans in the tree.
    pub(crate) fn belong_to(&mut self, file: FileId) {
        self.span.file = file;
        match &mut self.value {
            Value::Sequence(items) => items.iter_mut().for_each(|item| item.belong_to(file)),
            Value::Mapping(mapping) => {
                for entry in &mut mapping.entries {
                    entry.key_span.file = file;
                    entry.value.belong_to(file);
                }
            }
            _ => {}
        }
    }

    /// The value of a key; `None` if this is no mapping or lacks the key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_mapping()?.get(key)
    }

    /// The item of a sequence at an index.
    pub fn item(&self, index: usize) -> Option<&Node> {
        self.as_sequence()?.get(index)
    }

    /// The node at a pointer; no `$ref` is followed.
    pub fn at(&self, pointer: &Pointer) -> Option<&Node> {
        let mut segments = pointer.segments();
        segments.try_fold(self, |node, segment| node.child(&segment))
    }

    /// The child that a pointer segment names: a key, or an index without leading zeros.
    pub fn child(&self, segment: &str) -> Option<&Node> {
        match &self.value {
            Value::Mapping(mapping) => mapping.get(segment),
            Value::Sequence(items) => {
                let canonical = segment == "0" || !segment.starts_with(['0', '+']);
                items.get(segment.parse::<usize>().ok().filter(|_| canonical)?)
            }
            _ => None,
        }
    }

    /// The mutable node at a pointer; no `$ref` is followed.
    pub(crate) fn at_mut(&mut self, pointer: &Pointer) -> Option<&mut Node> {
        let mut segments = pointer.segments();
        segments.try_fold(self, |node, segment| node.child_mut(&segment))
    }

    fn child_mut(&mut self, segment: &str) -> Option<&mut Node> {
        match &mut self.value {
            Value::Mapping(mapping) => {
                let mut entries = mapping.entries.iter_mut();
                let entry = entries.find(|entry| entry.key == segment);
                entry.map(|entry| &mut entry.value)
            }
            Value::Sequence(items) => items.get_mut(segment.parse::<usize>().ok()?),
            _ => None,
        }
    }

    /// The mapping; `None` for other values.
    pub fn as_mapping(&self) -> Option<&Mapping> {
        match &self.value {
            Value::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// The items; `None` if this is no sequence.
    pub fn as_sequence(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// The text; `None` if this is no string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The digits; `None` if this is no number.
    pub fn as_number(&self) -> Option<&str> {
        match &self.value {
            Value::Number(text) => Some(text),
            _ => None,
        }
    }

    /// The number; `None` if this is not a number, or does not fit in 64 bits.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number()?.parse().ok()
    }

    /// The boolean; `None` for other values.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(flag) => Some(flag),
            _ => None,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// The entries in order; empty if this is no mapping.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.as_mapping()
            .map(|mapping| mapping.entries.as_slice())
            .unwrap_or_default()
            .iter()
    }

    /// The items in order; empty if this is no sequence.
    pub fn items(&self) -> impl Iterator<Item = &Node> {
        self.as_sequence().unwrap_or_default().iter()
    }

    /// The strings of a sequence; other items are skipped.
    pub fn strings(&self) -> impl Iterator<Item = &str> {
        self.items().filter_map(Node::as_str)
    }

    /// The JSON type: `null`, `boolean`, `number`, `string`, `array` or `object`.
    pub fn type_name(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Sequence(_) => "array",
            Value::Mapping(_) => "object",
        }
    }

    /// The text of `$ref`, if this is a reference.
    pub fn reference(&self) -> Option<&str> {
        self.get("$ref")?.as_str()
    }

    /// Calls `visit` for each string in this tree, with its place.
    pub fn each_string<'n>(&'n self, visit: &mut dyn FnMut(&'n str, Span)) {
        match &self.value {
            Value::String(text) => visit(text, self.span),
            Value::Sequence(items) => items.iter().for_each(|item| item.each_string(visit)),
            Value::Mapping(mapping) => {
                let values = mapping.entries.iter().map(|entry| &entry.value);
                values.for_each(|value| value.each_string(visit));
            }
            _ => {}
        }
    }

    /// Whether two values are equal, ignoring the order of mappings. Numbers must have the same
    /// digits.
    pub fn same_value(&self, other: &Node) -> bool {
        match (&self.value, &other.value) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) | (Value::String(a), Value::String(b)) => a == b,
            (Value::Sequence(a), Value::Sequence(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_value(b))
            }
            (Value::Mapping(a), Value::Mapping(b)) => {
                a.entries.len() == b.entries.len()
                    && a.iter()
                        .all(|(key, a)| b.get(key).is_some_and(|b| a.same_value(b)))
            }
            _ => false,
        }
    }
}
