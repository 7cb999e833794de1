//! Challenges: one answer, in time, and a new page for each attempt.

use futures_util::future::join_all;
use jiff::SignedDuration;
use sandbox::domain::Code;
use sandbox::domain::authentication::{Authentication, Decision, LIFETIME};
use sandbox::render::View;
use sandbox::service::Target;
use sandbox::service::redirect_page::{PATH, Page};
use sandbox::store::Collection;
use serde_json::json;
use uuid::Uuid;

use crate::bench::{Bench, code};
use crate::process::Process;

on_both! {
    a_page_is_answered_once,
    a_challenge_expires_without_an_answer,
    each_attempt_has_a_different_page,
    pages_of_other_merchants_are_not_found,
    of_concurrent_answers_one_counts,
}

impl Bench {
    /// Creates a purchase with a challenge; returns its id and its page.
    async fn challenged(&self, key: &str) -> (Uuid, Page) {
        let id = self.purchase(key, "3ds").await;
        (id, page(&self.view(Collection::Transactions, id).await))
    }
}

/// The page to which a purchase sends its customer.
fn page(view: &View) -> Page {
    let url = view.redirect.as_deref().unwrap();
    let (_, name) = url.split_once(PATH).unwrap();
    name.parse().unwrap()
}

async fn a_page_is_answered_once(bench: Bench) {
    let table = [
        ("order-1", Decision::Approve, "ACCEPTED"),
        ("order-2", Decision::Decline, "REJECTED"),
        ("order-3", Decision::TimeOut, "EXPIRED"),
    ];
    for (key, decision, status) in table {
        let (id, page) = bench.challenged(key).await;
        assert!(
            bench
                .service
                .find_redirect(page)
                .await
                .unwrap()
                .actions()
                .redirect
        );
        let decided = bench.service.decide_redirect(page, decision).await.unwrap();
        assert_eq!(decided.record.transaction.id, id);
        assert_eq!(decided.record.transaction.status.wire(), status);
        assert_eq!(
            (decided.redirect.as_ref(), decided.actions().redirect),
            (None, false)
        );
        let again = bench.service.decide_redirect(page, Decision::Approve).await;
        assert_eq!(code(again), Code::UnknownRecord);
        assert_eq!(bench.status(id).await, status);
    }
    bench.audit().await;
}

async fn a_challenge_expires_without_an_answer(bench: Bench) {
    let (id, page) = bench.challenged("order-1").await;
    bench
        .clock
        .forward(LIFETIME - SignedDuration::from_millis(1));
    bench.service.fire_all().await.unwrap();
    assert_eq!(bench.status(id).await, "PENDING");
    bench.clock.forward(SignedDuration::from_millis(1));
    bench.service.fire_all().await.unwrap();
    let expired = bench
        .view(Collection::Transactions, id)
        .await
        .record
        .transaction;
    assert_eq!(expired.status.wire(), "EXPIRED");
    assert_eq!(expired.authentication, Some(Authentication::Abandoned));
    let late = bench.service.decide_redirect(page, Decision::Approve).await;
    assert_eq!(code(late), Code::UnknownRecord);
    bench.audit().await;
}

async fn each_attempt_has_a_different_page(bench: Bench) {
    let (id, first) = bench.challenged("order-1").await;
    let (service, merchant) = (&bench.service, bench.merchant);
    service
        .decide_redirect(first, Decision::Decline)
        .await
        .unwrap();
    let again = Some("3ds".parse().unwrap());
    let renewed = service
        .renew_purchase(merchant, Target::Id(id), again)
        .await;
    let renewed = crate::bench::done(renewed.unwrap());
    let second = page(&renewed);
    assert_ne!(first, second);
    let stale = service.decide_redirect(first, Decision::Approve).await;
    assert_eq!(code(stale), Code::UnknownRecord);
    let decided = service
        .decide_redirect(second, Decision::Approve)
        .await
        .unwrap();
    let transaction = decided.record.transaction;
    assert_eq!(
        (transaction.status.wire(), transaction.attempts),
        ("ACCEPTED", 2)
    );
    let kept = service
        .read(merchant, move |work| {
            let sql = "SELECT number, status, reject_code, authentication FROM attempts
                 WHERE tenant_id = $1 AND transaction_id = $2";
            Ok(work
                .connection
                .all(sql, sandbox::values![work.tenant, id], |row| {
                    Ok((
                        row.at::<i64>(0)?,
                        [row.at::<String>(1)?, row.at(2)?, row.at(3)?],
                    ))
                })?)
        })
        .await
        .unwrap();
    let failed = ["REJECTED", "E1008", "failed"].map(str::to_owned);
    assert_eq!(kept, [(1, failed)]);
    bench.audit().await;
}

async fn pages_of_other_merchants_are_not_found(bench: Bench) {
    let (id, page) = bench.challenged("order-1").await;
    let mut number = page.merchant;
    number.0 += 1;
    let guesses = [
        Page {
            merchant: number,
            ..page
        },
        Page {
            nonce: Uuid::nil(),
            ..page
        },
    ];
    for guess in guesses {
        assert_eq!(
            code(bench.service.find_redirect(guess).await),
            Code::UnknownRecord
        );
        let decided = bench
            .service
            .decide_redirect(guess, Decision::Approve)
            .await;
        assert_eq!(code(decided), Code::UnknownRecord);
    }
    assert_eq!(bench.status(id).await, "PENDING");
}

/// A later answer or cancellation does not find the page.
async fn of_concurrent_answers_one_counts(bench: Bench) {
    let (id, page) = bench.challenged("order-1").await;
    let (service, merchant) = (&bench.service, bench.merchant);
    let decisions = [Decision::Approve, Decision::Decline, Decision::TimeOut].repeat(3);
    let answers = join_all(
        decisions
            .into_iter()
            .map(|one| service.decide_redirect(page, one)),
    );
    let (answers, cancelled) = tokio::join!(
        answers,
        service.cancel_transaction(merchant, Target::Id(id))
    );
    let mut counted = usize::from(cancelled.is_ok());
    for answer in answers {
        if answer.is_ok() {
            counted += 1;
        } else {
            assert_eq!(code(answer), Code::UnknownRecord);
        }
    }
    assert_eq!(counted, 1);
    assert_ne!(bench.status(id).await, "PENDING");
    bench.audit().await;
}

#[tokio::test]
async fn the_answer_shows_where_to_send_the_customer() {
    let sandbox = Process::start();
    let made = sandbox.purchase("order-1", "3ds").await;
    let url = made["redirectUrl"].as_str().unwrap();
    assert!(url.starts_with(&format!("{}{PATH}", sandbox.url)), "{url}");
    let action = json!({"action": "REDIRECT", "data": {"redirectUrl": url}});
    assert_eq!(made["merchantAction"], action);
    assert_eq!(made["meta"]["threeDs"]["status"], "C");
    let read = sandbox.get("/v1/transactions/merchant/order-1").await;
    assert_eq!(read.body, made);
}
