//! Stated: what the text of a refusal says of a step. Pure.

use openapi_document::Node;

use crate::names;
use crate::prose;

/// The words of a sentence, where whatever says that something cannot be says `cannot`.
pub(super) fn words(text: &str) -> Vec<String> {
    const CANNOT: [&str; 7] = [
        "can no longer",
        "may no longer",
        "can not",
        "can t",
        "may not",
        "must not",
        "can never",
    ];
    let joined = format!(" {} ", names::words(&text.to_lowercase()).join(" "));
    let joined = CANNOT.iter().fold(joined, |text, own| {
        text.replace(&format!(" {own} "), " cannot ")
    });
    joined.split_whitespace().map(str::to_owned).collect()
}

/// Whether a text says that something is done once and not again, and that this is what a verb asks for.
pub(crate) fn says_once(text: &str, verb: &str) -> bool {
    const ONCE: [&str; 6] = [
        "only once",
        "once only",
        "at most once",
        "no more than once",
        "cannot be done twice",
        "not a second time",
    ];
    // A request that is sent again with its key is another matter.
    const OTHER: [&str; 12] = [
        "key",
        "idempotent",
        "idempotency",
        "request",
        "requests",
        "same",
        "however",
        "often",
        "repeated",
        "retry",
        "retries",
        "retried",
    ];
    let words = words(text);
    let joined = words.join(" ");
    let is_it = |own: &String| own == verb || names::is_done(own, verb);
    let is_barred = |own: &[String]| match own {
        [cannot, be, done, more] => {
            let is_more = matches!(more.as_str(), "again" | "twice");
            cannot == "cannot" && be == "be" && names::is_done(done, verb) && is_more
        }
        _ => false,
    };
    let is_other = words.iter().any(|own| OTHER.contains(&own.as_str()));
    let is_once = ONCE.iter().any(|own| joined.contains(own)) && words.iter().any(is_it);
    (is_once || words.windows(4).any(is_barred)) && !is_other
}

/// Every text of a refusal: its description, and the texts of its examples.
pub(crate) fn texts(node: &Node, found: &mut Vec<String>) {
    if let Some(text) = node.as_str() {
        let sentences = prose::sentences(text).into_iter();
        found.extend(sentences.map(str::to_owned));
    }
    for entry in node
        .entries()
        .filter(|own| own.key != "schema" && own.key != "headers")
    {
        texts(&entry.value, found);
    }
    for item in node.items() {
        texts(item, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_once() {
        for (text, verb, expected) in [
            ("A transfer is settled only once", "settle", true),
            (
                "It is settled only once, however often that is asked",
                "settle",
                false,
            ),
            ("Settles it, at most once", "settle", false),
            (
                "A settled transfer can not be settled again",
                "settle",
                true,
            ),
            ("A rejected transfer cannot be tried again", "settle", false),
            ("The secret is shown only once", "settle", false),
            ("With the same key it is settled only once", "settle", false),
        ] {
            assert_eq!(says_once(text, verb), expected, "{text}");
        }
    }
}
