//! Payment links: anyone who has the link can pay its amount, once, until it expires.

use jiff::{SignedDuration, Timestamp};
pub use merchant_payments::behaviour::payment_link::{Event, Status, next};
use uuid::Uuid;

use super::money::Money;
use super::rejection::{Code, Rejection};
use super::state;

/// The default lifetime of a link.
pub const LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A payment link without its descriptive fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentLink {
    /// Its id. It cannot be guessed: everyone who knows it can pay.
    pub id: Uuid,
    /// The merchant's id of the purchase that pays it.
    pub merchant_transaction_id: String,
    /// The amount to pay.
    pub money: Money,
    /// Its status while it has no successful or pending purchase.
    pub unpaid: Status,
    /// When it expires.
    pub expires_at: Timestamp,
    /// Whether lists leave it out.
    pub hidden: bool,
    /// The purchase that pays it, and the purchase's status.
    pub purchase: Option<(Uuid, state::Status)>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// A request to create a link.
#[derive(Clone, Copy, Debug)]
pub struct Create {
    /// The id of the new link.
    pub id: Uuid,
    /// The amount to pay.
    pub money: Money,
    /// When it expires; after [`LIFETIME`] when absent.
    pub expires_at: Option<Timestamp>,
    /// Whether lists leave it out.
    pub hidden: bool,
}

/// A change of a link; absent fields keep their value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The new expiry time.
    pub expires_at: Option<Timestamp>,
    /// Whether lists leave it out.
    pub hidden: Option<bool>,
    /// The requested status.
    pub status: Option<String>,
    /// Whether the request changes the items.
    pub items: bool,
}

/// How to start a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    /// Create the purchase.
    First,
    /// Retry the authorization of this purchase, which failed before.
    Again(Uuid),
}

/// Creates a link.
pub fn create(
    command: Create,
    merchant_transaction_id: String,
    now: Timestamp,
) -> Result<PaymentLink, Rejection> {
    let default_expiry = || now.checked_add(LIFETIME).unwrap_or(Timestamp::MAX);
    let expires_at = command.expires_at.unwrap_or_else(default_expiry);
    in_future(expires_at, now)?;
    Ok(PaymentLink {
        id: command.id,
        merchant_transaction_id,
        money: command.money,
        unpaid: Status::Active,
        expires_at,
        hidden: command.hidden,
        purchase: None,
        created_at: now,
    })
}

impl PaymentLink {
    /// The status. A failed purchase leaves it unchanged.
    pub fn status(&self) -> Status {
        use state::Status::{Accepted, Authorized, Cancelled, Expired, Pending, Rejected};
        match self.purchase.map(|(_, status)| status) {
            Some(Accepted) => Status::Paid,
            Some(Pending | Authorized) => Status::Processing,
            None | Some(Rejected | Expired | Cancelled) => self.unpaid,
        }
    }

    /// Applies a change completely or not at all.
    pub fn change(mut self, change: &Change, now: Timestamp) -> Result<Self, Rejection> {
        let mut found = Vec::new();
        if change.expires_at.is_some() || change.items {
            found.extend(self.after(Event::Update).err());
        }
        if let Some(expires_at) = change.expires_at {
            found.extend(in_future(expires_at, now).err());
            self.expires_at = expires_at;
        }
        match change.status.as_deref() {
            None => {}
            Some(given) if given == Status::Cancelled.wire() => match self.after(Event::Cancel) {
                Ok(status) => self.unpaid = status,
                Err(rejection) => found.push(rejection),
            },
            Some(_) => {
                let detail = "the one status that can be given is cancelled";
                found.push(Rejection::at(Code::ContractViolation, "/status", detail));
            }
        }
        self.hidden = change.hidden.unwrap_or(self.hidden);
        // Report invalid values before changes that the present state forbids.
        found.sort_by_key(|rejection| rejection.code == Code::IllegalState);
        let Some(first) = found.first() else {
            return Ok(self);
        };
        let code = first.code;
        found.retain(|rejection| rejection.code == code);
        Rejection::collected(found).map(|()| self)
    }

    /// Checks that the link can be paid now, and returns how.
    pub fn pay(&self, now: Timestamp) -> Result<Payment, Rejection> {
        self.after(Event::Pay)?;
        if now >= self.expires_at {
            return Err(refused(Status::Expired, Event::Pay));
        }
        Ok(self
            .purchase
            .map_or(Payment::First, |(id, _)| Payment::Again(id)))
    }

    /// Marks the link as expired; a purchase in progress continues.
    pub fn expire(mut self) -> Result<Self, Rejection> {
        let after = next(self.unpaid, Event::Expire);
        self.unpaid = after.ok_or_else(|| refused(self.unpaid, Event::Expire))?;
        Ok(self)
    }

    fn after(&self, event: Event) -> Result<Status, Rejection> {
        let status = self.status();
        next(status, event).ok_or_else(|| refused(status, event))
    }
}

