//! Pattern: the form of a clause, with the parts of it that a rule is made of.
//!
//! A pattern is written as its words, separated by spaces:
//!
//! - `word` is that word, `<role>` a word that the lexicon lists under that role, `one|<other>` is either, and a
//!   trailing `?` makes it optional;
//! - `{ref}` is the name of a parameter or property beside the place, marked as a name or written as none but names are;
//!   `{refs}` is several of them;
//! - `{name}` is such a name, however it is written;
//! - `{values}` is a literal, or several joined by commas, `and` or `or`;
//! - `{value}` is one literal;
//! - `{states}` is one or several states of the record;
//! - `{by}` is a name of a property of the listed records;
//! - `{some}` is one to six words, without a mark;
//! - `^` is the beginning of the sentence, `$` its end, and `;` the end of a clause: a mark, or one of the words after it.

use crate::roles::Roles;
use crate::token::{Token, TokenKind};

/// A phrase between two parts has so many words at most.
const LONGEST_PHRASE: usize = 6;

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Words(Vec<Word>),
    Capture(Capture),
    Start,
    End,
    ClauseEnd(Vec<Word>),
}

/// A word, or one of a role.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Word {
    Plain(String),
    Role(String),
}

/// What a part of a pattern takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capture {
    /// A name beside the place.
    Ref,
    /// Several names.
    Refs,
    /// A name beside the place, which may be written as a word.
    Name,
    /// A literal.
    Value,
    /// Several literals.
    Values,
    /// States of the record.
    States,
    /// A property of the listed records.
    By,
    /// Any few words.
    Some,
}

/// The form of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    parts: Vec<(Part, bool)>,
}

/// What the names and literals of a sentence are bound to.
pub(crate) trait Binding {
    /// The name beside the place that a token stands for.
    fn name(&self, token: &Token) -> Option<String>;
    /// The name beside the place that a token stands for where a form expects one.
    fn plain_name(&self, token: &Token) -> Option<String>;
    /// The literal that a token stands for.
    fn literal(&self, token: &Token) -> Option<String>;
    /// The state that a token stands for.
    fn state(&self, token: &Token) -> Option<String>;
    /// The property of the listed records that a token stands for.
    fn listed(&self, token: &Token) -> Option<String>;
}

/// Where a pattern fits, and what its parts took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) captures: Vec<(Capture, Vec<String>)>,
}

impl Match {
    /// What the first part of a sort took.
    pub(crate) fn get(&self, capture: Capture) -> Option<&[String]> {
        let found = self.captures.iter().find(|item| item.0 == capture)?;
        Some(&found.1)
    }

    /// The texts that parts of these sorts took, in their order.
    pub(crate) fn all(&self, sorts: &[Capture]) -> Vec<String> {
        let found = self.captures.iter().filter(|item| sorts.contains(&item.0));
        found.flat_map(|item| item.1.iter().cloned()).collect()
    }

    /// The first text of it.
    pub(crate) fn first(&self, capture: Capture) -> Option<String> {
        self.get(capture)?.first().cloned()
    }
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// A part is not known; says which.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split(' ').map(part).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { parts })
    }

    /// The roles that it names.
    #[cfg(test)]
    pub(crate) fn roles(&self) -> impl Iterator<Item = &str> {
        let words = self.parts.iter().filter_map(|(part, _)| match part {
            Part::Words(words) => Some(words),
            _ => None,
        });
        words.flatten().filter_map(|word| match word {
            Word::Role(role) => Some(role.as_str()),
            Word::Plain(_) => None,
        })
    }

    /// The first place at which it fits.
    pub(crate) fn find(
        &self,
        tokens: &[Token],
        roles: &Roles,
        binding: &dyn Binding,
    ) -> Option<Match> {
        let matcher = Matcher {
            tokens,
            roles,
            binding,
        };
        (0..tokens.len()).find_map(|start| {
            let mut captures = Vec::new();
            let end = matcher.run(&self.parts, start, &mut captures)?;
            Some(Match {
                start,
                end,
                captures,
            })
        })
    }
}

fn part(text: &str) -> Result<(Part, bool), String> {
    let (text, is_optional) = match text.strip_suffix('?') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let part = match text {
        "^" => Part::Start,
        "$" => Part::End,
        _ if text.starts_with(';') => Part::ClauseEnd(text.split('|').skip(1).map(word).collect()),
        "{ref}" => Part::Capture(Capture::Ref),
        "{refs}" => Part::Capture(Capture::Refs),
        "{name}" => Part::Capture(Capture::Name),
        "{value}" => Part::Capture(Capture::Value),
        "{values}" => Part::Capture(Capture::Values),
        "{states}" => Part::Capture(Capture::States),
        "{by}" => Part::Capture(Capture::By),
        "{some}" => Part::Capture(Capture::Some),
        _ if text.starts_with('{') || text.is_empty() => return Err(text.to_owned()),
        _ => Part::Words(text.split('|').map(word).collect()),
    };
    Ok((part, is_optional))
}

