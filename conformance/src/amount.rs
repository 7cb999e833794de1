//! Amounts of money and quantities as the wire has them: whole numbers, or decimals in text or as numbers, bare or in
//! an object beside their currency; counted in units of their last place, so that no sum is rounded.

use std::cmp::Ordering;

use openapi_document::node::Entry;
use openapi_document::{Node, Pointer, Value};

use crate::names;
use crate::value;

/// Names of what is summed.
const NAMES: [&str; 6] = ["amount", "total", "value", "quantity", "sum", "price"];

/// An amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount {
    /// In units of the last place.
    pub(crate) units: i128,
    /// Places after the point.
    scale: usize,
    /// Whether it stands in a text.
    is_text: bool,
}

impl Amount {
    /// Reads one.
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

    /// Reads one that may be less than nothing, such as what is left of an account.
    pub(crate) fn read_signed(node: &Node) -> Option<Self> {
        let (Value::Number(text) | Value::String(text)) = &node.value else {
            return Self::read_signed(node.get(place(node)?)?);
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
    pub(crate) fn with(self, units: i128) -> Self {
        Self { units, ..self }
    }

    /// How it stands to another one.
    pub(crate) fn compared(self, other: Self) -> Option<Ordering> {
        let scale = self.scale.max(other.scale);
        let units = |own: Self| {
            let places = u32::try_from(scale - own.scale).ok()?;
            own.units.checked_mul(10_i128.checked_pow(places)?)
        };
        Some(units(self)?.cmp(&units(other)?))
    }

    /// Whether it has no places after the point.
    pub(crate) fn is_whole(self) -> bool {
        self.scale == 0
    }

    /// How many places it has after the point.
    pub(crate) fn places(self) -> u32 {
        u32::try_from(self.scale).unwrap_or(u32::MAX)
    }

    /// Both together.
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
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
    pub(crate) fn is_of_unit(self, other: Self) -> bool {
        self.is_text == other.is_text && (self.scale > 0) == (other.scale > 0)
    }

    /// Another amount as this one is written; `None` where one counts smaller units than the other.
    pub(crate) fn of_value(self, other: Self) -> Option<Self> {
        let is_same = (self.scale > 0) == (other.scale > 0);
        is_same.then_some(Self {
            is_text: self.is_text,
            ..other
        })
    }

    /// Some numbers of whole units in its form, and ten, a hundred and a thousand times as many.
    pub(crate) fn multiples(self, numbers: &[i128]) -> Vec<Vec<Node>> {
        let whole = 10_i128.pow(u32::try_from(self.scale.min(9)).unwrap_or_default());
        let of = |times: i128| {
            let all = numbers.iter();
            all.map(|own| self.with(own * times * whole).node())
                .collect()
        };
        [1, 10, 100, 1000].map(of).to_vec()
    }

    /// As the wire has it.
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

/// The property that an object has its amount in, where there is nothing in it but that, its currency, and at most
/// one more to read them by: `value` of `{"value": 5000, "currency": "EUR"}`.
pub(crate) fn place(node: &Node) -> Option<&str> {
    let entries = || node.entries().filter(|own| !own.value.is_null());
    let is_counted = |name: &str| {
        let words = names::words(name);
        let is_minor = |own: &String| matches!(own.as_str(), "minor" | "units" | "cents");
        names_amount(name) || words.iter().any(is_minor)
    };
    let is_amount = |own: &&Entry| {
        let is_bare = matches!(own.value.value, Value::Number(_) | Value::String(_));
        is_bare && is_counted(&own.key) && Amount::read_signed(&own.value).is_some()
    };
    let is_plain =
        entries().all(|own| own.value.as_mapping().is_none() && own.value.as_sequence().is_none());
    let is_small = entries().count() <= 3 && is_plain && currency(node).is_some();
    let mut amounts = entries().filter(is_amount);
    let only = amounts
        .next()
        .filter(|_| is_small && amounts.next().is_none())?;
    Some(only.key.as_str())
}

/// The currency that an object tells.
pub(crate) fn currency(node: &Node) -> Option<&str> {
    entry_of_currency(node)?.value.as_str()
}

fn entry_of_currency(node: &Node) -> Option<&Entry> {
    let tells = |own: &&Entry| names::words(&own.key).contains(&"currency".to_owned());
    node.entries().find(tells)
}

/// Where a record tells its currency, and which: by itself, or beside the only amount that has one.
pub(crate) fn currency_of(record: &Node) -> Option<(Pointer, &str)> {
    let root = Pointer::root();
    if let Some(own) = record.get("currency").and_then(Node::as_str) {
        return Some((root.join("currency"), own));
    }
    let mut beside = record.entries().filter(|own| place(&own.value).is_some());
    let only = beside.next().filter(|_| beside.next().is_none())?;
    let own = entry_of_currency(&only.value)?;
    Some((
        root.join(only.key.as_str()).join(own.key.as_str()),
        own.value.as_str()?,
    ))
}

/// A bare amount in the form of another one: beside its currency, where that has one.
pub(crate) fn like(form: &Node, bare: Node) -> Node {
    let Some(place) = place(form) else {
        return bare;
    };
    let mut own = form.clone();
    // The place is there.
    let _ = value::put(&mut own, &Pointer::root().join(place), bare);
    own
}

/// Puts an amount at a property, beside the currency that stands there.
pub(crate) fn put(json: &mut Node, name: &str, amount: Amount) -> Result<(), String> {
    let bare = amount.node();
    let own = match json.get(name) {
        Some(form) => like(form, bare),
        None => bare,
    };
    value::put(json, &Pointer::root().join(name), own)
}

/// Whether a name is that of an amount: `amount`, `net_amount`, `amount_to_capture`.
pub(crate) fn names_amount(name: &str) -> bool {
    let words = names::words(name);
    let is_to = words.len() == 3 && words[1] == "to";
    let of = if is_to { &words[..1] } else { &words[..] };
    of.len() <= 2 && of.iter().any(|word| NAMES.contains(&word.as_str()))
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
            let own = format!(r#"{{"price":{text}}}"#);
            let mut node = openapi_document::json::read_text(&own).unwrap();
            let amount = Amount::read(node.get("price").unwrap()).unwrap();
            assert_eq!(amount.units, 5000, "{text}");
            put(&mut node, "price", amount.with(4999)).unwrap();
            assert_eq!(node.to_json(), own.replace("5000", "4999"));
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
