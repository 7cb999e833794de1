//! Payouts: creation, offers, capture, retries, and the provider's answers.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::catalogue::capabilities;
use super::ledger::{Account, Entry};
use super::money::Money;
use super::offer::{self, Offer};
use super::outcome::{Final, INSUFFICIENT_BALANCE, Outcome, RejectCode};
use super::rejection::{Code, Rejection};
use super::state::{Event, Kind};
use super::transaction::{self, Planned, Transaction, Transition};

/// How long a payout waits for its capture on an offer.
pub const OFFER_WAIT: SignedDuration = SignedDuration::from_hours(24);

/// A request to create a payout.
#[derive(Clone, Debug)]
pub struct Create {
    /// The id of the new payout.
    pub id: Uuid,
    /// The merchant's id.
    pub merchant_transaction_id: String,
    /// The merchant's id of an earlier transaction.
    pub origin_merchant_transaction_id: Option<String>,
    /// The channel.
    pub payment_channel: Option<String>,
    /// The amount.
    pub money: Money,
    /// The outcomes of later calls.
    pub planned: Planned,
}

/// Creates a payout; the merchant has `available` minor units.
///
/// A payout that exceeds the balance is created and rejected, as a provider would do it.
pub fn create(
    command: Create,
    available: i64,
    outcome: Outcome,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    for outcome in [&command.planned.capture, &command.planned.renew] {
        outcome
            .as_ref()
            .map_or(Ok(()), transaction::require_no_customer)?;
    }
    let key = command.merchant_transaction_id;
    let payout = Transaction {
        origin_merchant_transaction_id: command.origin_merchant_transaction_id,
        payment_channel: command.payment_channel,
        planned: command.planned,
        ..Transaction::pending(command.id, Kind::Payout, key, command.money, now)
    };
    submit(payout, available, outcome, now)
}

/// Retries a payout that was refused or expired, with the checks of a new one.
///
/// Its offers stay valid until they expire, but none of them is selected any more.
pub fn renew(
    mut payout: Transaction,
    mut offers: Vec<Offer>,
    available: i64,
    outcome: Outcome,
    now: Timestamp,
) -> Result<(Transition, Vec<Offer>), Rejection> {
    payout.advance(Event::Renew, now)?;
    payout.attempts = payout.attempts.saturating_add(1);
    payout.decline = None;
    for offer in &mut offers {
        offer.selected = false;
    }
    Ok((submit(payout, available, outcome, now)?, offers))
}

/// Cancels a payout that has no result yet, and returns the amount to the merchant.
pub fn cancel(mut payout: Transaction, now: Timestamp) -> Result<Transition, Rejection> {
    payout.advance(Event::Cancel, now)?;
    payout.capturing = None;
    let entries = vec![Entry::new(
        Account::Payouts,
        Account::Merchant,
        payout.money,
    )];
    Ok(Transition {
        transaction: payout,
        entries,
    })
}

/// Reserves the amount and asks the provider, or waits for the capture of an offer.
fn submit(
    mut payout: Transaction,
    available: i64,
    outcome: Outcome,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    transaction::require_no_customer(&outcome)?;
    if payout.money.minor() > available {
        payout.refuse(RejectCode::known(INSUFFICIENT_BALANCE), now)?;
        return Ok(Transition {
            transaction: payout,
            entries: Vec::new(),
        });
    }
    let reserved = Entry::new(Account::Merchant, Account::Payouts, payout.money);
    // On a channel with offers, the provider is asked only at the capture; it can still refuse the
    // order itself.
    let waits = uses_offers(&payout) && outcome == Outcome::ACCEPT;
    let outcome = if waits {
        Outcome::Later {
            after: OFFER_WAIT,
            then: Final::Expire,
        }
    } else {
        outcome
    };
    let mut transition = answer(payout, outcome, now)?;
    transition.entries.insert(0, reserved);
    Ok(transition)
}

/// Requests new offers, which replace the earlier ones.
pub fn renew_offers(
    mut payout: Transaction,
    earlier: &[Offer],
    destination: Option<&str>,
    ids: [(Uuid, Uuid); offer::COUNT],
    now: Timestamp,
) -> Result<(Transaction, Vec<Offer>), Rejection> {
    keep_waiting(&mut payout, Event::RenewOffers, now)?;
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

/// The offer that the merchant selects, and the terms that it accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The provider.
    pub provider_id: String,
    /// The attempt that the offer belongs to.
    pub attempt_id: Uuid,
    /// The id of the accepted terms.
    pub terms_uuid: Uuid,
}

