//! Sets of types.

use std::fmt;

use crate::node::{Node, Value};

/// A set of types, where whole numbers and other numbers are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::diff) struct Types(u8);

impl Types {
    pub(in crate::diff) const NONE: Self = Self(0);
    pub(in crate::diff) const NULL: Self = Self(1);
    pub(in crate::diff) const BOOLEAN: Self = Self(2);
    pub(in crate::diff) const INTEGER: Self = Self(4);
    pub(in crate::diff) const NUMBER: Self = Self(4 | 8);
    pub(in crate::diff) const STRING: Self = Self(16);
    pub(in crate::diff) const ARRAY: Self = Self(32);
    pub(in crate::diff) const OBJECT: Self = Self(64);
    pub(in crate::diff) const ANY: Self = Self(127);

    pub(in crate::diff) fn parse(word: &str) -> Option<Self> {
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
    pub(in crate::diff) fn of(node: &Node) -> Self {
        match &node.value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(text) => {
                let whole = crate::diff::number::Number::parse(text);
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

    pub(in crate::diff) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(in crate::diff) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(in crate::diff) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(in crate::diff) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(in crate::diff) fn covers(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(in crate::diff) fn is_empty(self) -> bool {
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
