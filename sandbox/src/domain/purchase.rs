//! Purchases: creation, capture, renewed authorization, and the provider's answers.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::amount::Wanted;
use super::channel::Channel;
use super::ledger::{Account, Entry};
use super::money::Money;
use super::outcome::{Final, Outcome};
use super::rejection::{Code, Rejection};
use super::state::{Event, Kind};
use super::transaction::{self, Planned, Transaction, Transition};

/// How long an authorization waits for its capture.
pub const AUTHORIZATION_LIFETIME: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The wish to be paid.
#[derive(Clone, Debug)]
pub struct Create {
    /// The id the purchase gets.
    pub id: Uuid,
    /// The merchant's id.
    pub merchant_transaction_id: String,
    /// The merchant's id of an earlier transaction.
    pub origin_merchant_transaction_id: Option<String>,
    /// The channel the money takes.
    pub payment_channel: Option<String>,
    /// What the customer pays.
    pub money: Money,
    /// Hold the money first, capture it later.
    pub two_step: bool,
    /// Outcomes of later calls.
    pub planned: Planned,
}

/// Starts a purchase.
pub fn create(command: Create, outcome: Outcome, now: Timestamp) -> Result<Transition, Rejection> {
    let money = command.money;
    let channel = Channel::of(command.payment_channel.as_deref());
    if command.two_step && !channel.two_step {
        let detail = "this payment channel has no separate capture";
        return Err(Rejection::at(
            Code::ContractViolation,
            "/authorization/type",
            detail,
        ));
    }
    if let Some(outcome) = &command.planned.refund {
        transaction::no_expiry(Kind::Refund, outcome)?;
    }
    let key = command.merchant_transaction_id;
    let purchase = Transaction {
        origin_merchant_transaction_id: command.origin_merchant_transaction_id,
        payment_channel: command.payment_channel,
        two_step: command.two_step,
        planned: command.planned,
        ..Transaction::pending(command.id, Kind::Purchase, key, money, now)
    };
    answer(purchase, outcome, now)
}

/// Captures money that is held: all of it, or the given amount.
///
/// There is one capture; what is not captured is released.
pub fn capture(
    mut purchase: Transaction,
    amount: &Wanted,
    outcome: Outcome,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    let held = purchase.money;
    purchase.advance(Event::Capture, now)?;
    let amount = amount.read(held.currency())?.unwrap_or(held);
    if amount.minor() > held.minor() {
        let detail = format!("more than the {held} that are authorized");
        return Err(Rejection::at(Code::AmountRule, "/amount", detail));
    }
    purchase.capturing = Some(amount.minor());
    answer(purchase, outcome, now)
}

/// Tries authorization again after a refusal or an expiry.
pub fn renew(
    mut purchase: Transaction,
    outcome: Outcome,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    purchase.advance(Event::Renew, now)?;
    purchase.attempts = purchase.attempts.saturating_add(1);
    purchase.decline = None;
    answer(purchase, outcome, now)
}

/// Applies the provider's last word to a purchase that waits for it.
pub fn settle(
    mut purchase: Transaction,
    ending: Final,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    let mut entries = Vec::new();
    let capturing = purchase.capturing.take();
    match ending {
        Final::Accept if purchase.two_step && capturing.is_none() => {
            purchase.advance(Event::Authorize, now)?;
            purchase.put_off(AUTHORIZATION_LIFETIME, Final::Expire, now);
        }
        Final::Accept => {
            purchase.advance(Event::Accept, now)?;
            purchase.captured = capturing.unwrap_or(purchase.money.minor());
            let taken = Money::new(purchase.captured, purchase.money.currency());
            entries.push(Entry::new(Account::Outside, Account::Merchant, taken));
        }
        Final::Reject(code) => purchase.refuse(code, now)?,
        Final::Expire => purchase.advance(Event::Expire, now)?,
    }
    Ok(Transition {
        transaction: purchase,
        entries,
    })
}

