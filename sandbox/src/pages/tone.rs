//! The tone in which a page shows a status: good, bad or waiting.

use std::fmt;

use crate::domain::{notification, state};

/// A tone: the name of a class in the style sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Good,
    Bad,
    Wait,
}

impl Tone {
    /// The tone of an HTTP status; `None` means that the connection was dropped.
    pub(super) const fn of(status: Option<u16>) -> Self {
        match status {
            Some(100..=399) => Self::Good,
            Some(400..=499) => Self::Wait,
            _ => Self::Bad,
        }
    }

    /// The tone of a notification.
    pub(super) const fn of_notification(status: notification::Status) -> Self {
        match status {
            notification::Status::Delivered => Self::Good,
            notification::Status::Waiting => Self::Wait,
            notification::Status::Gone | notification::Status::Exhausted => Self::Bad,
        }
    }

    /// The tone of a payment.
    pub(super) const fn of_payment(status: state::Status) -> Self {
        match status {
            state::Status::Accepted => Self::Good,
            state::Status::Pending | state::Status::Authorized => Self::Wait,
            state::Status::Rejected | state::Status::Expired | state::Status::Cancelled => {
                Self::Bad
            }
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
