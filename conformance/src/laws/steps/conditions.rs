//! Conditions: the sentences of a text, each of a list with what is said before the list. Pure.

use crate::model::{names, prose};

/// The sentences of a text; what is listed after one that says with which status a request is refused is refused so, too: "refused
/// with `409` 1. when the link is closed; 2. when it is empty".
pub(super) fn conditions(text: &str) -> Vec<String> {
    let mut lead = None;
    let read = |sentence: &str| {
        let item = sentence
            .trim()
            .trim_start_matches(|own: char| own.is_ascii_digit());
        let item = item.trim_start_matches(['.', ')', '-', '*', ' ']);
        let is_condition = ["when ", "if "].iter().any(|own| item.starts_with(own));
        match &lead {
            Some(lead) if is_condition => format!("{lead} {item}"),
            _ => {
                let words = names::words(&sentence.to_lowercase());
                let is_refusal = prose::has(&words, &["refused", "rejected", "answered"]);
                let is_lead = is_refusal && prose::has(&words, &["409"]);
                lead = is_lead.then(|| sentence.trim().to_owned());
                sentence.to_owned()
            }
        }
    };
    prose::sentences(text).into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_after_a_refusal() {
        let text = "Changes it.\n\nThe request is refused with `409`\n\n1. when the link is closed;\n2. when it has a payment.\n\nElse it is changed.";
        let refused = "The request is refused with `409`";
        let expected = [
            "Changes it".to_owned(),
            refused.to_owned(),
            format!("{refused} when the link is closed"),
            format!("{refused} when it has a payment"),
        ];
        let found = conditions(text);
        assert_eq!(found[..4], expected);
        assert_eq!(found.len(), 5);
    }
}
