//! Scarcity: what the texts of an operation say of a supply: that there may be too little of it, that it is taken, and that
//! it is given back. Pure.

use crate::model::Call;
use crate::names;
use crate::prose;

/// Words of a refusal for want of something.
const WANTING: [&str; 8] = [
    "sufficient",
    "cover",
    "insufficient",
    "enough",
    "fewer",
    "available",
    "out",
    "sold",
];

/// Words of what there may be too little of.
const SUPPLIES: [&str; 10] = [
    "balance",
    "fund",
    "stock",
    "inventory",
    "item",
    "unit",
    "seat",
    "ticket",
    "capacity",
    "place",
];

/// Words beside which a sentence may say that it is not so, or not yet.
const DOUBTFUL: [&str; 9] = [
    "not", "never", "when", "until", "once", "after", "if", "unless", "cannot",
];

/// Words of what takes, or keeps, what is there.
pub(crate) const TAKING: [&str; 11] = [
    "reserve",
    "hold",
    "deduct",
    "decrease",
    "decrement",
    "reduce",
    "remove",
    "take",
    "book",
    "allocate",
    "subtract",
];

/// Words of what gives it back.
pub(crate) const BACK: [&str; 7] = [
    "release",
    "back",
    "restock",
    "restore",
    "free",
    "return",
    "replenish",
];

/// Whether an operation documents that it is refused for want of a supply.
pub(crate) fn wants(call: &Call<'_>) -> bool {
    let texts = [409, 422].into_iter();
    let texts = texts.filter_map(|code| call.text_of(code));
    let mut all = texts.flat_map(sentences);
    all.any(|own| {
        let is_more = has(&own, &["more"]) && has(&own, &["than"]);
        is_more || (has(&own, &WANTING) && has(&own, &SUPPLIES))
    })
}

/// Whether an operation speaks of a supply.
pub(crate) fn speaks(call: &Call<'_>) -> bool {
    told_of(call).iter().any(|own| has(own, &SUPPLIES))
}

/// Whether a sentence of an operation says what is done with a supply; where it stands under one, whatever is.
pub(crate) fn says(call: &Call<'_>, words: &[&str]) -> bool {
    let path = names::words(call.operation.path);
    let is_under = has(&path, &SUPPLIES);
    let all = told_of(call);
    all.iter().any(|own| {
        // `Returns the order` speaks of the answer.
        let answers = own.first().is_some_and(|own| own == "return") && !has(&path, &["return"]);
        let is_plain = !answers && !has(own, &DOUBTFUL);
        is_plain && has(own, words) && (is_under || has(own, &SUPPLIES))
    })
}

/// The verbs that an operation is said to be.
pub(crate) fn verbs(call: &Call<'_>) -> Vec<String> {
    let words = told_of(call).into_iter().flatten();
    words.filter(|own| TAKING.contains(&own.as_str())).collect()
}

/// The words of what is said of an operation.
fn told_of(call: &Call<'_>) -> Vec<Vec<String>> {
    call.texts().flat_map(sentences).collect()
}

/// The words of each sentence, nouns and verbs in their plain form.
fn sentences(text: &str) -> Vec<Vec<String>> {
    let plain = |own: Vec<String>| own.iter().map(|own| names::singular(own)).collect();
    prose::spoken(text).into_iter().map(plain).collect()
}

fn has(words: &[String], list: &[&str]) -> bool {
    words
        .iter()
        .any(|own| list.contains(&names::singular(own).as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_texts_say_of_a_supply() {
        let said = |text: &str, words: &[&str]| {
            sentences(text)
                .iter()
                .any(|own| has(own, &SUPPLIES) && has(own, words))
        };
        for (text, words, expected) in [
            ("Not enough stock is available", &WANTING[..], true),
            ("Reserves stock for every line.", &TAKING, true),
            ("Releases its reserved items.", &BACK, true),
            ("Takes a photo. It is kept in stock", &TAKING, false),
        ] {
            assert_eq!(said(text, words), expected, "{text}");
        }
    }
}
