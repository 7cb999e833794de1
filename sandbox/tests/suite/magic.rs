//! Outcomes on demand: the order of their sources, and the results of card checks.

use reqwest::Method;
use serde_json::{Value, json};

use crate::process::{Process, reply};

const ACCEPTED: &str = "00000000-0000-4000-8000-000000000000";
const DECLINED: &str = "00000000-0000-4000-8000-000000001005";

fn order(key: &str) -> Value {
    json!({"merchantTransactionId": key, "amount": "10.00", "currency": "EUR"})
}

/// Each source contradicts the one before; after each request the winning source is removed.
#[tokio::test]
async fn the_first_source_with_an_outcome_decides() {
    let sandbox = Process::start();
    let line = json!({"operation": "createPurchase", "outcome": "reject;code=E1999"});
    assert_eq!(sandbox.post_control("/scenarios", &line).await.status, 201);
    let mut body = order("order-1");
    body["fraudFields"] = json!({"sandbox.outcome": "reject;code=E1001"});
    body["paymentSpecificData"] = json!({"cardToken": DECLINED});
    body["customer"] = json!({"lastName": "REJECT_E1222"});
    let header = sandbox
        .request(Method::POST, "/v1/transactions")
        .header("sandbox-outcome", "pending");
    let by_header = reply(header.json(&body)).await;
    assert_eq!(by_header.body["status"], "PENDING", "{by_header:?}");

    let taken = [
        ("comment", json!("nothing is taken away yet"), "E1001"),
        ("fraudFields", json!({}), "E1005"),
        ("paymentSpecificData", json!({}), "E1222"),
        ("customer", json!({"lastName": "Customer"}), "E1999"),
        ("comment", json!("the line is used up"), "accepted"),
    ];
    for (index, (name, value, expected)) in taken.into_iter().enumerate() {
        body[name] = value;
        body["merchantTransactionId"] = json!(format!("order-{}", index + 2));
        let made = sandbox.post("/v1/transactions", &body).await;
        assert_eq!(made.status, 201, "{made:?}");
        let code = made.body["rejectCode"].as_str().unwrap_or("accepted");
        assert_eq!(code, expected, "{body}");
    }
}

#[tokio::test]
async fn names_are_magic_for_payouts_too_but_without_challenges() {
    let sandbox = Process::start();
    for (name, status) in [
        ("PENDING", "PENDING"),
        ("REJECT_E1005", "REJECTED"),
        ("3DS", "ACCEPTED"),
    ] {
        let made = sandbox
            .post(
                "/v1/payouts",
                &json!({
                    "merchantTransactionId": name, "paymentChannel": "PCL_CARD", "amount": "5.00",
                    "currency": "EUR", "customer": {"lastName": name}, "paymentSpecificData": {}
                }),
            )
            .await;
        assert_eq!(
            (made.status, &made.body["status"]),
            (201, &json!(status)),
            "{name}"
        );
    }
    let mut body = order("order-1");
    body["customer"] = json!({"lastName": "3DS"});
    let asked = sandbox.post("/v1/transactions", &body).await.body;
    assert_eq!(asked["actions"]["redirect"], true);
}

#[tokio::test]
async fn a_card_is_valid_through_its_last_month_on_the_merchants_clock() {
    let sandbox = Process::start();
    let now = sandbox.read_control("/clock").await.body["now"]
        .as_str()
        .unwrap()
        .to_owned();
    let (year, month) = (&now[2..4], &now[5..7]);
    let mut body = order("order-1");
    body["paymentSpecificData"] =
        json!({"cardToken": ACCEPTED, "card": {"expiryDate": format!("{month}{year}"), "cvv": 12}});
    let good = sandbox.post("/v1/transactions", &body).await.body;
    assert_eq!(good["status"], "ACCEPTED", "{good}");
    assert_eq!(good["meta"]["cvvResult"], "M");
    assert_eq!(good["meta"]["resultCode"], "00");
    sandbox
        .post_control("/clock/advance", &json!({"by": "P32D"}))
        .await;
    body["merchantTransactionId"] = json!("order-2");
    let expired = sandbox.post("/v1/transactions", &body).await.body;
    assert_eq!(
        (&expired["status"], &expired["rejectCode"]),
        (&json!("REJECTED"), &json!("E1007"))
    );
    assert_eq!(expired["meta"]["resultCode"], "54");
    // A requested outcome takes precedence.
    body["merchantTransactionId"] = json!("order-3");
    body["fraudFields"] = json!({"sandbox.outcome": "accept"});
    let steered = sandbox.post("/v1/transactions", &body).await.body;
    assert_eq!(steered["status"], "ACCEPTED");
}

#[tokio::test]
async fn an_invalid_card_is_refused_with_every_mistake() {
    let sandbox = Process::start();
    let rows = sandbox.rows();
    let mut body = order("order-1");
    body["paymentSpecificData"] = json!({"card": {"expiryDate": "1330", "cvv": 12345}});
    let refused = sandbox.post("/v1/transactions", &body).await;
    let places = refused.body["errors"].as_array().unwrap();
    let pointers: Vec<_> = places
        .iter()
        .map(|place| place["pointer"].as_str().unwrap())
        .collect();
    let card = "/paymentSpecificData/card";
    assert_eq!(
        pointers,
        [format!("{card}/expiryDate"), format!("{card}/cvv")]
    );
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (422, &json!("E1001"))
    );
    assert!(!refused.body.to_string().contains("12345"));
    assert_eq!(sandbox.rows(), rows);
}

#[tokio::test]
async fn the_merchant_can_skip_challenges_and_submit_an_external_result() {
    let sandbox = Process::start();
    let mut body = order("order-1");
    body["fraudFields"] = json!({"sandbox.outcome": "3ds"});
    body["paymentSpecificData"] = json!({"skip3ds": true, "verificationResult":
        {"version": "2.1.0", "eci": "06", "transStatus": "A", "authenticationValue": "SECRET"}});
    let made = sandbox.post("/v1/transactions", &body).await.body;
    assert_eq!(
        (&made["status"], made.get("redirectUrl")),
        (&json!("ACCEPTED"), None)
    );
    assert_eq!(
        made["meta"]["threeDs"],
        json!({"version": "2.1.0", "eci": "06", "status": "A"})
    );
}
