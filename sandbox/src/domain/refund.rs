//! Refunds: one active at a time, and never more than was captured.

use jiff::Timestamp;
use uuid::Uuid;

use super::amount::RequestedAmount;
use super::catalogue::capabilities;
use super::ledger::{Account, Entry};
use super::money::Money;
use super::outcome::{Final, Outcome};
use super::rejection::{Code, Rejection};
use super::state::{Event, Kind};
use super::transaction::{self, Transaction, Transition};

/// A request to refund a purchase.
#[derive(Clone, Debug)]
pub struct Create {
    /// The id of the new refund.
    pub id: Uuid,
    /// The merchant's id of the refund.
    pub merchant_transaction_id: String,
    /// The merchant's id of an earlier transaction.
    pub origin_merchant_transaction_id: Option<String>,
    /// The amount; all that is left when absent.
    pub amount: RequestedAmount,
}

/// The result of a command on a refund, which also changes its purchase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The refund and its ledger entries.
    pub refund: Transition,
    /// The purchase with its new sums.
    pub purchase: Transaction,
}

/// Creates a refund of `purchase`.
pub fn create(
    mut purchase: Transaction,
    command: Create,
    outcome: Outcome,
    now: Timestamp,
) -> Result<Pair, Rejection> {
    transaction::check_refund_outcome(&outcome)?;
    purchase.after(Event::Refund)?;
    if purchase.refunding > 0 {
        let detail = "one refund can be active at a time, and one is";
        return Err(Rejection::new(Code::RefundActive, detail));
    }
    let money = amount(&purchase, &command.amount)?;
    purchase.refunding = money.minor();
    purchase.modified_at = now;
    let key = command.merchant_transaction_id;
    let refund = Transaction {
        parent: Some(purchase.id),
        origin_merchant_transaction_id: command.origin_merchant_transaction_id,
        payment_channel: purchase.payment_channel.clone(),
        ..Transaction::pending(command.id, Kind::Refund, key, money, now)
    };
    let reserved = Entry::new(Account::Merchant, Account::Refunds, money);
    let mut pair = answer(
        Pair {
            refund: Transition {
                transaction: refund,
                entries: Vec::new(),
            },
            purchase,
        },
        outcome,
        now,
    )?;
    pair.refund.entries.insert(0, reserved);
    Ok(pair)
}

/// Cancels a refund that has no result yet, and returns its reserve to the merchant.
pub fn cancel(
    mut refund: Transaction,
    purchase: Transaction,
    now: Timestamp,
) -> Result<Pair, Rejection> {
    refund.advance(Event::Cancel, now)?;
    Ok(finish(refund, purchase, Account::Merchant, now))
}

/// Applies the provider's final answer to a refund that waits for it.
pub fn settle(
    mut refund: Transaction,
    mut purchase: Transaction,
    ending: Final,
    now: Timestamp,
) -> Result<Pair, Rejection> {
    let money = refund.money;
    let to = match ending {
        Final::Accept => {
            refund.advance(Event::Accept, now)?;
            purchase.refunded = purchase.refunded.saturating_add(money.minor());
            Account::Outside
        }
        Final::Reject(code) => {
            refund.refuse(code, now)?;
            Account::Merchant
        }
        Final::Expire => {
            return Err(refund.after(Event::Expire).map_or_else(
                |rejection| rejection,
                |_| Rejection::new(Code::IllegalState, "a refund does not expire"),
            ));
        }
    };
    Ok(finish(refund, purchase, to, now))
}

/// Ends the active refund and moves its reserve to the account `to`.
fn finish(refund: Transaction, mut purchase: Transaction, to: Account, now: Timestamp) -> Pair {
    purchase.refunding = 0;
    purchase.modified_at = now;
    let entries = vec![Entry::new(Account::Refunds, to, refund.money)];
    Pair {
        refund: Transition {
            transaction: refund,
            entries,
        },
        purchase,
    }
}

/// The amount of a refund, checked against what is left of the purchase.
fn amount(purchase: &Transaction, wanted: &RequestedAmount) -> Result<Money, Rejection> {
    let currency = purchase.money.currency();
    let wanted = wanted.read(currency)?;
    let left = Money::new(
        purchase.captured.saturating_sub(purchase.refunded),
        currency,
    );
    if left.minor() <= 0 {
        let detail = "everything that was taken has been given back";
        return Err(Rejection::at(Code::AmountRule, "/amount", detail));
    }
    let money = wanted.unwrap_or(left);
    if money.minor() > left.minor() {
        let detail = format!("more than the {left} that are left to give back");
        return Err(Rejection::at(Code::AmountRule, "/amount", detail));
    }
    let channel = capabilities(purchase.payment_channel.as_deref());
    if !channel.partial_refund && money.minor() != purchase.captured {
        let detail = "this payment channel gives everything back or nothing";
        return Err(Rejection::at(Code::AmountRule, "/amount", detail));
    }
    Ok(money)
}

