//! The page to which a customer is redirected.

use serde_json::{Value, json};

use super::{Answer, answer, browser, nonce};
use crate::process::{Process, payout, purchase};

on_both_programs! {
    the_answer_counts_once_and_leads_back_to_the_shop,
    a_form_that_was_not_sent_from_the_page_is_refused,
    a_return_address_that_is_not_a_web_address_is_refused,
}

fn page(made: &Value) -> &str {
    made["redirectUrl"].as_str().unwrap()
}

async fn open(url: &str) -> Answer {
    answer(browser().get(url)).await
}

async fn decide(url: &str, nonce: &str, decision: &str) -> Answer {
    let form = format!("nonce={nonce}&decision={decision}");
    answer(browser().post(url).body(form)).await
}

#[tokio::test]
async fn reading_the_page_changes_nothing() {
    let sandbox = Process::start();
    let made = sandbox.asked("order-1", None).await;
    assert!(
        page(&made).starts_with(&format!("{}/pay/", sandbox.url)),
        "{made}"
    );
    let rows = sandbox.rows();
    for _ in 0..2 {
        let shown = open(page(&made)).await;
        assert_eq!(shown.status, 200);
        for text in [
            "10.00",
            "EUR",
            "development",
            "order-1",
            "Green &#60;b&#62;tea",
        ] {
            assert!(shown.text.contains(text), "{text}\n{}", shown.text);
        }
        assert!(
            shown.policy.starts_with("default-src 'none'"),
            "{}",
            shown.policy
        );
    }
    assert_eq!(
        (sandbox.rows(), sandbox.status("order-1").await),
        (rows, "PENDING".into())
    );
}

async fn the_answer_counts_once_and_leads_back_to_the_shop(sandbox: &Process) {
    let back = "https://shop.example/back?order=1";
    let table = [
        ("approve", "ACCEPTED"),
        ("decline", "REJECTED"),
        ("timeout", "EXPIRED"),
    ];
    for (decision, status) in table {
        let made = sandbox.asked(decision, Some(back)).await;
        let nonce = nonce(&open(page(&made)).await.text);
        let decided = decide(page(&made), &nonce, decision).await;
        assert_eq!(
            (decided.status, decided.location),
            (303, Some(returned(back, &made))),
            "{decision}"
        );
        assert_eq!(sandbox.status(decision).await, status);
        assert_eq!(decide(page(&made), &nonce, "approve").await.status, 404);
        assert_eq!(open(page(&made)).await.status, 404);
        assert_eq!(sandbox.status(decision).await, status);
    }
}

/// The return address, with the secret that only the merchant knew before.
fn returned(back: &str, made: &Value) -> String {
    let known = made["verifyReturnmac"].as_str().unwrap();
    let parted = if back.contains('?') { '&' } else { '?' };
    format!("{back}{parted}verifyReturnmac={known}")
}

#[tokio::test]
async fn a_customer_who_leaves_can_come_back() {
    let sandbox = Process::start();
    let back = "https://shop.example/back";
    let made = sandbox.asked("order-1", Some(back)).await;
    let nonce = nonce(&open(page(&made)).await.text);
    let left = decide(page(&made), &nonce, "abandon").await;
    assert_eq!(
        (left.status, left.location),
        (303, Some(returned(back, &made)))
    );
    assert_eq!(sandbox.status("order-1").await, "PENDING");
    assert_eq!(open(page(&made)).await.status, 200);
}

#[tokio::test]
async fn without_a_return_address_the_end_is_a_page() {
    let sandbox = Process::start();
    for (address, decision, says) in [
        (None, "approve", "Paid"),
        (None, "decline", "Not paid"),
        (None, "abandon", "Not decided"),
        (None, "timeout", "Expired"),
    ] {
        let made = sandbox.asked(decision, address).await;
        let nonce = nonce(&open(page(&made)).await.text);
        let ended = decide(page(&made), &nonce, decision).await;
        assert_eq!((ended.status, ended.location), (200, None), "{decision}");
        assert!(
            ended.text.contains(&format!("<h1>{says}</h1>")),
            "{}",
            ended.text
        );
    }
}

async fn a_form_that_was_not_sent_from_the_page_is_refused(sandbox: &Process) {
    let made = sandbox.asked("order-1", None).await;
    let other = sandbox.asked("order-2", None).await;
    let (own, others) = (open(page(&made)).await, open(page(&other)).await);
    let (own, others) = (nonce(&own.text), nonce(&others.text));
    for given in ["", "0", &others] {
        assert_eq!(decide(page(&made), given, "approve").await.status, 403);
    }
    assert_eq!(decide(page(&made), &own, "perhaps").await.status, 422);
    assert_eq!(decide(page(&made), &own, "").await.status, 422);
    assert_eq!(sandbox.status("order-1").await, "PENDING");
}

#[tokio::test]
async fn an_unknown_payment_page_is_answered_with_a_page() {
    let sandbox = Process::start();
    let made = sandbox.asked("order-1", None).await;
    let name = page(&made).rsplit('/').next().unwrap().to_owned();
    let nobody = format!("9{name}");
    for name in ["x", "1-", &nobody, &name[..name.len() - 1]] {
        let missing = open(&format!("{}/pay/{name}", sandbox.url)).await;
        assert_eq!(missing.status, 404, "{name}");
        assert!(missing.text.contains("<h1>Nothing here</h1>"));
    }
}

async fn a_return_address_that_is_not_a_web_address_is_refused(sandbox: &Process) {
    for url in [
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://a.example/",
        "//a.example/",
        "https://u@a.example/",
        "",
    ] {
        let mut order = purchase("order-1", "3ds");
        order["paymentSpecificData"] = json!({"returnVerifyUrl": url});
        let mut paid_out = payout("payout-1", "PCL_CARD", "accept");
        paid_out["paymentSpecificData"] = json!({"returnUrl": url});
        let link = json!({"amount": {"currency": "EUR", "value": 1.00}, "returnUrl": url});
        for (path, body, pointer) in [
            (
                "/v1/transactions",
                &order,
                "/paymentSpecificData/returnVerifyUrl",
            ),
            ("/v1/payouts", &paid_out, "/paymentSpecificData/returnUrl"),
            ("/v1/payment-links", &link, "/returnUrl"),
        ] {
            let refused = sandbox.post(path, body).await;
            assert_eq!(
                (refused.status, &refused.body["code"]),
                (422, &json!("E1001")),
                "{path} {url}"
            );
            assert_eq!(refused.body["errors"][0]["pointer"], pointer, "{url}");
        }
    }
}
