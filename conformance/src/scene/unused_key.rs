//! Unused keys: builds a key in the same form as another one which probably no record has.

use openapi_document::Node;
use openapi_document::view::Located;

use crate::contract::Contract;
use crate::fresh::is_uuid;
use crate::value;

/// Keys counted up to this length hardly reach the highest values.
const LONG: usize = 10;

/// A shorter key may exist by chance.
const FEW: usize = 6;

/// Whether a schema allows a key.
pub(crate) fn is_allowed(contract: &Contract<'_>, schema: &Located<'_>, key: &Node) -> bool {
    let broken = contract.validate_request(schema, key);
    broken.is_ok_and(|item| item.is_empty())
}

/// An unused key in the same form. `None` if the schema allows none: a server may refuse it as malformed.
pub(crate) fn unused_key(
    is_number: bool,
    old: &str,
    allowed: impl Fn(&Node) -> bool,
) -> Option<Node> {
    let usual = Some(strange(is_number, old)).filter(&allowed);
    let other = || alike(old).filter(|_| !is_number).filter(&allowed);
    usual.or_else(other)
}

/// A key with each digit and letter replaced by the next one of its class; hexadecimal letters stay hexadecimal.
fn alike(old: &str) -> Option<Node> {
    let keep = old.find(['_', '-']).map_or(0, |at| at + 1);
    let (prefix, rest) = old.split_at(keep);
    let is_counted = rest.bytes().all(|byte| byte.is_ascii_digit());
    let rest = match rest.len() {
        0 => return None,
        // Sequential keys reach a number like this late.
        length if is_counted && length < LONG => "987654321"[..length].to_owned(),
        length if length < FEW => return None,
        _ => rest.chars().map(next).collect(),
    };
    let new = format!("{prefix}{rest}");
    (new != old).then(|| value::string(&new))
}

/// The next character of the same class.
fn next(item: char) -> char {
    const CLASSES: [(char, char); 5] = [('0', '9'), ('a', 'f'), ('g', 'z'), ('A', 'F'), ('G', 'Z')];
    let class = CLASSES
        .iter()
        .find(|(first, last)| (*first..=*last).contains(&item));
    match class {
        Some((first, last)) if item == *last => *first,
        Some(_) => char::from_u32(u32::from(item) + 1).unwrap_or(item),
        None => item,
    }
}

fn strange(is_number: bool, old: &str) -> Node {
    if is_number {
        return value::number(2_147_483_647_u32);
    }
    if is_uuid(old) {
        return value::string("4b9ad6e2-0f57-4a1c-9d1e-5e0c7f3a8b6d");
    }
    // A prefix for the kind of record stays.
    let keep = old.find(['_', '-']).map_or(0, |at| at + 1);
    let (prefix, rest) = old.split_at(keep);
    // A short sequential key may exist soon.
    if rest.len() < 10 && rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return value::string(&format!("{prefix}987654321"));
    }
    let turned = rest.chars().map(|char| match char {
        '0'..='8' => char::from_u32(u32::from(char) + 1).unwrap_or('0'),
        '9' => '0',
        'a'..='z' => 'q',
        'A'..='Z' => 'Q',
        other => other,
    });
    value::string(&format!("{prefix}{}", turned.collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_same_form() {
        for (old, pattern, expected) in [
            (
                "cli_5f1e2d3c4b5a",
                "^cli_[0-9a-f]{12}$",
                Some("cli_6a2f3e4d5c6b"),
            ),
            ("CLI-ZZ12GG", "^CLI-[G-Z0-9]{6}$", Some("CLI-QQ23QQ")),
            (
                "acc_7hq2m4k9xw",
                "^acc_[0-9a-z]{10}$",
                Some("acc_8qq3q5q0qq"),
            ),
            ("inv_1009", "^inv_[0-9]{4}$", Some("inv_9876")),
            ("inv_1009", "^inv_[0-9]+$", Some("inv_987654321")),
            ("a1b", "^[ab][0-9][ab]$", None),
            ("key", "^other$", None),
        ] {
            let item = regex::Regex::new(pattern).unwrap();
            let allowed = |key: &Node| key.as_str().is_some_and(|key| item.is_match(key));
            let found = unused_key(false, old, allowed);
            let found = found.as_ref().and_then(Node::as_str);
            assert_eq!(found, expected, "{old} {pattern}");
        }
    }
}
