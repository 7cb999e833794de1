//! Types: a set of types.

use std::fmt;

use openapi_document::node::{Node, Value};

/// A set of types, with whole numbers and other numbers as two members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Types(u8);

impl Types {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    pub(crate) const NUMBER: Self = Self(4 | 8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const ANY: Self = Self(127);

    pub(crate) fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }

    /// The type of a value.
    pub(crate) fn of(node: &Node) -> Self {
        match &node.value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(text) => {
                let whole = crate::number::Number::parse(text);
                if whole.is_some_and(|number| number.is_integer()) {
                    Self::INTEGER
                } else {
                    Self(8)
                }
            }
            Value::String(_) => Self::STRING,
            Value::Sequence(_) => Self::ARRAY,
            Value::Mapping(_) => Self::OBJECT,
        }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn covers(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) fn is_empty(self) -> bool {
        self == Self::NONE
    }
}

impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ANY {
            return f.write_str("any");
        }
        if self.is_empty() {
            return f.write_str("nothing");
        }
        let named = [
            ("boolean", Self::BOOLEAN),
            ("number", Self::NUMBER),
            ("string", Self::STRING),
            ("array", Self::ARRAY),
            ("object", Self::OBJECT),
            ("null", Self::NULL),
        ];
        let mut first = true;
        for (name, types) in named {
            if self.has(types) {
                let name = if self.covers(types) { name } else { "integer" };
                write!(f, "{}{name}", if first { "" } else { " or " })?;
                first = false;
            }
        }
        Ok(())
    }
}
