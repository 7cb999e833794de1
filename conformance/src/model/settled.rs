//! Settled: the state that a text says a record comes to when nothing is left of one of its amounts: `When amount_due
//! reaches zero the invoice becomes paid; until then it stays open`.

use std::sync::OnceLock;

use openapi_document::Node;

use super::{Call, Record};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use openapi_document::view::Document;

/// What becomes of a kind of record when an amount is spent.
#[derive(Debug)]
pub(crate) struct Settled<'d> {
    /// The kind.
    pub(crate) kind: Record<'d>,
    /// The amount.
    pub(crate) amount: &'d str,
    /// The property of its state.
    pub(crate) property: &'d str,
    /// The state that it comes to.
    pub(crate) state: &'d str,
    /// The one that it is in until then, where that is said.
    pub(crate) before: Option<&'d str>,
}

/// All of them, looked for when they are asked for.
#[derive(Debug, Default)]
pub(super) struct AllSettled<'d>(OnceLock<Vec<Settled<'d>>>);

impl<'d> AllSettled<'d> {
    pub(super) fn of(&self, document: &'d Document, calls: &[Call<'d>]) -> &[Settled<'d>] {
        self.0.get_or_init(|| {
            let mut found: Vec<Settled<'d>> = Vec::new();
            let kinds: Vec<&Record<'d>> = calls.iter().filter_map(Call::record).collect();
            for text in calls.iter().flat_map(Call::texts) {
                if !prose::spoken(text).iter().any(|own| says(own)) {
                    continue;
                }
                for kind in &kinds {
                    let is_known = found.iter().any(|own| own.kind.is(kind));
                    let own = || read(document, text, kind);
                    if let Some(own) = (!is_known).then(own).flatten() {
                        found.push(own);
                    }
                }
            }
            found
        })
    }
}

/// Whether a sentence says that something happens when an amount comes to nothing.
fn says(words: &[String]) -> bool {
    let first = words.first().map(String::as_str);
    let is_when = matches!(first, Some("when" | "once" | "as"));
    is_when && prose::has(words, &["zero", "0", "nothing"])
}

fn read<'d>(document: &'d Document, text: &str, kind: &Record<'d>) -> Option<Settled<'d>> {
    let shape = Shape::of(document, Some(&kind.schema));
    let listed = shape.property_names();
    let property = names::own_state(listed.iter().copied())?;
    let states = shape.property(document, property).known_values();
    let noun = kind.name.rsplit(' ').next().unwrap_or_default();
    let sentences = prose::spoken(text);
    sentences.iter().enumerate().find_map(|(index, words)| {
        let rest = sentences.get(index + 1);
        let (amount, state) = comes_to(words, noun, &listed, &states)?;
        let all = words.iter().chain(rest.into_iter().flatten());
        let all: Vec<String> = all.cloned().collect();
        Some(Settled {
            kind: kind.clone(),
            amount,
            property,
            state,
            before: until_then(&all, &states).filter(|own| *own != state),
        })
    })
}

/// The amount and the state of a sentence: `when amount_due reaches zero the invoice becomes paid`.
fn comes_to<'d>(
    words: &[String],
    noun: &str,
    listed: &[&'d str],
    states: &[&'d str],
) -> Option<(&'d str, &'d str)> {
    const REACHES: [&str; 7] = ["reaches", "reach", "is", "becomes", "hits", "to", "at"];
    const DOUBTFUL: [&str; 7] = ["not", "may", "can", "unless", "or", "if", "later"];
    if !says(words) {
        return None;
    }
    let zero = words
        .iter()
        .position(|own| matches!(own.as_str(), "zero" | "0" | "nothing"))?;
    let is_reached = zero
        .checked_sub(1)
        .is_some_and(|at| REACHES.contains(&words[at].as_str()));
    let (before, behind) = (&words[..zero], &words[zero + 1..]);
    let amount = listed.iter().copied().filter(|name| {
        let own = names::words(name);
        before.windows(own.len().max(1)).any(|part| part == own)
    });
    // The longest name is the one that is meant.
    let amount = amount.max_by_key(|own| names::words(own).len())?;
    let becomes = behind
        .iter()
        .position(|own| own == "becomes" || own == "turns")?;
    let is_it = |own: &String| names::singular(own) == noun || own == "it";
    let is_noun = behind[..becomes].iter().any(is_it);
    let state = behind.get(becomes + 1)?;
    let state = states
        .iter()
        .copied()
        .find(|own| own.eq_ignore_ascii_case(state))?;
    let is_plain = is_reached && is_noun && !prose::has(&words[..zero + 1 + becomes], &DOUBTFUL);
    is_plain.then_some((amount, state))
}

/// The state of `until then it stays open`.
fn until_then<'d>(words: &[String], states: &[&'d str]) -> Option<&'d str> {
    let at = words
        .windows(2)
        .position(|own| own[0] == "until" && own[1] == "then")?;
    let rest = &words[at + 2..];
    let stays = rest
        .iter()
        .position(|own| matches!(own.as_str(), "stays" | "remains" | "is"))?;
    let state = rest.get(stays + 1)?;
    states
        .iter()
        .copied()
        .find(|own| own.eq_ignore_ascii_case(state))
}

impl Settled<'_> {
    /// What is wrong with the state of a record: what it should be.
    pub(crate) fn due(
        &self,
        record: &Node,
        left: impl Fn(&Node) -> Option<bool>,
    ) -> Option<String> {
        let state = record.get(self.property)?.as_str()?;
        let is_left = left(record.get(self.amount)?)?;
        let before = self.before?;
        let others = record.entries().filter(|own| own.key != self.amount);
        // Where nothing was ever due, nothing was paid.
        let was_due = others.filter_map(|own| left(&own.value)).any(|own| own);
        let amount = self.amount;
        if !is_left && was_due && state == before {
            return Some(format!(
                "{:?}, as nothing is left of `{amount}`",
                self.state
            ));
        }
        (is_left && state == self.state)
            .then(|| format!("{before:?}, as something is left of `{amount}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_texts_say_of_amounts_that_come_to_nothing() {
        let listed = ["id", "amount_due", "due", "state"];
        let states = ["open", "paid", "void"];
        for (text, expected, before) in [
            (
                "When `amount_due` reaches zero the invoice becomes `paid`; until then it stays `open`.",
                Some(("amount_due", "paid")),
                Some("open"),
            ),
            (
                "Once the amount due is 0, the invoice becomes paid.",
                Some(("amount_due", "paid")),
                None,
            ),
            (
                "When `amount_due` reaches zero the order becomes `paid`.",
                None,
                None,
            ),
            (
                "When `amount_due` reaches zero the invoice may be void.",
                None,
                None,
            ),
            ("The invoice becomes `paid` when it is paid.", None, None),
        ] {
            let sentences = prose::spoken(text);
            let found = comes_to(&sentences[0], "invoice", &listed, &states);
            assert_eq!(found, expected, "{text}");
            let all: Vec<String> = sentences.concat();
            assert_eq!(until_then(&all, &states), before, "{text}");
        }
    }
}
