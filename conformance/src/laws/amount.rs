//! Amounts of money and quantities as the wire has them: whole numbers, or decimals in text or as numbers;
//! counted in units of their last place, so that no sum is rounded.

use std::cmp::Ordering;

use spec::{Node, Value};

use crate::model::names;
use crate::shape::Shape;
use crate::value;

/// Names of what is summed.
const NAMES: [&str; 6] = ["amount", "total", "value", "quantity", "sum", "price"];

/// An amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Amount {
    /// In units of the last place.
    pub(super) units: i128,
    /// Places after the point.
    scale: usize,
    /// Whether it stands in a text.
    is_text: bool,
}

impl Amount {
    /// Reads one.
    pub(super) fn read(node: &Node) -> Option<Self> {
        let (text, is_text) = match &node.value {
            Value::Number(text) => (text, false),
            Value::String(text) => (text, true),
            _ => return None,
        };
        let (whole, places) = text.split_once('.').unwrap_or((text, ""));
        let digits = format!("{whole}{places}");
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        Some(Self {
            units: digits.parse().ok().filter(|_| plain)?,
            scale: places.len(),
            is_text,
        })
    }

    /// Reads one that may be less than nothing, such as what is left of an account.
    pub(super) fn read_signed(node: &Node) -> Option<Self> {
        let (Value::Number(text) | Value::String(text)) = &node.value else {
            return None;
        };
        let Some(owed) = text.strip_prefix('-') else {
            return Self::read(node);
        };
        let owed = match &node.value {
            Value::String(_) => value::string(owed),
            _ => value::number(owed.to_owned()),
        };
        let owed = Self::read(&owed)?;
        Some(owed.with(-owed.units))
    }

    /// The same amount with so many units.
    pub(super) fn with(self, units: i128) -> Self {
        Self { units, ..self }
    }

    /// How it stands to another one.
    pub(super) fn compared(self, other: Self) -> Option<Ordering> {
        let scale = self.scale.max(other.scale);
        let units = |own: Self| {
            let places = u32::try_from(scale - own.scale).ok()?;
            own.units.checked_mul(10_i128.checked_pow(places)?)
        };
        Some(units(self)?.cmp(&units(other)?))
    }

    /// Whether it has no places after the point.
    pub(super) fn is_whole(self) -> bool {
        self.scale == 0
    }

    /// Both together.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let units = |own: Self| {
            let places = u32::try_from(scale - own.scale).ok()?;
            own.units.checked_mul(10_i128.checked_pow(places)?)
        };
        let units = units(self)?.checked_add(units(other)?)?;
        Some(Self {
            units,
            scale,
            ..self
        })
    }

    /// Whether another one is written alike, so that both count the same.
    pub(super) fn is_of_unit(self, other: Self) -> bool {
        self.is_text == other.is_text && (self.scale > 0) == (other.scale > 0)
    }

    /// Some numbers of whole units in its form, and ten, a hundred and a thousand times as many.
    pub(super) fn multiples(self, numbers: &[i128]) -> Vec<Vec<Node>> {
        let whole = 10_i128.pow(u32::try_from(self.scale.min(9)).unwrap_or_default());
        let of = |times: i128| {
            let all = numbers.iter();
            all.map(|own| self.with(own * times * whole).node())
                .collect()
        };
        [1, 10, 100, 1000].map(of).to_vec()
    }

    /// As the wire has it.
    pub(super) fn node(self) -> Node {
        let units = self.units.unsigned_abs();
        let mut digits = format!("{units:0>width$}", width = self.scale + 1);
        if self.scale > 0 {
            digits.insert(digits.len() - self.scale, '.');
        }
        if self.units < 0 {
            digits.insert(0, '-');
        }
        if self.is_text {
            value::string(&digits)
        } else {
            value::number(digits)
        }
    }
}

/// Whether a name is that of an amount.
pub(super) fn names_amount(name: &str) -> bool {
    let words = names::words(name);
    words.len() <= 2 && words.iter().any(|word| NAMES.contains(&word.as_str()))
}

/// The property of an amount in a body's schema, where the record that it is taken from has the same.
pub(super) fn shared<'d>(body: &Shape<'d>, record: &Node) -> Option<(&'d str, Amount)> {
    let names = body.property_names().into_iter();
    names.filter(|name| names_amount(name)).find_map(|name| {
        let amount = Amount::read(record.get(name)?)?;
        Some((name, amount))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_keep_their_form() {
        for (text, units, more) in [
            (r#""10.00""#, 1000, r#""10.01""#),
            ("7", 7, "8"),
            ("0.09", 9, "0.10"),
            (r#""0""#, 0, r#""1""#),
        ] {
            let amount = Amount::read(&spec::json::read_text(text).unwrap()).unwrap();
            assert_eq!(amount.units, units, "{text}");
            assert_eq!(amount.with(units + 1).node().to_json(), more);
            assert_eq!(amount.node().to_json(), text);
        }
        for text in [r#""-0.05""#, "-12", "-12.50", "3"] {
            let node = spec::json::read_text(text).unwrap();
            let amount = Amount::read_signed(&node).unwrap();
            assert_eq!(amount.node().to_json(), text);
        }
        for text in [r#""EUR""#, "-1", "true", r#""""#, "1e3"] {
            assert_eq!(
                Amount::read(&spec::json::read_text(text).unwrap()),
                None,
                "{text}"
            );
        }
    }
}
