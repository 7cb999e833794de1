//! Change: a value in whose place the run sends another one than the contract's example shows, and why.

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
    /// Where the value travels.
    pub place: Place,
    /// What the example shows; `None` where it shows nothing there.
    pub shown: Option<String>,
    /// What the run sent; `None` where it left the value out.
    pub sent: Option<String>,
    /// Why.
    pub why: Why,
}

/// Where a value of a request travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A parameter, by its name.
    Parameter(Location, String),
    /// A place in the body.
    Body(Pointer),
}

/// Why the run replaced a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The value, such as an id, is that of a record which this run made.
    Record {
        /// The step that made the record.
        step: String,
    },
    /// The value is a key: it is new in each run, or for each request.
    Key,
    /// The example was refused in a documented conflict, and the value may be taken.
    Taken {
        /// The status of the refusal.
        status: u16,
    },
    /// The value has to be unique, and the run sent the example's before.
    Unique,
    /// The contract asks for a moment in the future.
    Future,
    /// The contract asks for a moment in the past.
    Past,
    /// The configuration of the run has a value for it.
    Configuration,
    /// The run has credentials of its own.
    Credential,
    /// The scenario gives another value.
    Scenario,
    /// The run makes it wrong on purpose, to reach a documented refusal.
    Spoiled,
    /// Another request of the same operation leads to the documented answer.
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
    /// The id in reports; it is kept for ever.
    pub fn id(&self) -> &'static str {
        match self {
            Self::Record { .. } => "record",
            Self::Key => "key",
            Self::Taken { .. } => "taken",
            Self::Unique => "unique",
            Self::Future => "future",
            Self::Past => "past",
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
                    "the server answered {status} to the example, and the value may be taken"
                );
            }
            Self::Key => "a key is new in each run",
            Self::Unique => "it has to be unique, and this run sent the example before",
            Self::Future => "the contract asks for a moment in the future",
            Self::Past => "the contract asks for a moment in the past",
            Self::Configuration => "the configuration of the run sets it",
            Self::Credential => "the run has credentials of its own",
            Self::Scenario => "the scenario sets it",
            Self::Spoiled => "the run makes it wrong on purpose, to reach the documented refusal",
            Self::OtherRequest => "another request of the operation leads to the documented answer",
        })
    }
}

impl Change {
    /// The same change as it may be shown: without secrets, each value on one short line.
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
            // What the contract shows in the place of the run's own header is no secret of the run.
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

/// Several changes, each on a line that begins with a line break.
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
    fn a_change_is_told_in_one_line() {
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
    fn no_secret_of_the_run_is_told() {
        let headers = [("x-key".to_owned(), "key-of-the-run".to_owned())];
        let secrets = Secrets::new(&headers, &[]);
        let own = change(Some("example"), Some("key-of-the-run"), Why::Configuration);
        let shown = own.concealed(&secrets);
        assert_eq!(shown.shown.as_deref(), Some("example"));
        assert_eq!(shown.sent.as_deref(), Some("$CONFORMANCE_X_KEY"));
        let mut secrets = Secrets::default();
        secrets.add("made-by-the-server", "$SECRET");
        let own = change(Some("made-by-the-server"), Some("x\n"), Why::Scenario);
        let shown = own.concealed(&secrets);
        assert_eq!(shown.shown.as_deref(), Some("$SECRET"));
        assert_eq!(shown.sent.as_deref(), Some("x\\n"));
    }
}
