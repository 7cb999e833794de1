//! Explain: describes rules for readers of a report.

use std::fmt::Write as _;

use crate::catalogue::{self, Family, Rule};
use crate::levels;

/// A list of all rules, one per line.
pub fn index() -> String {
    let mut text = String::new();
    let mut family = None;
    for rule in catalogue::all() {
        if family.replace(rule.family) != Some(rule.family) {
            let lead = if text.is_empty() { "" } else { "\n" };
            // Writing to a string does not fail, here and below.
            let _ = writeln!(text, "{lead}{}", title(rule.family));
        }
        let _ = writeln!(text, "  {:<52} {:<8} {}", rule.id, rule.level, rule.summary);
    }
    text
}

fn title(family: Family) -> &'static str {
    match family {
        Family::Read => "Reading a document",
        Family::Lint => "contract lint",
        Family::Diff => "contract diff",
        Family::Gate => "The gate",
        Family::Generate => "contract generate",
    }
}

/// The page about a rule; `None` if there is no such rule.
pub fn explain(id: &str) -> Option<String> {
    let rules = catalogue::find(id);
    if rules.is_empty() {
        return None;
    }
    let pages: Vec<String> = rules.iter().map(page).collect();
    Some(pages.join("\n---\n\n"))
}

/// The error text for an unknown rule, with a suggestion.
pub fn unknown(id: &str) -> String {
    let near = levels::suggestion(id, &catalogue::all());
    let near = near.unwrap_or_else(|| "`contract explain` lists them".to_owned());
    format!("there is no rule `{id}`: {near}")
}

fn page(rule: &Rule) -> String {
    let mut text = match openapi_lint::Rule::find(rule.id).filter(|_| rule.family == Family::Lint) {
        Some(lint_rule) => lint_rule.explain(),
        None => format!("# {}\n\n{}.\n", rule.id, sentence(rule.summary)),
    };
    let _ = writeln!(text, "\n{}; level {}.", title(rule.family), rule.level);
    if let Some(axes) = rule.axes {
        let _ = writeln!(
            text,
            "Axes: direction={} area={} kind={} action={}.",
            axes.direction, axes.area, axes.kind, axes.action
        );
    }
    if matches!(rule.family, Family::Generate) {
        text.push_str("The generator reports it; it does not affect the gate.\n");
    } else {
        let _ = writeln!(
            text,
            "\nAnother level, in contract.toml:\n\n    [levels]\n    {} = \"off\"   # info, warning, error\n\n\
             To accept a finding until a date: `--accept 'REASON'`.",
            rule.id
        );
    }
    text
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), chars.as_str())
}
