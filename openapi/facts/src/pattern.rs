//! Pattern: the form of a clause, with the parts that a rule captures.
//!
//! A pattern is written as its words, separated by spaces:
//!
//! - `word` is that word, `<role>` a word that the lexicon lists under that role, `one|<other>` is either, and a
//!   trailing `?` makes it optional;
//! - `{ref}` is the name of a parameter or property beside the place, in backticks or spelled as
//!   only names are; `{refs}` is several of them;
//! - `{name}` is such a name in any spelling: `return code` is `return_code`;
//! - `{self}` is the name of the place itself in words, or its last words;
//! - `{values}` is a literal, or several joined by commas, `and` or `or`;
//! - `{value}` is one literal;
//! - `{member}` is a literal that exactly one parameter or property beside the place lists;
//! - `{if}` is a condition on a parameter or property beside the place, in one of the lexicon's
//!   condition forms;
//! - `{states}` is one or several states of the record;
//! - `{by}` is the name of a property of the listed records, in any spelling;
//! - `{formula}` is several names with words of arithmetic between them: `total minus the fee`;
//! - `{done}` is a participle after `can be`, or several joined by commas, `and` or `or`;
//! - `{some}` is one to six words without punctuation; `{lead}` is the same, but not part of the
//!   rule; `{phrase}` is up to twelve words, which may be joined;
//! - `^` is the beginning of the sentence, `$` its end, and `;` the end of a clause: punctuation,
//!   or one of the words listed after it.

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Words(Vec<Word>),
    Capture(Capture),
    Start,
    End,
    ClauseEnd(Vec<Word>),
}

/// A word, or any word with a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
    Plain(String),
    Role(String),
}

/// What a part of a pattern captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capture {
    /// A parameter or property beside the place.
    Ref,
    /// Several of them.
    Refs,
    /// A parameter or property beside the place, which may be written as plain words.
    Name,
    /// A literal.
    Value,
    /// Several literals.
    Values,
    /// States of the record.
    States,
    /// A property of the listed records.
    By,
    /// Names with words of arithmetic between them.
    Formula,
    /// The name of the place itself.
    Itself,
    /// A literal that exactly one parameter or property beside the place lists.
    Member,
    /// A condition.
    If,
    /// What an operation does to a record: `cancelled`, `changed or deleted`.
    Done,
    /// A few words.
    Some,
    /// A few words that are not part of the rule.
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
    /// Parses a pattern.
    ///
    /// # Errors
    /// A part is unknown; the message names it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split(' ').map(part).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { parts })
    }

    /// The roles that the pattern names.
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
        "{formula}" => Part::Capture(Capture::Formula),
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
