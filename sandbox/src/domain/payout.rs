//! Payouts: creation, offers, capture, and the provider's answers.

use jiff::Timestamp;
use uuid::Uuid;

use super::channel::Channel;
use super::ledger::{Account, Entry};
use super::money::Money;
use super::offer::{self, Offer};
use super::outcome::{Final, INSUFFICIENT_BALANCE, Outcome, RejectCode};
use super::rejection::{Code, Rejection};
use super::state::{Event, Kind};
use super::transaction::{self, Planned, Transaction, Transition};

/// The wish to withdraw.
#[derive(Clone, Debug)]
pub struct Create {
    /// The id the payout gets.
    pub id: Uuid,
    /// The merchant's id.
    pub merchant_transaction_id: String,
    /// The merchant's id of an earlier transaction.
    pub origin_merchant_transaction_id: Option<String>,
    /// The channel the money takes.
    pub payment_channel: Option<String>,
    /// How much.
    pub money: Money,
    /// Outcomes of later calls.
    pub planned: Planned,
}

/// Starts a payout, for which the merchant has `available` minor units.
///
/// What the balance does not cover is refused as a provider would refuse it: the payout exists
/// and is rejected.
pub fn create(
    command: Create,
    available: i64,
    outcome: Outcome,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    transaction::no_expiry(Kind::Payout, &outcome)?;
    if let Some(outcome) = &command.planned.capture {
        transaction::no_expiry(Kind::Payout, outcome)?;
    }
    let money = command.money;
    let key = command.merchant_transaction_id;
    let mut payout = Transaction {
        origin_merchant_transaction_id: command.origin_merchant_transaction_id,
        payment_channel: command.payment_channel,
        planned: command.planned,
        ..Transaction::pending(command.id, Kind::Payout, key, money, now)
    };
    if money.minor() > available {
        let code = RejectCode::parse(INSUFFICIENT_BALANCE).unwrap_or_default();
        payout.refuse(code, now)?;
        return Ok(Transition {
            transaction: payout,
            entries: Vec::new(),
        });
    }
    let reserved = Entry::new(Account::Merchant, Account::Payouts, money);
    // On a channel with offers the provider is only asked once an offer is taken; it can still
    // refuse the order itself.
    let waits = on_offers(&payout) && outcome == Outcome::ACCEPT;
    let outcome = if waits { Outcome::Pending } else { outcome };
    let mut transition = answer(payout, outcome, now)?;
    transition.entries.insert(0, reserved);
    Ok(transition)
}

/// Asks the providers for new offers; those before them no longer count.
pub fn renew_offers(
    mut payout: Transaction,
    earlier: &[Offer],
    destination: Option<&str>,
    ids: [(Uuid, Uuid); offer::COUNT],
    now: Timestamp,
) -> Result<(Transaction, Vec<Offer>), Rejection> {
    let before = payout.due.clone();
    payout.advance(Event::RenewOffers, now)?;
    payout.due = before;
    if !on_offers(&payout) || payout.capturing.is_some() {
        return Err(Rejection::new(
            Code::IllegalState,
            "this payout does not wait for an offer",
        ));
    }
    let attempt_no = earlier
        .iter()
        .map(|offer| offer.attempt_no)
        .max()
        .unwrap_or(0);
    let attempt_no = attempt_no.saturating_add(1);
    let offers = offer::make(payout.money, destination, attempt_no, ids, now)
        .ok_or_else(|| Rejection::new(Code::AmountRule, "the amount is too large for an offer"))?;
    Ok((payout, offers))
}

/// Takes the selected offer, or else the first that stands, and asks its provider.
pub fn capture(
    mut payout: Transaction,
    mut offers: Vec<Offer>,
    outcome: Outcome,
    now: Timestamp,
) -> Result<(Transition, Vec<Offer>), Rejection> {
    transaction::no_expiry(Kind::Payout, &outcome)?;
    payout.advance(Event::Capture, now)?;
    if !on_offers(&payout) || payout.capturing.is_some() || offers.is_empty() {
        return Err(Rejection::new(
            Code::IllegalState,
            "this payout has no offer to capture",
        ));
    }
    let selected = offers
        .iter()
        .position(|offer| offer.selected && offer.stands(now));
    let first = || offers.iter().position(|offer| offer.stands(now));
    let Some(taken) = selected.or_else(first) else {
        return Err(Rejection::new(
            Code::OfferExpired,
            "every offer has expired",
        ));
    };
    for (index, offer) in offers.iter_mut().enumerate() {
        offer.selected = index == taken;
    }
    payout.capturing = Some(payout.money.minor());
    Ok((answer(payout, outcome, now)?, offers))
}

