//! Pattern: the form of a clause, with the parts of it that a rule is made of.
//!
//! A pattern is written as its words, separated by spaces:
//!
//! - `word` is that word, `<role>` a word that the lexicon lists under that role, `one|<other>` is either, and a
//!   trailing `?` makes it optional;
//! - `{ref}` is the name of a parameter or property beside the place, marked as a name or written as none but names are;
//!   `{refs}` is several of them;
//! - `{name}` is such a name, however it is written: `return code` is `return_code`;
//! - `{self}` is the name of the place itself in words, or the last of them;
//! - `{values}` is a literal, or several joined by commas, `and` or `or`;
//! - `{value}` is one literal;
//! - `{member}` is a literal that one parameter or property beside the place lists, and no other;
//! - `{if}` is a condition on a parameter or property beside the place, in one of the forms that the lexicon has for it;
//! - `{states}` is one or several states of the record;
//! - `{by}` is a name of a property of the listed records, however it is written;
//! - `{done}` is a participle, or several joined by commas, `and` or `or`: what `can be` is followed by;
//! - `{some}` is one to six words, without a mark; `{lead}` is the same, and says nothing of the rule;
//!   `{phrase}` is up to twelve, also joined ones;
//! - `^` is the beginning of the sentence, `$` its end, and `;` the end of a clause: a mark, or one of the words after it.

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Words(Vec<Word>),
    Capture(Capture),
    Start,
    End,
    ClauseEnd(Vec<Word>),
}

/// A word, or one of a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
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
    /// The name of the place itself.
    Itself,
    /// A literal that one name beside the place lists.
    Member,
    /// A condition.
    If,
    /// What is done with a record: `cancelled`, `changed or deleted`.
    Done,
    /// Any few words.
    Some,
    /// Any few words that say nothing of the rule.
    Lead,
    /// A longer phrase.
    Phrase,
}

/// The form of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// The parts, each with whether it is optional.
    pub(crate) parts: Vec<(Part, bool)>,
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
        "{self}" => Part::Capture(Capture::Itself),
        "{member}" => Part::Capture(Capture::Member),
        "{if}" => Part::Capture(Capture::If),
        "{done}" => Part::Capture(Capture::Done),
        "{some}" => Part::Capture(Capture::Some),
        "{phrase}" => Part::Capture(Capture::Phrase),
        "{lead}" => Part::Capture(Capture::Lead),
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
