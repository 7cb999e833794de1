//! Saved cards of customers, over HTTP.

use reqwest::Method;
use serde_json::{Value, json};

use crate::customers::{ask, pointers, shopper};
use crate::process::{Process, Reply, id, reply};

on_both_programs! {
    a_payout_card_is_saved_once_and_changed,
}

const PROFILES: &str = "/v2/payout-profiles/card";
const VERIFY: &str = "/v3/customers/shopper-1/payouts/recipients/pme_card/verify";
const RECIPIENTS: &str = "/v3/customers/shopper-1/payouts/recipients";

fn card(number: &str, expiry: &str, cvv: i64) -> Value {
    json!({"card": {"number": number, "expiryDate": expiry, "cvv": cvv}})
}

async fn save(sandbox: &Process, body: &Value) -> Reply {
    ask(sandbox, Method::POST, PROFILES, Some(body)).await
}

async fn a_payout_card_is_saved_once_and_changed(sandbox: &Process) {
    let customer = shopper(sandbox).await;
    let mut body = card("378282246310005", "1230", 12);
    body["recipientFirstName"] = json!("Sample");
    let saved = save(sandbox, &body).await;
    assert_eq!(saved.status, 200, "{saved:?}");
    assert_eq!(
        (
            &saved.body["organization"],
            &saved.body["last4"],
            &saved.body["cardName"]
        ),
        (
            &json!("COR_AMEX"),
            &json!("0005"),
            &json!("AMERICAN EXPRESS 0005")
        )
    );
    assert_eq!(saved.body["customerId"], customer["id"]);
    body["cardAlias"] = json!("travel");
    let again = save(sandbox, &body).await.body;
    assert_eq!(
        (&again["id"], &again["cardName"]),
        (&saved.body["id"], &json!("travel"))
    );
    // Absent fields keep their value.
    let bare = save(sandbox, &card("378282246310005", "1231", 12)).await;
    assert_eq!(
        (&bare.body["cardName"], &bare.body["recipientFirstName"]),
        (&json!("travel"), &json!("Sample"))
    );
    let other = save(sandbox, &card("4111111111111111", "1230", 0))
        .await
        .body;
    let listed = ask(sandbox, Method::GET, PROFILES, None).await.body;
    let ids: Vec<_> = listed["data"].as_array().unwrap().iter().map(id).collect();
    assert_eq!(ids, [id(&again), id(&other)]);
    assert!(listed["data"][0].get("organization").is_none());

    let path = format!("{PROFILES}/{}", id(&again));
    let patch = json!({"expiryDate": "1131", "recipientLastName": "Recipient"});
    let changed = ask(sandbox, Method::PATCH, &path, Some(&patch)).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!(
        (
            &changed.body["recipientFirstName"],
            &changed.body["recipientLastName"]
        ),
        (&json!("Sample"), &json!("Recipient"))
    );
    for (patch, pointer) in [
        (json!({"expiryDate": "0120"}), "/expiryDate"),
        (json!({"expiryDate": "1320"}), "/expiryDate"),
        (json!({"cardAlias": " "}), "/cardAlias"),
    ] {
        let refused = ask(sandbox, Method::PATCH, &path, Some(&patch)).await;
        assert_eq!(
            (refused.status, pointers(&refused)),
            (422, vec![pointer]),
            "{patch}"
        );
    }
    assert_eq!(ask(sandbox, Method::DELETE, &path, None).await.status, 204);
    assert_eq!(ask(sandbox, Method::DELETE, &path, None).await.status, 404);
    assert_eq!(
        ask(sandbox, Method::PATCH, &path, Some(&json!({})))
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn invalid_cards_are_refused_at_every_wrong_place() {
    let sandbox = Process::start();
    shopper(&sandbox).await;
    let (number, expiry, cvv) = ("/card/number", "/card/expiryDate", "/card/cvv");
    let table = [
        (card("4111111111111112", "1230", 1), "E1001", vec![number]),
        (
            card("4111 1111 1111 1111", "1230", 1),
            "E1001",
            vec![number],
        ),
        (card("4929000000000000", "1230", 1), "E1001", vec![number]),
        (card("1000000000000008", "1230", 1), "E1001", vec![number]),
        (
            card("41111111111", "0120", 12_345),
            "E1001",
            vec![number, expiry, cvv],
        ),
        (
            card("4111111111111111", "1026", 1234),
            "E1001",
            vec![expiry, cvv],
        ),
        (
            card("4111111111111111", "1300", -1),
            "E1001",
            vec![expiry, cvv],
        ),
        (card("4000000000000002", "1230", 1), "E1005", vec![number]),
        (card("4000000000000069", "1230", 1), "E1005", vec![number]),
        (
            json!({"card": {"expiryDate": "1230"}}),
            "E1001",
            vec![number],
        ),
    ];
    for (body, code, places) in table {
        let refused = save(&sandbox, &body).await;
        assert_eq!(refused.status, 422, "{body}");
        assert_eq!(refused.body["code"], code, "{body}");
        assert_eq!(pointers(&refused), places, "{body}");
        let text = refused.body.to_string();
        assert!(
            !text.contains("41111111") && !text.contains("12345"),
            "{text}"
        );
    }
    let listed = ask(&sandbox, Method::GET, PROFILES, None).await.body;
    assert_eq!(listed["data"], json!([]));

    let good = card("4111111111111111", "1230", 1);
    let nobody = sandbox.post(PROFILES, &good).await;
    assert_eq!(
        (nobody.status, pointers(&nobody)),
        (422, vec!["/header/external-customer-id"])
    );
    let list = sandbox.get(PROFILES).await;
    assert_eq!(list.status, 422);
    let request = sandbox.request(Method::POST, PROFILES).json(&good);
    let unknown = reply(request.header("external-customer-id", "shopper-0")).await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn a_card_number_that_is_an_integer_keeps_every_digit() {
    let sandbox = Process::start();
    shopper(&sandbox).await;
    // The first exceeds the exact range of a double, the second a signed integer of 64 bits.
    for (number, last4, organization) in [
        ("6205500000000000004", "0004", "COR_UNIONPAY"),
        ("9792030000000000007", "0007", "COR_TROY"),
        ("501800000009", "0009", "COR_MAESTRO"),
        // A number without a fraction is an integer in any notation.
        ("4.111111111111111e15", "1111", "COR_VISA"),
        ("4111111111111111.0", "1111", "COR_VISA"),
    ] {
        let body = format!("{{\"cardNumber\": {number}, \"alias\": \"card {last4}\"}}");
        let request = sandbox.request(Method::POST, VERIFY);
        let verified = reply(
            request
                .header("content-type", "application/json")
                .body(body),
        )
        .await;
        assert_eq!(verified.status, 200, "{verified:?}");
        assert_eq!(
            (&verified.body["last4"], &verified.body["organization"]),
            (&json!(last4), &json!(organization))
        );
    }
    for number in [
        "6205500000000000003",
        "4111111111111111.5",
        "99999999999999999999999",
        "-4111111111111111",
        "\"4111111111111111\"",
    ] {
        let body = format!("{{\"cardNumber\": {number}}}");
        let request = sandbox.request(Method::POST, VERIFY);
        let refused = reply(
            request
                .header("content-type", "application/json")
                .body(body),
        )
        .await;
        assert_eq!(
            (refused.status, pointers(&refused)),
            (422, vec!["/cardNumber"]),
            "{number}"
        );
        assert!(!refused.body.to_string().contains("1111"), "{refused:?}");
    }
}

#[tokio::test]
async fn a_recipient_is_verified_once_renamed_and_removed_in_two_ways() {
    let sandbox = Process::start();
    shopper(&sandbox).await;
    let body = json!({"cardNumber": 4_111_111_111_111_111_i64, "recipientFirstName": "Sample"});
    let verified = sandbox.post(VERIFY, &body).await.body;
    assert_eq!(verified["alias"], "VISA 1111");
    let again = sandbox
        .post(&format!("{VERIFY}?currency=EUR&amount=1.00"), &body)
        .await
        .body;
    assert_eq!(verified["id"], again["id"]);
    let card = format!("{RECIPIENTS}/pme_card/{}", id(&verified));
    let renamed = ask(
        &sandbox,
        Method::PATCH,
        &card,
        Some(&json!({"alias": "friend"})),
    )
    .await;
    assert_eq!(
        (renamed.status, &renamed.body["alias"]),
        (200, &json!("friend"))
    );
    let refused = ask(&sandbox, Method::PATCH, &card, Some(&json!({"alias": ""}))).await;
    assert_eq!((refused.status, pointers(&refused)), (422, vec!["/alias"]));
    let listed = sandbox
        .get(&format!("{RECIPIENTS}?sortBy=alias"))
        .await
        .body;
    assert_eq!(listed["data"], json!([renamed.body]));
    assert_eq!(ask(&sandbox, Method::DELETE, &card, None).await.status, 204);
    assert_eq!(ask(&sandbox, Method::DELETE, &card, None).await.status, 404);

    let anew = sandbox.post(VERIFY, &body).await.body;
    assert_ne!(anew["id"], verified["id"]);
    let recipient = format!("{RECIPIENTS}/{}", id(&anew));
    assert_eq!(
        ask(&sandbox, Method::DELETE, &recipient, None).await.status,
        204
    );
    assert_eq!(sandbox.get(RECIPIENTS).await.body["data"], json!([]));

    for (query, mut body, places) in [
        ("?currency=XXX", body.clone(), vec!["/query/currency"]),
        (
            "?currency=EUR&amount=0",
            body.clone(),
            vec!["/query/amount"],
        ),
        (
            "",
            json!({"phoneNumber": "1", "alias": " "}),
            vec!["/phoneNumber", "/alias"],
        ),
    ] {
        body["cardNumber"] = json!(4_111_111_111_111_111_i64);
        let refused = sandbox.post(&format!("{VERIFY}{query}"), &body).await;
        assert_eq!(
            (refused.status, pointers(&refused)),
            (422, places),
            "{query}"
        );
    }
}

#[tokio::test]
async fn the_entry_of_a_card_is_opened_for_a_customer() {
    let sandbox = Process::start();
    shopper(&sandbox).await;
    let path = format!("{PROFILES}/widget");
    let body = json!({"returnUrl": "https://merchant.example/cards", "locale": "de-DE"});
    let opened = ask(&sandbox, Method::POST, &path, Some(&body)).await;
    assert_eq!(opened.status, 200, "{opened:?}");
    let token = opened.body["widgetToken"].as_str().unwrap();
    assert!(opened.body["widgetUrl"].as_str().unwrap().ends_with(token));
    for (body, places) in [
        (
            json!({"returnUrl": "ftp://merchant.example"}),
            vec!["/returnUrl"],
        ),
        (
            json!({"returnUrl": "https://me@merchant.example"}),
            vec!["/returnUrl"],
        ),
        (
            json!({"returnUrl": "https://merchant.example", "customIpnUrl": "data:,"}),
            vec!["/customIpnUrl"],
        ),
    ] {
        let refused = ask(&sandbox, Method::POST, &path, Some(&body)).await;
        assert_eq!(
            (refused.status, pointers(&refused)),
            (422, places),
            "{body}"
        );
    }
    // The contents of the database do not open the page.
    let token = token.to_owned();
    let directory = sandbox.kill();
    for entry in std::fs::read_dir(directory.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let found = bytes
            .windows(token.len())
            .any(|window| window == token.as_bytes());
        assert!(!found);
    }
}

/// The value of a hidden field of a page.
fn hidden<'p>(page: &'p str, name: &str) -> &'p str {
    let (_, rest) = page
        .split_once(&format!("name=\"{name}\" value=\""))
        .unwrap();
    rest.split_once('"').unwrap().0
}

#[tokio::test]
async fn a_card_that_is_entered_on_its_page_is_saved_once() {
    let sandbox = Process::start();
    shopper(&sandbox).await;
    // A return address that exists.
    let body = json!({"returnUrl": format!("{}/healthz", sandbox.url)});
    let path = format!("{PROFILES}/widget");
    let opened = ask(&sandbox, Method::POST, &path, Some(&body)).await.body;
    let url = opened["widgetUrl"].as_str().unwrap().to_owned();
    let page = sandbox.client.get(&url).send().await.unwrap();
    assert_eq!(page.status(), 200);
    let page = page.text().await.unwrap();
    let nonce = hidden(&page, "nonce");
    let enter = async |nonce: &str, number: &str| {
        let form = format!("nonce={nonce}&number={number}&expiry=12/30&code=012");
        let request = sandbox.client.post(&url).body(form);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        request.send().await.unwrap()
    };
    assert_eq!(enter("0", "4242+4242+4242+4242").await.status(), 403);
    for number in ["4242424242424241", "4929000000000000", "4000000000000002"] {
        let refused = enter(nonce, number).await;
        assert_eq!(refused.status(), 422, "{number}");
        let page = refused.text().await.unwrap();
        assert!(
            page.contains("Card number:") && !page.contains(number),
            "{page}"
        );
    }
    let saved = enter(nonce, "4242+4242+4242+4242").await;
    assert_eq!(
        (saved.status().as_u16(), saved.url().path()),
        (204, "/healthz")
    );
    let cards = ask(&sandbox, Method::GET, PROFILES, None).await.body;
    assert_eq!(
        (
            &cards["data"][0]["last4"],
            cards["data"].as_array().unwrap().len()
        ),
        (&json!("4242"), 1)
    );
    // A page accepts one card.
    assert_eq!(enter(nonce, "4111111111111111").await.status(), 404);
    assert_eq!(sandbox.client.get(&url).send().await.unwrap().status(), 404);
    for name in ["wt_1-x", "wt_99-x", "wt_", "x"] {
        let path = format!("{}/payout-card-widget/{name}", sandbox.url);
        assert_eq!(
            sandbox.client.get(&path).send().await.unwrap().status(),
            404,
            "{name}"
        );
    }
}
