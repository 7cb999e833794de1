//! Annotations: compares defaults, flags and lifecycles of schemas.

use std::rc::Rc;

use super::fact::Words;
use super::flat::Flat;
use super::pair::Comparing;
use openapi_document::node::Node;

/// Compares the keywords that do not decide whether a value is valid.
pub(super) fn compare(pair: &mut Comparing<'_, '_>) {
    let (base, revision) = (Rc::clone(&pair.base), Rc::clone(&pair.revision));
    compare_default(pair);
    let flags = [
        (Words::ReadOnly, base.read_only, revision.read_only),
        (Words::WriteOnly, base.write_only, revision.write_only),
        (
            Words::One("sensitivity-changed"),
            base.sensitive,
            revision.sensitive,
        ),
    ];
    for (word, old, new) in flags {
        if old.is_some() != new.is_some() {
            let detail = format!("{} → {}", old.is_some(), new.is_some());
            let phrase = if new.is_some() {
                "is marked as secret"
            } else {
                "is no longer marked as secret"
            };
            pair.fact(word, (old, new), detail, phrase);
        }
    }
    let text = |node: Option<&Node>| node.map(super::canonical::text);
    let lifecycle = |flat: &Flat<'_>| {
        (
            flat.deprecated.is_some(),
            text(flat.sunset),
            text(flat.stability),
        )
    };
    if lifecycle(&base) != lifecycle(&revision) {
        pair.fact(
            Words::Lifecycle,
            (base.deprecated, revision.deprecated),
            "",
            "",
        );
    }
    compare_descriptions(pair, &base, &revision);
}

fn compare_descriptions<'d>(pair: &mut Comparing<'_, 'd>, base: &Flat<'d>, revision: &Flat<'d>) {
    let (old, new) = (&base.descriptions, &revision.descriptions);
    if new.len() > old.len() {
        let nodes = (None, new.last().copied());
        let word = Words::One("all-of-added-annotation-only");
        pair.fact(
            word,
            nodes,
            "",
            "got a part of `allOf` that has only descriptions",
        );
    } else if old.len() > new.len() {
        let nodes = (old.last().copied(), None);
        let word = Words::One("all-of-removed-annotation-only");
        pair.fact(
            word,
            nodes,
            "",
            "lost a part of `allOf` that has only descriptions",
        );
    }
}

fn compare_default(pair: &mut Comparing<'_, '_>) {
    let nodes = (pair.base.default, pair.revision.default);
    let text = |node: Option<&Node>| node.map(super::canonical::text);
    let (word, detail, phrase) = match (text(nodes.0), text(nodes.1)) {
        (None, Some(new)) => (
            "default-value-added",
            new.clone(),
            format!("got the default {new}"),
        ),
        (Some(old), None) => (
            "default-value-removed",
            old.clone(),
            format!("lost its default {old}"),
        ),
        (Some(old), Some(new)) if old != new => {
            let phrase = format!("has the default {new} instead of {old}");
            ("default-value-changed", format!("{old} → {new}"), phrase)
        }
        _ => return,
    };
    pair.fact(Words::One(word), nodes, detail, phrase);
}
