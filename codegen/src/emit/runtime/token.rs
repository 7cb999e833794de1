//! The tokens of Rust text, with their lines.

/// A token. Comments are none; what a literal says does not matter. `r#use` is not `use`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// Its line, and the line where it ends; the first one is 0.
    pub(super) line: usize,
    pub(super) end: usize,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Literal,
    /// A lifetime or a punctuation mark; `::` and `..` are one.
    Mark,
}

impl Token<'_> {
    /// Whether it is this word or this mark.
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind != Kind::Literal && self.text == text
    }
}

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::with_capacity(text.len() / 4);
    let (mut at, mut line) = (0, 0);
    while let Some(first) = text.as_bytes().get(at) {
        let rest = &text[at..];
        let comment = match first {
            b'\n' => {
                line += 1;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with("//") => Some(until(rest, '\n')),
            b'/' if rest.starts_with("/*") => {
                Some(rest.find("*/").map_or(rest.len(), |end| end + 2))
            }
            _ => None,
        };
        let (kind, length) = comment.map_or_else(|| token(rest), |length| (Kind::Mark, length));
        let own = &text[at..(at + length).min(text.len())];
        // Words and marks are on one line.
        let lines = match kind {
            Kind::Mark if comment.is_none() => 0,
            Kind::Word => 0,
            _ => own.bytes().filter(|byte| *byte == b'\n').count(),
        };
        if comment.is_none() {
            found.push(Token {
                kind,
                text: own,
                line,
                end: line + lines,
            });
        }
        line += lines;
        at += own.len();
    }
    found
}

/// The kind and the length of the token at the beginning of a text.
fn token(rest: &str) -> (Kind, usize) {
    let first = rest.chars().next().unwrap_or_default();
    match first {
        '"' => (Kind::Literal, quoted(rest, 1)),
        '\'' => quote(rest),
        'b' if rest.starts_with("b\"") => (Kind::Literal, quoted(rest, 2)),
        'b' if rest.starts_with("b'") => (Kind::Literal, 1 + quote(&rest[1..]).1),
        'r' if is_raw(&rest[1..]) => (Kind::Literal, raw(rest)),
        '0'..='9' => (Kind::Literal, number(rest)),
        first if is_of_word(first) => {
            let prefix = if rest.starts_with("r#") { 2 } else { 0 };
            (Kind::Word, prefix + word(&rest[prefix..]))
        }
        _ if rest.starts_with("::") || rest.starts_with("..") => (Kind::Mark, 2),
        first => (Kind::Mark, first.len_utf8()),
    }
}

fn until(rest: &str, end: char) -> usize {
    rest.find(end).unwrap_or(rest.len())
}

fn is_of_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

fn word(rest: &str) -> usize {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let plain = rest.bytes().take_while(is_plain).count();
    match rest.as_bytes().get(plain) {
        Some(next) if !next.is_ascii() => rest
            .find(|character| !is_of_word(character))
            .unwrap_or(rest.len()),
        _ => plain,
    }
}

/// A number ends before `..` and before a method.
fn number(rest: &str) -> usize {
    let whole = word(rest);
    match rest[whole..].strip_prefix('.') {
        Some(fraction) if fraction.starts_with(|next: char| next.is_ascii_digit()) => {
            whole + 1 + word(fraction)
        }
        _ => whole,
    }
}

/// A text in quotes that begins after `prefix` bytes.
fn quoted(rest: &str, prefix: usize) -> usize {
    let mut escaped = false;
    let ends = |byte: u8| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    };
    let end = rest.bytes().skip(prefix).position(ends);
    end.map_or(rest.len(), |end| prefix + end + 1)
}

/// Whether what follows an `r` makes it the beginning of a raw text.
fn is_raw(rest: &str) -> bool {
    rest.trim_start_matches('#').starts_with('"')
}

fn raw(rest: &str) -> usize {
    let hashes = rest[1..].bytes().take_while(|byte| *byte == b'#').count();
    let end = format!("\"{}", "#".repeat(hashes));
    let begin = hashes + 2;
    let inner = rest[begin..].find(&end);
    inner.map_or(rest.len(), |inner| begin + inner + end.len())
}

/// A character, or a lifetime.
fn quote(rest: &str) -> (Kind, usize) {
    let inner = &rest[1..];
    if inner.starts_with('\\') {
        return (Kind::Literal, 3 + until(&inner[2..], '\'') + 1);
    }
    let first = inner.chars().next().map_or(0, char::len_utf8);
    if inner[first..].starts_with('\'') {
        return (Kind::Literal, 1 + first + 1);
    }
    (Kind::Mark, 1 + word(inner))
}

#[cfg(test)]
mod tests {
    use super::{Kind, tokens};

    fn words(text: &str) -> Vec<&str> {
        let tokens = tokens(text).into_iter();
        tokens
            .filter(|token| token.kind == Kind::Word)
            .map(|token| token.text)
            .collect()
    }

    #[test]
    fn words_are_found_beside_literals_and_comments() {
        let text = r##"
            let a: &'static str = "b \" c"; // d
            r#"e"# f 'g' '\'' h b'i' b"j" r#type 1.0 2..k /* l */ m::n 3.max
        "##;
        assert_eq!(
            words(text),
            ["let", "a", "str", "f", "h", "r#type", "k", "m", "n", "max"]
        );
    }

    #[test]
    fn tokens_know_their_lines() {
        let tokens = tokens("a\n\"b\nc\"\nd");
        let lines: Vec<_> = tokens.iter().map(|token| (token.line, token.end)).collect();
        assert_eq!(lines, [(0, 0), (1, 2), (3, 3)]);
    }
}
