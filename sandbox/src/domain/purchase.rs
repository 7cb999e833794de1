//! Purchases: creation, capture, retries, and the answers of customer and provider.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::amount::RequestedAmount;
use super::authentication::{self, Authentication, Challenge, Decision};
use super::catalogue::capabilities;
use super::ledger::{Account, Entry};
use super::money::Money;
use super::outcome::{AUTHENTICATION_FAILED, Final, Outcome, RejectCode};
use super::rejection::{Code, Rejection};
use super::state::{Event, Kind};
use super::transaction::{self, Planned, Transaction, Transition};

/// How long an authorization waits for its capture.
pub const AUTHORIZATION_LIFETIME: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A request to create a purchase.
#[derive(Clone, Debug)]
pub struct Create {
    /// The id of the new purchase.
    pub id: Uuid,
    /// The merchant's id.
    pub merchant_transaction_id: String,
    /// The merchant's id of an earlier transaction.
    pub origin_merchant_transaction_id: Option<String>,
    /// The channel.
    pub payment_channel: Option<String>,
    /// The amount that the customer pays.
    pub money: Money,
    /// Whether the money is held first and captured later.
    pub two_step: bool,
    /// The outcomes of later calls.
    pub planned: Planned,
}

/// How to authenticate the customer in one attempt.
#[derive(Clone, Copy, Debug)]
pub struct ChallengeSetup {
    /// The id of the page on which the customer answers a challenge.
    pub page: Uuid,
    /// Whether the merchant wants to skip challenges.
    pub skip: bool,
}

/// Creates a purchase.
pub fn create(
    command: Create,
    outcome: Outcome,
    setup: ChallengeSetup,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    let money = command.money;
    if command.two_step && money.minor() == 0 {
        let detail = "there is nothing to be captured later";
        return Err(Rejection::at(
            Code::ContractViolation,
            "/authorization/type",
            detail,
        ));
    }
    let channel = capabilities(command.payment_channel.as_deref());
    if command.two_step && !channel.two_step {
        let detail = "this payment channel has no separate capture";
        return Err(Rejection::at(
            Code::ContractViolation,
            "/authorization/type",
            detail,
        ));
    }
    if let Some(outcome) = &command.planned.refund {
        transaction::check_refund_outcome(outcome)?;
    }
    if let Some(outcome) = &command.planned.capture {
        transaction::require_no_customer(outcome)?;
    }
    let key = command.merchant_transaction_id;
    let purchase = Transaction {
        origin_merchant_transaction_id: command.origin_merchant_transaction_id,
        payment_channel: command.payment_channel,
        two_step: command.two_step,
        planned: command.planned,
        ..Transaction::pending(command.id, Kind::Purchase, key, money, now)
    };
    authorize(purchase, outcome, setup, now)
}

/// Captures held money: all of it, or the given amount.
///
/// A purchase has one capture; the rest of the held money is released.
pub fn capture(
    mut purchase: Transaction,
    amount: &RequestedAmount,
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
    transaction::require_no_customer(&outcome)?;
    answer(purchase, outcome, now)
}

/// Retries the authorization after a refusal or an expiry.
pub fn renew(
    mut purchase: Transaction,
    outcome: Outcome,
    setup: ChallengeSetup,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    purchase.advance(Event::Renew, now)?;
    purchase.attempts = purchase.attempts.saturating_add(1);
    purchase.decline = None;
    purchase.authentication = None;
    authorize(purchase, outcome, setup, now)
}

/// Applies the customer's answer to a challenge; each challenge accepts one answer.
pub fn decide(
    mut purchase: Transaction,
    page: Uuid,
    decision: Decision,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    let open = purchase.authentication.take();
    let open = open.as_ref().and_then(Authentication::challenge);
    let Some(open) = open.filter(|open| open.page == page) else {
        let detail = "this page has been answered, or its time is over";
        return Err(Rejection::new(Code::IllegalState, detail));
    };
    let (authentication, ending) = match decision {
        Decision::Approve => (Authentication::Passed, open.then.clone()),
        Decision::Decline => (Authentication::Failed, Final::Reject(not_authenticated())),
        Decision::TimeOut => (Authentication::Abandoned, Final::Expire),
    };
    purchase.authentication = Some(authentication);
    settle(purchase, ending, now)
}

/// Cancels a purchase that has no result yet, or releases the money that it holds.
pub fn cancel(mut purchase: Transaction, now: Timestamp) -> Result<Transition, Rejection> {
    purchase.advance(Event::Cancel, now)?;
    purchase.capturing = None;
    abandon_challenge(&mut purchase);
    Ok(Transition {
        transaction: purchase,
        entries: Vec::new(),
    })
}

