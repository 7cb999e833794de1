//! The commands, and endings that come by themselves.

use jiff::SignedDuration;
use sandbox::domain::Code;
use sandbox::domain::amount::Wanted;
use sandbox::domain::ledger::{Account, Entry};
use sandbox::domain::money::Money;
use sandbox::domain::offer;
use sandbox::domain::outcome::Outcome;
use sandbox::domain::purchase::AUTHORIZATION_LIFETIME;
use sandbox::domain::transaction::Planned;
use sandbox::service::{Target, purchases, refunds};
use sandbox::store::{self, Collection, StoreError, Tenant, audit};

use crate::bench::{Bench, code, id, purchase};

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

#[tokio::test]
async fn what_is_not_captured_in_time_expires_and_can_be_renewed() {
    let bench = Bench::new().await;
    let wish = purchases::Create {
        two_step: true,
        ..purchase("accept")
    };
    let made = bench
        .service
        .create_purchase(bench.submission("order-1", ""), wish)
        .await;
    let id = id(&made.unwrap());
    bench
        .clock
        .forward(AUTHORIZATION_LIFETIME - SignedDuration::from_millis(1));
    bench.service.settle_due().await.unwrap();
    assert_eq!(bench.status(id), "AUTHORIZED");
    bench.clock.forward(SignedDuration::from_millis(1));
    bench.service.settle_due().await.unwrap();
    assert_eq!(bench.status(id), "EXPIRED");
    let renewed = bench
        .service
        .renew_purchase(bench.tenant, Target::Id(id), None)
        .await
        .unwrap();
    assert_eq!(renewed.record.transaction.status.wire(), "AUTHORIZED");
    bench.audit();
}

#[tokio::test]
async fn outcomes_asked_for_in_advance_decide_later_calls() {
    let bench = Bench::new().await;
    let planned = |text: &str| Some(text.parse().unwrap());
    let wish = purchases::Create {
        two_step: true,
        planned: Planned {
            capture: planned("reject;code=E1006"),
            renew: planned("pending;after=PT1S"),
            refund: planned("pending"),
        },
        ..purchase("accept")
    };
    let made = bench
        .service
        .create_purchase(bench.submission("order-1", ""), wish)
        .await;
    let (id, service, tenant) = (id(&made.unwrap()), &bench.service, bench.tenant);
    let capture =
        |outcome| service.capture_purchase(tenant, Target::Id(id), Wanted::default(), outcome);
    let refused = capture(None).await.unwrap().record.transaction;
    assert_eq!((refused.status.wire(), refused.captured), ("REJECTED", 0));
    let renewed = service
        .renew_purchase(tenant, Target::Id(id), None)
        .await
        .unwrap();
    assert_eq!(renewed.record.transaction.status.wire(), "PENDING");
    bench.clock.forward(SignedDuration::from_secs(1));
    service.settle_due().await.unwrap();
    // What is asked for with the call itself comes first.
    let captured = capture(Some(Outcome::ACCEPT))
        .await
        .unwrap()
        .record
        .transaction;
    assert_eq!(
        (captured.status.wire(), captured.captured),
        ("ACCEPTED", 1000)
    );
    let refund = refunds::Create {
        purchase: id,
        origin_merchant_transaction_id: None,
        amount: Wanted::default(),
        outcome: None,
        details: "{}".to_owned(),
    };
    service
        .create_refund(bench.submission("refund-1", ""), refund)
        .await
        .unwrap();
    let view = bench.view(Collection::Transactions, id);
    assert_eq!(view.refunds[0].transaction.status.wire(), "PENDING");
    bench.audit();
}