/// Applies the provider's last word to a payout that waits for it.
pub fn settle(
    mut payout: Transaction,
    ending: Final,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    payout.capturing = None;
    let to = match ending {
        Final::Accept => {
            payout.advance(Event::Accept, now)?;
            Account::Outside
        }
        Final::Reject(code) => {
            payout.refuse(code, now)?;
            Account::Merchant
        }
        Final::Expire => {
            payout.advance(Event::Expire, now)?;
            Account::Merchant
        }
    };
    let entries = vec![Entry::new(Account::Payouts, to, payout.money)];
    Ok(Transition {
        transaction: payout,
        entries,
    })
}

/// Whether the payout goes the way of offers.
pub fn on_offers(payout: &Transaction) -> bool {
    Channel::of(payout.payment_channel.as_deref()).offers
}

/// Lets the provider answer a pending payout as the caller asked.
fn answer(
    mut payout: Transaction,
    outcome: Outcome,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    match outcome {
        Outcome::Now(ending) => return settle(payout, ending, now),
        Outcome::Pending => {}
        Outcome::Later { after, then } => payout.put_off(after, then, now),
    }
    Ok(Transition {
        transaction: payout,
        entries: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::currency::Currency;
    use crate::domain::state::Status;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;
    const IDS: [(Uuid, Uuid); offer::COUNT] = [(Uuid::nil(), Uuid::max()); offer::COUNT];

    fn payout(channel: &str, available: i64, outcome: &str) -> Transition {
        let command = Create {
            id: Uuid::nil(),
            merchant_transaction_id: "payout-1".to_owned(),
            origin_merchant_transaction_id: None,
            payment_channel: Some(channel.to_owned()),
            money: Money::new(1000, Currency::parse("EUR").unwrap()),
            planned: Planned::default(),
        };
        create(command, available, outcome.parse().unwrap(), NOW).unwrap()
    }

    #[test]
    fn a_card_payout_is_reserved_and_paid() {
        let paid = payout("PCL_CARD", 1000, "accept");
        let money = paid.transaction.money;
        assert_eq!(paid.transaction.status, Status::Accepted);
        assert_eq!(
            paid.entries,
            [
                Entry::new(Account::Merchant, Account::Payouts, money),
                Entry::new(Account::Payouts, Account::Outside, money),
            ]
        );
    }

    #[test]
    fn what_the_balance_does_not_cover_is_rejected_and_moves_nothing() {
        let refused = payout("PCL_CARD", 999, "accept");
        assert_eq!(refused.transaction.status, Status::Rejected);
        assert_eq!(refused.transaction.decline.unwrap().as_str(), "E2001");
        assert!(refused.entries.is_empty());
    }

    #[test]
    fn a_refused_payout_gives_the_reserve_back() {
        let refused = payout("PCL_CARD", 1000, "reject;code=E1005");
        assert_eq!(refused.entries.last().unwrap().to, Account::Merchant);
    }

    #[test]
    fn a_payout_on_offers_waits_for_its_capture() {
        let waiting = payout("PCL_CRYPTO", 1000, "accept").transaction;
        assert_eq!(waiting.status, Status::Pending);
        let early = capture(waiting.clone(), Vec::new(), Outcome::ACCEPT, NOW).unwrap_err();
        assert_eq!(early.code, Code::IllegalState);

        let (waiting, offers) = renew_offers(waiting, &[], Some("BTC"), IDS, NOW).unwrap();
        let late = capture(
            waiting.clone(),
            offers.clone(),
            Outcome::ACCEPT,
            NOW + offer::LIFETIME,
        );
        assert_eq!(late.unwrap_err().code, Code::OfferExpired);

        let (_, again) = renew_offers(waiting.clone(), &offers, Some("BTC"), IDS, NOW).unwrap();
        assert!(again.iter().all(|offer| offer.attempt_no == 2));

        let (paid, offers) = capture(waiting, again, Outcome::ACCEPT, NOW).unwrap();
        assert_eq!(paid.transaction.status, Status::Accepted);
        assert_eq!(
            offers
                .iter()
                .map(|offer| offer.selected)
                .collect::<Vec<_>>(),
            [true, false]
        );
    }

    #[test]
    fn card_payouts_have_no_offers() {
        let waiting = payout("PCL_CARD", 1000, "pending").transaction;
        let refused = renew_offers(waiting.clone(), &[], None, IDS, NOW).unwrap_err();
        assert_eq!(refused.code, Code::IllegalState);
        let refused = capture(waiting, Vec::new(), Outcome::ACCEPT, NOW).unwrap_err();
        assert_eq!(refused.code, Code::IllegalState);
    }
}