/// Selects the offer for the capture; a later selection replaces it.
pub fn select_offer(
    mut payout: Transaction,
    mut offers: Vec<Offer>,
    choice: &Choice,
    now: Timestamp,
) -> Result<(Transaction, Vec<Offer>), Rejection> {
    keep_waiting(&mut payout, Event::SelectOffer, now)?;
    if offers.is_empty() {
        let detail = "this payout has no offers to choose from";
        return Err(Rejection::new(Code::IllegalState, detail));
    }
    let wanted = |offer: &Offer| {
        (offer.provider_id.as_str(), offer.attempt_id)
            == (choice.provider_id.as_str(), choice.attempt_id)
    };
    let offer = offers.iter().find(|offer| wanted(offer));
    let offer = offer.ok_or_else(|| Rejection::unknown("offer"))?;
    if offer.terms_uuid != choice.terms_uuid {
        let detail = "these are not the terms of the offer";
        return Err(Rejection::at(Code::ContractViolation, "/termsUuid", detail));
    }
    if !offer.is_valid(now) {
        return Err(Rejection::new(Code::OfferExpired, "the offer has expired"));
    }
    for offer in &mut offers {
        offer.selected = wanted(offer);
    }
    Ok((payout, offers))
}

/// Captures the payout on the selected offer, or on the first valid one when none is selected.
pub fn capture(
    mut payout: Transaction,
    mut offers: Vec<Offer>,
    outcome: Outcome,
    now: Timestamp,
) -> Result<(Transition, Vec<Offer>), Rejection> {
    payout.advance(Event::Capture, now)?;
    if !uses_offers(&payout) || payout.capturing.is_some() || offers.is_empty() {
        return Err(Rejection::new(
            Code::IllegalState,
            "this payout has no offer to capture",
        ));
    }
    let Some(taken) = taken(&offers, now) else {
        let detail = "the selected offer has expired, or all of them have";
        return Err(Rejection::new(Code::OfferExpired, detail));
    };
    for (index, offer) in offers.iter_mut().enumerate() {
        offer.selected = index == taken;
    }
    payout.capturing = Some(payout.money.minor());
    Ok((answer(payout, outcome, now)?, offers))
}

/// The index of the offer for the capture: the selected one, or the first valid one when none is
/// selected.
///
/// An expired selection is not replaced by another offer: the result is `None`.
pub(super) fn taken(offers: &[Offer], now: Timestamp) -> Option<usize> {
    let selected = offers.iter().position(|offer| offer.selected);
    let first = || offers.iter().position(|offer| offer.is_valid(now));
    selected
        .or_else(first)
        .filter(|taken| offers[*taken].is_valid(now))
}

/// Applies the provider's final answer to a payout that waits for it.
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

/// Whether the payout's channel works with offers.
pub fn uses_offers(payout: &Transaction) -> bool {
    capabilities(payout.payment_channel.as_deref()).offers
}

/// Handles an event that leaves a payout waiting for an offer, with its timer unchanged.
fn keep_waiting(payout: &mut Transaction, event: Event, now: Timestamp) -> Result<(), Rejection> {
    let due = payout.due.clone();
    payout.advance(event, now)?;
    payout.due = due;
    if !uses_offers(payout) || payout.capturing.is_some() {
        let detail = "this payout does not wait for an offer";
        return Err(Rejection::new(Code::IllegalState, detail));
    }
    Ok(())
}

