//! Reads, compares and writes amounts of money and quantities.
//!
//! On the wire an amount is a whole number, or a decimal in a string or a number. It appears alone
//! or in an object with its currency. `Amount` counts in units of the last decimal place, so sums
//! are never rounded.

use std::cmp::Ordering;

use openapi_document::node::Entry;
use openapi_document::{Node, Pointer, Value};

use crate::names;
use crate::value;

/// Words in the names of properties that hold an amount.
const NAMES: [&str; 6] = ["amount", "total", "value", "quantity", "sum", "price"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount {
    /// The amount in units of the last decimal place: 1234 for `12.34`.
    pub(crate) units: i128,
    /// The number of decimal places.
    scale: usize,
    /// Whether the document writes the amount as a string.
    is_text: bool,
}

impl Amount {
    /// Reads an amount that is not negative. `None` when the value is no amount.
    pub(crate) fn read(node: &Node) -> Option<Self> {
        let (text, is_text) = match &node.value {
            Value::Number(text) => (text, false),
            Value::String(text) => (text, true),
            _ => return Self::read(node.get(place(node)?)?),
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

    /// Reads an amount that may be negative, such as an account balance.
    pub(crate) fn read_signed(node: &Node) -> Option<Self> {
        let (Value::Number(text) | Value::String(text)) = &node.value else {
            return Self::read_signed(node.get(place(node)?)?);
        };
        let Some(magnitude) = text.strip_prefix('-') else {
            return Self::read(node);
        };
        let magnitude = match &node.value {
            Value::String(_) => value::string(magnitude),
            _ => value::number(magnitude.to_owned()),
        };
        let magnitude = Self::read(&magnitude)?;
        Some(magnitude.with(-magnitude.units))
    }

    /// The same number of decimal places and form, with another number of units.
    pub(crate) fn with(self, units: i128) -> Self {
        Self { units, ..self }
    }

    /// Compares two amounts, which may have different numbers of decimal places. `None` on
    /// overflow.
    pub(crate) fn compared(self, other: Self) -> Option<Ordering> {
        let scale = self.scale.max(other.scale);
        let units = |amount: Self| {
            let places = u32::try_from(scale - amount.scale).ok()?;
            amount.units.checked_mul(10_i128.checked_pow(places)?)
        };
        Some(units(self)?.cmp(&units(other)?))
    }

    /// Whether the amount has no decimal places.
    pub(crate) fn is_whole(self) -> bool {
        self.scale == 0
    }

    /// The number of decimal places.
    pub(crate) fn places(self) -> u32 {
        u32::try_from(self.scale).unwrap_or(u32::MAX)
    }

    /// The sum of two amounts. `None` on overflow.
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let units = |amount: Self| {
            let places = u32::try_from(scale - amount.scale).ok()?;
            amount.units.checked_mul(10_i128.checked_pow(places)?)
        };
        let units = units(self)?.checked_add(units(other)?)?;
        Some(Self {
            units,
            scale,
            ..self
        })
    }

    /// Whether both amounts have the same form: both strings or both numbers, both whole or both
    /// decimals.
    pub(crate) fn is_of_unit(self, other: Self) -> bool {
        self.is_text == other.is_text && (self.scale > 0) == (other.scale > 0)
    }

    /// The other amount in this amount's form. `None` when only one of them has decimal places.
    pub(crate) fn of_value(self, other: Self) -> Option<Self> {
        let is_same = (self.scale > 0) == (other.scale > 0);
        is_same.then_some(Self {
            is_text: self.is_text,
            ..other
        })
    }

    /// `numbers` of whole units in this amount's form, then ten, a hundred and a thousand times as
    /// many.
    pub(crate) fn multiples(self, numbers: &[i128]) -> Vec<Vec<Node>> {
        let whole = 10_i128.pow(u32::try_from(self.scale.min(9)).unwrap_or_default());
        let multiplied = |times: i128| {
            let all = numbers.iter();
            all.map(|number| self.with(number * times * whole).node())
                .collect()
        };
        [1, 10, 100, 1000].map(multiplied).to_vec()
    }

    /// The JSON value in this amount's form.
    pub(crate) fn node(self) -> Node {
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

/// The property that holds the amount of an object. The object may have only a currency and one
/// further property besides it: `value` of `{"value": 5000, "currency": "EUR"}`.
pub(crate) fn place(node: &Node) -> Option<&str> {
    let entries = || node.entries().filter(|entry| !entry.value.is_null());
    let is_counted = |name: &str| {
        let words = names::words(name);
        let is_minor = |word: &String| matches!(word.as_str(), "minor" | "units" | "cents");
        names_amount(name) || words.iter().any(is_minor)
    };
    let is_amount = |entry: &&Entry| {
        let is_bare = matches!(entry.value.value, Value::Number(_) | Value::String(_));
        is_bare && is_counted(&entry.key) && Amount::read_signed(&entry.value).is_some()
    };
    let is_plain = entries()
        .all(|entry| entry.value.as_mapping().is_none() && entry.value.as_sequence().is_none());
    let is_small = entries().count() <= 3 && is_plain && currency(node).is_some();
    let mut amounts = entries().filter(is_amount);
    let only = amounts
        .next()
        .filter(|_| is_small && amounts.next().is_none())?;
    Some(only.key.as_str())
}

/// The currency that an object contains.
pub(crate) fn currency(node: &Node) -> Option<&str> {
    entry_of_currency(node)?.value.as_str()
}

fn entry_of_currency(node: &Node) -> Option<&Entry> {
    let is_currency = |entry: &&Entry| names::words(&entry.key).contains(&"currency".to_owned());
    node.entries().find(is_currency)
}

/// The currency of a record and its place: the property `currency`, or the currency beside the only
/// amount that has one.
pub(crate) fn currency_of(record: &Node) -> Option<(Pointer, &str)> {
    let root = Pointer::root();
    if let Some(text) = record.get("currency").and_then(Node::as_str) {
        return Some((root.join("currency"), text));
    }
    let mut beside = record
        .entries()
        .filter(|entry| place(&entry.value).is_some());
    let only = beside.next().filter(|_| beside.next().is_none())?;
    let entry = entry_of_currency(&only.value)?;
    Some((
        root.join(only.key.as_str()).join(entry.key.as_str()),
        entry.value.as_str()?,
    ))
}

/// Writes a bare amount in the form of another value: with its currency when that value has one.
pub(crate) fn like(form: &Node, bare: Node) -> Node {
    let Some(place) = place(form) else {
        return bare;
    };
    let mut json = form.clone();
    // `place` comes from this value, so it exists.
    let _ = value::put(&mut json, &Pointer::root().join(place), bare);
    json
}

/// Sets the amount of a property and keeps the currency beside it.
pub(crate) fn put(json: &mut Node, name: &str, amount: Amount) -> Result<(), String> {
    let bare = amount.node();
    let written = match json.get(name) {
        Some(form) => like(form, bare),
        None => bare,
    };
    value::put(json, &Pointer::root().join(name), written)
}

/// Whether two values of a property are the same amount in different forms: `12.5` and `12.50`.
pub(crate) fn is_same(name: &str, one: &Node, other: &Node) -> bool {
    let is_plain = |node: &Node| node.as_mapping().is_none();
    let amounts = Amount::read_signed(one).zip(Amount::read_signed(other));
    let is_equal = |(one, other): (Amount, Amount)| {
        one.is_text == other.is_text && one.compared(other) == Some(Ordering::Equal)
    };
    names_amount(name) && is_plain(one) && is_plain(other) && amounts.is_some_and(is_equal)
}

/// Whether a name is the name of an amount: `amount`, `net_amount`, `amount_to_capture`.
pub(crate) fn names_amount(name: &str) -> bool {
    let words = names::words(name);
    let is_to = words.len() == 3 && words[1] == "to";
    let counted = if is_to { &words[..1] } else { &words[..] };
    counted.len() <= 2 && counted.iter().any(|word| NAMES.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_in_two_forms_are_the_same() {
        let read = |text| openapi_document::json::read_text(text).unwrap();
        for (name, one, other, expected) in [
            ("listPrice", r#""12.5""#, r#""12.50""#, true),
            ("amount", r#""12""#, r#""12.00""#, true),
            ("amount", r#""12.5""#, r#""12.51""#, false),
            ("amount", r#""12.5""#, "12.5", false),
            ("release", r#""1.1""#, r#""1.10""#, false),
            (
                "amount",
                r#"{"amount": 5, "currency": "EUR"}"#,
                r#"{"amount": 5, "currency": "USD"}"#,
                false,
            ),
        ] {
            let (one, other) = (read(one), read(other));
            assert_eq!(is_same(name, &one, &other), expected, "{name} {one:?}");
        }
    }

    #[test]
    fn amounts_keep_their_form() {
        for (text, units, more) in [
            (r#""10.00""#, 1000, r#""10.01""#),
            ("7", 7, "8"),
            ("0.09", 9, "0.10"),
            (r#""0""#, 0, r#""1""#),
        ] {
            let amount = Amount::read(&openapi_document::json::read_text(text).unwrap()).unwrap();
            assert_eq!(amount.units, units, "{text}");
            assert_eq!(amount.with(units + 1).node().to_json(), more);
            assert_eq!(amount.node().to_json(), text);
        }
        for text in [r#""-0.05""#, "-12", "-12.50", "3"] {
            let node = openapi_document::json::read_text(text).unwrap();
            let amount = Amount::read_signed(&node).unwrap();
            assert_eq!(amount.node().to_json(), text);
        }
        for text in [
            r#"{"value":5000,"currency":"EUR"}"#,
            r#"{"currency":"EUR","amount":5000,"exponent":2}"#,
            r#"{"currency_code":"EUR","minor_units":5000}"#,
        ] {
            let json = format!(r#"{{"price":{text}}}"#);
            let mut node = openapi_document::json::read_text(&json).unwrap();
            let amount = Amount::read(node.get("price").unwrap()).unwrap();
            assert_eq!(amount.units, 5000, "{text}");
            put(&mut node, "price", amount.with(4999)).unwrap();
            assert_eq!(node.to_json(), json.replace("5000", "4999"));
        }
        for text in [
            r#""EUR""#,
            "-1",
            "true",
            r#""""#,
            "1e3",
            r#"{"value":1}"#,
            r#"{"currency":"EUR","amount":1,"total":2}"#,
            r#"{"id":"a","status":"b","currency":"EUR","amount":1}"#,
        ] {
            assert_eq!(
                Amount::read(&openapi_document::json::read_text(text).unwrap()),
                None,
                "{text}"
            );
        }
    }
}
