//! Orders that a merchant's payment methods do not accept.

use reqwest::Method;
use serde_json::{Value, json};

use crate::process::{Process, Reply, payout, purchase, reply};

on_both_programs! {
    an_unlisted_order_is_refused_and_creates_nothing,
    a_setting_of_the_tenant_disables_the_catalogue,
}

const PURCHASES: &str = "/v1/transactions";
const PAYOUTS: &str = "/v1/payouts";
const LINKS: &str = "/v1/payment-links";

/// An order: its path, its body, and the code and pointer of the refusal.
type Row = (&'static str, Value, (&'static str, &'static str));

fn changed(mut body: Value, changes: &[(&str, &str)]) -> Value {
    for (name, value) in changes {
        body[*name] = json!(value);
    }
    body
}

fn link(currency: &str, value: u32) -> Value {
    json!({"amount": {"currency": currency, "value": value}})
}

fn orders() -> Vec<Row> {
    let bought = |changes: &[(&str, &str)]| changed(purchase("order-1", "accept"), changes);
    let paid_out =
        |changes: &[(&str, &str)]| changed(payout("payout-1", "PCL_CARD", "accept"), changes);
    let (channel, currency, amount) = ("paymentChannel", "currency", "amount");
    vec![
        (
            PURCHASES,
            bought(&[(channel, "PCL_NOPE")]),
            ("E1001", "/paymentChannel"),
        ),
        (
            PURCHASES,
            bought(&[(channel, "pcl_card")]),
            ("E1001", "/paymentChannel"),
        ),
        (
            PURCHASES,
            bought(&[
                (channel, "PCL_BANK_TRANSFER"),
                (currency, "JPY"),
                (amount, "10"),
            ]),
            ("E1004", "/currency"),
        ),
        (
            PURCHASES,
            bought(&[(amount, "100000.01")]),
            ("E1004", "/amount"),
        ),
        (
            PURCHASES,
            bought(&[(channel, "PCL_BANK_TRANSFER"), (amount, "0.99")]),
            ("E1004", "/amount"),
        ),
        (
            PAYOUTS,
            paid_out(&[(channel, "PCL_NOPE")]),
            ("E1001", "/paymentChannel"),
        ),
        (
            PAYOUTS,
            paid_out(&[(channel, "PCL_WALLET")]),
            ("E1001", "/paymentChannel"),
        ),
        (
            PAYOUTS,
            paid_out(&[(amount, "100000.01")]),
            ("E1004", "/amount"),
        ),
        (
            PAYOUTS,
            paid_out(&[(currency, "SEK")]),
            ("E1004", "/currency"),
        ),
        (LINKS, link("SEK", 10), ("E1004", "/amount/currency")),
        (LINKS, link("EUR", 100_001), ("E1004", "/amount/value")),
    ]
}

/// The status, code and first pointer of an answer.
fn refusal(reply: &Reply) -> (u16, Option<&str>, Option<&str>) {
    let pointer = &reply.body["errors"][0]["pointer"];
    (reply.status, reply.body["code"].as_str(), pointer.as_str())
}

async fn an_unlisted_order_is_refused_and_creates_nothing(sandbox: &Process) {
    for (path, body, (code, pointer)) in orders() {
        let refused = sandbox.post(path, &body).await;
        let expected = (422, Some(code), Some(pointer));
        assert_eq!(refusal(&refused), expected, "{body} {refused:?}");
    }
    for key in ["order-1", "payout-1"] {
        for collection in [PURCHASES, PAYOUTS] {
            let path = format!("{collection}/merchant/{key}");
            assert_eq!(sandbox.get(&path).await.status, 404, "{path}");
        }
    }
    let small = changed(purchase("order-1", "accept"), &[("currency", "eur")]);
    let refused = sandbox.post(PURCHASES, &small).await;
    assert_eq!(refusal(&refused), (422, Some("E1001"), Some("/currency")));
    // The limits themselves are accepted.
    let most = changed(purchase("order-1", "accept"), &[("amount", "100000.00")]);
    assert_eq!(sandbox.post(PURCHASES, &most).await.status, 201);
    sandbox.audit();
}

async fn a_setting_of_the_tenant_disables_the_catalogue(sandbox: &Process) {
    let other = json!({"name": "other", "apiKey": "key-of-other"});
    assert_eq!(sandbox.post_control("/tenants", &other).await.status, 201);
    let binds = sandbox.read_control("/settings").await;
    assert_eq!(
        (binds.status, binds.body),
        (200, json!({"catalogueBinds": true}))
    );
    sandbox.relax().await;
    // The setting of a tenant survives a reset and does not affect other tenants.
    sandbox.post_control_empty("/reset").await;
    let strange = changed(
        purchase("order-1", "accept"),
        &[("paymentChannel", "PCL_NOPE"), ("amount", "100000.01")],
    );
    let elsewhere = sandbox.client.post(format!("{}{PURCHASES}", sandbox.url));
    let elsewhere = reply(
        elsewhere
            .header("authorization", "key-of-other")
            .json(&strange),
    )
    .await;
    assert_eq!(elsewhere.status, 422, "{elsewhere:?}");
    let mut held = strange;
    held["authorization"] = json!({"type": "TWO_STEP"});
    let made = sandbox.post(PURCHASES, &held).await;
    assert_eq!(made.status, 201, "{made:?}");

    let strict = json!({"catalogueBinds": true});
    let set = reply(sandbox.admin(Method::PUT, "/settings").json(&strict)).await;
    assert_eq!((set.status, set.body), (200, strict));
    let target = json!({"transactionId": made.body["id"]});
    let refused = sandbox.post("/v1/transactions/capture", &target).await;
    let expected = (422, Some("E1001"), Some("/paymentChannel"));
    assert_eq!(refusal(&refused), expected, "{refused:?}");
    let nothing = reply(sandbox.admin(Method::PUT, "/settings").json(&json!({}))).await;
    assert_eq!(
        (nothing.status, nothing.body["code"].as_str()),
        (422, Some("E1001"))
    );
    sandbox.audit();
}
