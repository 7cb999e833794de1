//! Commands, and results that timers apply.

use jiff::SignedDuration;
use sandbox::domain::Code;
use sandbox::domain::amount::RequestedAmount;
use sandbox::domain::ledger::{Account, Entry};
use sandbox::domain::money::Money;
use sandbox::domain::offer;
use sandbox::domain::outcome::Outcome;
use sandbox::domain::purchase::AUTHORIZATION_LIFETIME;
use sandbox::domain::transaction::Planned;
use sandbox::service::payouts::Redirection;
use sandbox::service::{Target, purchases, refunds};
use sandbox::store::{self, Collection, StoreError};
use sandbox::values;

use crate::bench::{Bench, code, done, id, purchase};

on_both! {
    delayed_results_arrive_when_they_are_due_and_not_by_reading,
    a_result_without_delay_is_applied_by_the_timer,
    an_impossible_delayed_result_is_dropped,
    a_payout_reduces_the_balance_and_its_refusal_restores_it,
    a_payout_on_offers_is_captured_while_an_offer_is_valid,
    records_of_other_tenants_are_not_found,
    entries_are_only_ever_added,
    an_authorization_that_is_not_captured_expires_and_can_be_renewed,
    outcomes_requested_in_advance_decide_later_calls
}

async fn delayed_results_arrive_when_they_are_due_and_not_by_reading(bench: Bench) {
    let accepted = bench.purchase("order-1", "pending;after=PT2S").await;
    let rejected = bench
        .purchase("order-2", "pending;after=PT2S;then=reject;code=E1006")
        .await;
    let waiting = bench.purchase("order-3", "pending").await;
    bench.clock.forward(SignedDuration::from_secs(3));
    assert_eq!(bench.status(accepted).await, "PENDING");
    bench.service.fire_all().await.unwrap();
    assert_eq!(bench.status(accepted).await, "ACCEPTED");
    assert_eq!(bench.status(rejected).await, "REJECTED");
    assert_eq!(bench.status(waiting).await, "PENDING");
    bench.audit().await;
}

