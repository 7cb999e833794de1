//! Keys the specification does not have, which readers drop without a word.

use super::{Context, Rule};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::grammar::{Kind, is_reference};

pub(super) const RULE: Rule = Rule {
    id: "unknown-key",
    summary: "Each key is one the specification gives, or begins with `x-`",
    check,
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let is_30 = context
        .document
        .version()
        .is_some_and(|version| version.starts_with("3.0"));
    context.walk(&mut |node, kind, _| {
        if is_reference(node, kind) {
            return;
        }
        for entry in node.entries() {
            let key = entry.key.as_str();
            let later = is_30 && kind.since_31(key);
            if kind.shape(key).is_some() && !later {
                continue;
            }
            let diagnostic = if !is_30 && kind == Kind::Schema {
                Diagnostic::warning(RULE.id, format!("`{key}` is no keyword of JSON Schema"))
            } else {
                RULE.error(format!("`{key}` is no key of {}", article(kind)))
            };
            let diagnostic = diagnostic.at(entry.key_span, "nothing reads this");
            diagnostics.push(diagnostic.help(help(kind, key, later)));
        }
    });
}

fn help(kind: Kind, key: &str, later: bool) -> String {
    if later {
        return format!("`{key}` came with OpenAPI 3.1, and this document says 3.0");
    }
    match nearest(key, kind.field_names()) {
        Some(name) => format!("did you mean `{name}`?"),
        _ if kind == Kind::Responses => "a response's key is a status such as '200'".to_owned(),
        _ if kind == Kind::Paths => "a path begins with a slash".to_owned(),
        _ => format!("remove it, or call it `x-{key}`"),
    }
}

/// The name a mistyped key may have meant.
pub(crate) fn nearest<'n>(key: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let near = names.map(|name| (distance(key, name), name)).min();
    near.filter(|(distance, _)| *distance <= 2)
        .map(|(_, name)| name)
}

fn article(kind: Kind) -> String {
    match kind {
        Kind::Document => "the document".to_owned(),
        Kind::Paths | Kind::Responses | Kind::Components => {
            format!("`{}`", format!("{kind:?}").to_lowercase())
        }
        _ => format!("the {kind:?} object"),
    }
}

/// How many letters have to be added, removed or changed; case does not count.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, from) in from.to_lowercase().chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, to) in to.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}
