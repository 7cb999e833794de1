//! Echoed values: recognises texts which say that the server returns a value unchanged. Pure.

use openapi_document::Node;
use openapi_document::view::Parameter;

use crate::names;
use crate::prose;

/// Whether the text of a header, or a sentence about it in the document's description, says that the server returns
/// its value.
pub(crate) fn is_echoed(parameter: &Parameter<'_>, overall: Option<&str>) -> bool {
    let sentences = parameter.at.node.get("description").and_then(Node::as_str);
    let sentences = sentences.into_iter().flat_map(prose::spoken);
    let words = names::words(parameter.name);
    let speaks =
        |name_words: &Vec<String>| name_words.windows(words.len()).any(|part| part == words);
    let overall = overall.into_iter().flat_map(prose::spoken);
    let mut all = sentences.chain(overall.filter(speaks));
    all.any(|sentence| says_back(&sentence))
}

/// Whether a sentence says that a value comes back unchanged.
pub(crate) fn says_back(sentence: &[String]) -> bool {
    const BACK: [&str; 5] = ["return", "returned", "returns", "repeated", "copied"];
    const SAME: [&str; 4] = ["unchanged", "verbatim", "unaltered", "unmodified"];
    const ECHO: [&str; 3] = ["echo", "echoed", "echoes"];
    const DOUBTFUL: [&str; 7] = [
        "not",
        "never",
        "only",
        "may",
        "success",
        "successful",
        "2xx",
    ];
    let has = |list: &[&str]| prose::has(sentence, list);
    let is_given_back = sentence
        .windows(2)
        .any(|part| matches!(part[0].as_str(), "given" | "sent" | "handed") && part[1] == "back");
    // `The answer repeats it`, `the response carries the same value`.
    let is_answered = sentence.windows(2).any(|part| {
        let repeats = match part[1].as_str() {
            "repeats" => true,
            "carries" | "has" => has(&["same"]),
            _ => false,
        };
        matches!(part[0].as_str(), "answer" | "response") && repeats
    });
    // `We send the same value back`
    let is_sent_back = has(&["back"]) && has(&["same"]) && has(&["send", "give", "hand"]);
    let is_given_back = is_given_back || is_sent_back;
    let is_back = has(&ECHO) || is_given_back || is_answered || (has(&BACK) && has(&SAME));
    is_back && !has(&DOUBTFUL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_about_echoed_values() {
        for (text, expected) in [
            ("Your identifier of the request, returned unchanged.", true),
            ("If you send an `X-Request-Id` we return it unchanged", true),
            ("Echoed in the response header of the same name", true),
            ("If it has one, it is given back", true),
            (
                "If the request has an `X-Request-Id`, the answer repeats it",
                true,
            ),
            ("The response carries the same value", true),
            (
                "If your request has an `X-Request-Id` header, we send the same value back",
                true,
            ),
            ("The answer has its own", false),
            (
                "`request_id` repeats the `Request-Id` header of the answer",
                false,
            ),
            ("It is not echoed.", false),
            ("Echoed on success only", false),
            ("Returned in the answer", false),
            ("It is sent unchanged to the bank", false),
        ] {
            let found = prose::spoken(text)
                .iter()
                .any(|sentence| says_back(sentence));
            assert_eq!(found, expected, "{text}");
        }
    }
}
