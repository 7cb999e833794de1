//! Purchases and payouts from creation to their last state, over HTTP.

use reqwest::Method;
use serde_json::json;

use crate::process::{Process, id, purchase, refund, reply};

#[tokio::test]
async fn a_purchase_is_captured_refunded_and_read_again_by_both_ids() {
    let sandbox = Process::start();
    let mut body = purchase("order-1", "accept");
    body["authorization"] = json!({"amount": "10.00", "currency": "EUR", "type": "TWO_STEP"});
    let made = sandbox.post("/v1/transactions", &body).await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(made.body["status"], "AUTHORIZED");
    assert_eq!(made.body["actions"]["capture"], true);
    assert!(made.headers.get("idempotent-replayed").is_none());

    let again = sandbox.post("/v1/transactions", &body).await;
    assert_eq!((again.status, &again.body), (201, &made.body));
    assert_eq!(again.headers["idempotent-replayed"], "true");

    let capture = json!({"transactionId": id(&made.body), "amount": "6.00", "currency": "EUR"});
    let captured = sandbox.post("/v1/transactions/capture", &capture).await;
    assert_eq!(
        (captured.status, &captured.body["status"]),
        (200, &json!("ACCEPTED"))
    );
    assert_eq!(captured.body["amount"], "6.00");
    assert_eq!(captured.body["authorization"]["amount"], "10.00");

    let refunded = sandbox
        .post(
            "/v1/transactions/refund",
            &refund("refund-1", id(&made.body), "6.00"),
        )
        .await;
    assert_eq!(
        (refunded.status, &refunded.body["status"]),
        (201, &json!("ACCEPTED"))
    );
    assert_eq!(refunded.body["parentTransactionId"], made.body["id"]);

    let by_id = sandbox
        .get(&format!("/v1/transactions/{}", id(&made.body)))
        .await;
    let by_key = sandbox.get("/v1/transactions/merchant/order-1").await;
    assert_eq!((by_id.status, &by_id.body), (200, &by_key.body));
    assert_eq!(by_id.body["refunds"][0]["id"], refunded.body["id"]);
    assert_eq!(by_id.body["actions"]["refund"], false);
    let refund = sandbox.get("/v1/transactions/merchant/refund-1").await;
    assert_eq!(refund.body, refunded.body);
    sandbox.audit();
}

#[tokio::test]
async fn a_rejected_purchase_is_renewed() {
    let sandbox = Process::start();
    let mut body = purchase("order-1", "reject;code=E1006");
    body["fraudFields"]["sandbox.outcome.renew"] = json!("reject");
    let rejected = sandbox.post("/v1/transactions", &body).await.body;
    assert_eq!(
        (&rejected["status"], &rejected["rejectCode"]),
        (&json!("REJECTED"), &json!("E1006"))
    );
    assert_eq!(rejected["actions"]["authorization"], true);
    let renewal = json!({"merchantTransactionId": "order-1"});
    let path = "/v1/transactions/renewAuthorization";
    let again = sandbox.post(path, &renewal).await.body;
    assert_eq!(
        (&again["status"], &again["rejectCode"]),
        (&json!("REJECTED"), &json!("E1005"))
    );
    let accept = sandbox
        .request(Method::POST, path)
        .header("sandbox-outcome", "accept");
    let renewed = reply(accept.json(&renewal)).await.body;
    assert_eq!(
        (&renewed["status"], renewed.get("rejectCode")),
        (&json!("ACCEPTED"), None)
    );
    sandbox.audit();
}

#[tokio::test]
async fn a_payout_goes_from_offers_to_its_capture() {
    let sandbox = Process::start();
    let body = json!({
        "merchantTransactionId": "payout-1",
        "paymentChannel": "PCL_CRYPTO",
        "amount": "250.00",
        "currency": "EUR",
        "customer": {"firstName": "Sample"},
        "paymentSpecificData": {"destinationCurrency": "BTC", "destinationAddress": "first"}
    });
    let made = sandbox.post("/v1/payouts", &body).await;
    assert_eq!(
        (made.status, &made.body["status"]),
        (201, &json!("PENDING")),
        "{made:?}"
    );
    assert_eq!(made.body["actions"]["renewOffers"], true);
    let target = json!({"transactionId": id(&made.body)});
    assert_eq!(
        sandbox.post("/v1/payouts/capture", &target).await.status,
        409
    );
    let offers = sandbox.post("/v1/payouts/offersRenew", &target).await;
    assert_eq!(
        (offers.status, offers.body.as_array().unwrap().len()),
        (200, 2)
    );

    let mut capture = target;
    capture["captureSpecificData"] = json!({"destinationAddress": "second"});
    let captured = sandbox.post("/v1/payouts/capture", &capture).await;
    assert_eq!(
        (captured.status, &captured.body["status"]),
        (200, &json!("ACCEPTED"))
    );
    let meta = &captured.body["meta"];
    assert_eq!(meta["destinationAddress"], "second");
    assert_eq!(meta["selectedOffer"]["pspId"], offers.body[0]["pspId"]);
    let read = sandbox.get("/v1/payouts/merchant/payout-1").await;
    assert_eq!(read.body, captured.body);
    assert_eq!(
        sandbox
            .get("/v1/transactions/merchant/payout-1")
            .await
            .status,
        404
    );
    sandbox.audit();
}

