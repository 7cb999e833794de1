//! The events of a subscription that notifications report.

use super::subscription::{Status, Subscription};

/// An event of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// The first charge was attempted, which ends the trial.
    TrialEnded,
    /// A charge was accepted.
    Charged,
    /// A charge was declined.
    ChargeFailed,
    /// It was cancelled and ends with its billing period.
    Cancelled,
    /// It ended.
    Expired,
}

impl News {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::TrialEnded,
        Self::Charged,
        Self::ChargeFailed,
        Self::Cancelled,
        Self::Expired,
    ];

    /// The name of the event.
    pub const fn event(self) -> &'static str {
        match self {
            Self::TrialEnded => "subscription.trial_ended",
            Self::Charged => "subscription.charged",
            Self::ChargeFailed => "subscription.charge_failed",
            Self::Cancelled => "subscription.cancelled",
            Self::Expired => "subscription.expired",
        }
    }
}

/// The events that a charge caused, in order.
pub fn of_charge(before: &Subscription, after: &Subscription) -> Vec<News> {
    if before.status == Status::Ordered {
        return Vec::new();
    }
    let tried = after.attempts > before.attempts;
    let happened = [
        (News::TrialEnded, before.status == Status::Trial && tried),
        (News::Charged, after.paid > before.paid),
        (News::ChargeFailed, after.declines > before.declines),
    ];
    let of_charge = happened.into_iter().filter(|(_, happened)| *happened);
    of_charge.map(|(news, _)| news).collect()
}

/// The other events, in order.
pub fn of_course(before: &Subscription, after: &Subscription, cancelled: bool) -> Vec<News> {
    let is_over = |one: &Subscription| one.status == Status::Expired;
    let ends = cancelled && before.end.is_none() && !is_over(before);
    let happened = [
        (News::Cancelled, ends),
        (News::Expired, is_over(after) && !is_over(before)),
    ];
    let of_course = happened.into_iter().filter(|(_, happened)| *happened);
    of_course.map(|(news, _)| news).collect()
}