fn word(text: &str) -> Word {
    let role = text
        .strip_prefix('<')
        .and_then(|text| text.strip_suffix('>'));
    role.map_or_else(
        || Word::Plain(text.to_owned()),
        |role| Word::Role(role.to_owned()),
    )
}

struct Matcher<'m> {
    tokens: &'m [Token],
    roles: &'m Roles,
    binding: &'m dyn Binding,
}

type Captures = Vec<(Capture, Vec<String>)>;

impl Matcher<'_> {
    /// Where the match of the parts from a token on ends.
    fn run(&self, parts: &[(Part, bool)], at: usize, captures: &mut Captures) -> Option<usize> {
        let Some(((part, is_optional), rest)) = parts.split_first() else {
            return Some(at);
        };
        let known = captures.len();
        let ends = match part {
            Part::Start => (at == 0).then_some((at, None)).into_iter().collect(),
            Part::End => { self.is_over(at) }
                .then_some((at, None))
                .into_iter()
                .collect(),
            Part::ClauseEnd(words) => { self.is_clause_end(at, words) }
                .then_some((at, None))
                .into_iter()
                .collect(),
            Part::Words(words) => self.word(at, |token| self.is_one(token, words)),
            Part::Capture(capture) => self.capture(*capture, at),
        };
        for (end, taken) in ends {
            captures.truncate(known);
            if let (Some(taken), Part::Capture(capture)) = (taken, part) {
                captures.push((*capture, taken));
            }
            if let Some(end) = self.run(rest, end, captures) {
                return Some(end);
            }
        }
        captures.truncate(known);
        is_optional.then(|| self.run(rest, at, captures)).flatten()
    }

    fn word(&self, at: usize, fits: impl Fn(&Token) -> bool) -> Vec<(usize, Option<Vec<String>>)> {
        let is_word = self.tokens.get(at).is_some_and(fits);
        is_word.then_some((at + 1, None)).into_iter().collect()
    }

    /// Whether a token is one of the words; a literal only of a role that lists literals.
    fn is_one(&self, token: &Token, words: &[Word]) -> bool {
        let is_literal = token.kind == TokenKind::Code;
        words.iter().any(|word| match word {
            Word::Plain(plain) => !is_literal && *plain == token.lower,
            Word::Role(role) => {
                (!is_literal || role.starts_with("code-")) && self.roles.has(role, &token.lower)
            }
        })
    }

    fn is_clause_end(&self, at: usize, words: &[Word]) -> bool {
        let token = self.tokens.get(at);
        token.is_none_or(|token| token.kind == TokenKind::Mark || self.is_one(token, words))
    }

    fn is_over(&self, at: usize) -> bool {
        let rest = self.tokens.get(at..).unwrap_or_default();
        rest.iter().all(|token| token.kind == TokenKind::Mark)
    }

    fn capture(&self, capture: Capture, at: usize) -> Vec<(usize, Option<Vec<String>>)> {
        let bind = |token: &Token| match capture {
            Capture::Ref | Capture::Refs => self.binding.name(token),
            Capture::Name => self.binding.plain_name(token),
            Capture::Value | Capture::Values => self.binding.literal(token),
            Capture::States => self.binding.state(token),
            Capture::By => self.binding.listed(token),
            Capture::Some => None,
        };
        match capture {
            Capture::Ref | Capture::Name | Capture::Value | Capture::By => {
                let found = self.tokens.get(at).and_then(bind);
                found
                    .map(|text| (at + 1, Some(vec![text])))
                    .into_iter()
                    .collect()
            }
            Capture::Refs | Capture::Values => {
                self.several("joint", at, bind).into_iter().collect()
            }
            Capture::States => self.several("joint-state", at, bind).into_iter().collect(),
            Capture::Some => self.phrase(at),
        }
    }

    /// Several texts, joined by commas, `and` or `or`; all of them.
    fn several(
        &self,
        joint: &str,
        at: usize,
        bind: impl Fn(&Token) -> Option<String>,
    ) -> Option<(usize, Option<Vec<String>>)> {
        let mut found = vec![bind(self.tokens.get(at)?)?];
        let mut end = at + 1;
        loop {
            let mut next = end;
            while { self.tokens.get(next) }.is_some_and(|token| self.roles.has(joint, &token.lower))
            {
                next += 1;
            }
            let bound = self.tokens.get(next).filter(|_| next > end).and_then(&bind);
            let Some(text) = bound else {
                return Some((end, Some(found)));
            };
            found.push(text);
            end = next + 1;
        }
    }

    fn is_of_phrase(&self, token: &Token) -> bool {
        token.kind != TokenKind::Mark && !self.roles.has("joint", &token.lower)
    }

    /// A few words, the fewest first; what `and` or `or` joins is no phrase.
    fn phrase(&self, at: usize) -> Vec<(usize, Option<Vec<String>>)> {
        let rest = self.tokens.get(at..).unwrap_or_default();
        let words = rest.iter().take_while(|token| self.is_of_phrase(token));
        let words: Vec<&str> = words
            .take(LONGEST_PHRASE)
            .map(|token| &*token.text)
            .collect();
        (1..=words.len())
            .map(|length| (at + length, Some(vec![words[..length].join(" ")])))
            .collect()
    }
}