#[tokio::test]
async fn a_customer_with_an_assigned_id_is_known_afterwards() {
    let sandbox = Process::start();
    let mut body = purchase("order-1", "accept");
    body["customer"] = json!({"firstName": "Sample"});
    let made = sandbox.post("/v1/transactions", &body).await.body;
    let mut body = purchase("order-2", "accept");
    body["customer"] = json!({"id": made["customer"]["id"]});
    assert_eq!(sandbox.post("/v1/transactions", &body).await.status, 201);
}

#[tokio::test]
async fn the_program_is_alive_ready_and_stops_on_a_signal() {
    let sandbox = Process::start();
    for path in ["/healthz", "/readyz"] {
        // No credentials are required here.
        let request = sandbox.client.get(format!("{}{path}", sandbox.url));
        assert_eq!(reply(request).await.status, 204, "{path}");
    }
    assert_eq!(sandbox.stop(), Some(0));
}

#[tokio::test]
async fn the_same_id_with_another_card_is_another_purchase() {
    let sandbox = Process::start();
    let with = |card: &str, cvv: u32| {
        let mut body = json!({"amount": "5.00", "currency": "EUR", "merchantTransactionId": "o"});
        let token = format!("00000000-0000-4000-8000-00000000{card}");
        body["paymentSpecificData"] = json!({"cardToken": token, "card": {"cvv": cvv}});
        body
    };
    let made = sandbox.post("/v1/transactions", &with("0000", 123)).await;
    assert_eq!(made.status, 201, "{made:?}");
    let other = sandbox.post("/v1/transactions", &with("1005", 123)).await;
    assert_eq!((other.status, &other.body["code"]), (422, &json!("E1002")));
    let again = sandbox.post("/v1/transactions", &with("0000", 456)).await;
    assert_eq!((again.status, &again.body), (201, &made.body));
}

/// Amounts have the scale of their currency, and differ from the order only with a quote.
#[tokio::test]
async fn an_authorization_is_an_amount_of_money() {
    let sandbox = Process::start();
    let table = [
        json!({"amount": "5"}),
        json!({}),
        json!({"currency": "EUR", "sessionId": "of-the-shop"}),
    ];
    for given in table {
        let body = json!({"amount": "5", "currency": "EUR", "authorization": given});
        let made = sandbox.post("/v1/transactions", &body).await;
        let expected = json!({"amount": "5.00", "currency": "EUR"});
        assert_eq!((made.status, &made.body["authorization"]), (201, &expected));
    }
    for (given, pointer) in [
        (json!({"amount": "7"}), "/authorization/amount"),
        (json!({"currency": "JPY"}), "/authorization/currency"),
    ] {
        let body = json!({"amount": "5", "currency": "EUR", "authorization": given});
        let refused = sandbox.post("/v1/transactions", &body).await;
        let place = &refused.body["errors"][0]["pointer"];
        assert_eq!((refused.status, place), (422, &json!(pointer)));
    }
}

#[test]
fn an_audit_of_a_foreign_database_reports_one_line_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.db");
    std::fs::write(&path, "").unwrap();
    let audit = std::process::Command::new(env!("CARGO_BIN_EXE_sandbox"))
        .args(["audit", "--database"])
        .arg(format!("sqlite://{}", path.display()))
        .env("RUST_BACKTRACE", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&audit.stderr).into_owned();
    assert!(!audit.status.success());
    assert!(
        said.starts_with("error: cannot audit ") && said.lines().count() == 1,
        "{said}"
    );
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
}

#[test]
fn failed_audits_and_invalid_log_filters_are_reported() {
    let ended = |arguments: &[&str], filter: &str| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_sandbox"))
            .args(arguments)
            .env("SANDBOX_LOG", filter)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let audit = ["audit", "--database", "sqlite::memory:"];
    let (code, said) = ended(&audit, "");
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.starts_with("error: sqlite::memory: ends with its program"),
        "{said}"
    );
    let (code, said) = ended(&audit, "sandbox=loud");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("SANDBOX_LOG cannot be read"), "{said}");
}
