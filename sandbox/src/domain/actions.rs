//! Derives which follow-up operations a transaction allows now; the result is never stored.

use jiff::Timestamp;

use super::authentication::Authentication;
use super::offer::Offer;
use super::payout;
use super::state::{self, Event, Kind, Status};
use super::transaction::Transaction;

/// The follow-up operations, each possible or not (section "Transaction" of the interface).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the interface has these seven flags"
)]
pub struct Actions {
    /// An accepted purchase can be refunded.
    pub refund: bool,
    /// The transaction can be cancelled.
    pub cancel: bool,
    /// The held money, or the payout, can be captured.
    pub capture: bool,
    /// The merchant has to send the customer to the authentication page.
    pub redirect: bool,
    /// Authorization can be retried.
    pub authorization: bool,
    /// One of several offers can be chosen.
    pub select_offer: bool,
    /// New offers can be requested.
    pub renew_offers: bool,
}

/// The possible actions of a transaction, given the offers that its payout received.
pub fn actions(transaction: &Transaction, offers: &[Offer], now: Timestamp) -> Actions {
    let legal = |event| state::next(transaction.kind, transaction.status, event).is_some();
    let left = transaction.captured.saturating_sub(transaction.refunded);
    let waits = transaction.kind == Kind::Payout
        && transaction.status == Status::Pending
        && transaction.capturing.is_none()
        && payout::uses_offers(transaction);
    let offered = waits && offers.iter().any(|offer| offer.is_valid(now));
    Actions {
        refund: legal(Event::Refund) && transaction.refunding == 0 && left > 0,
        capture: match transaction.kind {
            Kind::Payout => waits && payout::taken(offers, now).is_some(),
            Kind::Purchase | Kind::Refund => legal(Event::Capture),
        },
        authorization: legal(Event::Renew),
        cancel: legal(Event::Cancel),
        renew_offers: waits,
        select_offer: offered,
        redirect: awaits_customer(transaction),
    }
}

/// Whether the customer still has to answer on an authentication page.
fn awaits_customer(transaction: &Transaction) -> bool {
    let authentication = transaction.authentication.as_ref();
    authentication.and_then(Authentication::challenge).is_some()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::domain::currency::Currency;
    use crate::domain::money::Money;
    use crate::domain::offer;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn transaction(kind: Kind, status: Status, channel: &str) -> Transaction {
        let money = Money::new(1000, Currency::parse("EUR").unwrap());
        Transaction {
            status,
            payment_channel: Some(channel.to_owned()),
            captured: if status == Status::Accepted { 1000 } else { 0 },
            ..Transaction::pending(Uuid::nil(), kind, "order-1".to_owned(), money, NOW)
        }
    }

    fn possible(transaction: &Transaction, offers: &[Offer], now: Timestamp) -> Vec<&'static str> {
        let flags = actions(transaction, offers, now);
        [
            (flags.refund, "refund"),
            (flags.cancel, "cancel"),
            (flags.capture, "capture"),
            (flags.redirect, "redirect"),
            (flags.authorization, "authorization"),
            (flags.select_offer, "selectOffer"),
            (flags.renew_offers, "renewOffers"),
        ]
        .into_iter()
        .filter_map(|(flag, name)| flag.then_some(name))
        .collect()
    }

    #[test]
    fn actions_follow_the_state() {
        let table: [(Kind, Status, &[&str]); 12] = [
            (Kind::Purchase, Status::Pending, &["cancel"]),
            (Kind::Purchase, Status::Authorized, &["cancel", "capture"]),
            (Kind::Purchase, Status::Accepted, &["refund"]),
            (Kind::Purchase, Status::Rejected, &["authorization"]),
            (Kind::Purchase, Status::Expired, &["authorization"]),
            (Kind::Purchase, Status::Cancelled, &[]),
            (Kind::Refund, Status::Pending, &["cancel"]),
            (Kind::Refund, Status::Accepted, &[]),
            (Kind::Payout, Status::Pending, &["cancel"]),
            (Kind::Payout, Status::Rejected, &["authorization"]),
            (Kind::Payout, Status::Accepted, &[]),
            (Kind::Payout, Status::Cancelled, &[]),
        ];
        for (kind, status, expected) in table {
            let transaction = transaction(kind, status, "PCL_CARD");
            assert_eq!(
                possible(&transaction, &[], NOW),
                expected,
                "{kind:?} {status:?}"
            );
        }
    }

    #[test]
    fn a_refund_is_possible_while_none_is_active_and_something_is_left() {
        let accepted = transaction(Kind::Purchase, Status::Accepted, "PCL_CARD");
        let active = Transaction {
            refunding: 1,
            ..accepted.clone()
        };
        let empty = Transaction {
            refunded: 1000,
            ..accepted
        };
        assert!(possible(&active, &[], NOW).is_empty());
        assert!(possible(&empty, &[], NOW).is_empty());
    }

    #[test]
    fn the_customer_is_sent_to_a_page_as_long_as_it_is_open() {
        let asked = Transaction {
            authentication: Authentication::read("asked;then=accept", Some(Uuid::nil())),
            ..transaction(Kind::Purchase, Status::Pending, "PCL_CARD")
        };
        assert_eq!(possible(&asked, &[], NOW), ["cancel", "redirect"]);
        let passed = Transaction {
            authentication: Some(Authentication::Passed),
            ..asked
        };
        assert_eq!(possible(&passed, &[], NOW), ["cancel"]);
    }

    #[test]
    fn offers_open_the_capture_of_a_payout_until_they_expire() {
        let waiting = transaction(Kind::Payout, Status::Pending, "PCL_CRYPTO");
        assert_eq!(possible(&waiting, &[], NOW), ["cancel", "renewOffers"]);
        let ids = [(Uuid::nil(), Uuid::max()); offer::COUNT];
        let offers = offer::make(waiting.money, None, 1, ids, NOW).unwrap();
        let all = ["cancel", "capture", "selectOffer", "renewOffers"];
        assert_eq!(possible(&waiting, &offers, NOW), all);
        let late = NOW + offer::LIFETIME;
        let stale = ["cancel", "renewOffers"];
        assert_eq!(possible(&waiting, &offers, late), stale);
        let mut mixed = offers.clone();
        mixed[0].selected = true;
        mixed[1].expires_at = late + offer::LIFETIME;
        let others = ["cancel", "selectOffer", "renewOffers"];
        assert_eq!(possible(&waiting, &mixed, late), others);
        let capturing = Transaction {
            capturing: Some(1000),
            ..waiting
        };
        assert_eq!(possible(&capturing, &offers, NOW), ["cancel"]);
    }
}
