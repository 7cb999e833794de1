//! Scalars: compares types, formats, patterns, multiples and lengths.

use super::fact::Words;
use super::flat::{Count, Flat, SIZES, Size, Word, count};
use super::pair::Comparing;
use super::types::Types;
use openapi_document::node::Node;

/// Compares types and formats. Returns whether further keywords are worth comparing.
pub(super) fn compare_types(pair: &mut Comparing<'_, '_>) -> bool {
    let (base, revision) = (pair.base.types, pair.revision.types);
    let declared = (pair.base.declared, pair.revision.declared);
    let nodes = (pair.base.type_at, pair.revision.type_at);
    let (old, new) = (base.without(Types::NULL), revision.without(Types::NULL));
    let common = base.and(revision);
    if base == revision {
        compare_formats(pair);
        return true;
    }
    let any = base == Types::ANY || revision == Types::ANY;
    // If listed values change the types, the rules on values report it.
    let by_values = declared.0 == declared.1 && !common.is_empty();
    if (old == new || by_values) && base.has(Types::NULL) != revision.has(Types::NULL) && !any {
        let (word, phrase) = if pair.revision.nullable() {
            ("became-nullable", "may be null")
        } else {
            ("became-not-nullable", "is no longer null")
        };
        let nulls = (
            pair.base.null_at.or(nodes.0),
            pair.revision.null_at.or(nodes.1),
        );
        pair.fact(
            Words::One(word),
            nulls,
            format!("{base} → {revision}"),
            phrase,
        );
    }
    if old == new && !any {
        compare_formats(pair);
    } else if !by_values {
        let word = match (new.covers(old), old.covers(new)) {
            (true, _) => "type-generalized",
            (_, true) => "type-specialized",
            _ => "type-changed",
        };
        compare_described(pair, word, nodes);
    }
    !common.is_empty()
}

fn compare_described<'d>(
    pair: &mut Comparing<'_, 'd>,
    word: &'static str,
    nodes: (Option<&'d Node>, Option<&'d Node>),
) {
    let (from, to) = (described(&pair.base), described(&pair.revision));
    let words = Words::Type {
        word,
        base: pair.base.types,
        revision: pair.revision.types,
    };
    pair.fact(
        words,
        nodes,
        format!("{from} → {to}"),
        format!("was {from} and is {to}"),
    );
}

fn compare_formats(pair: &mut Comparing<'_, '_>) {
    let (base, revision) = (
        std::rc::Rc::clone(&pair.base),
        std::rc::Rc::clone(&pair.revision),
    );
    let missing = |from: &Flat<'_>, word: &Word<'_>| !from.formats.contains(word);
    let removed: Vec<_> = base
        .formats
        .iter()
        .filter(|word| missing(&revision, word))
        .collect();
    let added: Vec<_> = revision
        .formats
        .iter()
        .filter(|word| missing(&base, word))
        .collect();
    let word = match (removed.as_slice(), added.as_slice()) {
        ([], []) => return,
        ([], _) => "type-specialized",
        (_, []) => "type-generalized",
        ([from], [to]) if widens(from.text, to.text) => "type-generalized",
        ([from], [to]) if widens(to.text, from.text) => "type-specialized",
        _ => "type-changed",
    };
    let nodes = (format_node(&pair.base), format_node(&pair.revision));
    compare_described(pair, word, nodes);
}

fn format_node<'d>(flat: &Flat<'d>) -> Option<&'d Node> {
    flat.formats
        .first()
        .map(|word| word.node.0)
        .or(flat.type_at)
}

/// Whether each value of one format is also a value of the other.
fn widens(from: &str, to: &str) -> bool {
    matches!((from, to), ("int32", "int64") | ("float", "double"))
}

/// The type for people: `string(uuid)`.
fn described(flat: &Flat<'_>) -> String {
    let formats: Vec<_> = flat.formats.iter().map(|word| word.text).collect();
    if formats.is_empty() {
        flat.types.to_string()
    } else {
        format!(
            "{}({})",
            flat.types.without(Types::NULL),
            formats.join(", ")
        )
    }
}

/// Compares the limits on scalars and arrays.
pub(super) fn compare(pair: &mut Comparing<'_, '_>) {
    let common = pair.base.types.and(pair.revision.types);
    let listed = pair.base.values.is_some() || pair.revision.values.is_some();
    for (index, count) in SIZES.iter().enumerate() {
        let (old, new) = (
            pair.base.sizes[index].clone(),
            pair.revision.sizes[index].clone(),
        );
        let of_text = count.of == Types::STRING;
        if common.has(count.of) && !(of_text && listed) {
            compare_size(pair, count, old.as_ref(), new.as_ref());
        }
    }
    if !listed && common.has(Types::STRING) {
        compare_patterns(pair);
    }
    if !listed && common.has(Types::NUMBER) {
        compare_multiples(pair);
    }
    if common.has(Types::ARRAY) {
        let nodes = (pair.base.unique, pair.revision.unique);
        match nodes {
            (None, Some(_)) => {
                pair.fact(
                    Words::One("unique-items-set"),
                    nodes,
                    "",
                    "has items that must be unique",
                );
            }
            (Some(_), None) => {
                let phrase = "has items that no longer have to be unique";
                pair.fact(Words::One("unique-items-unset"), nodes, "", phrase);
            }
            _ => {}
        }
        let (old, new) = (pair.base.items.clone(), pair.revision.items.clone());
        if !(old.is_empty() && new.is_empty()) {
            pair.edge(super::fact::Step::Items, &old, &new);
        }
    }
}

