//! Due: a value that a text says a property has, or comes to have: null, an amount, a flag, nothing in it. Pure.

use std::cmp::Ordering;

use openapi_document::{Node, Value};

use crate::laws::amounts::amount::Amount;
use crate::value;

/// What a text says a property is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Due {
    /// Null.
    Null,
    /// A number, however many places it is told with.
    Amount(Amount),
    /// A flag.
    Flag(bool),
    /// Null, or with nothing in it.
    Nothing,
    /// Something that is not null.
    Something,
}

impl Due {
    /// The value that a word of a text is.
    pub(crate) fn read(word: &str) -> Option<Self> {
        match word.to_lowercase().as_str() {
            "null" => Some(Self::Null),
            "empty" => Some(Self::Nothing),
            "true" => Some(Self::Flag(true)),
            "false" => Some(Self::Flag(false)),
            "zero" => Amount::read(&value::number(0)).map(Self::Amount),
            own if own.starts_with(|own: char| own.is_ascii_digit()) => {
                Amount::read(&value::string(own)).map(Self::Amount)
            }
            _ => None,
        }
    }

    /// Whether a property is so; what is not of the kind of value that is said cannot be told.
    pub(crate) fn holds(&self, node: &Node) -> bool {
        match (self, &node.value) {
            (Self::Null, own) => matches!(own, Value::Null),
            (Self::Something, own) => !matches!(own, Value::Null),
            (Self::Flag(due), Value::Bool(own)) => due == own,
            (Self::Amount(due), _) => {
                let own = Amount::read_signed(node);
                own.and_then(|own| own.compared(*due))
                    .is_none_or(Ordering::is_eq)
            }
            (Self::Nothing, Value::String(own)) => own.is_empty(),
            (Self::Nothing, Value::Sequence(own)) => own.is_empty(),
            (Self::Nothing, Value::Mapping(own)) => own.entries.is_empty(),
            (Self::Nothing, Value::Bool(own)) => !own,
            (Self::Nothing, _) => Amount::read_signed(node).is_none_or(|own| own.units == 0),
            (Self::Flag(_), _) => true,
        }
    }

    /// How it is told of.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Amount(own) => value::plain(&own.node()),
            Self::Flag(own) => own.to_string(),
            Self::Nothing => "nothing".to_owned(),
            Self::Something => "a value".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_texts_say_that_holds() {
        let read = |text| openapi_document::json::read_text(text).unwrap();
        for (word, value, expected) in [
            ("null", "null", true),
            ("null", "\"\"", false),
            ("0.00", "\"0.00\"", true),
            ("0.00", "\"80.50\"", false),
            ("0", "0", true),
            ("zero", "\"0.00\"", true),
            ("0", "null", true),
            ("false", "true", false),
            ("empty", "[]", true),
            ("empty", "[1]", false),
        ] {
            let due = Due::read(word).unwrap();
            assert_eq!(due.holds(&read(value)), expected, "{word} {value}");
        }
        assert_eq!(Due::read("nullable"), None);
        assert!(!Due::Something.holds(&read("null")) && !Due::Nothing.holds(&read("\"x\"")));
    }
}
