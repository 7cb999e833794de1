//! The audit finds every kind of violation, and nothing in a correct database.

use sandbox::service::{Target, purchases};
use sandbox::store::{StoreError, audit};

use crate::bench::{Bench, id, notified_at, purchase};
use crate::charges;

on_both! { each_rule_finds_its_violation }

/// A change of the database, and the rule that finds it.
const DAMAGES: [(&str, &str); 26] = [
    ("UPDATE customers SET details = '{}'", "details-can-be-read"),
    (
        "UPDATE balances SET minor = minor + 1 WHERE account = 'merchant' AND currency = 'EUR'",
        "balances-are-folded-entries",
    ),
    (
        "UPDATE transactions SET amount = 1001 WHERE merchant_id = 'refund-1'",
        "refunds-do-not-exceed-what-was-taken",
    ),
    (
        "UPDATE transactions SET refunded = 300 WHERE merchant_id = 'order-1'",
        "sums-of-a-purchase-are-those-of-its-refunds",
    ),
    (
        "DROP INDEX one_active_refund; UPDATE transactions SET status = 'PENDING' WHERE type = 'TRT_REFUND'",
        "one-refund-is-active-at-a-time",
    ),
    (
        "UPDATE transactions SET status = 'PENDING' WHERE merchant_id = 'refund-1'",
        "reserves-are-those-of-open-transactions",
    ),
    (
        "UPDATE transactions SET captured = 900 WHERE merchant_id = 'order-1'",
        "a-transaction-has-moved-what-it-says",
    ),
    (
        "UPDATE answers SET merchant_id = 'nowhere' WHERE merchant_id = 'order-1'",
        "an-answer-belongs-to-what-was-made",
    ),
    (
        "UPDATE transactions SET attempts = 2 WHERE merchant_id = 'order-1'",
        "earlier-attempts-are-kept-as-they-failed",
    ),
    (
        "UPDATE transactions SET status = 'EXPIRED' WHERE merchant_id = 'refund-1'",
        "a-status-is-one-of-its-machine",
    ),
    (
        "UPDATE transactions SET currency = 'USD' WHERE merchant_id = 'refund-1'",
        "a-refund-is-of-a-purchase-in-its-currency",
    ),
    (
        "UPDATE transactions SET status = 'CANCELLED' WHERE merchant_id = 'order-1'",
        "only-an-accepted-purchase-has-taken-money",
    ),
    (
        "UPDATE transactions SET amount = amount + 1 WHERE merchant_id = 'order-1'",
        "a-purchase-at-once-has-taken-its-amount",
    ),
    (
        "UPDATE transactions SET capturing = 1 WHERE merchant_id = 'order-1'",
        "what-is-being-captured-is-pending",
    ),
    (
        "UPDATE transactions SET reject_code = 'E1005' WHERE merchant_id = 'order-1'",
        "a-rejection-has-its-code",
    ),
    (
        "UPDATE transactions SET due_at = 1, due_then = 'accept' WHERE merchant_id = 'order-1'",
        "nothing-is-due-after-the-end",
    ),
    (
        "UPDATE timers SET due_at = due_at + 1 WHERE kind = 'transaction'",
        "a-timer-is-that-of-what-is-due",
    ),
    (
        "UPDATE offers SET amount = amount + 1",
        "an-offer-is-made-for-a-payout",
    ),
    (
        "DROP INDEX one_selected_offer; UPDATE offers SET selected = 1",
        "one-offer-is-taken-at-most",
    ),
    (
        "UPDATE subscriptions SET first_transaction_id = 'nowhere'",
        "a-subscription-begins-with-a-purchase",
    ),
    (
        "UPDATE subscriptions SET status = 'expired', charging = 1",
        "what-has-ended-is-not-charged",
    ),
    (
        "UPDATE plans SET deleted_at = 1",
        "a-live-subscription-is-to-a-plan-that-is-there",
    ),
    (
        "UPDATE products SET deleted_at = 1",
        "a-live-plan-is-of-a-product-that-is-there",
    ),
    (
        "UPDATE notifications SET sequence = sequence + 1",
        "notifications-of-a-transaction-are-counted",
    ),
    (
        "UPDATE notifications SET event = 'purchase.pending'",
        "the-last-notification-tells-of-the-present-state",
    ),
    (
        "UPDATE notifications SET ready = 0",
        "a-notification-that-waits-comes-about",
    ),
];

/// Adds a record for each rule.
async fn add_records(bench: &Bench) {
    let told = purchases::Create {
        details: notified_at("http://127.0.0.1:1/"),
        ..purchase("accept")
    };
    let made = bench
        .service
        .create_purchase(bench.submission("order-1", ""), told);
    let order = id(&made.await.unwrap());
    for key in ["refund-1", "refund-2"] {
        bench.refund(key, order, "4.00", "accept").await.unwrap();
    }
    bench.purchase("order-2", "pending;after=PT1H").await;
    let payout = bench
        .payout("payout-1", "PCL_CRYPTO", "2.00", "accept")
        .await;
    let offers = bench
        .service
        .renew_offers(bench.merchant, Target::Id(payout));
    assert_eq!(crate::bench::done(offers.await.unwrap()).len(), 2);
    let plan = charges::planned(bench, "month").await;
    charges::subscribe(bench, "order-3", charges::order(plan, "accept")).await;
}

async fn each_rule_finds_its_violation(bench: Bench) {
    add_records(&bench).await;
    bench.audit().await;
    for (damage, rule) in DAMAGES {
        let findings = damaged(&bench, damage).await;
        let found = findings.iter().any(|finding| finding.rule == rule);
        assert!(found, "{rule}: {findings:?}");
    }
    for rule in audit::rules() {
        let proven = DAMAGES.iter().any(|(_, proven)| *proven == rule);
        assert!(proven, "no damage is listed for {rule}");
    }
    bench.audit().await;
}

/// The findings of the audit after some damage, which is then undone.
async fn damaged(bench: &Bench, damage: &'static str) -> Vec<audit::Finding> {
    let (tell, told) = std::sync::mpsc::channel();
    let undone: Result<(), StoreError> = bench
        .service
        .store()
        .write(move |connection| {
            for sql in damage.split(';') {
                connection.execute(sql, &[])?;
            }
            let findings = audit::audit(connection)?;
            tell.send(findings).map_err(|_| StoreError::Closed)?;
            Err(StoreError::Closed)
        })
        .await;
    told.recv()
        .unwrap_or_else(|_| panic!("{damage}: {undone:?}"))
}
