//! Clause: a sentence at its place, with the names and values that it can refer to.

use crate::form::Form;
use crate::lexicon::Lexicon;
use crate::matcher::{Binding as _, Match, Matcher};
use crate::name::{normalized, singular, words};
use crate::place::{Place, PlaceKind};
use crate::token::{Token, TokenKind, tokens};

/// A negation at most this many tokens before a match negates it.
const NEAR: usize = 3;

/// Longer sentences are skipped.
const MOST_TOKENS: usize = 80;

/// A sentence at its place.
#[derive(Debug)]
pub(crate) struct Clause<'c, 'v, 'd> {
    tokens: Vec<Token>,
    /// The tokens of `otherwise the request is refused with 422`.
    otherwise: Vec<Token>,
    pub(crate) place: &'c Place<'v, 'd>,
    lexicon: &'c Lexicon,
    pub(super) states: Vec<&'d str>,
    /// The property that holds the states.
    pub(crate) state_property: Option<&'d str>,
}

impl<'c, 'v, 'd> Clause<'c, 'v, 'd> {
    pub(crate) fn new(sentence: &str, place: &'c Place<'v, 'd>, lexicon: &'c Lexicon) -> Self {
        let mut tokens = without_examples(tokens(sentence), lexicon);
        let otherwise = otherwise(&mut tokens, lexicon);
        let (property, states) = states(place, &tokens, lexicon).unzip();
        Self {
            tokens,
            otherwise,
            place,
            lexicon,
            states: states.unwrap_or_default(),
            state_property: property,
        }
    }

    /// Whether the sentence is hedged, is a question, or is too long.
    pub(crate) fn is_hedged(&self) -> bool {
        let weakens =
            |token: &Token| token.kind == TokenKind::Word && self.has_role("hedge", token);
        let asks = self.tokens.last().is_some_and(|token| token.text == "?");
        let mut pairs = self.tokens.windows(2);
        let mut shares = || {
            pairs.any(|pair| match pair {
                [share, of] => self.has_role("share", share) && self.has_role("sharers", of),
                _ => false,
            })
        };
        self.tokens.len() > MOST_TOKENS || asks || self.tokens.iter().any(weakens) || shares()
    }

    fn has_role(&self, role: &str, token: &Token) -> bool {
        self.lexicon.roles.has(role, &token.lower)
    }

    /// The first matching form of a kind, with its captures.
    pub(crate) fn find(&self, kind: &str) -> Option<(&'c Form, Match)> {
        self.all(kind).next()
    }

    /// All matching forms of a kind, with their captures.
    pub(crate) fn all(&self, kind: &str) -> impl Iterator<Item = (&'c Form, Match)> {
        let forms = self.lexicon.forms(kind).iter();
        let forms =
            forms.filter(|form| form.at.is_empty() || form.at.iter().any(|at| self.is_at(at)));
        forms.filter_map(|form| {
            let matcher = Matcher {
                tokens: &self.tokens,
                roles: &self.lexicon.roles,
                conditions: &self.lexicon.conditions,
                binding: self,
            };
            let found = matcher.find(&form.pattern)?;
            self.is_whole(form, &found).then_some((form, found))
        })
    }

