//! Token: a word, literal, number or punctuation mark of a sentence.

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A word.
    Word,
    /// A text in backticks, quotes or asterisks.
    Code,
    /// A number.
    Number,
    /// A punctuation mark.
    Mark,
}

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// The text as written, without quotes or backticks.
    pub(crate) text: String,
    /// The text in lower case.
    pub(crate) lower: String,
}

impl Token {
    fn new(kind: TokenKind, text: &str) -> Self {
        Self {
            kind,
            text: text.to_owned(),
            lower: text.to_lowercase(),
        }
    }
}

/// Splits a sentence into tokens. `can't` becomes `can not`; a link becomes its text.
pub(crate) fn tokens(sentence: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = sentence;
    while let Some(first) = rest.chars().next() {
        let taken = quoted(rest, first).or_else(|| link(rest, first));
        if let Some((kind, text, length)) = taken {
            match kind {
                Some(kind) => found.push(Token::new(kind, text)),
                None => found.extend(tokens(text)),
            }
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        if let Some((text, length)) = thousands(rest) {
            found.push(Token::new(TokenKind::Number, &text));
            rest = &rest[length..];
            continue;
        }
        let is_part = |c: char| c.is_alphanumeric() || "_-.'’[]/@".contains(c);
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if length == 0 {
            if !first.is_whitespace() && first != '*' {
                found.push(Token::new(TokenKind::Mark, &rest[..first.len_utf8()]));
            }
            rest = &rest[first.len_utf8()..];
            continue;
        }
        word(&rest[..length], &mut found);
        rest = &rest[length..];
    }
    found
}

/// A literal in backticks, quotes or asterisks, with its length.
fn quoted(rest: &str, first: char) -> Option<(Option<TokenKind>, &str, usize)> {
    let (open, close) = match first {
        '`' if rest.starts_with("``") => ("``", "``"),
        '`' => ("`", "`"),
        '*' if rest.starts_with("**") => ("**", "**"),
        '"' => ("\"", "\""),
        '“' => ("“", "”"),
        '\'' => ("'", "'"),
        _ => return None,
    };
    let inner = rest.strip_prefix(open)?;
    let end = inner.find(close).filter(|end| (1..60).contains(end))?;
    let text = inner[..end].trim_matches(['`', '"', '\'']).trim();
    // Bold text may include punctuation: `**false.**`.
    let text = match first {
        '*' => text.trim_end_matches(['.', ',', ':']),
        _ => text,
    };
    let length = open.len() + end + close.len();
    // Several bold words are emphasis, not a literal.
    let is_plain = first == '*' && text.contains(' ');
    let kind = (!is_plain).then_some(TokenKind::Code);
    Some((kind, text, length))
}

/// The text of a link, with the length of the link.
fn link(rest: &str, first: char) -> Option<(Option<TokenKind>, &str, usize)> {
    let (text, target) = rest
        .strip_prefix('[')
        .filter(|_| first == '[')?
        .split_once("](")?;
    let end = target.find(')')?;
    (!text.contains(']')).then_some((None, text, text.len() + end + 4))
}

/// A number with thousands separators: its digits, and its length in the text.
fn thousands(rest: &str) -> Option<(String, usize)> {
    let is_part = |c: char| c.is_ascii_digit() || c == ',';
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let text = rest[..length].trim_end_matches(',');
    let ends = |c: char| c.is_whitespace() || ".,;:)".contains(c);
    let is_whole = rest[text.len()..].chars().next().is_none_or(ends);
    let groups: Vec<&str> = text.split(',').collect();
    let (first, others) = groups.split_first()?;
    let are_groups = !others.is_empty() && others.iter().all(|group| group.len() == 3);
    // A list of statuses such as `400,404` is not a number.
    let is_status = |group: &&str| group.len() == 3 && ("100".."600").contains(group);
    let fits = (1..=3).contains(&first.len()) && are_groups && !groups.iter().all(is_status);
    (fits && is_whole).then(|| (text.replace(',', ""), text.len()))
}

fn word(text: &str, found: &mut Vec<Token>) {
    let full_stop = text.ends_with('.');
    let text = text.trim_end_matches(['.', '\'', '’', '-', '/']);
    let text = text.trim_start_matches(['.', '\'', '-']);
    let lower = text.to_lowercase().replace('’', "'");
    match lower.as_str() {
        "" if full_stop => {}
        "" => found.push(Token::new(TokenKind::Mark, "-")),
        "can't" | "cannot" => {
            found.push(Token::new(TokenKind::Word, "can"));
            found.push(Token::new(TokenKind::Word, "not"));
        }
        "won't" => {
            found.push(Token::new(TokenKind::Word, "will"));
            found.push(Token::new(TokenKind::Word, "not"));
        }
        _ if lower.ends_with("n't") => {
            let verb = text
                .strip_suffix("n't")
                .or_else(|| text.strip_suffix("n’t"));
            found.push(Token::new(TokenKind::Word, verb.unwrap_or(text)));
            found.push(Token::new(TokenKind::Word, "not"));
        }
        _ if is_number(text) => found.push(Token::new(TokenKind::Number, text)),
        _ => found.push(Token::new(TokenKind::Word, text)),
    }
    if full_stop {
        found.push(Token::new(TokenKind::Mark, "."));
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    digits > 0 && text.chars().all(|c| c.is_ascii_digit() || ".".contains(c))
}

#[cfg(test)]
mod tests {
    use super::TokenKind::{Code, Mark, Number, Word};
    use super::*;

    #[test]
    fn sentences_have_tokens() {
        let found =
            tokens("It can't be **open**, see [the guide](https://a/b) or `a_b` (\"x y\"): 1.5.");
        let found: Vec<(TokenKind, &str)> = { found.iter() }
            .map(|token| (token.kind, token.text.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                (Word, "It"),
                (Word, "can"),
                (Word, "not"),
                (Word, "be"),
                (Code, "open"),
                (Mark, ","),
                (Word, "see"),
                (Word, "the"),
                (Word, "guide"),
                (Word, "or"),
                (Code, "a_b"),
                (Mark, "("),
                (Code, "x y"),
                (Mark, ")"),
                (Mark, ":"),
                (Number, "1.5"),
                (Mark, "."),
            ]
        );
    }
}
