//! Moved clocks, resets and restored snapshots.

use futures_util::future::{join, join_all};
use jiff::{SignedDuration, ToSpan};
use sandbox::domain::clock_goal::ClockGoal;
use sandbox::domain::{Code, amount};
use sandbox::service::purchases;
use sandbox::store::Collection;

use crate::bench::{Bench, code};

on_both! {
    a_clock_moves_forward_and_fires_what_is_due_in_order,
    moving_a_clock_fires_its_timers,
    a_refused_timer_is_dropped,
    a_clock_moves_by_the_requested_duration_however_long_it_takes,
    parallel_advances_move_a_clock_by_their_sum,
    each_merchant_has_a_separate_clock,
    a_reset_merchant_has_the_initial_records,
    a_snapshot_restores_the_records,
    a_snapshot_during_requests_is_consistent,
    the_same_history_happens_again_after_a_restore,
}

async fn a_clock_moves_forward_and_fires_what_is_due_in_order(bench: Bench) {
    let later = bench.purchase("order-1", "pending;after=PT2H").await;
    let sooner = bench.purchase("order-2", "pending;after=PT1H").await;
    let never = bench.purchase("order-3", "pending;after=PT4H").await;
    let start = bench.service.clock(bench.merchant).await.unwrap();
    let to = start + 3.hours();
    let advance = bench.service.advance(bench.merchant, to).await.unwrap();
    let subjects: Vec<_> = advance.fired.iter().map(|timer| &timer.subject).collect();
    assert_eq!(subjects, [&sooner.to_string(), &later.to_string()]);
    assert_eq!((advance.from, advance.to), (start, to));
    assert_eq!(bench.service.clock(bench.merchant).await.unwrap(), to);
    assert_eq!(bench.status(never).await, "PENDING");
    let settled = bench.view(Collection::Transactions, sooner).await.record;
    assert_eq!(settled.transaction.modified_at, start + 1.hour());
    // It continues with the machine's clock and never goes back.
    bench.clock.forward(SignedDuration::from_hours(1));
    assert_eq!(
        bench.service.clock(bench.merchant).await.unwrap(),
        to + 1.hour()
    );
    let back = bench.service.advance(bench.merchant, to).await;
    assert_eq!(code(back), Code::ContractViolation);
    bench.service.fire_all().await.unwrap();
    assert_eq!(bench.status(never).await, "ACCEPTED");
    bench.audit().await;
}

async fn moving_a_clock_fires_its_timers(bench: Bench) {
    let mut due = Vec::new();
    for number in 0..300 {
        let key = format!("order-{number}");
        due.push(bench.purchase(&key, "pending;after=PT1H").await.to_string());
    }
    let start = bench.service.clock(bench.merchant).await.unwrap();
    let advance = bench.service.advance(bench.merchant, start + 3.hours());
    let firing = async {
        loop {
            bench.service.fire_all().await.unwrap();
            tokio::task::yield_now().await;
        }
    };
    let advance = tokio::select! {
        advance = advance => advance.unwrap(),
        () = firing => unreachable!("it does not end"),
    };
    let fired = advance.fired.into_iter().map(|timer| timer.subject);
    // Timers that are due at the same time fire in the order of their names.
    due.sort();
    assert_eq!(fired.collect::<Vec<_>>(), due);
    bench.audit().await;
}

/// Among others, the second of two amounts that are too large together.
async fn a_refused_timer_is_dropped(bench: Bench) {
    let large = "30000000000000000.00";
    let mut made = Vec::new();
    for (key, amount, hours) in [
        ("order-1", "10.00", 1),
        ("order-2", large, 2),
        ("order-3", large, 3),
        ("order-4", "10.00", 4),
    ] {
        let outcome = format!("pending;after=PT{hours}H");
        let command = purchases::Create {
            money: amount::read(amount, "EUR").unwrap(),
            ..crate::bench::purchase(&outcome)
        };
        let answer = bench
            .service
            .create_purchase(bench.submission(key, ""), command);
        made.push(crate::bench::id(&answer.await.unwrap()));
    }
    let start = bench.service.clock(bench.merchant).await.unwrap();
    for (hours, fired) in [(5, 4), (6, 0)] {
        let to = start + hours.hours();
        let advance = bench.service.advance(bench.merchant, to).await.unwrap();
        assert_eq!(advance.fired.len(), fired);
    }
    let mut statuses = Vec::new();
    for id in made {
        statuses.push(bench.status(id).await);
    }
    assert_eq!(statuses, ["ACCEPTED", "ACCEPTED", "PENDING", "ACCEPTED"]);
    bench.audit().await;
}

