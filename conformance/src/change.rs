//! Change: a value of a request example that the run replaced, and the reason.

use std::fmt::{self, Write as _};

use openapi_document::Pointer;
use openapi_document::view::Location;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::secrets::Secrets;
use crate::value;

/// A value of a documented request that the run replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The place of the value in the request.
    pub place: Place,
    /// The value in the example; `None` when the example has none.
    pub shown: Option<String>,
    /// The value that the run sent; `None` when it omitted the value.
    pub sent: Option<String>,
    /// The reason.
    pub why: Why,
}

/// A place in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A parameter with its name.
    Parameter(Location, String),
    /// A place in the body.
    Body(Pointer),
}

/// Why the run replaced a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The value, such as an id, identifies a record that this run created.
    Record {
        /// The step that created the record.
        step: String,
    },
    /// The value is a key. It is new in each run, or in each request.
    Key,
    /// The server refused the example with a documented conflict, so the value may be in use.
    Taken {
        /// The status of the refusal.
        status: u16,
    },
    /// The value must be unique, and the run has sent the example's value before.
    Unique,
    /// The contract requires a time in the future.
    Future,
    /// The contract requires a time in the past.
    Past,
    /// Another time of the body moved, and both keep their order.
    Order,
    /// The configuration of the run sets the value.
    Configuration,
    /// The run uses its configured credentials.
    Credential,
    /// The scenario sets another value.
    Scenario,
    /// The run sends a wrong value on purpose, to get a documented refusal.
    Spoiled,
    /// Another request of the operation leads to the documented answer.
    OtherRequest,
}

impl Place {
    /// `path`, `query`, `header`, `cookie` or `body`.
    pub fn location(&self) -> &'static str {
        match self {
            Self::Parameter(location, _) => location.as_str(),
            Self::Body(_) => "body",
        }
    }

    /// The name of the parameter, or the JSON pointer into the body.
    pub fn at(&self) -> &str {
        match self {
            Self::Parameter(_, name) => name,
            Self::Body(pointer) => pointer.as_str(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at() {
            "" => f.write_str(self.location()),
            at => write!(f, "{} {at}", self.location()),
        }
    }
}

impl Why {
    /// The id in reports. It never changes.
    pub fn id(&self) -> &'static str {
        match self {
            Self::Record { .. } => "record",
            Self::Key => "key",
            Self::Taken { .. } => "taken",
            Self::Unique => "unique",
            Self::Future => "future",
            Self::Past => "past",
            Self::Order => "order",
            Self::Configuration => "configuration",
            Self::Credential => "credential",
            Self::Scenario => "scenario",
            Self::Spoiled => "spoiled",
            Self::OtherRequest => "other-request",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Record { step } => {
                return write!(f, "it belongs to a record of this run (step `{step}`)");
            }
            Self::Taken { status } => {
                return write!(
                    f,
                    "the server answered {status} to the example, and the value may be in use"
                );
            }
            Self::Key => "a key is new in each run",
            Self::Unique => "it has to be unique, and this run sent the example before",
            Self::Future => "the contract requires a time in the future",
            Self::Past => "the contract requires a time in the past",
            Self::Order => "another time of the body moved, and both keep their order",
            Self::Configuration => "the configuration of the run sets it",
            Self::Credential => "the run uses its configured credentials",
            Self::Scenario => "the scenario sets it",
            Self::Spoiled => "the run makes it wrong on purpose, to reach the documented refusal",
            Self::OtherRequest => "another request of the operation leads to the documented answer",
        })
    }
}

impl Change {
    /// The change without secrets, each value on one short line.
    #[must_use]
    pub fn concealed(&self, secrets: &Secrets) -> Self {
        let placeholder = match &self.place {
            Place::Parameter(Location::Header, name) => secrets.header(name),
            _ => None,
        };
        let conceal = |text: &String| match placeholder {
            Some(placeholder) => placeholder.to_owned(),
            None => value::excerpt(&secrets.redact(text)),
        };
        Self {
            // A value in the contract is not a secret of the run.
            shown: self.shown.as_ref().map(|text| match self.why {
                Why::Credential | Why::Configuration => value::excerpt(&secrets.redact(text)),
                _ => conceal(text),
            }),
            sent: self.sent.as_ref().map(conceal),
            place: self.place.clone(),
            why: self.why.clone(),
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            place,
            shown,
            sent,
            why,
        } = self;
        match (shown, sent) {
            (Some(shown), Some(sent)) => write!(f, "{place}: {shown} → {sent} ({why})"),
            (Some(shown), None) => write!(f, "{place}: {shown} left out ({why})"),
            (None, Some(sent)) => write!(f, "{place}: {sent} added ({why})"),
            (None, None) => write!(f, "{place}: left out ({why})"),
        }
    }
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("Change", 6)?;
        object.serialize_field("in", self.place.location())?;
        object.serialize_field("at", self.place.at())?;
        if let Some(shown) = &self.shown {
            object.serialize_field("shown", shown)?;
        }
        if let Some(sent) = &self.sent {
            object.serialize_field("sent", sent)?;
        }
        object.serialize_field("why", self.why.id())?;
        object.serialize_field("reason", &self.why.to_string())?;
        object.end()
    }
}

/// The changes, each on a new line.
pub(crate) fn lines(changes: &[Change]) -> String {
    let mut text = String::new();
    for change in changes {
        // Writing to a string does not fail.
        let _ = write!(text, "\nchanged {change}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(shown: Option<&str>, sent: Option<&str>, why: Why) -> Change {
        Change {
            place: Place::Parameter(Location::Header, "X-Key".to_owned()),
            shown: shown.map(str::to_owned),
            sent: sent.map(str::to_owned),
            why,
        }
    }

    #[test]
    fn a_change_is_described_in_one_line() {
        let step = || Why::Record {
            step: "make-1".to_owned(),
        };
        for (shown, sent, why, expected) in [
            (
                Some("a"),
                Some("b"),
                step(),
                "header X-Key: a → b (it belongs to a record of this run (step `make-1`))",
            ),
            (
                None,
                Some("b"),
                Why::Key,
                "header X-Key: b added (a key is new in each run)",
            ),
            (
                Some("a"),
                None,
                Why::Scenario,
                "header X-Key: a left out (the scenario sets it)",
            ),
        ] {
            assert_eq!(change(shown, sent, why).to_string(), expected);
        }
        let json = serde_json::to_value(change(Some("a"), None, step())).unwrap();
        assert_eq!(
            json,
            serde_json::json!({"in": "header", "at": "X-Key", "shown": "a", "why": "record",
                "reason": "it belongs to a record of this run (step `make-1`)"})
        );
    }

    #[test]
    fn a_change_contains_no_secret_of_the_run() {
        let headers = [("x-key".to_owned(), "key-of-the-run".to_owned())];
        let secrets = Secrets::new(&headers, &[]);
        let change_of_run = change(Some("example"), Some("key-of-the-run"), Why::Configuration);
        let shown = change_of_run.concealed(&secrets);
        assert_eq!(shown.shown.as_deref(), Some("example"));
        assert_eq!(shown.sent.as_deref(), Some("$CONFORMANCE_X_KEY"));
        let mut secrets = Secrets::default();
        secrets.add("made-by-the-server", "$SECRET");
        let change_of_run = change(Some("made-by-the-server"), Some("x\n"), Why::Scenario);
        let shown = change_of_run.concealed(&secrets);
        assert_eq!(shown.shown.as_deref(), Some("$SECRET"));
        assert_eq!(shown.sent.as_deref(), Some("x\\n"));
    }
}