/// Applies the requested outcome to a pending refund.
fn answer(mut pair: Pair, outcome: Outcome, now: Timestamp) -> Result<Pair, Rejection> {
    match outcome {
        Outcome::Now(ending) => return settle(pair.refund.transaction, pair.purchase, ending, now),
        Outcome::Pending => {}
        Outcome::Later { after, then } => pair.refund.transaction.schedule_result(after, then, now),
        Outcome::Challenge { .. } | Outcome::Frictionless => {
            transaction::require_no_customer(&outcome)?;
        }
    }
    Ok(pair)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::currency::Currency;
    use crate::domain::purchase;
    use crate::domain::state::Status;
    use crate::domain::transaction::Planned;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn eur(minor: i64) -> Money {
        Money::new(minor, Currency::parse("EUR").unwrap())
    }

    fn purchase(channel: &str, outcome: &str) -> Transaction {
        let command = purchase::Create {
            id: Uuid::nil(),
            merchant_transaction_id: "order-1".to_owned(),
            origin_merchant_transaction_id: None,
            payment_channel: Some(channel.to_owned()),
            money: eur(1000),
            two_step: false,
            planned: Planned::default(),
        };
        let setup = purchase::ChallengeSetup {
            page: Uuid::nil(),
            skip: false,
        };
        purchase::create(command, outcome.parse().unwrap(), setup, NOW)
            .unwrap()
            .transaction
    }

    fn refund(purchase: Transaction, minor: Option<i64>, outcome: &str) -> Result<Pair, Rejection> {
        let command = Create {
            id: Uuid::max(),
            merchant_transaction_id: "refund-1".to_owned(),
            origin_merchant_transaction_id: None,
            amount: RequestedAmount {
                amount: minor.map(|minor| eur(minor).to_string()),
                currency: None,
            },
        };
        create(purchase, command, outcome.parse().unwrap(), NOW)
    }

    #[test]
    fn partial_refunds_are_possible_until_nothing_is_left() {
        let mut purchase = purchase("PCL_CARD", "accept");
        for part in [600, 400] {
            let pair = refund(purchase, Some(part), "accept").unwrap();
            assert_eq!(pair.refund.transaction.status, Status::Accepted);
            assert_eq!(pair.refund.entries.len(), 2);
            purchase = pair.purchase;
        }
        assert_eq!((purchase.refunding, purchase.refunded), (0, 1000));
        assert_eq!(
            refund(purchase, None, "accept").unwrap_err().code,
            Code::AmountRule
        );
    }

    #[test]
    fn an_active_refund_blocks_others() {
        let pair = refund(purchase("PCL_CARD", "accept"), Some(100), "pending").unwrap();
        assert_eq!(pair.purchase.refunding, 100);
        let refused = refund(pair.purchase.clone(), Some(100), "accept").unwrap_err();
        assert_eq!(refused.code, Code::RefundActive);

        let refusal = Final::Reject(crate::domain::outcome::RejectCode::default());
        let settled = settle(pair.refund.transaction, pair.purchase, refusal, NOW).unwrap();
        assert_eq!(
            (settled.purchase.refunding, settled.purchase.refunded),
            (0, 0)
        );
        assert!(refund(settled.purchase, Some(100), "accept").is_ok());
    }

    #[test]
    fn a_cancelled_refund_leaves_the_purchase_unchanged() {
        let before = purchase("PCL_CARD", "accept");
        let pair = refund(before.clone(), Some(100), "pending").unwrap();
        let pair = cancel(pair.refund.transaction, pair.purchase, NOW).unwrap();
        assert_eq!(pair.refund.transaction.status, Status::Cancelled);
        assert_eq!(pair.purchase, before);
        let back = Entry::new(Account::Refunds, Account::Merchant, eur(100));
        assert_eq!(pair.refund.entries, [back]);
        let refused = cancel(pair.refund.transaction, pair.purchase, NOW).unwrap_err();
        assert_eq!(refused.code, Code::IllegalState);
    }

    #[test]
    fn the_amount_follows_the_money_rules() {
        for minor in [0, 1001] {
            let refused =
                refund(purchase("PCL_CARD", "accept"), Some(minor), "accept").unwrap_err();
            assert_eq!(
                (refused.code, refused.pointer.as_deref()),
                (Code::AmountRule, Some("/amount"))
            );
        }
        let refused = refund(purchase("PCL_CRYPTO", "accept"), Some(1), "accept").unwrap_err();
        assert_eq!(refused.code, Code::AmountRule);
        assert!(refund(purchase("PCL_CRYPTO", "accept"), Some(1000), "accept").is_ok());
    }

    #[test]
    fn only_accepted_purchases_are_refunded() {
        for outcome in ["pending", "reject", "expire"] {
            let refused = refund(purchase("PCL_CARD", outcome), None, "accept").unwrap_err();
            assert_eq!(refused.code, Code::IllegalState, "{outcome}");
        }
    }

    #[test]
    fn a_refund_does_not_expire() {
        let refused = refund(purchase("PCL_CARD", "accept"), None, "expire").unwrap_err();
        assert_eq!(refused.code, Code::ContractViolation);
    }
}
