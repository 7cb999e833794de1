//! What code mentions: paths, and words.

use std::ops::Range;

use super::piece::imports;
use super::token::{Kind, Token};

/// Visits the paths in a range of tokens, those of `use` among them. Fields and methods are none.
pub(super) fn each_path<'t>(
    tokens: &[Token<'t>],
    range: Range<usize>,
    visit: &mut dyn FnMut(&[&'t str]),
) {
    let bound = bound(tokens, range.clone());
    let mut path = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
        if tokens[at].kind == Kind::Literal {
            captured(tokens[at].text).for_each(|name| visit(&[name]));
            at += 1;
        } else if tokens[at].kind == Kind::Mark {
            at += 1;
        } else if is(at, "use") {
            for import in imports(tokens, at + 1, false) {
                visit(&import.path);
            }
            while at < range.end && !is(at, ";") {
                at += 1;
            }
        } else {
            let behind = at.checked_sub(1).map_or("", |before| tokens[before].text);
            path.clear();
            path.push(tokens[at].text);
            at += 1;
            while is(at, "::")
                && tokens
                    .get(at + 1)
                    .is_some_and(|next| next.kind == Kind::Word)
            {
                path.push(tokens[at + 1].text);
                at += 2;
            }
            let single = path.len() == 1;
            let variable = bound.binary_search(&path[0]).is_ok()
                && !["(", "!", "<"].iter().any(|next| is(at, next));
            let named = single && (is(at, ":") || variable);
            if !matches!(behind, "." | "::" | "fn") && !named {
                visit(&path);
            }
        }
    }
}

/// The names of parameters and variables, sorted.
fn bound<'t>(tokens: &[Token<'t>], range: Range<usize>) -> Vec<&'t str> {
    let names = range.filter(|&at| {
        let behind = at.checked_sub(1).map_or("", |before| tokens[before].text);
        let typed = tokens.get(at + 1).is_some_and(|next| next.is(":"));
        tokens[at].kind == Kind::Word
            && (typed || matches!(behind, "let" | "mut" | "|"))
            && tokens[at]
                .text
                .starts_with(|first: char| first.is_lowercase())
    });
    let mut names: Vec<&str> = names.map(|at| tokens[at].text).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The names that a text takes in braces, as texts for `format!` do.
fn captured(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|inner| {
        let end = inner.find(['}', ':'])?;
        let name = &inner[..end];
        let is_of_word = |character: char| character == '_' || character.is_alphanumeric();
        (!name.is_empty() && name.chars().all(is_of_word)).then_some(name)
    })
}

/// The modules in a range of tokens of which a macro takes whatever its arguments name, as in
/// `module::$name`.
pub(super) fn named_by_arguments<'t>(
    tokens: &[Token<'t>],
    range: Range<usize>,
) -> impl Iterator<Item = &'t str> {
    let parts = tokens[range].windows(3);
    parts
        .filter(|part| part[0].kind == Kind::Word && part[1].is("::") && part[2].is("$"))
        .map(|part| part[0].text)
}

/// The words in a range of tokens, and the names that its texts take in braces.
pub(super) fn words<'t>(
    tokens: &[Token<'t>],
    range: Range<usize>,
) -> impl Iterator<Item = &'t str> {
    tokens[range].iter().flat_map(|token| {
        let word = (token.kind == Kind::Word).then_some(token.text);
        let literal = Some(token.text).filter(|_| token.kind == Kind::Literal);
        word.into_iter()
            .chain(literal.into_iter().flat_map(captured))
    })
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::each_path;

    #[test]
    fn fields_and_methods_are_no_paths() {
        let text =
            "use a::{b, c::{self, d}}; fn e(f: g::h) -> i { j.k(l::m, ..n, \"{o} {p:?} {} {{\") }";
        let tokens = tokens(text);
        let mut found = Vec::new();
        each_path(&tokens, 0..tokens.len(), &mut |path| {
            found.push(path.join("::"));
        });
        let expected = [
            "a::b", "a::c", "a::c::d", "fn", "g::h", "i", "j", "l::m", "n", "o", "p",
        ];
        assert_eq!(found, expected);
    }
}
