//! Told: the status and the code with which a sentence says that something is refused: "is refused with `409` and the code
//! `order_closed`".

use crate::checks;
use crate::codes;
use crate::exchange::Exchange;
use crate::model::{Call, Model};
use crate::names;

use crate::answered::{self, status};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;

/// How a sentence says that something is refused; what it leaves open, or tells two of, is not held.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) status: Option<u16>,
    code: Option<String>,
}

impl Told {
    /// Reads what a sentence marks.
    pub(crate) fn read(model: &Model<'_>, sentence: &str) -> Self {
        let mut codes = marked(sentence).filter(|own| model.codes().is_known(own));
        let code = codes.next().filter(|_| codes.next().is_none());
        let code = code.filter(|own| !is_one_of_several(sentence, own));
        Self {
            status: status_in(sentence).or_else(|| plain_status(sentence)),
            code: code.map(str::to_owned),
        }
    }

    /// Holds a refusal against it, and against the documented one of its status.
    pub(crate) fn judge<'d>(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        call: &Call<'d>,
        refusal: &Exchange,
        draft: &mut Draft,
    ) {
        // Who asks, and how often, is refused before what is asked for is looked at.
        let is_of_request = |own: &u16| matches!(own, 400 | 402 | 403 | 409 | 422 | 429);
        let Some(own) = status(refusal).filter(is_of_request) else {
            return;
        };
        let due = self.status.filter(|due| call.response(*due).is_some());
        if let Some(due) = due.filter(|due| *due != own) {
            let expected = format!("status {due}, as is said");
            let claim = Claim::new(
                &checks::STATUS_CODE,
                Ground::Text,
                expected,
                answered::told(refusal),
            );
            scene.differ(draft, call, claim, refusal);
            return;
        }
        let body = refusal.outcome.as_ref().ok().and_then(|own| own.json());
        if let (Some(due), Some(code)) = (&self.code, body.and_then(codes::code_of))
            && code != due
        {
            let expected = format!("the code {due:?}, as is said");
            let claim = Claim::new(
                &checks::FINAL_VALUE,
                Ground::Text,
                expected,
                format!("{code:?}"),
            );
            scene.differ(draft, call, claim, refusal);
        }
        scene.judge_seen(draft, call, refusal, |_| true);
    }
}

/// The only status of a refusal that a sentence marks.
pub(crate) fn status_in(sentence: &str) -> Option<u16> {
    let codes = marked(sentence).filter_map(|own| own.parse().ok());
    let mut codes = codes.filter(|own| (400..500).contains(own));
    codes.next().filter(|_| codes.next().is_none())
}

/// The only status of a refusal that a sentence tells without marks: `otherwise 422`, `(409)`.
fn plain_status(sentence: &str) -> Option<u16> {
    const BEFORE: [&str; 9] = [
        "with",
        "gives",
        "give",
        "otherwise",
        "is",
        "answered",
        "status",
        "returns",
        "a",
    ];
    let edges = |own: char| !own.is_alphanumeric();
    let mut before = "";
    let mut found = Vec::new();
    for token in sentence.split_whitespace() {
        let own = token.trim_matches(edges);
        let is_aside = token.starts_with('(') || token.contains(')');
        let is_told = is_aside || BEFORE.contains(&before.to_lowercase().as_str());
        let status = own
            .parse::<u16>()
            .ok()
            .filter(|own| (400..500).contains(own));
        found.extend(status.map(|own| (own, is_told)));
        before = own;
    }
    match found[..] {
        [(own, true)] => Some(own),
        _ => None,
    }
}

/// Whether what a sentence writes as code stands in a list of such: which of them is meant is open.
fn is_one_of_several(sentence: &str, code: &str) -> bool {
    const BETWEEN: [&str; 6] = [",", "or", "and", ", or", ", and", "/"];
    let parts: Vec<&str> = sentence.split('`').collect();
    let is_listed = |at: usize, other: usize| {
        let between = parts
            .get(at)
            .is_some_and(|own| BETWEEN.contains(&own.trim()));
        let is_number = |own: &&str| own.parse::<u16>().is_ok();
        between
            && parts
                .get(other)
                .is_some_and(|own| !own.is_empty() && !is_number(own))
    };
    let mut places = (1..parts.len()).step_by(2).filter(|at| parts[*at] == code);
    places.any(|at| is_listed(at + 1, at + 2) || (at > 1 && is_listed(at - 1, at - 2)))
}

/// What a sentence writes as code.
fn marked(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split('`').skip(1).step_by(2)
}

/// Whether a sentence says what becomes of what the one before it does not allow: otherwise `422`.
pub(crate) fn is_otherwise(sentence: &str) -> bool {
    let words = names::words(&sentence.to_lowercase());
    let first = words.first().map(String::as_str);
    matches!(first, Some("otherwise" | "else"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_that_sentences_tell() {
        for (sentence, expected) in [
            ("the answer is `402` with the code `declined`", Some(402)),
            ("`402` or `403`", None),
            ("409 as a number", None),
            ("answered with `200`", None),
        ] {
            assert_eq!(status_in(sentence), expected, "{sentence}");
        }
        for (sentence, expected) in [
            (
                "The currency must be that of the store, otherwise 422.",
                Some(422),
            ),
            ("A larger amount is refused (422).", Some(422)),
            ("It gives 409, but 422 where it is too large", None),
            ("At most 409 of them", None),
            ("answered with 200", None),
        ] {
            assert_eq!(plain_status(sentence), expected, "{sentence}");
        }
        let several = "must exist and be active (422 `unknown_seller`, `seller_suspended`)";
        assert!(is_one_of_several(several, "seller_suspended"));
        let only = "with `422` and the code `seller_suspended`";
        assert!(!is_one_of_several(only, "seller_suspended"));
        assert!(is_otherwise(" otherwise `422`") && !is_otherwise("In other cases"));
    }
}
