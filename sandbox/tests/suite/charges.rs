//! Charges of subscriptions, made by timers, on every database.

use jiff::{SignedDuration, Timestamp};
use sandbox::details::CustomerDetails;
use sandbox::domain::charge_script;
use sandbox::domain::page::{Page, PageParameters};
use sandbox::domain::{amount, plan, product};
use sandbox::service::subscriptions::Order;
use sandbox::service::{Customer, purchases};
use sandbox::store::subscriptions::Filter;
use uuid::Uuid;

use crate::bench::{Bench, purchase};

on_both! {
    the_same_history_charges_the_same,
    a_charge_avoids_the_ids_that_the_merchant_used,
    a_deactivated_plan_cannot_be_purchased,
    two_plans_of_one_day_are_charged_in_a_fixed_order,
}

/// A plan of 10.00 EUR, charged in these intervals.
pub(crate) async fn planned(bench: &Bench, unit: &str) -> Uuid {
    let product = product::Create {
        name: "Tea club".to_owned(),
        ..product::Create::default()
    };
    let product = bench.service.create_product(bench.merchant, product);
    let product = product.await.unwrap().record.id;
    let plan = plan::Create {
        amount: "10.00".to_owned(),
        currency: "EUR".to_owned(),
        interval_unit: unit.to_owned(),
        charge_retry: true,
        ..plan::Create::default()
    };
    let plan = bench.service.create_plan(bench.merchant, product, plan);
    plan.await.unwrap().record.id
}

/// A purchase that begins a subscription with this script of charges.
pub(crate) fn order(plan: Uuid, outcomes: &str) -> purchases::Create {
    charge_script::check(outcomes).unwrap();
    purchases::Create {
        money: amount::read("10.00", "EUR").unwrap(),
        customer: Customer::New {
            id: Uuid::now_v7(),
            details: CustomerDetails::default(),
        },
        subscription: Some(Order {
            plan,
            email: None,
            outcomes: Some(outcomes.to_owned()),
            details: Box::default(),
        }),
        ..purchase("accept")
    }
}

pub(crate) async fn subscribe(bench: &Bench, key: &str, order: purchases::Create) {
    let made = bench
        .service
        .create_purchase(bench.submission(key, ""), order);
    made.await.unwrap();
}

/// The merchant's transactions, entries and subscriptions, as text.
async fn log(bench: &Bench) -> Vec<String> {
    let merchant = bench.merchant;
    let read = bench.service.read(merchant, |work| {
        let transactions = work.connection.all(
            "SELECT id, merchant_id, status, reject_code, attempts, version, created_at, modified_at
             FROM transactions WHERE tenant_id = $1 ORDER BY id",
            &[work.tenant.into()],
            |row| {
                let (id, key): (String, String) = (row.at(0)?, row.at(1)?);
                let (status, code): (String, Option<String>) = (row.at(2)?, row.at(3)?);
                let numbers: [i64; 4] = [row.at(4)?, row.at(5)?, row.at(6)?, row.at(7)?];
                Ok(format!("{id} {key} {status} {code:?} {numbers:?}"))
            },
        )?;
        let entries = work.connection.all(
            "SELECT transaction_id, minor, posted_at FROM entries
             WHERE tenant_id = $1 AND transaction_id IS NOT NULL ORDER BY id",
            &[work.tenant.into()],
            |row| {
                let (transaction, minor): (String, i64) = (row.at(0)?, row.at(1)?);
                Ok(format!("{transaction} {minor} {}", row.at::<i64>(2)?))
            },
        )?;
        Ok(transactions.into_iter().chain(entries).collect())
    });
    read.await.unwrap()
}

