//! Registry: all rules, parsed once from the tables beside this file.
//!
//! The columns of a row, separated by tabs: id, level, level in oasdiff (`-` if oasdiff has no such
//! rule), direction, area, kind, action, summary.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::rule::{Action, Area, Direction, Kind, Level, Rule};

const TABLES: [&str; 9] = [
    include_str!("registry/operations.tsv"),
    include_str!("registry/parameters.tsv"),
    include_str!("registry/bodies.tsv"),
    include_str!("registry/schemas.tsv"),
    include_str!("registry/constraints.tsv"),
    include_str!("registry/structure.tsv"),
    include_str!("registry/keywords.tsv"),
    include_str!("registry/ours.tsv"),
    include_str!("registry/facts.tsv"),
];

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    TABLES
        .iter()
        .flat_map(|table| table.lines())
        .filter_map(read)
        .collect()
});

static BY_ID: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    let ids = rules().iter().enumerate();
    ids.map(|(place, rule)| (rule.id, place)).collect()
});

/// All rules, in the order of the tables.
pub fn rules() -> &'static [Rule] {
    &RULES
}

/// The rule with this id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    rules().get(*BY_ID.get(id)?)
}

/// Parses a row; `None` if it has an unknown word, which a test excludes.
fn read(row: &'static str) -> Option<Rule> {
    let mut cells = row.split('\t');
    let mut next = || cells.next();
    Some(Rule {
        id: next()?,
        level: Level::parse(next()?)?,
        reference: match next()? {
            "-" => None,
            word => Some(Level::parse(word)?),
        },
        direction: Direction::parse(next()?)?,
        area: Area::parse(next()?)?,
        kind: Kind::parse(next()?)?,
        action: Action::parse(next()?)?,
        summary: next()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_distinct_rule() {
        let rows = TABLES
            .iter()
            .map(|table| table.lines().count())
            .sum::<usize>();
        assert_eq!(rules().len(), rows, "a row has an unknown word");
        assert_eq!(BY_ID.len(), rows, "an id occurs twice");
        for rule in rules() {
            let kebab = |c: char| c.is_ascii_lowercase() || c == '-';
            assert!(rule.id.chars().all(kebab), "{}", rule.id);
            assert!(
                !rule.summary.is_empty() && !rule.summary.ends_with('.'),
                "{}",
                rule.id
            );
        }
    }
}
