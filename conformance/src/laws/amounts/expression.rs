//! Expression: arithmetic that a text writes with the names of properties: "(`goods` - `discount`) times `rate_bps` divided by
//! 10000, rounded half up". Worked out exactly, and rounded as is said. Pure.

use openapi_document::Node;

use crate::amount::Amount;
use crate::names;

/// A number as a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fraction {
    over: i128,
    under: i128,
}

/// What a text is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Name(String),
    Number(i128),
    Plus,
    Minus,
    Times,
    Over,
    Open,
    Close,
}

/// How what comes between two units is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    Down,
    Up,
    HalfUp,
    HalfDown,
    HalfEven,
}

/// An expression, and how it is rounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expression {
    tokens: Vec<Token>,
    rounding: Option<Rounding>,
}

/// Words that may stand before an expression.
const BEFORE: [&str; 7] = ["the", "is", "equals", "always", "a", "an", "by"];

impl Expression {
    /// Reads one that is the whole of a text, but for how it is rounded.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let lower = text.to_lowercase();
        let (text, rest) = match lower.find("rounded") {
            Some(at) => (&text[..at], &lower[at..]),
            None => (text, ""),
        };
        let rounding = rounding(rest);
        let text = text.trim().trim_end_matches([',', '.', ':']).trim();
        let mut tokens = Vec::new();
        for (index, part) in text.split('`').enumerate() {
            let own = if index % 2 == 1 {
                marked(part)?
            } else {
                plain(part)?
            };
            tokens.extend(own);
        }
        let counts =
            |own: &&Token| matches!(own, Token::Plus | Token::Minus | Token::Times | Token::Over);
        let is_one = tokens.iter().any(|own| counts(&own));
        let names = tokens.iter().filter(|own| matches!(own, Token::Name(_)));
        (is_one && names.count() > 0 && (rest.is_empty() || rounding.is_some()))
            .then_some(Self { tokens, rounding })
    }

    /// What it comes to, in the units of another amount; the names are looked for in the last of some nodes, then in the
    /// one around it. `None` where a name leads nowhere, or nothing says how it is rounded.
    pub(crate) fn of(&self, nodes: &[&Node], like: Amount) -> Option<Amount> {
        let mut at = 0;
        let value = self.sum(&mut at, nodes)?;
        (at == self.tokens.len()).then_some(())?;
        let units = value
            .over
            .checked_mul(10_i128.checked_pow(like.places())?)?;
        let (whole, rest) = (units.div_euclid(value.under), units.rem_euclid(value.under));
        if rest == 0 {
            return Some(like.with(whole));
        }
        let twice = rest.checked_mul(2)?.cmp(&value.under);
        let is_up = match self.rounding? {
            Rounding::Down => false,
            Rounding::Up => true,
            Rounding::HalfUp => twice.is_ge(),
            Rounding::HalfDown => twice.is_gt(),
            Rounding::HalfEven => twice.is_gt() || (twice.is_eq() && whole % 2 != 0),
        };
        Some(like.with(whole + i128::from(is_up)))
    }

    fn sum(&self, at: &mut usize, nodes: &[&Node]) -> Option<Fraction> {
        let mut sum = self.product(at, nodes)?;
        while let Some(sign) = self.tokens.get(*at) {
            let sign = match sign {
                Token::Plus => 1,
                Token::Minus => -1,
                _ => break,
            };
            *at += 1;
            let next = self.product(at, nodes)?;
            let one = sum.over.checked_mul(next.under)?;
            let other = next.over.checked_mul(sum.under)?.checked_mul(sign)?;
            sum = Fraction {
                over: one.checked_add(other)?,
                under: sum.under.checked_mul(next.under)?,
            };
        }
        Some(sum)
    }

    fn product(&self, at: &mut usize, nodes: &[&Node]) -> Option<Fraction> {
        let mut product = self.part(at, nodes)?;
        while let Some(sign) = self.tokens.get(*at) {
            let is_over = match sign {
                Token::Times => false,
                Token::Over => true,
                _ => break,
            };
            *at += 1;
            let next = self.part(at, nodes)?;
            let (over, under) = if is_over {
                (next.under, next.over)
            } else {
                (next.over, next.under)
            };
            product = Fraction {
                over: product.over.checked_mul(over)?,
                under: product.under.checked_mul(under).filter(|own| *own > 0)?,
            };
        }
        Some(product)
    }

    fn part(&self, at: &mut usize, nodes: &[&Node]) -> Option<Fraction> {
        let token = self.tokens.get(*at)?;
        *at += 1;
        match token {
            Token::Number(own) => Some(Fraction {
                over: *own,
                under: 1,
            }),
            Token::Name(name) => value_of(name, nodes),
            Token::Open => {
                let own = self.sum(at, nodes)?;
                let closes = self.tokens.get(*at) == Some(&Token::Close);
                *at += 1;
                closes.then_some(own)
            }
            _ => None,
        }
    }
}

/// What a name leads to, in the last of some nodes or in the nearest one around it.
fn value_of(name: &str, nodes: &[&Node]) -> Option<Fraction> {
    let part = |node: &&&Node| {
        let mut own = name.split('.');
        let first = own.next()?;
        own.try_fold(node.get(first)?, |own, name| own.get(name))
            .cloned()
    };
    let found = nodes.iter().rev().find_map(|own| part(&own))?;
    let amount = Amount::read_signed(&found)?;
    Some(Fraction {
        over: amount.units,
        under: 10_i128.checked_pow(amount.places())?,
    })
}