/// Applies the provider's final answer to a purchase that waits for it.
pub fn settle(
    mut purchase: Transaction,
    ending: Final,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    let mut entries = Vec::new();
    let capturing = purchase.capturing.take();
    abandon_challenge(&mut purchase);
    match ending {
        Final::Accept if purchase.two_step && capturing.is_none() => {
            purchase.advance(Event::Authorize, now)?;
            purchase.schedule_result(AUTHORIZATION_LIFETIME, Final::Expire, now);
        }
        Final::Accept => {
            purchase.advance(Event::Accept, now)?;
            purchase.captured = capturing.unwrap_or(purchase.money.minor());
            let taken = Money::new(purchase.captured, purchase.money.currency());
            // The first payment of a subscription may be zero.
            if taken.minor() > 0 {
                entries.push(Entry::new(Account::Outside, Account::Merchant, taken));
            }
        }
        Final::Reject(code) => purchase.refuse(code, now)?,
        Final::Expire => purchase.advance(Event::Expire, now)?,
    }
    Ok(Transition {
        transaction: purchase,
        entries,
    })
}

/// Asks the customer if the outcome requires it, and then the provider.
fn authorize(
    mut purchase: Transaction,
    outcome: Outcome,
    setup: ChallengeSetup,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    match outcome {
        Outcome::Challenge { then } if setup.skip => settle(purchase, then, now),
        Outcome::Challenge { then } => {
            let page = setup.page;
            purchase.advance(Event::Challenge, now)?;
            purchase.authentication = Some(Authentication::Asked(Challenge { page, then }));
            purchase.schedule_result(authentication::LIFETIME, Final::Expire, now);
            Ok(Transition {
                transaction: purchase,
                entries: Vec::new(),
            })
        }
        Outcome::Frictionless => {
            purchase.authentication = (!setup.skip).then_some(Authentication::Frictionless);
            settle(purchase, Final::Accept, now)
        }
        _ => answer(purchase, outcome, now),
    }
}

/// Marks an open challenge as abandoned.
fn abandon_challenge(purchase: &mut Transaction) {
    if let Some(Authentication::Asked(_)) = purchase.authentication {
        purchase.authentication = Some(Authentication::Abandoned);
    }
}

fn not_authenticated() -> RejectCode {
    RejectCode::known(AUTHENTICATION_FAILED)
}