async fn a_result_without_delay_is_applied_by_the_timer(bench: Bench) {
    let service = bench.service.clone();
    let timer = tokio::spawn(async move { service.keep_firing().await });
    // The timer is asleep or about to be; the purchase has to wake it in both cases.
    let id = bench.purchase("order-1", "pending;after=PT0S").await;
    tokio::time::timeout(std::time::Duration::from_secs(20), async {
        while bench.status(id).await != "ACCEPTED" {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("the timer did not settle the purchase");
    timer.abort();
}

async fn an_impossible_delayed_result_is_dropped(bench: Bench) {
    let id = bench.purchase("order-1", "pending;after=PT1S").await;
    let spoilt = bench
        .service
        .command(bench.merchant, move |work| {
            let sql = "UPDATE transactions SET status = 'REJECTED', version = version + 1
                       WHERE tenant_id = $1 AND id = $2";
            Ok(work.connection.execute(sql, values![work.tenant, id])?)
        })
        .await;
    assert_eq!(spoilt.unwrap(), 1);
    bench.clock.forward(SignedDuration::from_secs(2));
    bench.service.fire_all().await.unwrap();
    assert_eq!(bench.status(id).await, "REJECTED");
    let left = bench
        .service
        .read(bench.merchant, |work| {
            let sql = "SELECT count(*) FROM timers WHERE tenant_id = $1";
            Ok(work.connection.value::<i64>(sql, values![work.tenant])?)
        })
        .await;
    assert_eq!(left.unwrap(), 0);
}

/// The largest possible balance.
const MOST: i64 = (1 << 62) - 1;

#[tokio::test]
async fn an_amount_beyond_the_ledger_is_refused() {
    let bench = Bench::on(crate::databases::file()).await;
    let filled = bench
        .service
        .command(bench.merchant, |work| {
            let money = sandbox::domain::amount::read("1", "EUR")?;
            let (connection, tenant) = (work.connection, work.tenant);
            let left = MOST - store::available(connection, tenant, money.currency())?;
            let money = Money::new(left, money.currency());
            let entry = Entry::new(Account::Opening, Account::Merchant, money);
            Ok(store::post(connection, tenant, None, &entry, work.now)?)
        })
        .await;
    filled.unwrap();
    let refused = bench
        .service
        .create_purchase(bench.submission("order-2", ""), purchase("accept"))
        .await;
    assert_eq!(code(refused), Code::AmountRule);
    bench.audit().await;
}

async fn a_payout_reduces_the_balance_and_its_refusal_restores_it(bench: Bench) {
    let all = "1000000000.00";
    for (key, outcome, status) in [("p-1", "reject", "REJECTED"), ("p-2", "accept", "ACCEPTED")] {
        let id = bench.payout(key, "PCL_CARD", all, outcome).await;
        let view = bench.view(Collection::Payouts, id).await;
        assert_eq!(view.record.transaction.status.wire(), status);
    }
    let refused = bench.payout("p-3", "PCL_CARD", "0.01", "accept").await;
    let refused = bench
        .view(Collection::Payouts, refused)
        .await
        .record
        .transaction;
    assert_eq!(refused.decline.unwrap().as_str(), "E2001");
    bench.audit().await;
}

async fn a_payout_on_offers_is_captured_while_an_offer_is_valid(bench: Bench) {
    let id = bench.payout("p-1", "PCL_CRYPTO", "250.00", "accept").await;
    let (service, merchant) = (&bench.service, bench.merchant);
    let capture = || service.capture_payout(merchant, Target::Id(id), None, Redirection::default());
    let renew = || service.renew_offers(merchant, Target::Id(id));
    assert_eq!(code(capture().await), Code::IllegalState);
    assert_eq!(done(renew().await.unwrap()).len(), offer::COUNT);
    bench.clock.forward(offer::LIFETIME);
    assert_eq!(code(capture().await), Code::OfferExpired);
    assert!(
        done(renew().await.unwrap())
            .iter()
            .all(|offer| offer.attempt_no == 2)
    );
    let view = done(capture().await.unwrap());
    assert_eq!(view.record.transaction.status.wire(), "ACCEPTED");
    assert_eq!(view.offers.iter().filter(|offer| offer.selected).count(), 1);
    assert_eq!(code(renew().await), Code::IllegalState);
    bench.audit().await;
}

async fn records_of_other_tenants_are_not_found(bench: Bench) {
    let id = bench.purchase("order-1", "accept").await;
    let other = bench.other_merchant().await;
    for target in [Target::Id(id), Target::Key("order-1".to_owned())] {
        for (merchant, collection) in [
            (other, Collection::Transactions),
            (bench.merchant, Collection::Payouts),
        ] {
            let found = bench.service.find(merchant, collection, target.clone());
            assert_eq!(code(found.await), Code::UnknownRecord);
        }
    }
}

async fn entries_are_only_ever_added(bench: Bench) {
    bench.purchase("order-1", "accept").await;
    let store = bench.service.store();
    for sql in ["UPDATE entries SET minor = 1", "DELETE FROM entries"] {
        let refused: Result<u64, StoreError> =
            store.write(|connection| connection.execute(sql, &[])).await;
        assert!(refused.unwrap_err().to_string().contains("append-only"));
    }
    bench.audit().await;
}

async fn an_authorization_that_is_not_captured_expires_and_can_be_renewed(bench: Bench) {
    let command = purchases::Create {
        two_step: true,
        ..purchase("accept")
    };
    let made = bench
        .service
        .create_purchase(bench.submission("order-1", ""), command)
        .await;
    let id = id(&made.unwrap());
    bench
        .clock
        .forward(AUTHORIZATION_LIFETIME - SignedDuration::from_millis(1));
    bench.service.fire_all().await.unwrap();
    assert_eq!(bench.status(id).await, "AUTHORIZED");
    bench.clock.forward(SignedDuration::from_millis(1));
    bench.service.fire_all().await.unwrap();
    assert_eq!(bench.status(id).await, "EXPIRED");
    let renewed = bench
        .service
        .renew_purchase(bench.merchant, Target::Id(id), None)
        .await;
    let renewed = done(renewed.unwrap());
    assert_eq!(renewed.record.transaction.status.wire(), "AUTHORIZED");
    bench.audit().await;
}

async fn outcomes_requested_in_advance_decide_later_calls(bench: Bench) {
    let planned = |text: &str| Some(text.parse().unwrap());
    let command = purchases::Create {
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
        .create_purchase(bench.submission("order-1", ""), command)
        .await;
    let (id, service, merchant) = (id(&made.unwrap()), &bench.service, bench.merchant);
    let capture = |outcome| {
        service.capture_purchase(
            merchant,
            Target::Id(id),
            RequestedAmount::default(),
            outcome,
        )
    };
    let refused = done(capture(None).await.unwrap()).record.transaction;
    assert_eq!((refused.status.wire(), refused.captured), ("REJECTED", 0));
    let renewed = service.renew_purchase(merchant, Target::Id(id), None).await;
    let renewed = done(renewed.unwrap());
    assert_eq!(renewed.record.transaction.status.wire(), "PENDING");
    bench.clock.forward(SignedDuration::from_secs(1));
    service.fire_all().await.unwrap();
    // An outcome in the call itself comes first.
    let captured = capture(Some(Outcome::ACCEPT)).await;
    let captured = done(captured.unwrap()).record.transaction;
    assert_eq!(
        (captured.status.wire(), captured.captured),
        ("ACCEPTED", 1000)
    );
    let refund = refunds::Create {
        purchase: id,
        origin_merchant_transaction_id: None,
        amount: RequestedAmount::default(),
        outcome: None,
        details: Box::default(),
    };
    service
        .create_refund(bench.merchant, bench.submission("refund-1", ""), refund)
        .await
        .unwrap();
    let view = bench.view(Collection::Transactions, id).await;
    assert_eq!(view.refunds[0].transaction.status.wire(), "PENDING");
    bench.audit().await;
}
