//! Reply: the status and cause of a refusal, in short and without secrets.

use std::fmt;

use openapi_document::Node;
use openapi_document::json::read_text;
use serde::Serialize;

use crate::codes::code_of;
use crate::value;

/// The longest quotation of a body, in characters.
const QUOTED: usize = 300;

/// Properties that explain a refusal, the most informative first.
const TELLING: [&str; 10] = [
    "code",
    "title",
    "detail",
    "message",
    "error",
    "error_description",
    "reason",
    "errors",
    "violations",
    "invalidParams",
];

/// A refusal in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The cause in its body. Absent without a body, and when the body must not be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
    /// The code in its body.
    #[serde(skip)]
    code: Option<String>,
}

impl Reply {
    /// A refusal with a body that contains no secrets.
    pub fn new(status: u16, body: Option<&str>) -> Self {
        let json = body.and_then(|text| read_text(text).ok());
        let excerpt = body.map(|text| {
            let explanation = json.as_ref().and_then(explanation_in);
            value::excerpt_of(
                &explanation.unwrap_or_else(|| text.trim().to_owned()),
                QUOTED,
            )
        });
        let code = json.as_ref().and_then(code_of).map(value::excerpt);
        Self {
            status,
            excerpt: excerpt.filter(|text| !text.is_empty()),
            code,
        }
    }

    /// The status and the code, if there is one: `409 INVALID_STATE`.
    pub fn brief(&self) -> String {
        match &self.code {
            Some(code) => format!("{} {code}", self.status),
            None => self.status.to_string(),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.excerpt {
            Some(excerpt) => write!(f, "{} {excerpt}", self.status),
            None => write!(f, "{} without a body to show", self.status),
        }
    }
}

/// The properties of a JSON object that explain a refusal.
fn explanation_in(json: &Node) -> Option<String> {
    let member = |name: &&str| {
        let value = json.get(name).filter(|value| !value.is_null())?;
        Some(format!("{name}: {}", value::plain(value)))
    };
    let members: Vec<String> = TELLING.iter().filter_map(member).collect();
    (!members.is_empty()).then(|| members.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_explained_by_its_properties() {
        for (body, expected) in [
            (
                r#"{"type":"about:blank","title":"Conflict","code":"STATE","errors":[{"field":"a"}]}"#,
                r#"409 code: STATE; title: Conflict; errors: [{"field":"a"}]"#,
            ),
            (r#"{"other":1}"#, r#"409 {"other":1}"#),
            ("<p>no\n", "409 <p>no"),
            ("", "409 without a body to show"),
        ] {
            let reply = Reply::new(409, Some(body));
            assert_eq!(reply.to_string(), expected);
        }
        let brief = |body| Reply::new(409, Some(body)).brief();
        assert_eq!(brief(r#"{"code":"STATE","title":"t"}"#), "409 STATE");
        assert_eq!(brief(r#"{"error":{"code":"STATE"}}"#), "409 STATE");
        assert_eq!(brief("no"), "409");
        let long = Reply::new(409, Some(&"x".repeat(1000)));
        assert!(long.excerpt.unwrap().chars().count() < QUOTED + 20);
    }
}
