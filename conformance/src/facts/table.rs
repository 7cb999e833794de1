//! Prints the facts as a table: id, evidence, the rule in words, and its source.

use std::fmt::Write as _;

use openapi_facts::{Rule, Ruling};

use super::Reading;

/// The facts of one kind, or of all, as text.
pub fn table(reading: &Reading, kind: Option<&str>) -> String {
    let mut text = String::new();
    for name in Rule::KINDS {
        let wanted = kind.is_none_or(|kind| kind == name);
        let facts = reading.facts.list.iter();
        let facts: Vec<_> = facts
            .filter(|fact| wanted && fact.rule.kind() == name)
            .collect();
        if facts.is_empty() {
            continue;
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name}");
        for fact in facts {
            let entry = reading
                .facts
                .entries
                .iter()
                .find(|entry| entry.id == fact.id);
            let mark = match entry.map(|entry| entry.ruling) {
                Some(Ruling::Draft) => " (draft)",
                Some(Ruling::Accepted | Ruling::Rejected) | None => "",
            };
            let _ = writeln!(
                text,
                "  {}{mark}\n    {}: {}",
                fact.id,
                fact.evidence(),
                fact.rule
            );
            for source in fact
                .because
                .iter()
                .filter_map(|source| reading.because(source))
            {
                let _ = writeln!(text, "    {}: {}", source.spot, source.words);
            }
        }
    }
    for note in &reading.facts.notes {
        let _ = writeln!(text, "note: {note}");
    }
    let (all, rejected) = (reading.facts.list.len(), reading.facts.rejected.len());
    let _ = writeln!(text, "{all} facts, {rejected} rejected");
    text
}
