//! The commands under parallel calls, and endings that come by themselves.

use futures_util::future::join_all;
use jiff::SignedDuration;
use sandbox::domain::Code;
use sandbox::domain::ledger::{Account, Entry};
use sandbox::domain::money::Money;
use sandbox::domain::offer;
use sandbox::service::{Answer, Failure, Target};
use sandbox::store::{self, Collection, StoreError, Tenant, audit};
use uuid::Uuid;

use crate::bench::{Bench, id, purchase};

fn code<T: std::fmt::Debug>(result: Result<T, Failure>) -> Code {
    match result {
        Err(Failure::Rejected(rejection)) => rejection.code,
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test]
async fn one_of_sixteen_parallel_refunds_that_stay_pending_is_active() {
    let bench = Bench::new().await;
    let purchase = bench.purchase("order-1", "accept").await;
    let keys: Vec<_> = (0..16).map(|number| format!("refund-{number}")).collect();
    let refunds = keys
        .iter()
        .map(|key| bench.refund(key, purchase, "1.00", "pending"));
    let answers = join_all(refunds).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    for refused in answers.into_iter().filter(Result::is_err) {
        assert_eq!(code(refused), Code::RefundActive);
    }
    assert_eq!(
        bench.view(Collection::Transactions, purchase).refunds.len(),
        1
    );
    bench.audit();
}

#[tokio::test]
async fn parallel_refunds_never_give_back_more_than_was_taken() {
    let bench = Bench::new().await;
    let outcomes = [
        "accept",
        "reject",
        "pending;after=PT1S",
        "pending;after=PT1S;then=reject",
    ];
    for round in 0..8 {
        let purchase = bench.purchase(&format!("order-{round}"), "accept").await;
        let keys: Vec<_> = (0..16)
            .map(|number| format!("refund-{round}-{number}"))
            .collect();
        let refunds = keys.iter().enumerate().map(|(number, key)| {
            bench.refund(
                key,
                purchase,
                "3.00",
                outcomes[(number + round) % outcomes.len()],
            )
        });
        join_all(refunds).await;
        bench.audit();
        bench.clock.forward(SignedDuration::from_secs(2));
        bench.service.settle_due().await.unwrap();
        let view = bench.view(Collection::Transactions, purchase);
        assert!(view.record.transaction.refunded <= 1000);
        assert_eq!(view.record.transaction.refunding, 0);
        bench.audit();
    }
}

#[tokio::test]
async fn the_database_itself_refuses_a_second_active_refund_and_too_much_money_back() {
    let bench = Bench::new().await;
    let id = bench.purchase("order-1", "accept").await;
    bench
        .refund("refund-1", id, "4.00", "pending")
        .await
        .unwrap();
    let view = bench.view(Collection::Transactions, id);
    let mut twin = view.refunds[0].clone();
    twin.transaction.id = Uuid::new_v4();
    twin.transaction.merchant_transaction_id = "refund-2".to_owned();
    let inserted: Result<(), StoreError> = bench
        .service
        .store()
        .write(move |connection| store::insert(connection, &twin))
        .await;
    assert!(matches!(inserted, Err(StoreError::Sqlite(text)) if text.contains("UNIQUE")));

    let before = view.record.transaction;
    let mut greedy = before.clone();
    greedy.refunded = 601;
    let stale = greedy.clone();
    let updated: Result<(), StoreError> = bench
        .service
        .store()
        .write(move |connection| store::update(connection, &before, &greedy, "{}"))
        .await;
    assert!(matches!(updated, Err(StoreError::Sqlite(text)) if text.contains("CHECK")));
    let updated: Result<(), StoreError> = bench
        .service
        .store()
        .write(move |connection| store::update(connection, &stale, &stale, "{}"))
        .await;
    assert!(matches!(updated, Err(StoreError::Stale)), "{updated:?}");
    bench.audit();
}

#[tokio::test]
async fn sixteen_parallel_purchases_with_one_key_are_one_purchase() {
    let bench = Bench::new().await;
    let purchases = (0..16).map(|_| {
        bench
            .service
            .create_purchase(bench.submission("order-1", "body"), purchase("accept"))
    });
    let answers: Vec<_> = join_all(purchases)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert!(answers.iter().all(|answer| id(answer) == id(&answers[0])));
    let made = |answer: &&Answer| matches!(answer, Answer::Made(_));
    assert_eq!(answers.iter().filter(made).count(), 1);
    let other = bench.submission("order-1", "another body");
    let refused = bench
        .service
        .create_purchase(other, purchase("accept"))
        .await;
    assert_eq!(code(refused), Code::KeyReused);
    bench.audit();
}

#[tokio::test]
async fn endings_come_when_they_are_due_and_not_by_reading() {
    let bench = Bench::new().await;
    let accepted = bench.purchase("order-1", "pending;after=PT2S").await;
    let rejected = bench
        .purchase("order-2", "pending;after=PT2S;then=reject;code=E1006")
        .await;
    let waiting = bench.purchase("order-3", "pending").await;
    bench.clock.forward(SignedDuration::from_secs(3));
    assert_eq!(bench.status(accepted), "PENDING");
    bench.service.settle_due().await.unwrap();
    assert_eq!(bench.status(accepted), "ACCEPTED");
    assert_eq!(bench.status(rejected), "REJECTED");
    assert_eq!(bench.status(waiting), "PENDING");
    bench.audit();
}

#[tokio::test]
async fn what_has_nothing_to_wait_for_is_settled_by_the_timer_alone() {
    let bench = Bench::new().await;
    let service = bench.service.clone();
    let timer = tokio::spawn(async move { service.keep_settling().await });
    // The timer sleeps by now, or is about to: the purchase has to wake it either way.
    let id = bench.purchase("order-1", "pending;after=PT0S").await;
    tokio::time::timeout(std::time::Duration::from_secs(20), async {
        while bench.status(id) != "ACCEPTED" {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("the timer did not settle the purchase");
    timer.abort();
}

#[tokio::test]
async fn an_ending_that_is_not_possible_is_parked() {
    let bench = Bench::new().await;
    let id = bench.purchase("order-1", "pending;after=PT1S").await;
    // Nothing more fits into the merchant's balance.
    let (tenant, now) = (bench.tenant, bench.service.now());
    let filled: Result<(), StoreError> = bench
        .service
        .store()
        .write(move |connection| {
            let money = sandbox::domain::amount::read("1", "EUR").map_err(|_| StoreError::Stale)?;
            let left = i64::MAX - store::available(connection, tenant, money.currency())?;
            let money = Money::new(left, money.currency());
            let entry = Entry::new(Account::Opening, Account::Merchant, money);
            store::post(connection, tenant, None, &entry, now)
        })
        .await;
    filled.unwrap();
    bench.clock.forward(SignedDuration::from_secs(2));
    bench.service.settle_due().await.unwrap();
    assert_eq!(bench.status(id), "PENDING");
    assert_eq!(
        code(
            bench
                .service
                .create_purchase(bench.submission("order-2", ""), purchase("accept"))
                .await
        ),
        Code::AmountRule
    );
    bench.audit();
}

#[tokio::test]
async fn a_payout_takes_from_the_balance_and_its_refusal_gives_back() {
    let bench = Bench::new().await;
    let status = |id| {
        bench
            .view(Collection::Payouts, id)
            .record
            .transaction
            .status
            .wire()
    };
    let all = "1000000000.00";
    assert_eq!(
        status(bench.payout("p-1", "PCL_CARD", all, "reject").await),
        "REJECTED"
    );
    assert_eq!(
        status(bench.payout("p-2", "PCL_CARD", all, "accept").await),
        "ACCEPTED"
    );
    let refused = bench.payout("p-3", "PCL_CARD", "0.01", "accept").await;
    let refused = bench.view(Collection::Payouts, refused).record.transaction;
    assert_eq!(refused.decline.unwrap().as_str(), "E2001");
    bench.audit();
}

#[tokio::test]
async fn a_payout_on_offers_is_captured_while_one_stands() {
    let bench = Bench::new().await;
    let id = bench.payout("p-1", "PCL_CRYPTO", "250.00", "accept").await;
    let (service, tenant) = (&bench.service, bench.tenant);
    let capture = || service.capture_payout(tenant, Target::Id(id), None, Ok);
    let renew = || service.renew_offers(tenant, Target::Id(id), |_| Some("BTC".to_owned()));
    assert_eq!(code(capture().await), Code::IllegalState);
    assert_eq!(renew().await.unwrap().len(), offer::COUNT);
    bench.clock.forward(offer::LIFETIME);
    assert_eq!(code(capture().await), Code::OfferExpired);
    assert!(
        renew()
            .await
            .unwrap()
            .iter()
            .all(|offer| offer.attempt_no == 2)
    );
    let view = capture().await.unwrap();
    assert_eq!(view.record.transaction.status.wire(), "ACCEPTED");
    assert_eq!(view.offers.iter().filter(|offer| offer.selected).count(), 1);
    assert_eq!(code(renew().await), Code::IllegalState);
    bench.audit();
}

#[tokio::test]
async fn what_belongs_to_another_tenant_is_not_there() {
    let bench = Bench::new().await;
    let id = bench.purchase("order-1", "accept").await;
    let other: Result<Tenant, StoreError> = bench
        .service
        .store()
        .write(|connection| store::tenant(connection, "other"))
        .await;
    let other = other.unwrap();
    for target in [Target::Id(id), Target::Key("order-1".to_owned())] {
        let found = bench.service.find(other, Collection::Transactions, &target);
        assert_eq!(code(found), Code::UnknownRecord);
        let found = bench
            .service
            .find(bench.tenant, Collection::Payouts, &target);
        assert_eq!(code(found), Code::UnknownRecord);
    }
}

#[tokio::test]
async fn the_audit_finds_what_is_wrong() {
    let bench = Bench::new().await;
    let id = bench.purchase("order-1", "accept").await;
    bench
        .refund("refund-1", id, "4.00", "accept")
        .await
        .unwrap();
    let path = bench.directory.path().join("sandbox.db");
    let vandal = rusqlite::Connection::open(path).unwrap();
    for sql in ["UPDATE postings SET minor = 1", "DELETE FROM postings"] {
        let refused = vandal.execute_batch(sql).unwrap_err().to_string();
        assert!(refused.contains("append-only"), "{refused}");
    }
    let damages = [
        (
            "UPDATE balances SET minor = minor + 1 WHERE account = 'merchant' AND currency = 'EUR'",
            "balances-are-folded-postings",
        ),
        (
            "UPDATE transactions SET refunded = 300 WHERE type = 'TRT_PURCHASE'",
            "sums-of-a-purchase-are-those-of-its-refunds",
        ),
        (
            "UPDATE transactions SET amount = 1001 WHERE type = 'TRT_REFUND'",
            "refunds-do-not-exceed-what-was-taken",
        ),
        (
            "UPDATE transactions SET captured = 900 WHERE type = 'TRT_PURCHASE'",
            "a-transaction-has-moved-what-it-says",
        ),
        (
            "INSERT INTO postings (entry, tenant_id, currency, account, minor, posted_at) VALUES (999, 1, 'EUR', 'outside', 1, 0)",
            "postings-of-an-entry-sum-to-zero",
        ),
        (
            "UPDATE transactions SET status = 'PENDING' WHERE type = 'TRT_REFUND'",
            "reserves-are-those-of-open-transactions",
        ),
        (
            "UPDATE answers SET merchant_id = 'nowhere' WHERE merchant_id = 'order-1'",
            "an-answer-belongs-to-a-transaction",
        ),
    ];
    for (damage, rule) in damages {
        vandal.execute_batch("BEGIN").unwrap();
        vandal.execute_batch(damage).unwrap();
        let findings = audit::audit(&vandal).unwrap();
        assert!(
            findings.iter().any(|finding| finding.rule == rule),
            "{rule}: {findings:?}"
        );
        vandal.execute_batch("ROLLBACK").unwrap();
    }
    bench.audit();
}