async fn the_same_history_charges_the_same(bench: Bench) {
    let outcomes = [
        "accept",
        "reject;code=E1006,accept",
        "pending;after=PT30H",
        "accept,reject",
    ];
    for unit in ["day", "week", "month"] {
        let plan = planned(&bench, unit).await;
        for outcomes in outcomes {
            subscribe(&bench, &format!("{unit} {outcomes}"), order(plan, outcomes)).await;
        }
    }
    let number = bench.snapshot().await;
    let to =
        bench.service.clock(bench.merchant).await.unwrap() + SignedDuration::from_hours(24 * 60);
    let first = bench.service.advance(bench.merchant, to).await.unwrap();
    let told = log(&bench).await;
    assert!(first.fired.len() > 150, "{}", first.fired.len());
    // Late timers fire in order of their due time.
    assert!(first.fired.is_sorted_by_key(|timer| timer.due_at));
    bench.service.restore(bench.merchant, number).await.unwrap();
    // Several steps give the same result as one.
    let half =
        bench.service.clock(bench.merchant).await.unwrap() + SignedDuration::from_hours(24 * 21);
    let mut fired = bench
        .service
        .advance(bench.merchant, half)
        .await
        .unwrap()
        .fired;
    fired.extend(
        bench
            .service
            .advance(bench.merchant, to)
            .await
            .unwrap()
            .fired,
    );
    assert_eq!(first.fired, fired);
    assert_eq!(log(&bench).await, told);
    bench.audit().await;
}

async fn a_charge_avoids_the_ids_that_the_merchant_used(bench: Bench) {
    let plan = planned(&bench, "day").await;
    subscribe(&bench, "order-1", order(plan, "accept")).await;
    let subscription = subscriptions(&bench).await.remove(0);
    bench
        .purchase(&format!("{}-1", subscription.id), "accept")
        .await;
    let to = bench.service.clock(bench.merchant).await.unwrap() + SignedDuration::from_hours(24);
    bench.service.advance(bench.merchant, to).await.unwrap();
    assert_eq!(bench.status(subscription.charge_id(1)).await, "ACCEPTED");
    assert_eq!(subscriptions(&bench).await[0].paid, 2);
}

async fn a_deactivated_plan_cannot_be_purchased(bench: Bench) {
    for round in 0..10 {
        let plan = planned(&bench, "month").await;
        let purchases = (0..8).map(|number| {
            let submission = bench.submission(&format!("order-{round}-{number}"), "");
            bench
                .service
                .create_purchase(submission, order(plan, "accept"))
        });
        let purchases = futures_util::future::join_all(purchases);
        let deactivated = bench.service.deactivate_plan(bench.merchant, plan);
        let (made, deactivated) = futures_util::future::join(purchases, deactivated).await;
        deactivated.unwrap();
        let made = made.iter().filter(|made| made.is_ok()).count();
        let filter = Filter {
            plan: Some(plan),
            ..Filter::default()
        };
        let page = Page::read(&PageParameters::default(), &["createdAt"]).unwrap();
        let found = bench.service.subscriptions(bench.merchant, filter, page);
        let found = found.await.unwrap().record;
        assert_eq!(found.len(), made);
        let endless = found
            .iter()
            .filter(|record| record.subscription.end.is_none());
        assert_eq!(
            endless.count(),
            0,
            "a subscription to a plan that is not active goes on"
        );
    }
}

async fn two_plans_of_one_day_are_charged_in_a_fixed_order(bench: Bench) {
    for unit in ["day", "week"] {
        let plan = planned(&bench, unit).await;
        subscribe(&bench, unit, order(plan, "accept")).await;
    }
    let to =
        bench.service.clock(bench.merchant).await.unwrap() + SignedDuration::from_hours(24 * 8);
    let fired = bench
        .service
        .advance(bench.merchant, to)
        .await
        .unwrap()
        .fired;
    let order: Vec<(Timestamp, &str)> = fired
        .iter()
        .map(|timer| (timer.due_at, timer.subject.as_str()))
        .collect();
    assert_eq!(order.len(), 9);
    assert!(order.is_sorted(), "{order:?}");
}

async fn subscriptions(bench: &Bench) -> Vec<sandbox::domain::subscription::Subscription> {
    let page = Page::read(&PageParameters::default(), &["createdAt"]).unwrap();
    let found = bench
        .service
        .subscriptions(bench.merchant, Filter::default(), page);
    let found = found.await.unwrap().record;
    found
        .into_iter()
        .map(|record| record.subscription)
        .collect()
}
