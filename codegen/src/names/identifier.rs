//! Text of any kind → Rust identifiers.

use heck::{ToKebabCase, ToSnakeCase, ToUpperCamelCase};

/// Words that no identifier may be, in any edition so far.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Words that cannot be written as raw identifiers either.
const NEVER: &[&str] = &["self", "Self", "super", "crate"];

/// `customerOrderId` → `customer_order_id`.
pub(crate) fn snake(text: &str) -> String {
    finish(spelled(text).to_snake_case(), 'n', "empty")
}

/// `customerOrderId` → `CustomerOrderId`.
pub(crate) fn camel(text: &str) -> String {
    finish(spelled(text).to_upper_camel_case(), 'N', "Empty")
}

/// Whether an identifier needs `r#` before it.
#[must_use]
pub fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// A name that cargo takes for a package.
pub(crate) fn package(text: &str) -> String {
    let name = finish(spelled(text).to_kebab_case(), 'n', "generated");
    let taken = ["core", "std", "alloc", "test", "proc-macro"].contains(&name.as_str());
    if taken || is_keyword(&name) {
        return format!("{name}-bindings");
    }
    name
}

fn finish(name: String, before_digit: char, empty: &str) -> String {
    if name.is_empty() {
        return empty.to_owned();
    }
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        return format!("{before_digit}{name}");
    }
    if NEVER.contains(&name.as_str()) {
        let camel = name.starts_with(char::is_uppercase);
        return format!("{name}{}", if camel { "Value" } else { "_value" });
    }
    name
}

/// The text in ASCII letters and digits; characters between words become a space.
fn spelled(text: &str) -> String {
    let lone_symbol = !text.chars().any(char::is_alphanumeric);
    let mut out = String::with_capacity(text.len());
    let mut previous = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let before_digit = characters.peek().is_some_and(char::is_ascii_digit);
        let before_letter = characters.peek().is_some_and(|next| next.is_alphabetic());
        match character {
            c if c.is_ascii_alphanumeric() => out.push(c),
            '-' if before_digit && !previous.is_alphanumeric() => out.push_str(" minus "),
            // The other direction of an order.
            '-' if out.is_empty() && before_letter => out.push_str(" minus "),
            '+' if before_digit || previous == ' ' => out.push_str(" plus "),
            '\'' | '’' => {}
            c if c.is_ascii() => match symbol(c).filter(|_| lone_symbol) {
                Some(word) => out.extend([" ", word, " "]),
                None => out.push(' '),
            },
            c if c.is_alphanumeric() => match latin(c) {
                Some(letters) => out.push_str(letters),
                None => out.extend([" u", &format!("{:x}", u32::from(c)), " "]),
            },
            _ => out.push(' '),
        }
        previous = character;
    }
    out
}

/// What a symbol is called, for names that are nothing else.
fn symbol(character: char) -> Option<&'static str> {
    Some(match character {
        '*' => "star",
        '+' => "plus",
        '-' => "minus",
        '/' => "slash",
        '.' => "dot",
        ',' => "comma",
        ':' => "colon",
        ';' => "semicolon",
        '=' => "equal",
        '!' => "not",
        '<' => "less",
        '>' => "greater",
        '&' => "and",
        '|' => "or",
        '%' => "percent",
        '$' => "dollar",
        '@' => "at",
        '#' => "hash",
        '?' => "question",
        '_' => "underscore",
        '~' => "tilde",
        '^' => "caret",
        _ => return None,
    })
}

fn latin(character: char) -> Option<&'static str> {
    Some(match character {
        'à' | 'á' | 'â' | 'ã' | 'å' => "a",
        'ä' | 'æ' => "ae",
        'ç' => "c",
        'è' | 'é' | 'ê' | 'ë' => "e",
        'ì' | 'í' | 'î' | 'ï' => "i",
        'ñ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' => "o",
        'ö' | 'ø' => "oe",
        'ù' | 'ú' | 'û' => "u",
        'ü' => "ue",
        'ß' => "ss",
        'À' | 'Á' | 'Â' | 'Ã' | 'Å' => "A",
        'Ä' | 'Æ' => "Ae",
        'Ç' => "C",
        'È' | 'É' | 'Ê' | 'Ë' => "E",
        'Ì' | 'Í' | 'Î' | 'Ï' => "I",
        'Ñ' => "N",
        'Ò' | 'Ó' | 'Ô' | 'Õ' => "O",
        'Ö' | 'Ø' => "Oe",
        'Ù' | 'Ú' | 'Û' => "U",
        'Ü' => "Ue",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_have_names_that_cargo_takes() {
        for (text, name) in [
            ("merchant-payments", "merchant-payments"),
            ("box", "box-bindings"),
            ("v1.0", "v1-0"),
            ("3scale", "n3scale"),
            ("", "generated"),
        ] {
            assert_eq!(package(text), name);
        }
    }

    #[test]
    fn names_of_all_kinds_become_identifiers() {
        for (text, snake_name, camel_name) in [
            (
                "merchantTransactionId",
                "merchant_transaction_id",
                "MerchantTransactionId",
            ),
            (
                "threeDSRequestorURL",
                "three_ds_requestor_url",
                "ThreeDsRequestorUrl",
            ),
            ("payment-methods", "payment_methods", "PaymentMethods"),
            ("skip3ds", "skip3ds", "Skip3ds"),
            ("3d", "n3d", "N3d"),
            ("+1", "plus_1", "Plus1"),
            ("-1", "minus_1", "Minus1"),
            ("-created", "minus_created", "MinusCreated"),
            ("in-progress", "in_progress", "InProgress"),
            ("", "empty", "Empty"),
            ("*", "star", "Star"),
            ("self", "self_value", "SelfValue"),
            ("Größe", "groesse", "Groesse"),
            ("金額", "u91d1_u984d", "U91d1U984d"),
            ("a.b[c]", "a_b_c", "ABC"),
            ("@type", "type", "Type"),
            ("²", "ub2", "Ub2"),
        ] {
            assert_eq!(snake(text), snake_name, "{text}");
            assert_eq!(camel(text), camel_name, "{text}");
            assert!(syn::parse_str::<syn::Ident>(&camel(text)).is_ok(), "{text}");
        }
    }
}
