//! Whether something is good news.

use std::fmt;

/// How something is shown: the name of a class in the style sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Good,
    Bad,
    Wait,
}

impl Tone {
    /// The tone of a status; none means that the connection was dropped.
    pub(super) const fn of(status: Option<u16>) -> Self {
        match status {
            Some(100..=399) => Self::Good,
            Some(400..=499) => Self::Wait,
            _ => Self::Bad,
        }
    }
}

impl fmt::Display for Tone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Wait => "wait",
        })
    }
}