/// What stands between backticks: a name, or names with signs between them.
fn marked(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let end = |word: &mut String, tokens: &mut Vec<Token>| {
        let own = std::mem::take(word);
        if own.is_empty() {
            return;
        }
        let number = own.parse().map(Token::Number);
        tokens.push(number.unwrap_or(Token::Name(own)));
    };
    for own in text.chars() {
        if own.is_alphanumeric() || own == '_' || own == '.' {
            word.push(own);
            continue;
        }
        end(&mut word, &mut tokens);
        if !is_between(own) {
            tokens.push(sign(own)?);
        }
    }
    end(&mut word, &mut tokens);
    Some(tokens)
}

/// Whether a character stands between the parts of an expression and counts for nothing.
fn is_between(own: char) -> bool {
    own.is_whitespace() || own == ','
}

/// What a character counts for; `None` where it belongs to no expression.
fn sign(own: char) -> Option<Token> {
    Some(match own {
        '+' => Token::Plus,
        '-' | '−' | '–' => Token::Minus,
        '*' | '×' | '·' => Token::Times,
        '/' | '÷' => Token::Over,
        '(' => Token::Open,
        ')' => Token::Close,
        _ => return None,
    })
}

/// What stands outside of them: signs, numbers, and words that stand for signs.
fn plain(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    for word in text.split_whitespace() {
        let (mut word, mut after) = (word, Vec::new());
        while let Some(rest) = word.strip_prefix('(') {
            tokens.push(Token::Open);
            word = rest;
        }
        while let Some(rest) = word.strip_suffix([')', ',']) {
            if word.ends_with(')') {
                after.push(Token::Close);
            }
            word = rest;
        }
        let own = names::words(word);
        match &own.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => {
                for own in word.chars().filter(|own| !is_between(*own)) {
                    tokens.push(sign(own)?);
                }
            }
            ["plus"] => tokens.push(Token::Plus),
            ["minus" | "less"] => tokens.push(Token::Minus),
            ["times" | "multiplied" | "x"] => tokens.push(Token::Times),
            ["divided" | "over"] => tokens.push(Token::Over),
            [own] if BEFORE.contains(own) => {}
            [own] => tokens.push(Token::Number(own.parse().ok()?)),
            _ => return None,
        }
        tokens.append(&mut after);
    }
    Some(tokens)
}

/// How a text says that something is rounded.
pub(super) fn rounding(text: &str) -> Option<Rounding> {
    let words = names::words(text);
    let has = |list: &[&str]| words.iter().any(|own| list.contains(&own.as_str()));
    let is_half = has(&["half", "halves"]);
    match (has(&["up"]), has(&["down"]), has(&["even"])) {
        (true, false, false) if is_half => Some(Rounding::HalfUp),
        (false, true, false) if is_half => Some(Rounding::HalfDown),
        (false, false, true) if is_half => Some(Rounding::HalfEven),
        (true, false, false) => Some(Rounding::Up),
        (false, true, false) => Some(Rounding::Down),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_texts_come_to() {
        let order = r#"{"goods":1000,"off":50,"fee":7,"part":3,"whole":8,"price":"2.50","count":3,
            "shipping":{"amount":300},"tax":{"rate":1900}}"#;
        let order = openapi_document::json::read_text(order).unwrap();
        let like =
            |text: &str| Amount::read(&openapi_document::json::read_text(text).unwrap()).unwrap();
        for (text, of, expected) in [
            (
                "(`goods` - `off` + `shipping.amount`) times `tax.rate` divided by 10000, rounded half up",
                "1",
                Some("238"),
            ),
            ("`fee * part / whole`, rounded half up", "1", Some("3")),
            (
                "`fee * part / whole`, rounded up to a whole cent",
                "1",
                Some("3"),
            ),
            ("`fee * part / whole`, rounded down", "1", Some("2")),
            (
                "`fee * part / whole`, rounded to a whole cent, halves rounded up",
                "1",
                Some("3"),
            ),
            ("`price` times `count`", r#""0.00""#, Some(r#""7.50""#)),
            ("`goods` - `off`", "1", Some("950")),
            ("`goods` - `off`", r#""0.0""#, Some(r#""950.0""#)),
            // Nothing says how; a name leads nowhere; words that are none of an expression.
            ("`fee` * `part` / `whole`", "1", None),
            ("`goods` - `none`", "1", None),
            ("`goods` minus what was paid", "1", None),
            ("`goods`", "1", None),
            ("(`goods` - `off`", "1", None),
            ("`goods` / (`off` - `off`)", "1", None),
        ] {
            let found = Expression::read(text).and_then(|own| own.of(&[&order], like(of)));
            let found = found.map(|own| own.node().to_json());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
        let around = openapi_document::json::read_text(r#"{"amount":0}"#).unwrap();
        let own = Expression::read("`goods` + `amount`").unwrap();
        let found = own.of(&[&order, &around], like("1"));
        assert_eq!(found.map(|own| own.units), Some(1000));
    }
}
