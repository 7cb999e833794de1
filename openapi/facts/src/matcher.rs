//! Matcher: tries clause patterns on the tokens of a sentence.

use std::ops::Range;

use crate::form::Form;
use crate::pattern::{Capture, Part, Pattern, Word};
use crate::roles::Roles;
use crate::rule::Condition;
use crate::token::{Token, TokenKind};

/// The maximum number of words of a phrase between two parts.
const LONGEST_PHRASE: usize = 6;

/// Binds words of a sentence to names and values of the document. "Beside the place" means in the
/// same request or schema.
pub(crate) trait Binding {
    /// The parameter or property beside the place that a token names.
    fn name(&self, token: &Token) -> Option<String>;
    /// The parameters and properties that the first tokens may name where a form expects a name,
    /// each with its number of tokens.
    fn plain_names(&self, tokens: &[Token]) -> Vec<(usize, String)>;
    /// The numbers of leading tokens that may name the place itself.
    fn itself(&self, tokens: &[Token]) -> Vec<usize>;
    /// The literal value of a token.
    fn literal(&self, token: &Token) -> Option<String>;
    /// The literal value of a token that is compared with a parameter or property beside the place.
    fn compared(&self, token: &Token) -> Option<String>;
    /// The values of tokens in the spelling that `name` lists; `None` if `name` does not list them.
    fn values(&self, name: &str, tokens: &[&Token]) -> Option<Vec<String>>;
    /// Whether the parameter or property `name` lists its values.
    fn lists(&self, name: &str) -> bool;
    /// The only parameter or property beside the place that lists a literal, with its value.
    fn member(&self, token: &Token) -> Option<(String, String)>;
    /// The state that the first tokens name, with its number of tokens.
    fn state(&self, tokens: &[Token]) -> Option<(usize, String)>;
    /// The properties of the listed records that the first tokens may name, each with its number of
    /// tokens.
    fn listed(&self, tokens: &[Token]) -> Vec<(usize, String)>;
}

/// A part of a pattern with the tokens that it captured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) capture: Capture,
    pub(crate) texts: Vec<String>,
    pub(crate) tokens: Range<usize>,
    pub(crate) condition: Option<Condition>,
}

/// Where a pattern matches, and what its parts captured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) taken: Vec<Taken>,
}

impl Match {
    /// The texts of the first part with this capture.
    pub(crate) fn get(&self, capture: Capture) -> Option<&[String]> {
        let found = self.taken.iter().find(|item| item.capture == capture)?;
        Some(&found.texts)
    }

    /// The texts of all parts with these captures, in order.
    pub(crate) fn all(&self, sorts: &[Capture]) -> Vec<String> {
        let found = self.taken.iter();
        let found = found.filter(|item| sorts.contains(&item.capture));
        found.flat_map(|item| item.texts.iter().cloned()).collect()
    }

    /// The first text of a capture.
    pub(crate) fn first(&self, capture: Capture) -> Option<String> {
        self.get(capture)?.first().cloned()
    }

    /// The condition that the match captured.
    pub(crate) fn condition(&self) -> Option<Condition> {
        self.taken.iter().find_map(|item| item.condition.clone())
    }
}

/// The tokens of a sentence, with the roles, conditions and binding to match against.
pub(crate) struct Matcher<'m> {
    pub(crate) tokens: &'m [Token],
    pub(crate) roles: &'m Roles,
    pub(crate) conditions: &'m [Form],
    pub(crate) binding: &'m dyn Binding,
}

/// The end of a part, with what it captured.
type End = (usize, Option<Taken>);

