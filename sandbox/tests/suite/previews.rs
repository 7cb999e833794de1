//! Answers that store nothing: cashback calculations and wallet sessions.

use serde_json::{Value, json};

use crate::process::Process;

const CASHBACK: &str = "/v1/transactions/calculateCashback";
const WALLET: &str = "/v1/transactions/validateWalletSession";

#[tokio::test]
async fn cashback_is_exact_and_depends_on_the_channel() {
    let sandbox = Process::start();
    let rows = sandbox.rows();
    let table = [
        (
            "99.99",
            "EUR",
            "PCL_CARD",
            json!([{"type": "PERCENT", "value": "1.5", "amount": "1.50"}]),
        ),
        (
            "1500",
            "JPY",
            "PCL_CARD",
            json!([{"type": "PERCENT", "value": "1.5", "amount": "22"}]),
        ),
        (
            "7.25",
            "KWD",
            "PCL_CARD",
            json!([{"type": "PERCENT", "value": "1.5", "amount": "0.109"}]),
        ),
        ("99.99", "EUR", "PCL_CRYPTO", json!([])),
    ];
    for (amount, currency, channel, values) in table {
        let body = json!({"amount": amount, "currency": currency, "paymentChannel": channel,
            "merchantTransactionId": "order-1", "cashback": {"client": {"id": "client-77"}}});
        let found = sandbox.post(CASHBACK, &body).await;
        assert_eq!(
            (found.status, &found.body["cashback"]["values"]),
            (200, &values)
        );
        assert_eq!(found.body["cashback"]["active"], json!(values != json!([])));
        assert_eq!(found.body["cashback"]["client"]["id"], "client-77");
    }
    assert_eq!(sandbox.rows(), rows);
}

#[tokio::test]
async fn a_session_ends_soon_on_the_merchants_clock() {
    let sandbox = Process::start();
    let body = json!({"paymentMethod": "PME_WALLET", "paymentChannel": "PCL_WALLET",
        "validationUrl": "https://wallet.example/session", "domainName": "shop.merchant.example",
        "displayName": "Sample Shop"});
    sandbox
        .post_control("/clock/advance", &json!({"to": "2040-01-01T00:00:00Z"}))
        .await;
    let made = sandbox.post(WALLET, &body).await;
    assert_eq!(made.status, 200, "{made:?}");
    let session = &made.body["merchantSession"];
    assert_eq!(session["domainName"], "shop.merchant.example");
    assert!(
        made.body["expiresAt"]
            .as_str()
            .unwrap()
            .starts_with("2040-01-01T00:0")
    );
    let other = sandbox.post(WALLET, &body).await.body;
    assert_ne!(other["merchantSession"]["nonce"], session["nonce"]);
}

#[tokio::test]
async fn invalid_requests_for_cashback_and_sessions_are_refused() {
    let sandbox = Process::start();
    let session = |name: &str, value: &str| {
        let mut body =
            json!({"validationUrl": "https://wallet.example", "domainName": "a.example"});
        body[name] = json!(value);
        body
    };
    let money = |amount: &str, currency: &str| json!({"amount": amount, "currency": currency});
    let table: [(&str, Value, &str, &str); 10] = [
        (CASHBACK, money("0.00", "EUR"), "E1004", "/amount"),
        (CASHBACK, money("1.001", "EUR"), "E1004", "/amount"),
        (CASHBACK, money("1.00", "XXX"), "E1004", "/currency"),
        (CASHBACK, json!({"currency": "EUR"}), "E1001", ""),
        (
            WALLET,
            session("validationUrl", "http://wallet.example"),
            "E1001",
            "/validationUrl",
        ),
        (
            WALLET,
            session("domainName", "https://a.example"),
            "E1001",
            "/domainName",
        ),
        (
            WALLET,
            session("paymentMethod", "PME_CARD"),
            "E1001",
            "/paymentMethod",
        ),
        (
            WALLET,
            session("paymentChannel", "PCL_CARD"),
            "E1001",
            "/paymentChannel",
        ),
        (WALLET, session("displayName", ""), "E1001", "/displayName"),
        (WALLET, json!({"domainName": "a.example"}), "E1001", ""),
    ];
    for (path, body, code, pointer) in table {
        let refused = sandbox.post(path, &body).await;
        assert_eq!(
            (refused.status, &refused.body["code"]),
            (422, &json!(code)),
            "{body}"
        );
        let place = refused.body["errors"][0]["pointer"].as_str().unwrap();
        assert!(place.starts_with(pointer), "{place} {body}");
    }
}