/// Applies the requested outcome to a pending payout.
fn answer(
    mut payout: Transaction,
    outcome: Outcome,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    match outcome {
        Outcome::Now(ending) => return settle(payout, ending, now),
        Outcome::Pending => {}
        Outcome::Later { after, then } => payout.schedule_result(after, then, now),
        Outcome::Challenge { .. } | Outcome::Frictionless => {
            transaction::require_no_customer(&outcome)?;
        }
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
    fn a_payout_above_the_balance_is_rejected_and_moves_nothing() {
        let refused = payout("PCL_CARD", 999, "accept");
        assert_eq!(refused.transaction.status, Status::Rejected);
        assert_eq!(refused.transaction.decline.unwrap().as_str(), "E2001");
        assert!(refused.entries.is_empty());
    }

    #[test]
    fn a_refused_payout_releases_the_reserve() {
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

    fn offered() -> (Transaction, Vec<Offer>) {
        let waiting = payout("PCL_CRYPTO", 1000, "accept").transaction;
        let ids = [1, 2].map(|id| (Uuid::from_u128(id), Uuid::from_u128(id << 64)));
        renew_offers(waiting, &[], Some("BTC"), ids, NOW).unwrap()
    }

    fn choice(offer: &Offer) -> Choice {
        Choice {
            provider_id: offer.provider_id.clone(),
            attempt_id: offer.attempt_id,
            terms_uuid: offer.terms_uuid,
        }
    }

    #[test]
    fn a_capture_uses_only_the_selected_offer() {
        let (waiting, offers) = offered();
        let second = choice(&offers[1]);
        let (waiting, offers) = select_offer(waiting, offers, &second, NOW).unwrap();
        assert!(waiting.due.is_some());
        let late = NOW + offer::LIFETIME;
        let refused = capture(waiting.clone(), offers.clone(), Outcome::ACCEPT, late);
        assert_eq!(refused.unwrap_err().code, Code::OfferExpired);

        let (paid, offers) = capture(waiting, offers, Outcome::ACCEPT, NOW).unwrap();
        assert_eq!(paid.transaction.status, Status::Accepted);
        let selected: Vec<_> = offers.iter().map(|offer| offer.selected).collect();
        assert_eq!(selected, [false, true]);
        let refused = select_offer(paid.transaction, offers, &second, NOW).unwrap_err();
        assert_eq!(refused.code, Code::IllegalState);
    }

    #[test]
    fn an_unavailable_offer_is_refused() {
        let (waiting, offers) = offered();
        let first = choice(&offers[0]);
        let other = Choice {
            attempt_id: offers[1].attempt_id,
            ..first.clone()
        };
        let unread = Choice {
            terms_uuid: offers[1].terms_uuid,
            ..first.clone()
        };
        let table = [
            (&other, NOW, Code::UnknownRecord, None),
            (&unread, NOW, Code::ContractViolation, Some("/termsUuid")),
            (&first, NOW + offer::LIFETIME, Code::OfferExpired, None),
        ];
        for (choice, now, code, pointer) in table {
            let refused = select_offer(waiting.clone(), offers.clone(), choice, now).unwrap_err();
            assert_eq!((refused.code, refused.pointer.as_deref()), (code, pointer));
        }
        let refused = select_offer(waiting, Vec::new(), &first, NOW).unwrap_err();
        assert_eq!(refused.code, Code::IllegalState);
    }

    #[test]
    fn a_payout_that_is_not_captured_expires_and_releases_its_reserve() {
        let (waiting, _) = offered();
        let due = waiting.due.clone().unwrap();
        assert_eq!((due.at, &due.then), (NOW + OFFER_WAIT, &Final::Expire));
        let expired = settle(waiting, due.then, due.at).unwrap();
        assert_eq!(expired.transaction.status, Status::Expired);
        assert_eq!(expired.entries[0].to, Account::Merchant);
    }

    #[test]
    fn a_cancelled_payout_releases_its_reserve() {
        let waiting = payout("PCL_CARD", 1000, "pending;after=PT2S").transaction;
        let cancelled = cancel(waiting, NOW).unwrap();
        let Transition {
            transaction,
            entries,
        } = cancelled;
        let back = Entry::new(Account::Payouts, Account::Merchant, transaction.money);
        assert_eq!(
            (transaction.status, entries),
            (Status::Cancelled, vec![back])
        );
        assert_eq!(transaction.due, None);
        for status in ["accept", "reject", "expire"] {
            let settled = payout("PCL_CARD", 1000, status).transaction;
            assert_eq!(cancel(settled, NOW).unwrap_err().code, Code::IllegalState);
        }
    }

    #[test]
    fn a_failed_payout_is_retried() {
        for outcome in ["reject;code=E1005", "expire"] {
            let failed = payout("PCL_CARD", 1000, outcome).transaction;
            let (paid, _) = renew(failed, Vec::new(), 1000, Outcome::ACCEPT, NOW).unwrap();
            let Transition {
                transaction,
                entries,
            } = paid;
            assert_eq!(
                (
                    transaction.status,
                    transaction.attempts,
                    transaction.decline
                ),
                (Status::Accepted, 2, None)
            );
            assert_eq!(entries.len(), 2);
        }
        let poor = payout("PCL_CARD", 999, "accept").transaction;
        let (refused, _) = renew(poor, Vec::new(), 999, Outcome::ACCEPT, NOW).unwrap();
        assert_eq!(refused.transaction.decline.unwrap().as_str(), "E2001");
        let paid = payout("PCL_CARD", 1000, "accept").transaction;
        let refused = renew(paid, Vec::new(), 1000, Outcome::ACCEPT, NOW).unwrap_err();
        assert_eq!(refused.code, Code::IllegalState);
    }

    #[test]
    fn a_retry_needs_a_new_selection() {
        let (waiting, offers) = offered();
        let refusal = "reject;code=E1005".parse().unwrap();
        let (refused, offers) = capture(waiting, offers, refusal, NOW).unwrap();
        let (again, offers) =
            renew(refused.transaction, offers, 1000, Outcome::ACCEPT, NOW).unwrap();
        assert_eq!(again.transaction.status, Status::Pending);
        assert!(offers.iter().all(|offer| !offer.selected));
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
