//! Clause: a sentence at its place, bound to the names and values of the document.

use crate::lexicon::{Form, Lexicon};
use crate::name::normalized;
use crate::pattern::{Binding, Match};
use crate::place::{Place, PlaceKind};
use crate::token::{Token, TokenKind, tokens};

/// A negation so many tokens before a form turns it round.
const NEAR: usize = 3;

/// Longer sentences are not read.
const MOST_TOKENS: usize = 80;

/// A sentence at its place.
#[derive(Debug)]
pub(crate) struct Clause<'c, 'v, 'd> {
    tokens: Vec<Token>,
    pub(crate) place: &'c Place<'v, 'd>,
    lexicon: &'c Lexicon,
    states: Vec<&'d str>,
    /// The property that has these states.
    pub(crate) state_property: Option<&'d str>,
}

impl<'c, 'v, 'd> Clause<'c, 'v, 'd> {
    pub(crate) fn new(sentence: &str, place: &'c Place<'v, 'd>, lexicon: &'c Lexicon) -> Self {
        let (property, states) = place.states(lexicon).unzip();
        Self {
            tokens: tokens(sentence),
            place,
            lexicon,
            states: states.unwrap_or_default(),
            state_property: property,
        }
    }

    /// Whether the sentence is weakened, asks something, or is too long.
    pub(crate) fn is_hedged(&self) -> bool {
        let weakens =
            |token: &Token| token.kind == TokenKind::Word && self.has_role("hedge", token);
        let asks = self.tokens.last().is_some_and(|token| token.text == "?");
        self.tokens.len() > MOST_TOKENS || asks || self.tokens.iter().any(weakens)
    }

    fn has_role(&self, role: &str, token: &Token) -> bool {
        self.lexicon.roles.has(role, &token.lower)
    }

    /// The form of a kind that the sentence has, with what its parts take.
    pub(crate) fn find(&self, kind: &str) -> Option<(&'c Form, Match)> {
        self.all(kind).next()
    }

    /// Every form of a kind that the sentence has.
    pub(crate) fn all(&self, kind: &str) -> impl Iterator<Item = (&'c Form, Match)> {
        let forms = self.lexicon.forms(kind).iter();
        let forms =
            forms.filter(|form| form.at.is_empty() || form.at.iter().any(|at| self.is_at(at)));
        forms.filter_map(|form| {
            let found = form.pattern.find(&self.tokens, &self.lexicon.roles, self)?;
            self.is_whole(form, &found).then_some((form, found))
        })
    }

    /// Whether a match leaves out neither a negation nor a condition.
    fn is_whole(&self, form: &Form, found: &Match) -> bool {
        let before = self.tokens.get(..found.start).unwrap_or_default();
        let after = self.tokens.get(found.end..).unwrap_or_default();
        let near = before.iter().rev().take(NEAR);
        let mut near = near.take_while(|token| token.kind != TokenKind::Mark);
        if near.any(|token| self.has_role("negation", token)) {
            return false;
        }
        let mut outside = before.iter().chain(after);
        let limits =
            |token: &Token| token.kind != TokenKind::Code && self.has_role("condition", token);
        // A second condition limits what the form takes in.
        !outside.any(limits) || (form.is_conditional && !after.iter().any(limits))
    }

    /// Whether the place is of a sort that a form names.
    fn is_at(&self, sort: &str) -> bool {
        match (sort, self.place.kind) {
            ("operation", PlaceKind::Operation)
            | ("query", PlaceKind::Query)
            | ("parameter", PlaceKind::Parameter | PlaceKind::Query)
            | ("property", PlaceKind::Property)
            | ("schema", PlaceKind::Schema)
            | ("success", PlaceKind::Response(200..=299))
            | ("refusal", PlaceKind::Response(400..=499)) => true,
            ("array", PlaceKind::Property | PlaceKind::Schema) => self.place.is_list,
            _ => false,
        }
    }

    /// Whether the sentence has a word of a role.
    pub(crate) fn has(&self, role: &str) -> bool {
        self.tokens.iter().any(|token| self.has_role(role, token))
    }

    /// Whether it has two words of a role.
    pub(crate) fn has_twice(&self, role: &str) -> bool {
        let mut found = self
            .tokens
            .iter()
            .filter(|token| self.has_role(role, token));
        found.nth(1).is_some()
    }

    /// Whether `by` is followed by a word that has not the role.
    pub(crate) fn is_by_another(&self, role: &str) -> bool {
        let mut pairs = self.tokens.windows(2);
        pairs.any(|pair| match pair {
            [by, next] => by.lower == "by" && !self.has_role(role, next),
            _ => false,
        })
    }

    /// The tokens after a match.
    pub(crate) fn after(&self, found: &Match) -> &[Token] {
        self.tokens.get(found.end..).unwrap_or_default()
    }

    /// Whether one of the first words after a match has a role.
    pub(crate) fn is_followed_by(&self, found: &Match, role: &str, count: usize) -> bool {
        let mut next = self.after(found).iter().take(count);
        next.any(|token| self.has_role(role, token))
    }

    /// Whether a text has a word of a role.
    pub(crate) fn text_has(&self, text: &str, role: &str) -> bool {
        let mut words = text.split(' ');
        words.any(|word| self.lexicon.roles.has(role, &word.to_lowercase()))
    }
}

impl Binding for Clause<'_, '_, '_> {
    fn name(&self, token: &Token) -> Option<String> {
        let written_as_name = token.text.contains('_')
            || token.text.chars().skip(1).any(char::is_uppercase) && !is_shouted(&token.text);
        let exact = self.place.names.iter().find(|name| **name == token.text);
        match token.kind {
            TokenKind::Code => exact
                .or_else(|| {
                    let wanted = normalized(&token.text);
                    let mut names = self.place.names.iter();
                    names.find(|name| normalized(name) == wanted)
                })
                .cloned(),
            TokenKind::Word => exact.filter(|_| written_as_name).cloned(),
            TokenKind::Number | TokenKind::Mark => None,
        }
    }

    fn plain_name(&self, token: &Token) -> Option<String> {
        let is_text = matches!(token.kind, TokenKind::Word | TokenKind::Code);
        let mut names = self.place.names.iter();
        let exact = names.find(|name| name.to_lowercase() == token.lower);
        exact.filter(|_| is_text).cloned()
    }

    fn literal(&self, token: &Token) -> Option<String> {
        let is_listed = self.place.values.contains(&token.text.as_str());
        let is_constant = matches!(token.lower.as_str(), "true" | "false" | "null");
        let is_literal = match token.kind {
            TokenKind::Code => !token.text.contains(' ') || is_listed,
            TokenKind::Number => true,
            TokenKind::Word => is_listed || is_constant || is_shouted(&token.text),
            TokenKind::Mark => false,
        };
        is_literal.then(|| token.text.clone())
    }

    fn state(&self, token: &Token) -> Option<String> {
        let wanted = normalized(&token.text);
        let is_word = token.kind == TokenKind::Code || wanted.len() > 3;
        let found = self.states.iter().find(|state| normalized(state) == wanted);
        found.filter(|_| is_word).map(|state| (*state).to_owned())
    }

    fn listed(&self, token: &Token) -> Option<String> {
        let is_text = matches!(token.kind, TokenKind::Code | TokenKind::Word);
        let found = self.place.item_property(&token.text).filter(|_| is_text);
        found.map(str::to_owned)
    }
}

/// Whether a word is written in capitals, as constants are.
fn is_shouted(text: &str) -> bool {
    let has_letters = text.chars().filter(char::is_ascii_uppercase).count() > 2;
    has_letters && !text.chars().any(char::is_lowercase)
}