impl Matcher<'_> {
    /// The first match of a pattern.
    pub(crate) fn find(&self, pattern: &Pattern) -> Option<Match> {
        if !self.may_fit(pattern) {
            return None;
        }
        (0..self.tokens.len()).find_map(|start| {
            let mut taken = Vec::new();
            let end = self.run(&pattern.parts, start, &mut taken)?;
            Some(Match { start, end, taken })
        })
    }

    /// Whether the sentence has a word for each required word part: a quick test before the full
    /// match.
    fn may_fit(&self, pattern: &Pattern) -> bool {
        let mut parts = pattern.parts.iter();
        parts.all(|(part, is_optional)| match part {
            Part::Words(words) if !is_optional => {
                self.tokens.iter().any(|token| self.is_one(token, words))
            }
            _ => true,
        })
    }

    /// Matches parts from token `at` on. Returns the end of the match; `None` if they do not match.
    fn run(&self, parts: &[(Part, bool)], at: usize, taken: &mut Vec<Taken>) -> Option<usize> {
        let Some(((part, is_optional), rest)) = parts.split_first() else {
            return Some(at);
        };
        let known = taken.len();
        for (end, item) in self.ends(part, at) {
            taken.truncate(known);
            taken.extend(item);
            if let Some(end) = self.run(rest, end, taken) {
                return Some(end);
            }
        }
        taken.truncate(known);
        is_optional.then(|| self.run(rest, at, taken)).flatten()
    }

    /// The possible ends of a part that begins at token `at`.
    fn ends(&self, part: &Part, at: usize) -> Vec<End> {
        let here = |fits: bool| fits.then_some((at, None)).into_iter().collect();
        match part {
            Part::Start => here(at == 0),
            Part::End => here(self.is_over(at)),
            Part::ClauseEnd(words) => here(self.is_clause_end(at, words)),
            Part::Words(words) => {
                let token = self.tokens.get(at);
                let fits = token.is_some_and(|token| self.is_one(token, words));
                fits.then_some((at + 1, None)).into_iter().collect()
            }
            Part::Capture(capture) => self.capture(*capture, at),
        }
    }

    /// Whether a token is one of the words. A literal matches only a role that lists literals.
    pub(crate) fn is_one(&self, token: &Token, words: &[Word]) -> bool {
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

    fn capture(&self, capture: Capture, at: usize) -> Vec<End> {
        let rest = self.tokens.get(at..).unwrap_or_default();
        let binding = self.binding;
        let texts = |length: usize, texts: Vec<String>| {
            let taken = Taken {
                capture,
                texts,
                tokens: at..at + length,
                condition: None,
            };
            (at + length, Some(taken))
        };
        let one = |found: Option<String>| {
            { found.into_iter() }
                .map(|text| texts(1, vec![text]))
                .collect()
        };
        let some = |found: Vec<(usize, String)>| {
            { found.into_iter() }
                .map(|(length, text)| texts(length, vec![text]))
                .collect()
        };
        let several = |found: Option<(usize, Vec<String>)>| {
            { found.into_iter() }
                .map(|(length, found)| texts(length, found))
                .collect()
        };
        let first = rest.first();
        match capture {
            Capture::Ref => one(first.and_then(|token| binding.name(token))),
            Capture::Value => one(first.and_then(|token| binding.literal(token))),
            Capture::Name => some(binding.plain_names(rest)),
            Capture::By => some(binding.listed(rest)),
            Capture::Formula => some(self.formula(rest).into_iter().collect()),
            Capture::Refs => several(self.several("joint", rest, |tokens| {
                Some((1, binding.name(tokens.first()?)?))
            })),
            Capture::Values => several(self.several("joint", rest, |tokens| {
                Some((1, binding.compared(tokens.first()?)?))
            })),
            Capture::States => {
                several(self.several("joint-state", rest, |tokens| binding.state(tokens)))
            }
            Capture::Done => several(self.several("joint", rest, |tokens| {
                let first = tokens.first()?;
                (first.kind == TokenKind::Word).then(|| (1, first.lower.clone()))
            })),
            Capture::Itself => {
                let lengths = binding.itself(rest).into_iter();
                lengths.map(|length| texts(length, Vec::new())).collect()
            }
            Capture::Member => several(self.members(rest)),
            Capture::If => self.conditions(at),
            Capture::Some | Capture::Lead => some(self.phrase(rest, LONGEST_PHRASE)),
            Capture::Phrase => some(self.phrase(rest, 2 * LONGEST_PHRASE)),
        }
    }

    /// The name that lists one or several literals, followed by the values.
    fn members(&self, tokens: &[Token]) -> Option<(usize, Vec<String>)> {
        let (name, _) = self.binding.member(tokens.first()?)?;
        let (end, mut found) = self.several("joint", tokens, |tokens| {
            let (other, value) = self.binding.member(tokens.first()?)?;
            (other == name).then_some((1, value))
        })?;
        found.insert(0, name);
        Some((end, found))
    }

    /// The possible conditions from token `at` on.
    fn conditions(&self, at: usize) -> Vec<End> {
        let found = self.conditions.iter().filter_map(|form| {
            let mut taken = Vec::new();
            let end = self.run(&form.pattern.parts, at, &mut taken)?;
            let found = Match {
                start: at,
                end,
                taken,
            };
            let condition = self.condition(&found, form)?;
            let taken = Taken {
                capture: Capture::If,
                texts: Vec::new(),
                tokens: at..end,
                condition: Some(condition),
            };
            Some((end, Some(taken)))
        });
        found.collect()
    }

    fn condition(&self, found: &Match, form: &Form) -> Option<Condition> {
        let negated = form.says.contains_key("negated");
        if let Some([name, values @ ..]) = found.get(Capture::Member) {
            return Some(Condition {
                name: name.clone(),
                values: values.to_vec(),
                negated,
            });
        }
        let name = { found.all(&[Capture::Ref, Capture::Name]) }.pop()?;
        if form.says.contains_key("listed") && !self.binding.lists(&name) {
            return None;
        }
        let mut taken = found.taken.iter();
        let values = taken.find(|item| item.capture == Capture::Values);
        let range = values.map_or(0..0, |item| item.tokens.clone());
        let tokens = self.tokens.get(range).unwrap_or_default().iter();
        let tokens: Vec<&Token> = tokens
            .filter(|token| !self.roles.has("joint", &token.lower))
            .collect();
        Some(Condition {
            values: self.binding.values(&name, &tokens)?,
            name,
            negated,
        })
    }

    /// Binds several texts that are joined by commas, `and` or `or`. `None` if the first text, or a
    /// literal that continues the list, cannot be bound.
    fn several(
        &self,
        joint: &str,
        tokens: &[Token],
        bind: impl Fn(&[Token]) -> Option<(usize, String)>,
    ) -> Option<(usize, Vec<String>)> {
        let (mut end, first) = bind(tokens)?;
        let mut found = vec![first];
        loop {
            let joins = |token: &&Token| self.roles.has(joint, &token.lower);
            let rest = tokens.get(end..).unwrap_or_default();
            let joints = rest.iter().take_while(joins).count();
            let bound = rest.get(joints..).filter(|_| joints > 0).and_then(&bind);
            let Some((length, text)) = bound else {
                // If one item cannot be bound, the list is known only in part.
                let next = rest.get(joints).filter(|_| joints > 0);
                let goes_on = next.is_some_and(|token| token.kind == TokenKind::Code);
                return (!goes_on).then_some((end, found));
            };
            found.push(text);
            end += joints + length;
        }
    }

    /// The length and the expression of a formula: `total minus the fee` is `total - fee`.
    fn formula(&self, tokens: &[Token]) -> Option<(usize, String)> {
        let has = |at: usize, role: &str| {
            let token = tokens.get(at);
            token.is_some_and(|token| self.roles.has(role, &token.lower))
        };
        let name = |at: usize| {
            let at = at + usize::from(has(at, "article"));
            let names = self.binding.plain_names(tokens.get(at..)?);
            let (length, name) = names.into_iter().next()?;
            Some((at + length, name))
        };
        let (mut end, mut text) = name(0)?;
        let mut is_formula = false;
        for _ in tokens {
            let signs = [("plus", '+'), ("minus", '-'), ("times", '*')];
            let sign = signs.iter().find(|(role, _)| has(end, role));
            // `multiplied by`
            let after = end + 1 + usize::from(has(end + 1, "by"));
            let Some((next, (_, sign))) = name(after).zip(sign) else {
                break;
            };
            text = format!("{text} {sign} {}", next.1);
            end = next.0;
            is_formula = true;
        }
        is_formula.then_some((end, text))
    }

    /// Phrases of up to `longest` words, shortest first. A short phrase contains no joining word.
    fn phrase(&self, tokens: &[Token], longest: usize) -> Vec<(usize, String)> {
        let joins =
            |token: &Token| longest == LONGEST_PHRASE && self.roles.has("joint", &token.lower);
        let is_of_phrase = |token: &&Token| token.kind != TokenKind::Mark && !joins(token);
        let words = tokens.iter().take_while(is_of_phrase);
        let words: Vec<&str> = words.take(longest).map(|token| &*token.text).collect();
        (1..=words.len())
            .map(|length| (length, words[..length].join(" ")))
            .collect()
    }
}
