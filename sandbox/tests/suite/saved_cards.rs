//! Cards and tokens that accepted transactions save, over HTTP.

use reqwest::Method;
use serde_json::{Value, json};

use crate::customers::{ask, pointers, shopper};
use crate::process::{Process, id, until};

on_both_programs! {
    a_saved_card_is_changed_and_invalid_changes_are_refused,
    an_accepted_payout_to_a_card_saves_it,
    the_expiry_sent_with_a_seeded_token_is_saved,
}

const CARDS: &str = "/v3/customers/shopper-1/payments/card";
const TOKENS: &str = "/v3/customers/shopper-1/payments/tokens";
const PAID_OUT: &str = "/v3/customers/shopper-1/payouts/card";
const ACCEPTS: &str = "00000000-0000-4000-8000-000000000000";
const REFUSES: &str = "00000000-0000-4000-8000-000000001005";
const PENDING: &str = "00000000-0000-4000-8000-000000000001";

fn purchase(customer: &Value, token: &str) -> Value {
    json!({
        "amount": "10.00", "currency": "EUR", "customer": {"id": customer["id"]},
        "paymentSpecificData": {"cardToken": token}
    })
}

async fn data(sandbox: &Process, path: &str) -> Vec<Value> {
    let listed = sandbox.get(path).await;
    assert_eq!(listed.status, 200, "{listed:?}");
    listed.body["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_accepted_purchase_saves_a_card_and_a_token_that_pays_until_its_removal() {
    let sandbox = Process::start();
    let customer = shopper(&sandbox).await;
    let made = sandbox
        .post("/v1/transactions", &purchase(&customer, ACCEPTS))
        .await
        .body;
    assert_eq!(made["status"], "ACCEPTED");
    let cards = data(&sandbox, CARDS).await;
    assert_eq!(cards.len(), 1);
    assert_eq!(
        (
            &cards[0]["firstTransactionId"],
            &cards[0]["isDefault"],
            &cards[0]["brand"]
        ),
        (&made["id"], &json!(true), &json!("VISA"))
    );
    let tokens = data(&sandbox, TOKENS).await;
    assert_eq!(
        (tokens.len(), &tokens[0]["cardId"], &tokens[0]["token"]),
        (1, &cards[0]["id"], &made["paymentToken"])
    );
    // The request may omit the customer, and the same card is not saved twice.
    let token = made["paymentToken"].as_str().unwrap();
    let body = json!({
        "amount": "10.00", "currency": "EUR", "paymentSpecificData": {"cardToken": token}
    });
    let paid = sandbox.post("/v1/transactions", &body).await.body;
    assert_eq!(
        (&paid["status"], &paid["customer"]["id"]),
        (&json!("ACCEPTED"), &customer["id"])
    );
    assert_eq!(
        (
            &paid["cardInfo"]["token"],
            &paid["cardInfo"]["lastFourDigits"],
            &paid["paymentToken"]
        ),
        (&json!(token), &json!(1111), &json!(token))
    );
    sandbox
        .post("/v1/transactions", &purchase(&customer, ACCEPTS))
        .await;
    assert_eq!(data(&sandbox, CARDS).await.len(), 1);
    assert_eq!(data(&sandbox, TOKENS).await.len(), 2);

    let one = format!("{TOKENS}/{token}");
    assert_eq!(sandbox.get(&one).await.body, tokens[0]);
    assert_eq!(ask(&sandbox, Method::DELETE, &one, None).await.status, 204);
    assert_eq!(ask(&sandbox, Method::DELETE, &one, None).await.status, 404);
    assert_eq!(sandbox.get(&one).await.status, 404);
    let refused = sandbox.post("/v1/transactions", &body).await;
    assert_eq!(
        (refused.status, pointers(&refused)),
        (404, vec!["/paymentSpecificData/cardToken"])
    );
    // Removing the card also removes the other token.
    let other = data(&sandbox, TOKENS).await[0]["token"].clone();
    let card = format!("{CARDS}/{}", id(&cards[0]));
    assert_eq!(ask(&sandbox, Method::DELETE, &card, None).await.status, 204);
    assert_eq!(data(&sandbox, TOKENS).await, Vec::<Value>::new());
    let refused = purchase(&customer, other.as_str().unwrap());
    assert_eq!(sandbox.post("/v1/transactions", &refused).await.status, 404);
    assert_eq!(ask(&sandbox, Method::DELETE, &card, None).await.status, 404);
    sandbox.audit();
    // The log contains no usable token.
    let directory = sandbox.kill();
    let log = std::fs::read_to_string(directory.path().join("log")).unwrap();
    assert!(log.contains("/payments/tokens/[redacted]") && !log.contains(token));
}

#[tokio::test]
async fn nothing_is_saved_before_acceptance_or_by_a_refusal() {
    let sandbox = Process::start();
    let customer = shopper(&sandbox).await;
    for token in [REFUSES, PENDING] {
        let made = sandbox
            .post("/v1/transactions", &purchase(&customer, token))
            .await;
        assert_eq!((made.status, made.body.get("paymentToken")), (201, None));
    }
    let mut later = purchase(&customer, ACCEPTS);
    later["fraudFields"] = json!({"sandbox.outcome": "pending;after=PT0.2S"});
    let made = sandbox.post("/v1/transactions", &later).await.body;
    assert_eq!(
        (made.get("paymentToken"), data(&sandbox, CARDS).await.len()),
        (None, 0)
    );
    let path = format!("/v1/transactions/{}", id(&made));
    let settled = until(&sandbox, &path, |now| now["status"] == "ACCEPTED").await;
    assert_eq!(
        settled["paymentToken"],
        data(&sandbox, TOKENS).await[0]["token"]
    );
    // There is no customer to save it for.
    let mut unnamed = purchase(&customer, ACCEPTS);
    unnamed.as_object_mut().unwrap().remove("customer");
    let made = sandbox.post("/v1/transactions", &unnamed).await.body;
    assert_eq!(
        (&made["status"], made.get("paymentToken")),
        (&json!("ACCEPTED"), None)
    );
}

#[tokio::test]
async fn a_token_pays_for_its_owner_only_and_a_repeated_request_is_answered_after_its_removal() {
    let sandbox = Process::start();
    let customer = shopper(&sandbox).await;
    let made = sandbox
        .post("/v1/transactions", &purchase(&customer, ACCEPTS))
        .await
        .body;
    let token = made["paymentToken"].as_str().unwrap();
    let other = sandbox
        .post("/v3/customers", &json!({"merchantCustomerId": "shopper-2"}))
        .await;
    let refused = sandbox
        .post("/v1/transactions", &purchase(&other.body, token))
        .await;
    assert_eq!(refused.status, 404);
    for path in [
        format!("/v3/customers/shopper-2/payments/tokens/{token}"),
        format!("/v3/customers/shopper-2/payouts/card/{}", id(&made)),
    ] {
        assert_eq!(sandbox.get(&path).await.status, 404, "{path}");
        assert_eq!(
            ask(&sandbox, Method::DELETE, &path, None).await.status,
            404,
            "{path}"
        );
    }
    let mut keyed = purchase(&customer, token);
    keyed["merchantTransactionId"] = json!("order-1");
    let first = sandbox.post("/v1/transactions", &keyed).await;
    assert_eq!(first.status, 201);
    let one = format!("{TOKENS}/{token}");
    assert_eq!(ask(&sandbox, Method::DELETE, &one, None).await.status, 204);
    let again = sandbox.post("/v1/transactions", &keyed).await;
    assert_eq!((again.status, again.body), (201, first.body));
}

async fn a_saved_card_is_changed_and_invalid_changes_are_refused(sandbox: &Process) {
    let customer = shopper(sandbox).await;
    for token in [ACCEPTS, "00000000-0000-4000-8000-000000002006"] {
        sandbox
            .post("/v1/transactions", &purchase(&customer, token))
            .await;
    }
    let cards = data(sandbox, CARDS).await;
    assert_eq!(
        (&cards[0]["isDefault"], &cards[1]["isDefault"]),
        (&json!(true), &json!(false))
    );
    let second = format!("{CARDS}/{}", id(&cards[1]));
    let patch = json!({
        "cardName": "second", "cardHolder": {"firstName": "Sample"}, "addressCity": "Berlin",
        "expMonth": "01", "expYear": "2031", "isDefault": true
    });
    let changed = ask(sandbox, Method::PATCH, &second, Some(&patch)).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    for (name, value) in patch.as_object().unwrap() {
        assert_eq!(&changed.body[name], value, "{name}");
    }
    let cards = data(sandbox, CARDS).await;
    assert_eq!(
        (&cards[0]["isDefault"], &cards[1]),
        (&json!(false), &changed.body)
    );
    let nothing = ask(sandbox, Method::PATCH, &second, Some(&json!({}))).await;
    assert_eq!(nothing.body, changed.body);
    for (patch, places) in [
        (json!({"expMonth": "13"}), vec!["/expMonth"]),
        (
            json!({"expMonth": "0", "expYear": "31", "cardName": ""}),
            vec!["/cardName", "/expMonth", "/expYear"],
        ),
        (
            json!({"expMonth": "01", "expYear": "2020"}),
            vec!["/expYear"],
        ),
        (json!({"expYear": "2099x"}), vec!["/expYear"]),
    ] {
        let refused = ask(sandbox, Method::PATCH, &second, Some(&patch)).await;
        assert_eq!(
            (refused.status, pointers(&refused)),
            (422, places),
            "{patch}"
        );
    }
    assert_eq!(data(sandbox, CARDS).await[1], changed.body);
}

async fn an_accepted_payout_to_a_card_saves_it(sandbox: &Process) {
    let customer = shopper(sandbox).await;
    let save = async |number: &str| {
        let body = json!({"card": {"number": number, "expiryDate": "1230"}, "cardAlias": "mine"});
        ask(
            sandbox,
            Method::POST,
            "/v2/payout-profiles/card",
            Some(&body),
        )
        .await
        .body
    };
    let payout = |card: &Value, key: &str| {
        json!({
            "merchantTransactionId": key, "paymentChannel": "PCL_CARD", "amount": "1.00",
            "currency": "EUR", "customer": {"firstName": "Sample"},
            "paymentSpecificData": {"destinationAddress": card["id"]}
        })
    };
    let card = save("4242424242424242").await;
    let made = sandbox
        .post("/v1/payouts", &payout(&card, "payout-1"))
        .await
        .body;
    assert_eq!(
        (
            &made["status"],
            &made["customer"]["id"],
            &made["cardInfo"]["lastFourDigits"]
        ),
        (&json!("ACCEPTED"), &customer["id"], &json!(4242))
    );
    sandbox
        .post("/v1/payouts", &payout(&card, "payout-2"))
        .await;
    let saved = data(sandbox, PAID_OUT).await;
    assert_eq!((saved.len(), &saved[0]["cardName"]), (1, &json!("mine")));
    let one = format!("{PAID_OUT}/{}", id(&saved[0]));
    assert_eq!(sandbox.get(&one).await.body, saved[0]);

    // A payout has no customer to ask, even with a card that requires a challenge.
    let asked = save("4000000000003220").await;
    let made = sandbox.post("/v1/payouts", &payout(&asked, "asked")).await;
    assert_eq!(made.body["status"], "ACCEPTED", "{made:?}");
    let one = format!("{PAID_OUT}/{}", id(&data(sandbox, PAID_OUT).await[1]));
    assert_eq!(ask(sandbox, Method::DELETE, &one, None).await.status, 204);
    let one = format!("{PAID_OUT}/{}", id(&saved[0]));

    // Cards that can be saved but are refused later.
    for (number, code) in [("4000000000000341", "E1005"), ("4000000000009995", "E1006")] {
        let card = save(number).await;
        let made = sandbox
            .post("/v1/payouts", &payout(&card, number))
            .await
            .body;
        assert_eq!(
            (&made["status"], &made["rejectCode"]),
            (&json!("REJECTED"), &json!(code))
        );
    }
    assert_eq!(data(sandbox, PAID_OUT).await.len(), 1);
    assert_eq!(ask(sandbox, Method::DELETE, &one, None).await.status, 204);
    assert_eq!(sandbox.get(&one).await.status, 404);

    let unknown = json!({"id": customer["id"]});
    let number = json!({"id": "4242424242424242"});
    for (destination, status) in [(unknown, 404), (number, 422)] {
        let refused = sandbox
            .post("/v1/payouts", &payout(&destination, "payout-3"))
            .await;
        let place = vec!["/paymentSpecificData/destinationAddress"];
        assert_eq!((refused.status, pointers(&refused)), (status, place));
    }
    sandbox.audit();
}

async fn the_expiry_sent_with_a_seeded_token_is_saved(sandbox: &Process) {
    let customer = shopper(sandbox).await;
    let mut body = purchase(&customer, ACCEPTS);
    body["paymentSpecificData"]["card"] = json!({"expiryDate": "0331"});
    let made = sandbox.post("/v1/transactions", &body).await.body;
    assert_eq!(made["status"], "ACCEPTED");
    let cards = data(sandbox, CARDS).await;
    assert_eq!(
        (&cards[0]["expMonth"], &cards[0]["expYear"]),
        (&json!("03"), &json!("2031"))
    );
}
