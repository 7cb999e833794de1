//! Levels: configured levels for single rules, for patterns, and for axes.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::axes::Axes;
use crate::catalogue::{self, Rule};
use crate::level::Level;

/// The configured levels.
#[derive(Debug, Clone, Default)]
pub struct Levels {
    of: HashMap<&'static str, Level>,
}

/// The rules that a key of `[levels]` selects.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Selector {
    Id(String),
    Pattern(String),
    Axes(BTreeMap<String, String>),
}

/// One line of `[levels]`.
#[derive(Debug, Clone)]
pub struct Line {
    /// The key.
    pub key: String,
    /// The place of the key.
    pub range: Range<usize>,
    /// The level.
    pub level: Level,
}

/// A key that selects nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// A description of the error.
    pub title: String,
    /// A suggestion.
    pub help: String,
    /// The place of the key.
    pub range: Range<usize>,
}

impl Levels {
    /// Resolves lines to levels, and lists the lines that select nothing. The id of a rule wins
    /// over a pattern, a longer pattern over a shorter one, and any pattern over axes.
    pub fn of(lines: &[Line]) -> (Self, Vec<Unknown>) {
        let rules = catalogue::all();
        let mut unknown = Vec::new();
        let mut selectors: Vec<(Selector, Level)> = Vec::new();
        for line in lines {
            let selector = Selector::parse(&line.key);
            if rules.iter().any(|rule| selector.selects(rule)) {
                selectors.push((selector, line.level));
            } else {
                unknown.push(selector.unknown(line, &rules));
            }
        }
        // The most specific selectors come last, and override earlier ones.
        selectors.sort_by_key(|(selector, _)| selector.weight());
        let mut of = HashMap::new();
        for (selector, level) in &selectors {
            for rule in rules.iter().filter(|rule| selector.selects(rule)) {
                of.insert(rule.id, *level);
            }
        }
        (Self { of }, unknown)
    }

    /// The levels for the linter. A rule that is off stays off; the gate applies the other levels.
    pub fn of_lint(&self) -> openapi_lint::Levels {
        let mut levels = openapi_lint::Levels::default();
        for rule in openapi_lint::Rule::all() {
            let level = match self.get(rule.id) {
                None => continue,
                Some(Level::Off) => openapi_lint::Level::Off,
                Some(Level::Info) => openapi_lint::Level::Info,
                Some(Level::Warning) => openapi_lint::Level::Warning,
                Some(Level::Error) => openapi_lint::Level::Error,
            };
            // The id is one of the linter's rules, so this cannot fail.
            let _ = levels.set(rule.id, level);
        }
        levels
    }

    /// The configured level of a rule; `None` if it has its default.
    pub fn get(&self, rule: &str) -> Option<Level> {
        self.of.get(rule).copied()
    }
}

impl Selector {
    fn parse(key: &str) -> Self {
        if key.contains('=') {
            let term = |term: &str| {
                let (axis, value) = term.split_once('=').unwrap_or((term, ""));
                (axis.trim().to_lowercase(), value.trim().to_lowercase())
            };
            Self::Axes(key.split_whitespace().map(term).collect())
        } else if key.contains('*') {
            Self::Pattern(key.to_owned())
        } else {
            Self::Id(key.to_owned())
        }
    }

    fn selects(&self, rule: &Rule) -> bool {
        match self {
            Self::Id(id) => rule.id == id,
            Self::Pattern(pattern) => fits(pattern, rule.id),
            Self::Axes(terms) => terms.iter().all(|(axis, value)| {
                let value_of_rule = match axis.as_str() {
                    "family" => Some(rule.family.as_str()),
                    axis => rule.axes.and_then(|axes| axes.get(axis)),
                };
                value_of_rule.is_some_and(|known| known.eq_ignore_ascii_case(value))
            }),
        }
    }

    fn weight(&self) -> (u8, usize) {
        match self {
            Self::Axes(terms) => (0, terms.len()),
            Self::Pattern(pattern) => (1, pattern.len()),
            Self::Id(_) => (2, 0),
        }
    }

    fn unknown(&self, line: &Line, rules: &[Rule]) -> Unknown {
        let (title, help) = match self {
            Self::Id(id) => (
                format!("there is no rule `{id}`"),
                suggestion(id, rules).unwrap_or_else(|| "`contract explain` lists them".to_owned()),
            ),
            Self::Pattern(pattern) => (
                format!("no rule matches `{pattern}`"),
                "`contract explain` lists them".to_owned(),
            ),
            Self::Axes(terms) => (
                format!("no rule matches `{}`", line.key),
                axes_help(terms, rules),
            ),
        };
        Unknown {
            title,
            help,
            range: line.range.clone(),
        }
    }
}

/// `did you mean …?`, if a rule has a similar id.
pub fn suggestion(id: &str, rules: &[Rule]) -> Option<String> {
    let near = openapi_document::spelling::nearest(id, rules.iter().map(|rule| rule.id))?;
    Some(format!("did you mean `{near}`?"))
}

/// A hint with the names of the axes, or the values of an axis.
fn axes_help(terms: &BTreeMap<String, String>, rules: &[Rule]) -> String {
    for (axis, value) in terms {
        let values = values(axis, rules);
        if values.is_empty() {
            return format!("the axes are {} and family", Axes::NAMES.join(", "));
        }
        if !values.contains(value) {
            return format!("the values of the axis {axis} are {}", values.join(", "));
        }
    }
    "each value exists, but no rule has this combination".to_owned()
}

fn values(axis: &str, rules: &[Rule]) -> Vec<String> {
    let value = |rule: &Rule| match axis {
        "family" => Some(rule.family.as_str().to_owned()),
        axis => Some(rule.axes?.get(axis)?.to_lowercase()),
    };
    let mut values: Vec<String> = rules.iter().filter_map(value).collect();
    values.sort();
    values.dedup();
    values
}

/// Whether a name matches a pattern, in which `*` stands for any characters.
fn fits(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else {
        return rest.is_empty();
    };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(key: &str, level: Level) -> Line {
        Line {
            key: key.to_owned(),
            range: 0..0,
            level,
        }
    }

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name, expected) in [
            ("a-*", "a-b", true),
            ("*-b", "a-b", true),
            ("a*c*e", "abcde", true),
            ("a*c*e", "abde", false),
            ("*", "a", true),
            ("a*", "ba", false),
            ("ab*ba", "aba", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn the_most_specific_line_counts() {
        let lines = [
            line("unknown-key", Level::Error),
            line("unknown-*", Level::Info),
            line("family=lint", Level::Warning),
        ];
        let (levels, unknown) = Levels::of(&lines);
        assert_eq!(unknown, []);
        assert_eq!(levels.get("unknown-key"), Some(Level::Error));
        assert_eq!(levels.get("unknown-type"), Some(Level::Info));
        assert_eq!(levels.get("duplicate-key"), Some(Level::Warning));
        assert_eq!(levels.get("version-not-raised"), None);
    }

    #[test]
    fn a_key_that_selects_nothing_is_reported() {
        let lines = [
            line("unknown-kez", Level::Error),
            line("family=limt", Level::Error),
            line("famly=lint", Level::Error),
        ];
        let (_, unknown) = Levels::of(&lines);
        let help: Vec<&str> = unknown.iter().map(|line| line.help.as_str()).collect();
        assert_eq!(help[0], "did you mean `unknown-key`?");
        assert!(
            help[1].starts_with("the values of the axis family are "),
            "{help:?}"
        );
        assert!(help[2].starts_with("the axes are direction, "), "{help:?}");
    }
}
