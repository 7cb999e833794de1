//! Matcher: tries patterns on the tokens of a sentence.

use std::ops::Range;

use crate::form::Form;
use crate::pattern::{Capture, Part, Pattern, Word};
use crate::roles::Roles;
use crate::rule::Condition;
use crate::token::{Token, TokenKind};

/// A phrase between two parts has so many words at most.
const LONGEST_PHRASE: usize = 6;

/// What the names and literals of a sentence are bound to.
pub(crate) trait Binding {
    /// The name beside the place that a token stands for.
    fn name(&self, token: &Token) -> Option<String>;
    /// The names beside the place that the first tokens stand for where a form expects one, each with its length.
    fn plain_names(&self, tokens: &[Token]) -> Vec<(usize, String)>;
    /// How many of the first tokens may be the name of the place itself.
    fn itself(&self, tokens: &[Token]) -> Vec<usize>;
    /// The literal that a token stands for.
    fn literal(&self, token: &Token) -> Option<String>;
    /// The literal that a token stands for where it is compared with a name beside the place.
    fn compared(&self, token: &Token) -> Option<String>;
    /// The values that tokens stand for, as a name beside the place lists them; none where it lists others.
    fn values(&self, name: &str, tokens: &[&Token]) -> Option<Vec<String>>;
    /// Whether a name beside the place lists its values.
    fn lists(&self, name: &str) -> bool;
    /// The one name beside the place that lists a literal, with its value.
    fn member(&self, token: &Token) -> Option<(String, String)>;
    /// The state that the first tokens stand for, with its length.
    fn state(&self, tokens: &[Token]) -> Option<(usize, String)>;
    /// The properties of the listed records that the first tokens stand for, each with its length.
    fn listed(&self, tokens: &[Token]) -> Vec<(usize, String)>;
}

/// What a part of a pattern took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) capture: Capture,
    pub(crate) texts: Vec<String>,
    pub(crate) tokens: Range<usize>,
    pub(crate) condition: Option<Condition>,
}

/// Where a pattern fits, and what its parts took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) taken: Vec<Taken>,
}

impl Match {
    /// What the first part of a sort took.
    pub(crate) fn get(&self, capture: Capture) -> Option<&[String]> {
        let found = self.taken.iter().find(|item| item.capture == capture)?;
        Some(&found.texts)
    }

    /// The texts that parts of these sorts took, in their order.
    pub(crate) fn all(&self, sorts: &[Capture]) -> Vec<String> {
        let found = self.taken.iter();
        let found = found.filter(|item| sorts.contains(&item.capture));
        found.flat_map(|item| item.texts.iter().cloned()).collect()
    }

    /// The first text of it.
    pub(crate) fn first(&self, capture: Capture) -> Option<String> {
        self.get(capture)?.first().cloned()
    }

    /// The condition that it has.
    pub(crate) fn condition(&self) -> Option<Condition> {
        self.taken.iter().find_map(|item| item.condition.clone())
    }
}

/// The tokens of a sentence, with what they are compared and bound with.
pub(crate) struct Matcher<'m> {
    pub(crate) tokens: &'m [Token],
    pub(crate) roles: &'m Roles,
    pub(crate) conditions: &'m [Form],
    pub(crate) binding: &'m dyn Binding,
}

/// Where a part ends, and what it took.
type End = (usize, Option<Taken>);

impl Matcher<'_> {
    /// The first place at which a pattern fits.
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

    /// Whether the sentence has a word for each part that is one; a quick look before it is tried.
    fn may_fit(&self, pattern: &Pattern) -> bool {
        let mut parts = pattern.parts.iter();
        parts.all(|(part, is_optional)| match part {
            Part::Words(words) if !is_optional => {
                self.tokens.iter().any(|token| self.is_one(token, words))
            }
            _ => true,
        })
    }

    /// Where the match of the parts from a token on ends.
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

    /// Where a part from a token on may end.
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

    /// Whether a token is one of the words; a literal only of a role that lists literals.
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

    /// The name that lists one or several literals, followed by its values.
    fn members(&self, tokens: &[Token]) -> Option<(usize, Vec<String>)> {
        let (name, _) = self.binding.member(tokens.first()?)?;
        let (end, mut found) = self.several("joint", tokens, |tokens| {
            let (other, value) = self.binding.member(tokens.first()?)?;
            (other == name).then_some((1, value))
        })?;
        found.insert(0, name);
        Some((end, found))
    }

    /// The conditions from a token on.
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

    /// Several texts, joined by commas, `and` or `or`; all of them.
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
                // A list with an item that is bound to nothing is known in part only.
                let next = rest.get(joints).filter(|_| joints > 0);
                let goes_on = next.is_some_and(|token| token.kind == TokenKind::Code);
                return (!goes_on).then_some((end, found));
            };
            found.push(text);
            end += joints + length;
        }
    }

    /// A few words, the fewest first; of a short one, none joins others.
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