/// Applies the requested outcome to a pending purchase.
fn answer(
    mut purchase: Transaction,
    outcome: Outcome,
    now: Timestamp,
) -> Result<Transition, Rejection> {
    match outcome {
        Outcome::Now(ending) => return settle(purchase, ending, now),
        Outcome::Pending => {}
        Outcome::Later { after, then } => purchase.schedule_result(after, then, now),
        Outcome::Challenge { .. } | Outcome::Frictionless => {
            transaction::require_no_customer(&outcome)?;
        }
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
    const PAGE: Uuid = Uuid::from_u128(7);
    const SETUP: ChallengeSetup = ChallengeSetup {
        page: PAGE,
        skip: false,
    };

    fn eur(minor: i64) -> Money {
        Money::new(minor, Currency::parse("EUR").unwrap())
    }

    fn wanted(amount: &str, currency: &str) -> RequestedAmount {
        RequestedAmount {
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
        create(command, outcome.parse().unwrap(), SETUP, NOW).unwrap()
    }

    #[test]
    fn a_direct_purchase_captures_the_money_at_once() {
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
    fn a_pending_capture_is_accepted_and_not_authorized_again() {
        let held = created(true, "accept").transaction;
        let waiting = capture(held, &RequestedAmount::default(), Outcome::Pending, NOW)
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
            let renewed = renew(failed, Outcome::ACCEPT, SETUP, NOW)
                .unwrap()
                .transaction;
            assert_eq!((renewed.status, renewed.attempts), (Status::Accepted, 2));
            assert_eq!(renewed.decline, None);
        }
    }

    #[test]
    fn commands_that_the_state_forbids_are_refused() {
        let accepted = created(false, "accept").transaction;
        let refused =
            capture(accepted.clone(), &wanted("0", "USD"), Outcome::ACCEPT, NOW).unwrap_err();
        assert_eq!(refused.code, Code::IllegalState);
        assert_eq!(
            renew(accepted, Outcome::ACCEPT, SETUP, NOW)
                .unwrap_err()
                .code,
            Code::IllegalState
        );
    }

    #[test]
    fn pending_and_held_purchases_can_be_cancelled() {
        let held = created(true, "accept").transaction;
        let capturing = capture(
            held.clone(),
            &RequestedAmount::default(),
            Outcome::Pending,
            NOW,
        );
        let table = [
            created(false, "pending;after=PT2S").transaction,
            held,
            capturing.unwrap().transaction,
        ];
        for purchase in table {
            let cancelled = cancel(purchase, NOW).unwrap();
            let Transition {
                transaction,
                entries,
            } = cancelled;
            assert_eq!(transaction.status, Status::Cancelled);
            assert_eq!(
                (transaction.due.as_ref(), transaction.capturing),
                (None, None)
            );
            assert_eq!(entries, []);
            assert_eq!(
                cancel(transaction, NOW).unwrap_err().code,
                Code::IllegalState
            );
        }
        let accepted = created(false, "accept").transaction;
        assert_eq!(cancel(accepted, NOW).unwrap_err().code, Code::IllegalState);
    }

    #[test]
    fn the_customer_answers_once_and_the_provider_after_them() {
        let table = [
            ("3ds", Decision::Approve, Status::Accepted, None),
            (
                "3ds;then=reject;code=E1006",
                Decision::Approve,
                Status::Rejected,
                Some("E1006"),
            ),
            ("3ds", Decision::Decline, Status::Rejected, Some("E1008")),
            ("3ds", Decision::TimeOut, Status::Expired, None),
        ];
        for (outcome, decision, status, code) in table {
            let asked = created(false, outcome).transaction;
            assert_eq!(asked.status, Status::Pending);
            let due = asked.due.clone().unwrap();
            assert_eq!(
                (due.at, due.then),
                (NOW + authentication::LIFETIME, Final::Expire)
            );
            let wrong = decide(asked.clone(), Uuid::nil(), decision, NOW).unwrap_err();
            assert_eq!(wrong.code, Code::IllegalState);
            let decided = decide(asked, PAGE, decision, NOW).unwrap().transaction;
            let decline = decided.decline.as_ref().map(RejectCode::as_str);
            assert_eq!(
                (decided.status, decline),
                (status, code),
                "{outcome} {decision:?}"
            );
            let again = decide(decided, PAGE, decision, NOW).unwrap_err();
            assert_eq!(again.code, Code::IllegalState);
        }
    }

    #[test]
    fn money_is_held_after_the_customer_has_answered() {
        let asked = created(true, "3ds").transaction;
        let held = decide(asked, PAGE, Decision::Approve, NOW).unwrap();
        assert_eq!(held.transaction.status, Status::Authorized);
        assert_eq!(
            held.transaction.authentication,
            Some(Authentication::Passed)
        );
        let refused = capture(
            held.transaction,
            &RequestedAmount::default(),
            Outcome::Frictionless,
            NOW,
        );
        assert_eq!(refused.unwrap_err().code, Code::ContractViolation);
    }

    #[test]
    fn an_unanswered_challenge_is_abandoned() {
        for outcome in ["timer", "cancel"] {
            let asked = created(false, "3ds").transaction;
            let closed = match outcome {
                "timer" => settle(asked, Final::Expire, NOW),
                _ => cancel(asked, NOW),
            };
            let closed = closed.unwrap().transaction;
            assert_eq!(
                closed.authentication,
                Some(Authentication::Abandoned),
                "{outcome}"
            );
            let late = decide(closed, PAGE, Decision::Approve, NOW).unwrap_err();
            assert_eq!(late.code, Code::IllegalState);
        }
    }

    #[test]
    fn the_customer_is_not_asked_when_the_merchant_skips_it() {
        for outcome in ["3ds", "frictionless"] {
            let failed = created(false, "reject").transaction;
            let skip = ChallengeSetup {
                skip: true,
                ..SETUP
            };
            let renewed = renew(failed, outcome.parse().unwrap(), skip, NOW).unwrap();
            assert_eq!(renewed.transaction.status, Status::Accepted);
            assert_eq!(renewed.transaction.authentication, None, "{outcome}");
        }
        let known = created(false, "frictionless").transaction;
        assert_eq!(known.authentication, Some(Authentication::Frictionless));
    }

    #[test]
    fn a_retry_starts_a_new_challenge() {
        let asked = created(false, "3ds").transaction;
        let failed = decide(asked, PAGE, Decision::Decline, NOW).unwrap();
        let again = renew(failed.transaction, "3ds".parse().unwrap(), SETUP, NOW).unwrap();
        let open = again.transaction.authentication;
        assert!(open.is_some_and(|open| open.challenge().is_some()));
    }

    #[test]
    fn a_delayed_outcome_is_due_later() {
        let transaction = created(false, "pending;after=PT2S;then=expire").transaction;
        let due = transaction.due.unwrap();
        assert_eq!(due.at, NOW + SignedDuration::from_secs(2));
        assert_eq!(
            (transaction.status, due.then),
            (Status::Pending, Final::Expire)
        );
    }
}
