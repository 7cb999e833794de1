//! Binding: finds the names and values that the words of a sentence refer to.

use super::clause::Clause;
use crate::matcher::Binding;
use crate::name::{are_akin, normalized, singular};
use crate::token::{Token, TokenKind};
use crate::vocabulary::Input;

/// The maximum number of words of a name.
const LONGEST_NAME: usize = 4;

/// A shorter word is neither a state nor the end of a name.
const SHORTEST: usize = 4;

impl Binding for Clause<'_, '_, '_> {
    fn name(&self, token: &Token) -> Option<String> {
        let found = match token.kind {
            TokenKind::Code => self.called(&token.text),
            TokenKind::Word if is_identifier(&token.text) => self.called_exactly(&token.text),
            _ => None,
        };
        found.map(|input| input.name.to_owned())
    }

    fn plain_names(&self, tokens: &[Token]) -> Vec<(usize, String)> {
        let written = phrases(tokens).filter_map(|(length, phrase)| {
            let found = self.called_so(&phrase)?;
            Some((length, found.name.to_owned()))
        });
        let mut found: Vec<(usize, String)> = written.collect();
        found.extend({ tokens.first() }.and_then(|token| Some((1, self.name(token)?))));
        found
    }

    fn itself(&self, tokens: &[Token]) -> Vec<usize> {
        let place_name = normalized(self.place.name.unwrap_or_default());
        let is_place_name = |phrase: &str| {
            let wanted = normalized(phrase);
            place_name == wanted || place_name.ends_with(&wanted) && wanted.len() >= SHORTEST
        };
        let written = phrases(tokens).filter(|(_, phrase)| is_place_name(phrase));
        let mut found: Vec<usize> = written.map(|(length, _)| length).collect();
        let is_code = |token: &&Token| token.kind == TokenKind::Code;
        let literal = tokens.first().filter(is_code);
        found.extend(
            literal
                .filter(|token| place_name == normalized(&token.text))
                .map(|_| 1),
        );
        found
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

    fn compared(&self, token: &Token) -> Option<String> {
        let is_word = token.kind == TokenKind::Word;
        let is_listed = || {
            let mut around = self.around();
            around.any(|input| self.listed_by(input, &token.text).is_some())
        };
        let text = || Some(token.text.clone());
        self.literal(token)
            .or_else(|| text().filter(|_| is_word && is_listed()))
    }

    fn values(&self, name: &str, tokens: &[&Token]) -> Option<Vec<String>> {
        let input = self.called_exactly(name)?;
        let tokens = tokens.iter();
        if self.place.values_beside(input).is_empty() {
            return tokens.map(|token| self.literal(token)).collect();
        }
        tokens
            .map(|token| Some(self.listed_by(input, &token.text)?.to_owned()))
            .collect()
    }

    fn lists(&self, name: &str) -> bool {
        let input = self.called_exactly(name);
        input.is_some_and(|input| !self.place.values_beside(input).is_empty())
    }

    fn member(&self, token: &Token) -> Option<(String, String)> {
        if let Some((name, value)) = token.text.split_once('=') {
            return self.pair(token, name, value);
        }
        let is_literal = match token.kind {
            TokenKind::Code => !token.text.contains(' '),
            TokenKind::Word => is_shouted(&token.text),
            _ => false,
        };
        // A value that the place itself lists belongs to the place.
        let is_listed = |value: &&str| value.to_lowercase() == token.lower;
        if !is_literal || self.place.values.iter().any(is_listed) {
            return None;
        }
        let mut found = { self.place.siblings.iter() }
            .filter_map(|input| Some((input.name, self.listed_by(input, &token.text)?)));
        let (name, value) = found.next()?;
        { found.next() }
            .is_none()
            .then(|| (name.to_owned(), value.to_owned()))
    }

    fn state(&self, tokens: &[Token]) -> Option<(usize, String)> {
        let literal = tokens.first().filter(|token| token.kind == TokenKind::Code);
        if let Some(token) = literal {
            return Some((1, self.state_called(&token.text)?));
        }
        let mut found = phrases(tokens).filter_map(|(length, phrase)| {
            let is_word = normalized(&phrase).len() >= SHORTEST;
            let of_one = || self.state_called(&singular(&phrase));
            let state = self.state_called(&phrase).or_else(of_one);
            Some((length, state.filter(|_| is_word)?))
        });
        found.next()
    }

    fn listed(&self, tokens: &[Token]) -> Vec<(usize, String)> {
        let literal = tokens.first().filter(|token| token.kind == TokenKind::Code);
        if let Some(token) = literal {
            let found = self.place.item_property(&token.text);
            return { found.into_iter() }
                .map(|name| (1, name.to_owned()))
                .collect();
        }
        let found = phrases(tokens).filter_map(|(length, phrase)| {
            let exact = self.place.item_property(&phrase);
            let akin = || {
                let mut found = self.place.item_properties().into_iter();
                found.find(|name| length > 1 && are_akin(name, &phrase))
            };
            Some((length, exact.or_else(akin)?.to_owned()))
        });
        found.collect()
    }
}

