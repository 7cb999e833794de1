//! All rules, read once from the tables beside this file.
//!
//! A row: id, level, level in oasdiff (`-` for a rule that only we have), direction, area, kind,
//! action, summary; separated by tabs.

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

/// The rule of a name.
pub fn rule(id: &str) -> Option<&'static Rule> {
    rules().get(*BY_ID.get(id)?)
}

/// A row; nothing where a word of it is not known, which a test rules out.
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
    fn every_row_is_a_rule_of_its_own() {
        let rows = TABLES
            .iter()
            .map(|table| table.lines().count())
            .sum::<usize>();
        assert_eq!(rules().len(), rows, "a row has a word that is not known");
        assert_eq!(BY_ID.len(), rows, "an id stands twice");
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
