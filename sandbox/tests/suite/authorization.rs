//! Calculations, and purchases and payouts that use their quotes, over HTTP.

use serde_json::{Value, json};

use crate::process::Process;

const CALCULATE: &str = "/v1/authorization/calculate";
const REVERSED: &str = "/v1/authorization/calculateReversed";

/// The id of the quote that every merchant starts with, which has expired.
const EXPIRED: &str = "00000000-0000-4000-8000-000000001414";

/// The quote in dollars for a card payment of 100.00 EUR.
async fn quoted(sandbox: &Process, more: &Value) -> Value {
    let mut body = json!({
        "amount": "100.00",
        "currency": "EUR",
        "authorizationCurrency": "USD",
        "data": [{"paymentChannel": "PCL_CARD"}]
    });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    let answer = sandbox.post(CALCULATE, &body).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body[0]["channels"][0]["authorization"].clone()
}

fn purchase(key: &str, quote: &Value) -> Value {
    json!({
        "merchantTransactionId": key,
        "paymentChannel": "PCL_CARD",
        "amount": "100.00",
        "currency": "EUR",
        "authorization": {
            "amount": quote["amount"],
            "currency": quote["currency"],
            "sessionId": quote["sessionId"]
        }
    })
}

/// The status, code and pointers of a refusal.
async fn refusal(sandbox: &Process, path: &str, body: &Value) -> (u16, String, Vec<String>) {
    let answer = sandbox.post(path, body).await;
    let places = answer.body["errors"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let pointers = places.iter().map(|place| text(&place["pointer"])).collect();
    (answer.status, text(&answer.body["code"]), pointers)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_calculation_has_a_fee_for_each_payment_method() {
    let sandbox = Process::start();
    let body = json!({"amount": "100.00", "currency": "EUR"});
    let answer = sandbox.post(CALCULATE, &body).await;
    let methods = answer.body.as_array().unwrap();
    let names: Vec<_> = methods
        .iter()
        .map(|one| text(&one["paymentMethod"]))
        .collect();
    assert_eq!(names, ["PME_CARD", "PME_BANK", "PME_WALLET"]);
    let cards = methods[0]["channels"][0]["cardOrganizations"]
        .as_array()
        .unwrap();
    let fees: Vec<_> = cards
        .iter()
        .map(|card| text(&card["authorization"]["fee"]))
        .collect();
    assert_eq!(fees, ["2.15", "1.90", "3.25"]);
    assert_eq!(methods[0]["maxFee"], "3.25");
    let bank = &methods[1]["channels"][0]["authorization"];
    assert_eq!(bank["rate"], "1.00000000");
    assert_eq!(
        (&bank["baseAmount"], &bank["amount"]),
        (&json!("100.00"), &json!("100.35"))
    );
}

#[tokio::test]
async fn a_purchase_is_authorized_as_calculated() {
    let sandbox = Process::start();
    let quote = quoted(&sandbox, &json!({"merchantTransactionId": "order-1"})).await;
    assert_eq!(
        (&quote["amount"], &quote["fee"]),
        (&json!("111.16"), &json!("2.66"))
    );
    let body = purchase("order-1", &quote);
    let made = sandbox.post("/v1/transactions", &body).await;
    assert_eq!(
        (made.status, &made.body["status"]),
        (201, &json!("ACCEPTED")),
        "{made:?}"
    );
    let expected = json!({"amount": "111.16", "currency": "USD", "fee": "2.66"});
    assert_eq!(made.body["authorization"], expected);
    assert_eq!(made.body["amount"], "100.00");
    assert_eq!(
        made.body["fee"],
        json!({"amount": "2.66", "currency": "USD"})
    );
    assert_eq!(made.body["subsidiaryData"]["grossAmount"], "111.16");
    let again = sandbox.post("/v1/transactions", &body).await;
    assert_eq!(again.headers["idempotent-replayed"], "true");
    sandbox.audit();
}

#[tokio::test]
async fn an_amount_without_a_quote_is_not_authorized() {
    let sandbox = Process::start();
    let quote = quoted(&sandbox, &json!({"merchantTransactionId": "order-1"})).await;
    let rows = sandbox.rows();
    let changed = |name: &str, value: Value| {
        let mut body = purchase("order-1", &quote);
        body[name] = value;
        body
    };
    let mut less = purchase("order-1", &quote);
    less["authorization"]["amount"] = json!("111.15");
    let mut expired = purchase("order-2", &quote);
    expired["authorization"]["sessionId"] = json!(EXPIRED);
    let mut unknown = purchase("order-3", &quote);
    unknown["authorization"]["sessionId"] = json!("5d2b7f90-61c4-4e3a-8f17-2a9b0c4d6e83");
    let mut unquoted = purchase("order-4", &quote);
    unquoted["authorization"] = json!({"amount": "111.16", "currency": "USD"});
    let session = "/authorization/sessionId";
    let table: [(Value, u16, &str, &[&str]); 8] = [
        (less, 422, "E1004", &["/authorization/amount"]),
        (
            changed("amount", json!("99.99")),
            422,
            "E1004",
            &["/amount"],
        ),
        (
            changed("currency", json!("USD")),
            422,
            "E1004",
            &["/currency"],
        ),
        (
            changed("paymentChannel", json!("PCL_WALLET")),
            422,
            "E1004",
            &["/paymentChannel"],
        ),
        (
            purchase("order-9", &quote),
            422,
            "E1004",
            &["/merchantTransactionId"],
        ),
        (expired, 409, "E1414", &[session]),
        (unknown, 404, "E1404", &[session]),
        (unquoted, 422, "E1004", &["/authorization/currency"]),
    ];
    for (body, status, code, pointers) in table {
        let refused = refusal(&sandbox, "/v1/transactions", &body).await;
        let expected = (
            status,
            code.to_owned(),
            pointers.iter().map(|&one| one.to_owned()).collect(),
        );
        assert_eq!(refused, expected, "{body}");
    }
    assert_eq!(sandbox.rows(), rows);
}

#[tokio::test]
async fn a_payout_uses_the_quote_of_a_payout() {
    let sandbox = Process::start();
    let of_payout = quoted(&sandbox, &json!({"transactionType": "TRT_PAYOUT"})).await;
    let of_purchase = quoted(&sandbox, &json!({})).await;
    let payout = |key: &str, quote: &Value| {
        let mut body = purchase(key, quote);
        body["customer"] = json!({"firstName": "Sample"});
        body["paymentSpecificData"] = json!({"destinationCurrency": "EUR"});
        body
    };
    let refused = refusal(&sandbox, "/v1/payouts", &payout("payout-1", &of_purchase)).await;
    assert_eq!(
        refused,
        (
            422,
            "E1004".to_owned(),
            vec!["/authorization/sessionId".to_owned()]
        )
    );
    let made = sandbox
        .post("/v1/payouts", &payout("payout-1", &of_payout))
        .await;
    assert_eq!(
        (made.status, &made.body["authorization"]["fee"]),
        (201, &json!("2.66")),
        "{made:?}"
    );
    sandbox.audit();
}

#[tokio::test]
async fn the_reverse_calculation_finds_the_order_for_an_amount() {
    let sandbox = Process::start();
    let body = json!({
        "amount": "111.16",
        "currency": "EUR",
        "authorizationCurrency": "USD",
        "data": [{"paymentChannel": "PCL_CARD"}]
    });
    let answer = sandbox.post(REVERSED, &body).await;
    let quote = &answer.body[0]["channels"][0]["authorization"];
    assert_eq!(
        (&quote["orderAmount"], &quote["orderCurrency"]),
        (&json!("100.00"), &json!("EUR"))
    );
    assert_eq!(quote["amount"], "111.16");
    let made = sandbox
        .post("/v1/transactions", &purchase("order-1", quote))
        .await;
    assert_eq!(made.status, 201, "{made:?}");
}

#[tokio::test]
async fn invalid_calculations_are_refused() {
    let sandbox = Process::start();
    let body = |name: &str, value: Value| {
        let mut body = json!({"amount": "100.00", "currency": "EUR"});
        body[name] = value;
        body
    };
    let crypto = json!([{"paymentChannel": "PCL_CRYPTO"}]);
    let unsaved =
        json!([{"paymentChannel": "PCL_CARD", "cardId": "0c2f1b5e-6a7d-4d51-9d2c-3f5f0f7f4a11"}]);
    let table: [(Value, u16, &str, &[&str]); 10] = [
        (body("data", crypto), 403, "E1403", &[]),
        (
            body("transactionType", json!("TRT_REFUND")),
            403,
            "E1403",
            &[],
        ),
        (
            body("transactionType", json!("TRT_ELSE")),
            403,
            "E1403",
            &["/transactionType"],
        ),
        (body("data", unsaved), 404, "E1404", &["/data/0/cardId"]),
        (body("amount", json!("0.00")), 422, "E1004", &["/amount"]),
        (body("amount", json!("1.001")), 422, "E1004", &["/amount"]),
        (body("currency", json!("ZZZ")), 422, "E1004", &["/currency"]),
        (
            body("authorizationCurrency", json!("XPF")),
            422,
            "E1004",
            &["/authorizationCurrency"],
        ),
        (body("ip", json!("here")), 422, "E1001", &["/ip"]),
        (
            body("data", json!([{"cardBin": "411111"}])),
            422,
            "E1001",
            &["/data/0/paymentChannel"],
        ),
    ];
    for (body, status, code, pointers) in table {
        for path in [CALCULATE, REVERSED] {
            let refused = refusal(&sandbox, path, &body).await;
            let expected = (
                status,
                code.to_owned(),
                pointers.iter().map(|&one| one.to_owned()).collect(),
            );
            assert_eq!(refused, expected, "{path} {body}");
        }
    }
    let fixed = json!({"amount": "0.10", "currency": "EUR", "data": [{"paymentChannel": "PCL_BANK_TRANSFER"}]});
    let refused = refusal(&sandbox, REVERSED, &fixed).await;
    assert_eq!(
        refused,
        (422, "E1004".to_owned(), vec!["/amount".to_owned()])
    );
}

#[tokio::test]
async fn a_partial_capture_has_a_partial_fee() {
    let sandbox = Process::start();
    let quote = quoted(&sandbox, &json!({})).await;
    let mut order = purchase("order-1", &quote);
    order["authorization"]["type"] = json!("TWO_STEP");
    let held = sandbox.post("/v1/transactions", &order).await.body;
    let charged = |shown: &Value| (shown["fee"].clone(), shown["subsidiaryData"].clone());
    let whole = (
        json!({"amount": "2.66", "currency": "USD"}),
        json!({"feeAmount": "2.66", "grossAmount": "111.16"}),
    );
    assert_eq!(
        (&held["status"], charged(&held)),
        (&json!("AUTHORIZED"), whole)
    );
    let part = json!({"transactionId": held["id"], "amount": "33.33", "currency": "EUR"});
    let taken = sandbox.post("/v1/transactions/capture", &part).await.body;
    // 108.50 and 2.66 for 100.00: 36.163.. and 0.886.. for 33.33, whose sum is 37.049...
    let part = (
        json!({"amount": "0.89", "currency": "USD"}),
        json!({"feeAmount": "0.89", "grossAmount": "37.05"}),
    );
    assert_eq!((&taken["amount"], charged(&taken)), (&json!("33.33"), part));
    assert_eq!(taken["authorization"], held["authorization"]);
}