fn refused(status: Status, event: Event) -> Rejection {
    let (status, done) = (status.wire(), event.done());
    let detail = format!("a payment link that is {status} cannot be {done}");
    Rejection::new(Code::IllegalState, detail)
}

fn in_future(expires_at: Timestamp, now: Timestamp) -> Result<(), Rejection> {
    if expires_at > now {
        return Ok(());
    }
    let detail = "lies in the past";
    Err(Rejection::at(
        Code::ContractViolation,
        "/expirationDate",
        detail,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::currency::Currency;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn link(expires_at: Option<Timestamp>) -> Result<PaymentLink, Rejection> {
        let command = Create {
            id: Uuid::nil(),
            money: Money::new(4999, Currency::parse("EUR").unwrap()),
            expires_at,
            hidden: false,
        };
        create(command, "order-1".to_owned(), NOW)
    }

    fn with(purchase: state::Status) -> PaymentLink {
        PaymentLink {
            purchase: Some((Uuid::from_u128(7), purchase)),
            ..link(None).unwrap()
        }
    }

    fn cancel() -> Change {
        Change {
            status: Some("cancelled".to_owned()),
            ..Change::default()
        }
    }

    #[test]
    fn a_link_is_valid_for_thirty_days_by_default() {
        assert_eq!(link(None).unwrap().expires_at, NOW + LIFETIME);
        let soon = NOW + SignedDuration::from_secs(1);
        assert_eq!(link(Some(soon)).unwrap().expires_at, soon);
        let refused = link(Some(NOW)).unwrap_err();
        assert_eq!(refused.pointer.as_deref(), Some("/expirationDate"));
    }

    #[test]
    fn the_status_follows_the_purchase() {
        use state::Status::{Accepted, Authorized, Cancelled, Expired, Pending, Rejected};
        let table = [
            (Accepted, Status::Paid),
            (Pending, Status::Processing),
            (Authorized, Status::Processing),
            (Rejected, Status::Active),
            (Expired, Status::Active),
            (Cancelled, Status::Active),
        ];
        assert_eq!(table.len(), state::Status::ALL.len());
        for (purchase, expected) in table {
            assert_eq!(with(purchase).status(), expected, "{purchase:?}");
            let expired = with(purchase).expire().unwrap().status();
            let unpaid = expected == Status::Active;
            assert_eq!(expired, if unpaid { Status::Expired } else { expected });
        }
    }

    #[test]
    fn a_link_is_paid_once_and_a_failed_purchase_is_retried() {
        assert_eq!(link(None).unwrap().pay(NOW), Ok(Payment::First));
        let again = with(state::Status::Rejected).pay(NOW);
        assert_eq!(again, Ok(Payment::Again(Uuid::from_u128(7))));
        for status in [state::Status::Accepted, state::Status::Pending] {
            assert_eq!(with(status).pay(NOW).unwrap_err().code, Code::IllegalState);
        }
        let late = link(None).unwrap().pay(NOW + LIFETIME).unwrap_err();
        assert_eq!(late.detail, "a payment link that is expired cannot be paid");
        let cancelled = link(None).unwrap().change(&cancel(), NOW).unwrap();
        assert_eq!(cancelled.pay(NOW).unwrap_err().code, Code::IllegalState);
    }

    #[test]
    fn only_active_links_change_but_all_can_be_hidden() {
        let hide = Change {
            hidden: Some(true),
            ..Change::default()
        };
        let prolong = Change {
            expires_at: Some(NOW + LIFETIME),
            ..Change::default()
        };
        let items = Change {
            items: true,
            ..Change::default()
        };
        let ended = [
            with(state::Status::Accepted),
            with(state::Status::Pending),
            link(None).unwrap().expire().unwrap(),
            link(None).unwrap().change(&cancel(), NOW).unwrap(),
        ];
        for link in ended {
            for change in [&prolong, &items, &cancel()] {
                let refused = link.clone().change(change, NOW).unwrap_err();
                assert_eq!(refused.code, Code::IllegalState, "{link:?} {change:?}");
            }
            assert!(link.clone().change(&hide, NOW).unwrap().hidden);
        }
        for change in [&prolong, &items, &hide, &cancel()] {
            assert!(link(None).unwrap().change(change, NOW).is_ok());
        }
    }

    #[test]
    fn every_invalid_value_is_refused() {
        let change = Change {
            expires_at: Some(NOW),
            status: Some("paid".to_owned()),
            ..Change::default()
        };
        for link in [link(None).unwrap(), with(state::Status::Accepted)] {
            let refused = link.change(&change, NOW).unwrap_err();
            let places = [&refused].into_iter().chain(&refused.also);
            let pointers: Vec<_> = places.map(|one| one.pointer.as_deref().unwrap()).collect();
            assert_eq!(pointers, ["/expirationDate", "/status"]);
        }
    }
}
