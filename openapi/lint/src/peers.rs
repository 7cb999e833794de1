//! Peers: the rules of other linters and their counterparts here, as data. Each line of
//! `peers/*.tsv` has a rule of the other linter, our rules that find the same, and a remark.

/// A rule of another linter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// The id in the other linter.
    pub rule: &'static str,
    /// Our rules that find the same.
    pub ours: Vec<&'static str>,
    /// Why there is no counterpart, or how they differ.
    pub remark: &'static str,
}

/// The other linters, each with its file.
const FILES: [(&str, &str); 3] = [
    ("Spectral", include_str!("peers/spectral.tsv")),
    ("Redocly", include_str!("peers/redocly.tsv")),
    ("vacuum", include_str!("peers/vacuum.tsv")),
];

/// The rules of each other linter, in its order.
pub fn peers() -> Vec<(&'static str, Vec<Peer>)> {
    FILES
        .iter()
        .map(|(name, text)| (*name, text.lines().map(read).collect()))
        .collect()
}

fn read(line: &'static str) -> Peer {
    let mut fields = line.split('\t');
    Peer {
        rule: fields.next().unwrap_or_default(),
        ours: fields
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect(),
        remark: fields.next().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Level, Rule};

    #[test]
    fn each_rule_of_another_linter_has_a_counterpart_or_a_reason() {
        for (linter, rules) in peers() {
            let mut names = HashSet::new();
            for Peer { rule, ours, remark } in rules {
                assert!(names.insert(rule), "{linter} has {rule} twice");
                assert!(!ours.is_empty() || !remark.is_empty(), "{rule}");
                let found: Vec<_> = ours.iter().map(|id| (id, Rule::find(id))).collect();
                for (id, known) in &found {
                    assert!(known.is_some(), "{linter}: there is no rule {id}");
                }
                let mut known = found.iter().filter_map(|(_, rule)| *rule);
                let is_on = known.any(|rule| rule.default != Level::Off);
                assert!(
                    is_on || !remark.is_empty(),
                    "{linter}: {rule} is off without a remark"
                );
            }
        }
    }
}
