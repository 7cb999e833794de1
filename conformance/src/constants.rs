//! Constants: the texts of a refusal that programs compare, such as `code` or the `type` of a
//! problem.

use std::collections::BTreeMap;

use openapi_document::{Node, Pointer};

use crate::names;

/// The constants of a refusal, by their JSON pointers.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Constants(BTreeMap<String, String>);

impl Constants {
    /// The constants in a body.
    pub(crate) fn of(body: &Node) -> Self {
        let all = constants(body).into_iter();
        let texts = all.filter_map(|at| {
            let text = body.at(&at)?.as_str()?.to_owned();
            Some((at.to_string(), text))
        });
        Self(texts.collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether these constants include all of `other`.
    pub(crate) fn have(&self, other: &Self) -> bool {
        other
            .0
            .iter()
            .all(|(at, text)| self.0.get(at) == Some(text))
    }

    /// The constants in words: `"not_found"`.
    pub(crate) fn in_words(&self) -> String {
        let texts: Vec<String> = self.0.values().map(|value| format!("{value:?}")).collect();
        texts.join(", ")
    }
}

/// The places of the constants in a refusal: of its code, of the type of a problem.
pub(crate) fn constants(shown: &Node) -> Vec<Pointer> {
    let is_constant = |node: &Node| {
        let text = node.as_str().unwrap_or_default();
        // A server may replace `about:blank` by a more specific type.
        let is_blank = text == "about:blank";
        let fits = |letter: char| letter.is_ascii_alphanumeric() || "_-./:#".contains(letter);
        !is_blank
            && text.len() > 2
            && text.chars().all(fits)
            && text.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    let is_named = |name: &str| {
        let words = names::words(name);
        matches!(
            words.last().map(String::as_str),
            Some("code" | "type" | "error")
        )
    };
    let constants_in = |at: &Pointer, node: &Node| {
        let all = node
            .entries()
            .filter(|entry| is_named(&entry.key) && is_constant(&entry.value));
        all.map(|value| at.join(value.key.as_str()))
            .collect::<Vec<_>>()
    };
    let mut found = constants_in(&Pointer::root(), shown);
    for entry in shown
        .entries()
        .filter(|entry| entry.value.as_mapping().is_some())
    {
        found.extend(constants_in(
            &Pointer::root().join(entry.key.as_str()),
            &entry.value,
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_names_and_no_spaces() {
        for (text, expected) in [
            (
                r#"{"code":"not_found","message":"Not there"}"#,
                vec!["/code"],
            ),
            (
                r#"{"error":{"code":"E1X","type":"a b"}}"#,
                vec!["/error/code"],
            ),
            (
                r#"{"type":"https://docs.example/errors/not-found","status":404}"#,
                vec!["/type"],
            ),
            (r#"{"error":"Not found"}"#, vec![]),
            (r#"{"type":"about:blank"}"#, vec![]),
        ] {
            let found = constants(&openapi_document::json::read_text(text).unwrap());
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn an_answer_has_the_constants_of_an_example() {
        let read = |text: &str| Constants::of(&openapi_document::json::read_text(text).unwrap());
        let shown = read(r#"{"code":"exceeds_due","message":"More than is due"}"#);
        assert_eq!(shown.in_words(), r#""exceeds_due""#);
        for (answer, expected) in [
            (r#"{"code":"exceeds_due","type":"refused","hint":1}"#, true),
            (r#"{"code":"validation_failed"}"#, false),
            (r#"{"error":{"code":"exceeds_due"}}"#, false),
            ("[]", false),
        ] {
            assert_eq!(read(answer).have(&shown), expected, "{answer}");
            assert!(read(answer).have(&read(r#"{"message":"No code"}"#)));
        }
    }
}