/// The minimum number of items for `contains`.
pub(super) const MIN_CONTAINS: Count = count(
    "minContains",
    "min-contains",
    "minimum number of items that match `contains`",
    true,
    Types::ARRAY,
);

/// The maximum number of items for `contains`.
pub(super) const MAX_CONTAINS: Count = count(
    "maxContains",
    "max-contains",
    "maximum number of items that match `contains`",
    false,
    Types::ARRAY,
);

/// Compares a limit on a count.
pub(super) fn compare_size<'d>(
    pair: &mut Comparing<'_, 'd>,
    count: &Count,
    old: Option<&Size<'d>>,
    new: Option<&Size<'d>>,
) {
    let nodes = (old.map(|size| size.node), new.map(|size| size.node));
    let (action, detail, phrase) = match (old, new) {
        (None, Some(new)) => (
            "set",
            format!("{}", new.size),
            format!("got a {} of {}", count.name, new.size),
        ),
        (Some(old), None) => (
            "unset",
            format!("{}", old.size),
            format!("lost its {} of {}", count.name, old.size),
        ),
        (Some(old), Some(new)) if old.size != new.size => {
            let up = new.size > old.size;
            let phrase = format!(
                "has a {} of {} instead of {}",
                count.name, new.size, old.size
            );
            let detail = format!("{} → {}", old.size, new.size);
            (if up { "increased" } else { "decreased" }, detail, phrase)
        }
        _ => return,
    };
    pair.fact(Words::Two(count.word, action), nodes, detail, phrase);
}

fn compare_patterns(pair: &mut Comparing<'_, '_>) {
    let (old, new) = (pair.base.patterns.clone(), pair.revision.patterns.clone());
    let removed: Vec<Word<'_>> = old
        .iter()
        .filter(|word| !new.contains(word))
        .copied()
        .collect();
    let added: Vec<Word<'_>> = new
        .iter()
        .filter(|word| !old.contains(word))
        .copied()
        .collect();
    if let ([from], [to]) = (removed.as_slice(), added.as_slice()) {
        let word = if accepts_more(from.text, to.text) {
            "pattern-generalized"
        } else {
            "pattern-changed"
        };
        let nodes = (Some(from.node.0), Some(to.node.0));
        let detail = format!("{} → {}", from.text, to.text);
        let phrase = format!("must match `{}` instead of `{}`", to.text, from.text);
        pair.fact(Words::One(word), nodes, detail, phrase);
        return;
    }
    for pattern in &added {
        let word = if old.is_empty() {
            "pattern-added"
        } else {
            "all-of-added"
        };
        let phrase = format!("must match `{}`", pattern.text);
        pair.fact(
            Words::One(word),
            (None, Some(pattern.node.0)),
            pattern.text,
            phrase,
        );
    }
    for pattern in &removed {
        let word = if new.is_empty() {
            "pattern-removed"
        } else {
            "all-of-removed"
        };
        let phrase = format!("no longer has to match `{}`", pattern.text);
        pair.fact(
            Words::One(word),
            (Some(pattern.node.0), None),
            pattern.text,
            phrase,
        );
    }
}

/// Whether a pattern certainly accepts all texts of another one, which must be a list of words.
fn accepts_more(from: &str, to: &str) -> bool {
    let inner = from
        .strip_prefix('^')
        .and_then(|rest| rest.strip_suffix('$'));
    let inner = inner.map(|inner| inner.trim_start_matches('(').trim_end_matches(')'));
    let plain = |word: &str| {
        word.chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '))
    };
    let Ok(regex) = regex::Regex::new(to) else {
        return false;
    };
    inner.is_some_and(|inner| {
        let grouped = !inner.contains('|') || from.starts_with("^(");
        grouped
            && inner
                .split('|')
                .all(|word| plain(word) && regex.is_match(word))
    })
}

fn compare_multiples(pair: &mut Comparing<'_, '_>) {
    let (old, new) = (pair.base.multiples.clone(), pair.revision.multiples.clone());
    let missing =
        |from: &[Size<'_>], size: &Size<'_>| !from.iter().any(|other| other.size == size.size);
    let removed: Vec<_> = old.iter().filter(|size| missing(&new, size)).collect();
    let added: Vec<_> = new.iter().filter(|size| missing(&old, size)).collect();
    let (word, nodes, detail) = match (removed.as_slice(), added.as_slice()) {
        ([], []) => return,
        ([from, ..], [to, ..]) => {
            let word = if from.size.is_multiple_of(&to.size) == Some(true) {
                "multiple-of-generalized"
            } else if to.size.is_multiple_of(&from.size) == Some(true) {
                "multiple-of-specialized"
            } else {
                "multiple-of-changed"
            };
            let detail = format!("{} → {}", from.size, to.size);
            (word, (Some(from.node), Some(to.node)), detail)
        }
        ([], [to, ..]) => (
            "multiple-of-set",
            (None, Some(to.node)),
            to.size.to_string(),
        ),
        ([from, ..], []) => (
            "multiple-of-unset",
            (Some(from.node), None),
            from.size.to_string(),
        ),
    };
    let phrase = match word {
        "multiple-of-set" => format!("must be a multiple of {detail}"),
        "multiple-of-unset" => format!("no longer has to be a multiple of {detail}"),
        _ => format!("must be a multiple of something else: {detail}"),
    };
    pair.fact(Words::One(word), nodes, detail, phrase);
}
