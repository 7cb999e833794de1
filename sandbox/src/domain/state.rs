//! The state machines, as data: one row per legal `(kind, status, event)`.

/// What a transaction is. Spelled as the interface does in its `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A customer pays.
    Purchase,
    /// Money of a purchase goes back.
    Refund,
    /// The merchant withdraws.
    Payout,
}

/// Where a transaction stands.
///
/// The interface shows `ACCEPTED` only; the other names are proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// The provider has not given a result.
    Pending,
    /// The amount is held and waits for its capture.
    Authorized,
    /// The money has moved.
    Accepted,
    /// The provider refused.
    Rejected,
    /// The result or the capture did not come in time.
    Expired,
}

/// What can happen to a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Event {
    /// The provider moved the money.
    Accept,
    /// The provider holds the money.
    Authorize,
    /// The provider refused.
    Reject,
    /// Time ran out.
    Expire,
    /// The merchant asks for the money that is held, or for a payout on an offer.
    Capture,
    /// The merchant asks for another authorization attempt.
    Renew,
    /// The merchant asks for money to go back.
    Refund,
    /// The merchant asks for new payout offers.
    RenewOffers,
}

/// One legal transition.
pub type Row = (Kind, Status, Event, Status);

/// Every legal transition; whatever is not here is refused.
///
/// Commands that need the provider lead to `PENDING` and are settled by a second event, which
/// may follow in the same commit.
pub const TRANSITIONS: &[Row] = &[
    (
        Kind::Purchase,
        Status::Pending,
        Event::Accept,
        Status::Accepted,
    ),
    (
        Kind::Purchase,
        Status::Pending,
        Event::Authorize,
        Status::Authorized,
    ),
    (
        Kind::Purchase,
        Status::Pending,
        Event::Reject,
        Status::Rejected,
    ),
    (
        Kind::Purchase,
        Status::Pending,
        Event::Expire,
        Status::Expired,
    ),
    (
        Kind::Purchase,
        Status::Authorized,
        Event::Capture,
        Status::Pending,
    ),
    (
        Kind::Purchase,
        Status::Authorized,
        Event::Expire,
        Status::Expired,
    ),
    (
        Kind::Purchase,
        Status::Rejected,
        Event::Renew,
        Status::Pending,
    ),
    (
        Kind::Purchase,
        Status::Expired,
        Event::Renew,
        Status::Pending,
    ),
    (
        Kind::Purchase,
        Status::Accepted,
        Event::Refund,
        Status::Accepted,
    ),
    (
        Kind::Refund,
        Status::Pending,
        Event::Accept,
        Status::Accepted,
    ),
    (
        Kind::Refund,
        Status::Pending,
        Event::Reject,
        Status::Rejected,
    ),
    (
        Kind::Payout,
        Status::Pending,
        Event::Accept,
        Status::Accepted,
    ),
    (
        Kind::Payout,
        Status::Pending,
        Event::Reject,
        Status::Rejected,
    ),
    (
        Kind::Payout,
        Status::Pending,
        Event::Capture,
        Status::Pending,
    ),
    (
        Kind::Payout,
        Status::Pending,
        Event::RenewOffers,
        Status::Pending,
    ),
];

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Purchase, Self::Refund, Self::Payout];

    /// The value of `type` on the wire.
    pub const fn wire(self) -> &'static str {
        match self {
            Self::Purchase => "TRT_PURCHASE",
            Self::Refund => "TRT_REFUND",
            Self::Payout => "TRT_PAYOUT",
        }
    }

    /// The kind with that `type`.
    pub fn from_wire(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.wire() == text)
    }
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 5] = [
        Self::Pending,
        Self::Authorized,
        Self::Accepted,
        Self::Rejected,
        Self::Expired,
    ];

    /// The value of `status` on the wire.
    pub const fn wire(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Authorized => "AUTHORIZED",
            Self::Accepted => "ACCEPTED",
            Self::Rejected => "REJECTED",
            Self::Expired => "EXPIRED",
        }
    }

    /// The status with that name.
    pub fn from_wire(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.wire() == text)
    }
}

impl Event {
    /// Every event.
    pub const ALL: [Self; 8] = [
        Self::Accept,
        Self::Authorize,
        Self::Reject,
        Self::Expire,
        Self::Capture,
        Self::Renew,
        Self::Refund,
        Self::RenewOffers,
    ];
}

/// The status that `event` leads to, or `None` where it is illegal.
pub fn next(kind: Kind, status: Status, event: Event) -> Option<Status> {
    TRANSITIONS
        .iter()
        .find(|row| (row.0, row.1, row.2) == (kind, status, event))
        .map(|row| row.3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The machine a second time, by hand and drawn the other way round: per kind and status,
    /// the events that are legal. A slip in one of the two shows.
    fn legal(kind: Kind, status: Status) -> &'static [(Event, Status)] {
        use Event as E;
        use Status as S;
        match (kind, status) {
            (Kind::Purchase, S::Pending) => &[
                (E::Accept, S::Accepted),
                (E::Authorize, S::Authorized),
                (E::Reject, S::Rejected),
                (E::Expire, S::Expired),
            ],
            (Kind::Purchase, S::Authorized) => &[(E::Capture, S::Pending), (E::Expire, S::Expired)],
            (Kind::Purchase, S::Accepted) => &[(E::Refund, S::Accepted)],
            (Kind::Purchase, S::Rejected | S::Expired) => &[(E::Renew, S::Pending)],
            (Kind::Refund, S::Pending) => &[(E::Accept, S::Accepted), (E::Reject, S::Rejected)],
            (Kind::Payout, S::Pending) => &[
                (E::Accept, S::Accepted),
                (E::Reject, S::Rejected),
                (E::Capture, S::Pending),
                (E::RenewOffers, S::Pending),
            ],
            (Kind::Refund | Kind::Payout, _) => &[],
        }
    }

    #[test]
    fn every_pair_is_legal_or_refused_as_drawn() {
        let mut rows = 0;
        for kind in Kind::ALL {
            for status in Status::ALL {
                for event in Event::ALL {
                    let drawn = legal(kind, status)
                        .iter()
                        .find(|(legal, _)| *legal == event);
                    let expected = drawn.map(|(_, to)| *to);
                    assert_eq!(
                        next(kind, status, event),
                        expected,
                        "{kind:?} {status:?} {event:?}"
                    );
                    rows += usize::from(expected.is_some());
                }
            }
        }
        assert_eq!(rows, TRANSITIONS.len(), "a row is there twice");
    }

    #[test]
    fn names_on_the_wire_read_back() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_wire(kind.wire()), Some(kind));
        }
        for status in Status::ALL {
            assert_eq!(Status::from_wire(status.wire()), Some(status));
        }
        assert_eq!(Status::from_wire("accepted"), None);
    }
}