/// Lets the provider answer a pending purchase as the caller asked.
fn answer(
    mut purchase: Transaction,
    outcome: Outcome,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    match outcome {
        Outcome::Now(ending) => return settle(purchase, ending, now),
        Outcome::Pending => {}
        Outcome::Later { after, then } => purchase.put_off(after, then, now),
    }
    Ok(Transition {
        transaction: purchase,
        entries: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::currency::Currency;
    use crate::domain::state::Status;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn eur(minor: i64) -> Money {
        Money::new(minor, Currency::parse("EUR").unwrap())
    }

    fn wanted(amount: &str, currency: &str) -> Wanted {
        Wanted {
            amount: Some(amount.to_owned()),
            currency: Some(currency.to_owned()),
        }
    }

    fn created(two_step: bool, outcome: &str) -> Transition {
        let command = Create {
            id: Uuid::nil(),
            merchant_transaction_id: "order-1".to_owned(),
            origin_merchant_transaction_id: None,
            payment_channel: Some("PCL_CARD".to_owned()),
            money: eur(1000),
            two_step,
            planned: Planned::default(),
        };
        create(command, outcome.parse().unwrap(), NOW).unwrap()
    }

    #[test]
    fn a_direct_purchase_takes_the_money_at_once() {
        let Transition {
            transaction,
            entries,
        } = created(false, "accept");
        assert_eq!(transaction.status, Status::Accepted);
        assert_eq!(transaction.captured, 1000);
        assert_eq!(
            entries,
            [Entry::new(Account::Outside, Account::Merchant, eur(1000))]
        );
    }

    #[test]
    fn a_two_step_purchase_holds_the_money_until_its_capture() {
        let Transition {
            transaction,
            entries,
        } = created(true, "accept");
        assert_eq!(
            (transaction.status, transaction.captured),
            (Status::Authorized, 0)
        );
        assert_eq!(
            transaction.due.as_ref().map(|due| &due.then),
            Some(&Final::Expire)
        );
        assert!(entries.is_empty());

        let captured = capture(transaction, &wanted("6.00", "EUR"), Outcome::ACCEPT, NOW).unwrap();
        assert_eq!(captured.transaction.status, Status::Accepted);
        assert_eq!(
            (captured.transaction.captured, captured.transaction.due),
            (600, None)
        );
        assert_eq!(
            captured.entries,
            [Entry::new(Account::Outside, Account::Merchant, eur(600))]
        );
    }

    #[test]
    fn a_capture_that_waits_is_accepted_and_not_authorized_again() {
        let held = created(true, "accept").transaction;
        let waiting = capture(held, &Wanted::default(), Outcome::Pending, NOW)
            .unwrap()
            .transaction;
        assert_eq!(
            (waiting.status, waiting.capturing),
            (Status::Pending, Some(1000))
        );
        let settled = settle(waiting, Final::Accept, NOW).unwrap().transaction;
        assert_eq!((settled.status, settled.captured), (Status::Accepted, 1000));
    }

    #[test]
    fn a_capture_follows_the_money_rules() {
        let held = created(true, "accept").transaction;
        let table = [
            ("10.01", "EUR", "/amount"),
            ("0", "EUR", "/amount"),
            ("1", "USD", "/currency"),
        ];
        for (amount, currency, pointer) in table {
            let amount = wanted(amount, currency);
            let refused = capture(held.clone(), &amount, Outcome::ACCEPT, NOW).unwrap_err();
            assert_eq!(
                (refused.code, refused.pointer.as_deref()),
                (Code::AmountRule, Some(pointer))
            );
        }
    }

    #[test]
    fn authorization_is_renewed_after_a_refusal_or_an_expiry() {
        for outcome in ["reject;code=E1006", "expire"] {
            let failed = created(false, outcome).transaction;
            let renewed = renew(failed, Outcome::ACCEPT, NOW).unwrap().transaction;
            assert_eq!((renewed.status, renewed.attempts), (Status::Accepted, 2));
            assert_eq!(renewed.decline, None);
        }
    }

    #[test]
    fn what_the_state_does_not_allow_is_refused() {
        let accepted = created(false, "accept").transaction;
        let refused =
            capture(accepted.clone(), &wanted("0", "USD"), Outcome::ACCEPT, NOW).unwrap_err();
        assert_eq!(refused.code, Code::IllegalState);
        assert_eq!(
            renew(accepted, Outcome::ACCEPT, NOW).unwrap_err().code,
            Code::IllegalState
        );
    }

    #[test]
    fn an_outcome_that_comes_later_is_due() {
        let transaction = created(false, "pending;after=PT2S;then=expire").transaction;
        let due = transaction.due.unwrap();
        assert_eq!(due.at, NOW + SignedDuration::from_secs(2));
        assert_eq!(
            (transaction.status, due.then),
            (Status::Pending, Final::Expire)
        );
    }
}
