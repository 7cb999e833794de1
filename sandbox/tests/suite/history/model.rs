//! The model: for each event, the records to which it can happen.

/// The kind of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Purchase,
    Refund,
    Payout,
}

/// The state of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The provider or the customer has to answer.
    Waiting,
    /// The money is held.
    Held,
    /// The money has moved.
    Moved,
    Refused,
    Late,
    CalledOff,
}

use Stage::{CalledOff, Held, Late, Moved, Refused, Waiting};

impl Stage {
    pub(super) const ALL: [Self; 6] = [Waiting, Held, Moved, Refused, Late, CalledOff];

    /// The status in the interface and its proposals.
    pub(super) const fn shown(self) -> &'static str {
        match self {
            Waiting => "PENDING",
            Held => "AUTHORIZED",
            Moved => "ACCEPTED",
            Refused => "REJECTED",
            Late => "EXPIRED",
            CalledOff => "CANCELLED",
        }
    }
}

/// The state after an event; `None` when it cannot happen.
pub(super) fn transaction(sort: Sort, stage: Stage, what: &str) -> Option<Stage> {
    let purchase = sort == Sort::Purchase;
    let (waits, failed) = (stage == Waiting, matches!(stage, Refused | Late));
    let open = waits || stage == Held;
    match what {
        // The provider answers once, and only pending transactions.
        "Accept" => waits.then_some(Moved),
        "Reject" => waits.then_some(Refused),
        // Only purchases hold money and ask a customer.
        "Authorize" => (purchase && waits).then_some(Held),
        "Challenge" => (purchase && waits).then_some(Waiting),
        // Open transactions expire, except refunds, which only the provider ends.
        "Expire" => (sort != Sort::Refund && open).then_some(Late),
        "Cancel" => open.then_some(CalledOff),
        // In both cases, the provider has to confirm it.
        "Capture" if purchase => (stage == Held).then_some(Waiting),
        "Capture" | "RenewOffers" | "SelectOffer" => {
            (sort == Sort::Payout && waits).then_some(Waiting)
        }
        // Failed transactions can be retried; a refund is created again instead.
        "Renew" => (sort != Sort::Refund && failed).then_some(Waiting),
        "Refund" => (purchase && stage == Moved).then_some(Moved),
        other => unknown(other),
    }
}

/// Like [`transaction`], for an offer of a payout.
pub(super) fn offer(stage: &str, what: &str) -> Option<&'static str> {
    // New offers replace all that were not captured.
    let valid = matches!(stage, "PENDING" | "SELECTED");
    match what {
        "Select" => valid.then_some("SELECTED"),
        "Unselect" => (stage == "SELECTED").then_some("PENDING"),
        "Capture" => valid.then_some("ACCEPTED"),
        "Expire" => valid.then_some("EXPIRED"),
        "Renew" => (valid || stage == "EXPIRED").then_some("replaced"),
        other => unknown(other),
    }
}

/// Like [`transaction`], for a subscription.
pub(super) fn subscription(stage: &str, what: &str) -> Option<&'static str> {
    let (known, runs) = (
        !matches!(stage, "ordered" | "removed"),
        matches!(stage, "trial" | "active"),
    );
    match what {
        "Begin" => (stage == "ordered").then_some("active"),
        "BeginTrial" => (stage == "ordered").then_some("trial"),
        // The first charge ends the trial, whatever its result.
        "Charge" => runs.then_some("active"),
        "Pay" | "Decline" => (stage == "active").then_some("active"),
        "Fail" => (stage == "active").then_some("expired"),
        // A cancelled subscription runs until the end of the paid period; cancelling it again
        // changes nothing.
        "Cancel" | "DeactivatePlan" if known => same(stage, &["trial", "active", "expired"]),
        "Cancel" | "DeactivatePlan" => None,
        "End" => runs.then_some("expired"),
        "Remove" => known.then_some("removed"),
        other => unknown(other),
    }
}

/// Like [`transaction`], for a plan.
pub(super) fn plan(stage: &str, what: &str) -> Option<&'static str> {
    let there = stage != "removed";
    match what {
        "Activate" => there.then_some("active"),
        "Deactivate" => there.then_some("inactive"),
        "Remove" => there.then_some("removed"),
        other => unknown(other),
    }
}

/// Like [`transaction`], for a product.
pub(super) fn product(stage: &str, what: &str) -> Option<&'static str> {
    let there = stage != "removed";
    match what {
        "Update" => there.then_some("verified"),
        "Remove" => there.then_some("removed"),
        other => unknown(other),
    }
}

/// Like [`transaction`], for a payment link.
pub(super) fn payment_link(stage: &str, what: &str) -> Option<&'static str> {
    let (open, being_paid) = (stage == "active", stage == "processing");
    match what {
        "Update" => open.then_some("active"),
        "Cancel" => open.then_some("cancelled"),
        "Pay" => open.then_some("processing"),
        "Expire" => open.then_some("expired"),
        "Accept" => being_paid.then_some("paid"),
        "Fail" => being_paid.then_some("active"),
        other => unknown(other),
    }
}

/// Like [`transaction`], for a report.
pub(super) fn report(stage: &str, what: &str) -> Option<&'static str> {
    match what {
        "Finish" => (stage == "generating").then_some("ready"),
        other => unknown(other),
    }
}

/// Like [`transaction`], for a notification.
pub(super) fn notification(stage: &str, what: &str) -> Option<&'static str> {
    let waits = stage == "waiting";
    match what {
        "Take" => waits.then_some("delivered"),
        "Refuse" => waits.then_some("waiting"),
        "Decline" => waits.then_some("gone"),
        "Exhaust" => waits.then_some("exhausted"),
        // The schedule restarts in every state.
        "Replay" => Some("waiting"),
        other => unknown(other),
    }
}

fn same(stage: &str, stages: &[&'static str]) -> Option<&'static str> {
    stages.iter().copied().find(|known| *known == stage)
}

/// The shared file has an event that the model lacks.
fn unknown<T>(what: &str) -> Option<T> {
    panic!("`{what}` is not in the model: say when it may happen")
}