impl<'d> Clause<'_, '_, 'd> {
    fn around(&self) -> impl Iterator<Item = &Input<'d>> {
        self.place.siblings.iter().chain(&self.place.outer)
    }

    fn called_exactly(&self, name: &str) -> Option<&Input<'d>> {
        self.around().find(|input| input.name == name)
    }

    /// The name and value of a literal that contains both: `type=parcel`.
    fn pair(&self, token: &Token, name: &str, value: &str) -> Option<(String, String)> {
        let is_literal = token.kind == TokenKind::Code;
        let input = { self.called_exactly(name) }.filter(|_| is_literal)?;
        let is_free = self.place.values_beside(input).is_empty();
        let value = self.listed_by(input, value);
        let free = token.text.split_once('=').filter(|_| is_free);
        let value = value.or_else(|| free.map(|(_, value)| value))?;
        Some((name.to_owned(), value.to_owned()))
    }

    /// The parameter or property that a literal names.
    fn called(&self, text: &str) -> Option<&Input<'d>> {
        let wanted = normalized(text);
        self.called_exactly(text)
            .or_else(|| self.around().find(|input| normalized(input.name) == wanted))
    }

    /// The parameter or property that a phrase names, in singular or plural.
    fn called_so(&self, phrase: &str) -> Option<&Input<'d>> {
        let wanted = normalized(phrase);
        if wanted.is_empty() {
            return None;
        }
        let is_it = |input: &&Input<'_>| {
            let name = normalized(input.name);
            name == wanted || wanted.strip_suffix('s') == Some(&name)
        };
        // A word names a property of an enclosing object only if that property lists its values.
        let mut outer = self.place.outer.iter().filter(is_it);
        let sibling = self.place.siblings.iter().find(is_it);
        sibling.or_else(|| outer.find(|input| !self.place.values_beside(input).is_empty()))
    }

    /// The value of an input that a text spells.
    fn listed_by(&self, input: &Input<'d>, text: &str) -> Option<&'d str> {
        let wanted = normalized(text);
        let mut values = self.place.values_beside(input).into_iter();
        values.find(|value| normalized(value) == wanted)
    }

    fn state_called(&self, text: &str) -> Option<String> {
        let wanted = normalized(text);
        let found = self
            .states
            .iter()
            .find(|state| normalized(state) == wanted)?;
        Some((*found).to_owned())
    }
}

/// The phrases at the beginning of the tokens, longest first, each with its number of words.
fn phrases(tokens: &[Token]) -> impl Iterator<Item = (usize, String)> {
    let words = tokens.iter().take(LONGEST_NAME);
    let words = words.take_while(|token| token.kind == TokenKind::Word);
    let words: Vec<&str> = words.map(|token| &*token.text).collect();
    (1..=words.len())
        .rev()
        .map(move |length| (length, words[..length].join(" ")))
}

/// Whether a word is spelled as an identifier, not as a word.
fn is_identifier(text: &str) -> bool {
    let has_mark = text.contains(['_', '[', '.']);
    has_mark || text.chars().skip(1).any(char::is_uppercase) && !is_shouted(text)
}

/// Whether a word is spelled in capitals, as constants are.
fn is_shouted(text: &str) -> bool {
    let has_letters = text.chars().filter(char::is_ascii_uppercase).count() > 2;
    has_letters && !text.chars().any(char::is_lowercase)
}