    /// Whether no negation and no condition lies outside the match.
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
        // A second condition limits what the form captured.
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
            ("asked", PlaceKind::Property) => self.place.is_asked,
            ("array", PlaceKind::Property | PlaceKind::Schema) => self.place.is_list,
            _ => false,
        }
    }

    /// Whether a state that is written as a plain word is also part of another state: `paid` of
    /// `partially_paid`.
    pub(crate) fn is_part_of_another(&self, state: &str) -> bool {
        let is_it = |token: &Token| token.kind == TokenKind::Code && token.text == state;
        let is_marked = self.tokens.iter().any(is_it);
        let state_words = words(state);
        let mut others = self.states.iter().filter(|other| **other != state);
        let has_all = |other: &&&str| {
            let other = words(other);
            state_words.iter().all(|word| other.contains(word))
        };
        !is_marked && others.any(|other| has_all(&other))
    }

    /// Whether the sentence names a state that is not in `known`, other than as a result: `which
    /// becomes paused`.
    pub(crate) fn begins_elsewhere(&self, known: &[String]) -> bool {
        (1..self.tokens.len()).any(|at| {
            let (before, rest) = self.tokens.split_at(at);
            let state = self.state(rest).map(|(_, state)| state);
            let is_other = state.is_some_and(|state| !known.contains(&state));
            let leads =
                |token: &Token| self.has_role("become", token) || self.has_role("before", token);
            is_other && !before.last().is_some_and(leads)
        })
    }

    /// Whether a normalized name has a role.
    pub(crate) fn is_in_role(&self, role: &str, name: &str) -> bool {
        self.lexicon.roles.has(role, name)
    }

    /// Whether the sentence has a word with a role.
    pub(crate) fn has(&self, role: &str) -> bool {
        self.tokens.iter().any(|token| self.has_role(role, token))
    }

    /// The only 4xx status in the sentence; `None` if there is none, or several.
    pub(crate) fn refusal(&self) -> Option<u16> {
        let all = self.tokens.iter().chain(&self.otherwise);
        let numbers = all.filter_map(|token| token.text.parse().ok());
        let mut found = numbers.filter(|number| (400..500).contains(number));
        let first = found.next();
        first.filter(|_| found.next().is_none())
    }

    /// The parameters and properties beside the place whose names have one of these roles.
    pub(crate) fn inputs_called(&self, roles: &[&str]) -> Vec<&'d str> {
        let inputs = self.place.siblings.iter().map(|input| input.name);
        let is_it = |name: &&str| {
            let name = normalized(name);
            roles.iter().any(|role| self.lexicon.roles.has(role, &name))
        };
        inputs.filter(is_it).collect()
    }

    /// Whether the sentence has two words with a role.
    pub(crate) fn has_twice(&self, role: &str) -> bool {
        let mut found = self
            .tokens
            .iter()
            .filter(|token| self.has_role(role, token));
        found.nth(1).is_some()
    }

    /// Whether the word after `by`, articles aside, lacks the role.
    pub(crate) fn is_by_another(&self, role: &str) -> bool {
        let by = |token: &Token| self.has_role("by", token);
        let Some(at) = self.tokens.iter().position(by) else {
            return false;
        };
        let mut next = self.tokens.iter().skip(at + 1);
        let next = next.find(|token| !self.has_role("article", token) && token.lower != "to");
        next.is_some_and(|token| !self.has_role(role, token))
    }

    /// The tokens after a match.
    fn after(&self, found: &Match) -> &[Token] {
        self.tokens.get(found.end..).unwrap_or_default()
    }

    /// Whether the words after a match extend its condition: a joining word comes next, or `or`
    /// comes later.
    pub(crate) fn goes_on(&self, found: &Match) -> bool {
        let after = self.after(found);
        let mut words = after
            .iter()
            .skip_while(|token| token.kind == TokenKind::Mark);
        let joins = words
            .next()
            .is_some_and(|token| self.has_role("joint", token));
        joins || after.iter().any(|token| token.lower == "or")
    }

    /// Whether the clause names another parameter or property before the match.
    pub(crate) fn is_about_another(&self, found: &Match) -> bool {
        let before = self.tokens.get(..found.start).unwrap_or_default();
        let clause = before.iter().rev();
        let mut clause = clause.take_while(|token| token.kind != TokenKind::Mark);
        clause.any(|token| self.name(token).is_some())
    }

    /// Whether the sentence begins with a single thing that is no list, as in `The portal shows them`.
    pub(crate) fn begins_with_another_thing(&self, found: &Match) -> bool {
        let before = self.tokens.get(..found.start).unwrap_or_default();
        let lead = match before {
            [place, rest @ ..] if matches!(place.lower.as_str(), "in" | "on" | "within") => rest,
            _ => before,
        };
        let [article, nouns @ ..] = lead else {
            return false;
        };
        let nouns = nouns.get(..2).unwrap_or(nouns);
        let is_list = |noun: &Token| {
            let known = ["items", "response", "paging"];
            let is_plural =
                noun.lower == "are" || (noun.lower.ends_with('s') && !self.has_role("yield", noun));
            is_plural || known.iter().any(|role| self.has_role(role, noun))
        };
        self.has_role("article", article) && !nouns.is_empty() && !nouns.iter().any(is_list)
    }

    /// Whether one of the next `count` words after a match has a role.
    pub(crate) fn is_followed_by(&self, found: &Match, role: &str, count: usize) -> bool {
        let mut next = self.after(found).iter().take(count);
        next.any(|token| self.has_role(role, token))
    }

    /// Whether a text has a word with a role.
    pub(crate) fn text_has(&self, text: &str, role: &str) -> bool {
        let mut words = text.split(' ');
        words.any(|word| self.lexicon.roles.has(role, &word.to_lowercase()))
    }
}

/// The state property and its states that a sentence can refer to. If the sentence names the last
/// record in the path, they are that record's; otherwise those of the record at the place.
fn states<'d>(
    place: &Place<'_, 'd>,
    tokens: &[Token],
    lexicon: &Lexicon,
) -> Option<(&'d str, Vec<&'d str>)> {
    let is_of_operation = matches!(
        place.kind,
        PlaceKind::Operation | PlaceKind::Response(400..)
    );
    let operation = place.operation.filter(|_| is_of_operation);
    let parent = operation.and_then(|item| place.vocabulary.state_field_of_parent(item));
    let named =
        parent.filter(|(noun, _)| tokens.iter().any(|token| singular(&token.lower) == *noun));
    let named = named.map(|(_, field)| (field.name, field.values));
    named.or_else(|| place.states(lexicon))
}

/// Takes the part that says what happens to a request that breaks the rule: `otherwise it is refused`.
fn otherwise(tokens: &mut Vec<Token>, lexicon: &Lexicon) -> Vec<Token> {
    let has = |role: &str, token: &Token| lexicon.roles.has(role, &token.lower);
    let Some(at) = tokens.iter().position(|token| has("otherwise", token)) else {
        return Vec::new();
    };
    let refuses = |token: &Token| {
        let is_code = token
            .text
            .parse()
            .is_ok_and(|code: u16| (400..500).contains(&code));
        is_code || has("refuse", token) || has("error", token)
    };
    let rest = tokens.get(at..).unwrap_or_default();
    if at == 0 || !rest.iter().any(refuses) {
        return Vec::new();
    }
    let taken = tokens.split_off(at);
    while tokens
        .pop_if(|token| token.kind == TokenKind::Mark)
        .is_some()
    {}
    taken
}

/// The tokens before an example such as `for example 3`; empty if the sentence is only an example.
fn without_examples(mut tokens: Vec<Token>, lexicon: &Lexicon) -> Vec<Token> {
    let begins = |token: &Token| {
        token.kind == TokenKind::Word && lexicon.roles.has("illustration", &token.lower)
    };
    if let Some(at) = tokens.iter().position(begins) {
        tokens.truncate(at);
        let is_joint = |token: &Token| token.kind == TokenKind::Mark || token.lower == "for";
        while tokens.pop_if(|token| is_joint(token)).is_some() {}
    }
    tokens
}
