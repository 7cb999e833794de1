//! What a refusal says about itself.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::time::Duration;

use http::{HeaderMap, StatusCode};
use serde::Deserialize;

use super::super::answer::Answer;
use super::super::nullable::Nullable;

/// What every error of a call has in common, whatever its operation.
///
/// The methods are also methods of [`Error`](super::Error). Take a `&dyn Failed` where one function
/// handles the errors of many operations.
pub trait Failed: std::error::Error {
    /// The status of the answer, if there was one.
    fn status(&self) -> Option<StatusCode>;

    /// The headers of the answer, if there was one.
    fn headers(&self) -> Option<&HeaderMap>;

    /// The id that the request was sent with, for operations that declare one.
    fn request_id(&self) -> Option<&str>;

    /// The problem that the body describes, if it describes one.
    fn problem(&self) -> Option<Problem<'_>>;

    /// How long the server asks to wait before the next attempt.
    fn retry_after(&self) -> Option<Duration>;

    /// Whether the time was up before the whole answer was there.
    fn is_timeout(&self) -> bool;
}

/// A body of a refusal, or all documented refusals of an operation.
pub trait Explain {
    /// The problem that it describes, if it describes one.
    fn problem(&self) -> Option<Problem<'_>> {
        None
    }
}

impl Explain for Infallible {}

impl Explain for () {}

/// A problem (RFC 9457, formerly RFC 7807), as far as the body of a refusal describes it. Bodies of
/// other forms give their message as `detail`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem<'a> {
    /// A URI that names the kind of problem.
    #[serde(rename = "type")]
    pub kind: Option<Cow<'a, str>>,
    /// The kind of problem in words.
    pub title: Option<Cow<'a, str>>,
    /// This occurrence in words.
    pub detail: Option<Cow<'a, str>>,
    /// A URI that names this occurrence.
    pub instance: Option<Cow<'a, str>>,
    /// What is wrong with the fields of the request.
    #[cfg(feature = "fields")]
    #[serde(skip)]
    pub fields: Vec<FieldError<'a>>,
}

/// What is wrong with one field of a request.
#[cfg(feature = "fields")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldError<'a> {
    /// Which field, as the server writes it: most often a JSON pointer or a name.
    pub field: Cow<'a, str>,
    /// What is wrong with it.
    pub detail: Option<Cow<'a, str>>,
}

impl<'a> Problem<'a> {
    /// A problem with these texts: kind, title, detail, instance.
    pub fn new(
        kind: Option<&'a str>,
        title: Option<&'a str>,
        detail: Option<&'a str>,
        instance: Option<&'a str>,
    ) -> Self {
        Self {
            kind: kind.map(Cow::Borrowed),
            title: title.map(Cow::Borrowed),
            detail: detail.map(Cow::Borrowed),
            instance: instance.map(Cow::Borrowed),
            #[cfg(feature = "fields")]
            fields: Vec::new(),
        }
    }

    /// The same problem with these errors of fields, each as its field and what is wrong with it.
    #[cfg(feature = "fields")]
    #[must_use]
    pub fn fields(
        mut self,
        fields: impl Iterator<Item = (Option<&'a str>, Option<&'a str>)>,
    ) -> Self {
        let errors = fields.filter_map(|(field, detail)| {
            Some(FieldError {
                field: Cow::Borrowed(field?),
                detail: detail.map(Cow::Borrowed),
            })
        });
        self.fields = errors.collect();
        self
    }

    /// The problem in an answer whose media type says that it is one, documented or not.
    pub(super) fn of(answer: &Answer) -> Option<Problem<'static>> {
        let is_problem = answer.is("application/problem+json");
        is_problem.then(|| answer.read_json().ok()).flatten()
    }
}

/// Title, detail and the first error of a field, as far as they are there.
impl fmt::Display for Problem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let detail = self
            .detail
            .as_ref()
            .filter(|detail| self.title.as_ref() != Some(*detail));
        let mut separator = "";
        for text in self.title.iter().chain(detail) {
            write!(f, "{separator}{}", text.trim_end_matches('.'))?;
            separator = ": ";
        }
        #[cfg(feature = "fields")]
        if let Some(first) = self.fields.first() {
            let separator = if separator.is_empty() { "" } else { "; " };
            write!(f, "{separator}{first}")?;
        }
        Ok(())
    }
}

#[cfg(feature = "fields")]
impl fmt::Display for FieldError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.field)?;
        match &self.detail {
            Some(detail) => write!(f, ": {}", detail.trim_end_matches('.')),
            None => Ok(()),
        }
    }
}

/// A text that a body may have, however the body holds it.
pub trait Text {
    /// The text, if it is there.
    fn text(&self) -> Option<&str>;
}

impl Text for String {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

impl<T: Text> Text for Option<T> {
    fn text(&self) -> Option<&str> {
        self.as_ref()?.text()
    }
}

impl<T: Text> Text for Nullable<T> {
    fn text(&self) -> Option<&str> {
        self.value()?.text()
    }
}
