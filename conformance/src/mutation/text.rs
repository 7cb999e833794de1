//! Breaks one keyword of a text: listed values, length, pattern, format. Pure.

use openapi_document::{Node, Pointer};

use crate::shape::Shape;
use crate::value;

use super::{Mutator, casing, near_miss};

impl<'d> Mutator<'_, 'd> {
    pub(super) fn text(&mut self, pointer: &Pointer, text: &str, shape: &Shape<'d>) {
        let length = |key| shape.keyword(key).and_then(Node::as_u64);
        if shape.keyword("enum").is_some() {
            let strange = value::string("none-of-them");
            let what = "a value that is not listed".to_owned();
            self.add(pointer, "enum", strange, what);
            self.unlisted_currency(pointer, shape);
            self.unlisted_number(pointer, shape);
            let other = near_miss::in_other_case(text);
            if let Some(other) = other.filter(|_| !casing::is_free(self.contract.document, shape)) {
                let what = format!("`{other}`, which is not among the listed values");
                self.add(pointer, "enum", value::string(&other), what.clone());
                self.everywhere(pointer, (text, &other), what);
            }
        }
        if let Some(max) = length("maxLength").filter(|max| *max < 100_000) {
            let wanted = usize::try_from(max).unwrap_or_default() + 1;
            let long = resized(text, wanted);
            self.add(
                pointer,
                "maxLength",
                value::string(&long),
                format!("{wanted} characters"),
            );
        }
        if let Some(min) = length("minLength").filter(|min| *min > 0) {
            let wanted = usize::try_from(min).unwrap_or_default() - 1;
            let short: String = text.chars().take(wanted).collect();
            self.add(
                pointer,
                "minLength",
                value::string(&short),
                format!("{wanted} characters"),
            );
        }
        if shape.keyword("pattern").is_some() {
            let strange = ["~", "\u{2603}", "a b", ""].map(str::to_owned);
            let allowed = |text: &str| self.allows(shape, text);
            // The length limits of parts of an address need not be in its pattern.
            let is_address = matches!(shape.format(), Some("email" | "idn-email" | "hostname"));
            let near = if is_address {
                Vec::new()
            } else {
                near_miss::near_misses(text, allowed)
            };
            for strange in strange.into_iter().chain(near) {
                let what = format!("`{strange}`, which the pattern does not allow");
                self.add(pointer, "pattern", value::string(&strange), what);
            }
        }
        if let Some(wrong) = shape.format().and_then(unformatted) {
            self.add(
                pointer,
                "format",
                value::string(wrong),
                format!("`{wrong}`"),
            );
        }
    }

    /// Whether the nearest schema of a place allows a text.
    fn allows(&self, shape: &Shape<'d>, text: &str) -> bool {
        let found = shape
            .nearest()
            .map(|schema| self.contract.validate_request(schema, &value::string(text)));
        // No mutation when the schema cannot be compiled.
        found.is_none_or(|found| found.is_ok_and(|all| all.is_empty()))
    }

    /// Adds the currency code that is reserved for tests, when all listed values look like currency
    /// codes.
    fn unlisted_currency(&mut self, pointer: &Pointer, shape: &Shape<'d>) {
        const OF_TESTS: &str = "XTS";
        let is_currency =
            |text: &&str| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        let known = shape.known_values();
        if known.iter().all(is_currency) && !known.is_empty() && !known.contains(&OF_TESTS) {
            let what = format!("`{OF_TESTS}`, which is not among the listed values");
            self.add(pointer, "enum", value::string(OF_TESTS), what);
        }
    }

    /// Adds an unlisted number, when all listed values are numbers such as the rate `23.00`.
    fn unlisted_number(&mut self, pointer: &Pointer, shape: &Shape<'d>) {
        let known = shape.known_values();
        let is_number = |text: &&str| text.parse::<f64>().is_ok();
        let Some(last) = known.last().filter(|_| known.iter().all(is_number)) else {
            return;
        };
        let turned = |by: u8| -> String {
            let turn = |letter: char| match letter.to_digit(10) {
                Some(digit) => char::from(b'0' + (u8::try_from(digit).unwrap_or(0) + by) % 10),
                None => letter,
            };
            last.chars().map(turn).collect()
        };
        let strange = (1..10).map(turned).find(|text| !known.contains(&&**text));
        if let Some(strange) = strange {
            let what = format!("`{strange}`, which is not among the listed values");
            self.add(pointer, "enum", value::string(&strange), what);
        }
    }
}

/// The text cut or extended to a number of characters.
fn resized(text: &str, wanted: usize) -> String {
    let last = text.chars().last().unwrap_or('x');
    let mut long: String = text.chars().take(wanted).collect();
    let missing = wanted - long.chars().count();
    long.extend(std::iter::repeat_n(last, missing));
    long
}

/// A text that violates a format.
fn unformatted(format: &str) -> Option<&'static str> {
    Some(match format {
        "uuid" => "not-a-uuid",
        "date" => "2026-02-30",
        "date-time" => "yesterday at noon",
        "decimal" => "1,00",
        "email" => "nobody at nowhere",
        "uri" | "url" => "not a uri",
        "ipv4" => "999.1.1.1",
        "ipv6" => "not:an:address",
        _ => return None,
    })
}