async fn a_clock_moves_by_the_requested_duration_however_long_it_takes(bench: Bench) {
    for number in 0..200 {
        bench
            .purchase(&format!("order-{number}"), "pending;after=PT1H")
            .await;
    }
    let start = bench.service.clock(bench.merchant).await.unwrap();
    let meanwhile = SignedDuration::from_secs(5);
    let goal = ClockGoal::by("PT3H").unwrap();
    let pass = async { bench.clock.forward(meanwhile) };
    let (advance, ()) = join(bench.service.move_clock(bench.merchant, goal), pass).await;
    assert_eq!(advance.unwrap().fired.len(), 200);
    let now = bench.service.clock(bench.merchant).await.unwrap();
    assert_eq!(now, start + 3.hours() + meanwhile);
}

/// Each fires some of the timers, in several transactions that alternate.
async fn parallel_advances_move_a_clock_by_their_sum(bench: Bench) {
    for number in 0..300 {
        let outcome = format!("pending;after=PT{}H", number % 10);
        bench.purchase(&format!("order-{number}"), &outcome).await;
    }
    let start = bench.service.clock(bench.merchant).await.unwrap();
    let goals = ["PT1H", "P1D", "PT30M", "PT0.5S"].repeat(6);
    let moves = goals.iter().map(|by| {
        let goal = ClockGoal::by(by).unwrap();
        bench.service.move_clock(bench.merchant, goal)
    });
    let advances = join_all(moves).await.into_iter().map(Result::unwrap);
    let fired: usize = advances.map(|advance| advance.fired.len()).sum();
    assert_eq!(fired, 300);
    let now = bench.service.clock(bench.merchant).await.unwrap();
    let once = 25.hours().minutes(30).milliseconds(500);
    assert_eq!(
        now.duration_since(start),
        SignedDuration::try_from(once).unwrap() * 6
    );
    bench.audit().await;
}

async fn each_merchant_has_a_separate_clock(bench: Bench) {
    let other = bench.other_merchant().await;
    let start = bench.service.clock(other).await.unwrap();
    let to = start + 240.hours();
    bench.service.advance(bench.merchant, to).await.unwrap();
    assert_eq!(bench.service.clock(other).await.unwrap(), start);
}

async fn a_reset_merchant_has_the_initial_records(bench: Bench) {
    bench.purchase("order-1", "accept").await;
    bench.payout("payout-1", "PCL_CARD", "1.00", "accept").await;
    bench.service.reset(bench.merchant).await.unwrap();
    let again = bench
        .service
        .create_purchase(
            bench.submission("order-1", "other body"),
            crate::bench::purchase("accept"),
        )
        .await;
    assert!(again.is_ok(), "{again:?}");
    bench.audit().await;
}

async fn a_snapshot_restores_the_records(bench: Bench) {
    let purchase = bench.purchase("order-1", "accept").await;
    let pending = bench.purchase("order-2", "pending;after=PT1H").await;
    let number = bench.snapshot().await;
    bench
        .refund("refund-1", purchase, "4.00", "accept")
        .await
        .unwrap();
    let now = bench.service.clock(bench.merchant).await.unwrap();
    let to = now + 2.hours();
    bench.service.advance(bench.merchant, to).await.unwrap();
    // A snapshot can be restored repeatedly.
    for _ in 0..2 {
        bench.service.restore(bench.merchant, number).await.unwrap();
        let view = bench.view(Collection::Transactions, purchase).await;
        assert_eq!(
            (view.refunds.len(), view.record.transaction.refunded),
            (0, 0)
        );
        assert_eq!(bench.status(pending).await, "PENDING");
        assert_eq!(bench.service.clock(bench.merchant).await.unwrap(), now);
        bench.audit().await;
        bench
            .refund("refund-1", purchase, "5.00", "accept")
            .await
            .unwrap();
    }
    let unknown = bench.service.restore(bench.merchant, 99).await;
    assert_eq!(code(unknown), Code::UnknownRecord);
    let other = bench.other_merchant().await;
    let unknown = bench.service.restore(other, number).await;
    assert_eq!(code(unknown), Code::UnknownRecord);
}

async fn the_same_history_happens_again_after_a_restore(bench: Bench) {
    for number in 0..50 {
        let key = format!("order-{number}");
        let outcome = format!("pending;after=PT{}S", (number * 37) % 50);
        bench.purchase(&key, &outcome).await;
    }
    let number = bench.snapshot().await;
    let to = bench.service.clock(bench.merchant).await.unwrap() + 1.minute();
    let first = bench.service.advance(bench.merchant, to).await.unwrap();
    assert_eq!(first.fired.len(), 50);
    bench.service.restore(bench.merchant, number).await.unwrap();
    let second = bench.service.advance(bench.merchant, to).await.unwrap();
    assert_eq!(first.fired, second.fired);
    bench.audit().await;
}

async fn a_snapshot_during_requests_is_consistent(bench: Bench) {
    let keys: Vec<_> = (0..120).map(|number| format!("order-{number}")).collect();
    let purchases = keys
        .iter()
        .map(|key| bench.purchase(key, "pending;after=PT1H"));
    let snapshots = (0..6).map(|_| bench.snapshot());
    let (mut numbers, _) = join(join_all(snapshots), join_all(purchases)).await;
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    // The audit covers the snapshots, not only the present records.
    bench.audit().await;
}
