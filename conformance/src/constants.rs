//! Constants: the texts of a refusal that programs compare, `code` or the `type` of a problem.

use std::collections::BTreeMap;

use openapi_document::{Node, Pointer};

use crate::names;

/// The constants of a refusal, by their pointers.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Constants(BTreeMap<String, String>);

impl Constants {
    /// Those of a body.
    pub(crate) fn of(body: &Node) -> Self {
        let all = constants(body).into_iter();
        let texts = all.filter_map(|at| {
            let text = body.at(&at)?.as_str()?.to_owned();
            Some((at.to_string(), text))
        });
        Self(texts.collect())
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all of the other ones are among them.
    pub(crate) fn have(&self, other: &Self) -> bool {
        other
            .0
            .iter()
            .all(|(at, text)| self.0.get(at) == Some(text))
    }

    /// In words: `"not_found"`.
    pub(crate) fn told(&self) -> String {
        let texts: Vec<String> = self.0.values().map(|own| format!("{own:?}")).collect();
        texts.join(", ")
    }
}

/// The places of constants in a refusal: of a code, of the type of a problem.
pub(crate) fn constants(shown: &Node) -> Vec<Pointer> {
    let is_constant = |own: &Node| {
        let text = own.as_str().unwrap_or_default();
        // A problem of no type of its own may be given one.
        let is_blank = text == "about:blank";
        let fits = |own: char| own.is_ascii_alphanumeric() || "_-./:#".contains(own);
        !is_blank
            && text.len() > 2
            && text.chars().all(fits)
            && text.bytes().any(|own| own.is_ascii_alphabetic())
    };
    let is_named = |name: &str| {
        let words = names::words(name);
        matches!(
            words.last().map(String::as_str),
            Some("code" | "type" | "error")
        )
    };
    let own = |at: &Pointer, node: &Node| {
        let all = node
            .entries()
            .filter(|own| is_named(&own.key) && is_constant(&own.value));
        all.map(|own| at.join(own.key.as_str())).collect::<Vec<_>>()
    };
    let mut found = own(&Pointer::root(), shown);
    for entry in shown
        .entries()
        .filter(|own| own.value.as_mapping().is_some())
    {
        found.extend(own(&Pointer::root().join(entry.key.as_str()), &entry.value));
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
        let of = |text: &str| Constants::of(&openapi_document::json::read_text(text).unwrap());
        let shown = of(r#"{"code":"exceeds_due","message":"More than is due"}"#);
        assert_eq!(shown.told(), r#""exceeds_due""#);
        for (answer, expected) in [
            (r#"{"code":"exceeds_due","type":"refused","hint":1}"#, true),
            (r#"{"code":"validation_failed"}"#, false),
            (r#"{"error":{"code":"exceeds_due"}}"#, false),
            ("[]", false),
        ] {
            assert_eq!(of(answer).have(&shown), expected, "{answer}");
            assert!(of(answer).have(&of(r#"{"message":"No code"}"#)));
        }
    }
}
