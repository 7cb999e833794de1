//! Payment links, over HTTP and on every kind of database.

use jiff::SignedDuration;
use reqwest::Method;
use sandbox::details::PaymentLinkDetails;
use sandbox::domain::Code;
use sandbox::domain::amount;
use sandbox::domain::payment_link::{self, Change, Status};
use sandbox::render::View;
use sandbox::service::payment_links::{Create, Pay};
use sandbox::service::{Answer, Failure};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::bench::{Bench, code, replayed};
use crate::process::{Process, id, reply};

const LINKS: &str = "/v1/payment-links";

fn link(key: &str, value: &Value) -> Value {
    json!({
        "merchantTransactionId": key,
        "amount": {"currency": "EUR", "value": value},
        "customer": {"email": "Customer@merchant.example"}
    })
}

#[tokio::test]
async fn a_link_is_created_once_read_and_changed() {
    let sandbox = Process::start();
    let mut body = link("order-1", &json!(49.9));
    body["items"] = json!([{"name": "tea", "price": 24.95, "quantity": 2}]);
    let made = sandbox.post(LINKS, &body).await;
    assert_eq!(
        (made.status, &made.body["status"]),
        (201, &json!("active")),
        "{made:?}"
    );
    let url = made.body["url"].as_str().unwrap();
    assert!(
        url.starts_with(&sandbox.url) && url.ends_with(id(&made.body)),
        "{url}"
    );
    let again = sandbox.post(LINKS, &body).await;
    assert_eq!((again.status, &again.body), (201, &made.body));
    assert_eq!(again.headers["idempotent-replayed"], "true");

    let path = format!("{LINKS}/{}", id(&made.body));
    assert_eq!(sandbox.get(&path).await.body, made.body);
    let change = json!({"hidden": true, "items": [{"name": "cup", "price": 49.90}]});
    let changed = sandbox.patch(&path, &change).await;
    assert_eq!(
        (changed.status, &changed.body["hidden"]),
        (200, &json!(true))
    );
    assert_eq!(changed.body["items"][0]["name"], "cup");
    assert_eq!(sandbox.get(&path).await.body, changed.body);
    let cancelled = sandbox.patch(&path, &json!({"status": "cancelled"})).await;
    assert_eq!(cancelled.body["status"], "cancelled");
    let late = sandbox.patch(&path, &json!({"items": []})).await;
    assert_eq!((late.status, &late.body["code"]), (409, &json!("E1409")));
    assert_eq!(
        sandbox.patch(&path, &json!({"hidden": false})).await.status,
        200
    );
}

/// Customers are sent to the sandbox's address, whatever header a request has.
#[tokio::test]
async fn a_link_has_the_address_of_the_sandbox() {
    let public = "https://sandbox.example/a";
    let sandbox = Process::start_with(&["--public-url", public]);
    let made = sandbox
        .request(Method::POST, LINKS)
        .header("host", "evil.example")
        .json(&link("order-1", &json!(1)));
    let made = reply(made).await;
    let expected = json!(format!("{public}/pay/links/{}", id(&made.body)));
    assert_eq!(made.body["url"], expected);
    let path = format!("{LINKS}/{}", id(&made.body));
    let read = sandbox.request(Method::GET, &path);
    let read = reply(read.header("host", "evil.example")).await;
    assert_eq!(read.body["url"], expected);
}

#[tokio::test]
async fn a_number_above_every_amount_is_refused() {
    let sandbox = Process::start();
    let long = "9".repeat(400);
    for value in ["1e999999999", "1e-999999999", long.as_str()] {
        for member in ["price", "quantity"] {
            let item = format!(r#"{{"name": "tea", "{member}": {value}}}"#);
            let amount = |value| format!(r#"{{"currency": "EUR", "value": {value}}}"#);
            for body in [
                format!(r#"{{"amount": {}}}"#, amount(value)),
                format!(r#"{{"amount": {}, "items": [{item}]}}"#, amount("1")),
            ] {
                let request = sandbox.request(Method::POST, LINKS);
                let request = request.header("content-type", "application/json");
                let refused = reply(request.body(body)).await;
                assert_eq!(refused.status, 422, "{refused:?}");
            }
        }
    }
}

/// Numbers keep their digits: a float would change each of these.
#[tokio::test]
async fn amounts_are_exact_numbers() {
    let sandbox = Process::start();
    sandbox.relax().await;
    let table = [
        ("12345678901234567.89", "12345678901234567.89"),
        ("0.1", "0.10"),
        ("1e2", "100.00"),
    ];
    for (value, expected) in table {
        let text = format!(r#"{{"amount": {{"currency": "EUR", "value": {value}}}}}"#);
        let request = sandbox.request(reqwest::Method::POST, LINKS);
        let request = request
            .header("content-type", "application/json")
            .body(text);
        let answer = request.send().await.unwrap().text().await.unwrap();
        assert!(
            answer.contains(&format!(r#""value":{expected}"#)),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn a_list_has_the_matching_links() {
    let sandbox = Process::start();
    let mut ids = Vec::new();
    for (key, currency) in [("order-1", "EUR"), ("order-2", "USD"), ("order-3", "EUR")] {
        let mut body = link(key, &json!(10));
        body["amount"]["currency"] = json!(currency);
        body["hidden"] = json!(key == "order-3");
        ids.push(id(&sandbox.post(LINKS, &body).await.body).to_owned());
    }
    let cancel = json!({"status": "cancelled"});
    sandbox.patch(&format!("{LINKS}/{}", ids[1]), &cancel).await;
    let (first, second, third) = (ids[0].as_str(), ids[1].as_str(), ids[2].as_str());
    let table: [(&str, &[&str]); 11] = [
        ("", &[first, second]),
        ("?showHidden=true", &[first, second, third]),
        ("?customerEmail=customer@MERCHANT.example", &[first, second]),
        ("?customerEmail=other@merchant.example", &[]),
        ("?status=cancelled", &[second]),
        ("?status=active", &[first]),
        ("?status=else", &[]),
        ("?currency=USD", &[second]),
        ("?creationDateFrom=2999-01-01", &[]),
        ("?creationDateTo=2020-01-01T00:00:00.000Z", &[]),
        ("?itemsPerPage=1&page=2", &[second]),
    ];
    for (query, expected) in table {
        let page = sandbox.get(&format!("{LINKS}{query}")).await.body;
        let found: Vec<_> = page["data"].as_array().unwrap().iter().map(id).collect();
        assert_eq!(found, expected, "{query}");
    }
    let today = sandbox.get(LINKS).await.body["data"][0]["createdAt"].clone();
    let today = today.as_str().unwrap();
    for moment in [&today[..10], today] {
        let query = format!("{LINKS}?creationDateFrom={moment}&creationDateTo={moment}");
        let page = sandbox.get(&query).await.body;
        assert_eq!(page["data"][0]["id"], first, "{moment}");
    }
    let meta =
        json!({"itemsPerPage": "10", "page": "1", "direction": "asc", "sortBy": "createdAt"});
    assert_eq!(sandbox.get(LINKS).await.body["meta"], meta);
}

#[tokio::test]
async fn an_invalid_link_is_refused_and_nothing_is_stored() {
    let sandbox = Process::start();
    sandbox.purchase("order-1", "accept").await;
    let with = |name: &str, value: Value| {
        let mut body = link("order-2", &json!(10));
        body[name] = value;
        body
    };
    let table: [(Value, &str, &str); 8] = [
        (link("order-2", &json!(0)), "E1004", "/amount/value"),
        (link("order-2", &json!(-1)), "E1004", "/amount/value"),
        (link("order-2", &json!(1.001)), "E1004", "/amount/value"),
        (
            with("amount", json!({"currency": "ZZZ", "value": 1})),
            "E1004",
            "/amount/currency",
        ),
        (
            with("expirationDate", json!("2020-01-01T00:00:00.000Z")),
            "E1001",
            "/expirationDate",
        ),
        (
            with("items", json!([{"price": 0.001}])),
            "E1004",
            "/items/0/price",
        ),
        (
            with("items", json!([{"quantity": 0}])),
            "E1004",
            "/items/0/quantity",
        ),
        (link("order-1", &json!(10)), "E1002", ""),
    ];
    for (body, code, pointer) in table {
        let refused = sandbox.post(LINKS, &body).await;
        let place = refused.body["errors"][0]["pointer"]
            .as_str()
            .unwrap_or_default();
        let found = (
            refused.status,
            refused.body["code"].as_str().unwrap(),
            place,
        );
        assert_eq!(found, (422, code, pointer), "{body}");
    }
    assert_eq!(sandbox.get(LINKS).await.body["data"], json!([]));
    let table = [
        ("creationDateFrom=yesterday", "/query/creationDateFrom"),
        ("creationDateTo=2026-13-01", "/query/creationDateTo"),
        ("currency=ZZZ", "/query/currency"),
        ("itemsPerPage=101", "/query/itemsPerPage"),
        ("page=0", "/query/page"),
    ];
    for (query, pointer) in table {
        let refused = sandbox.get(&format!("{LINKS}?{query}")).await;
        let place = &refused.body["errors"][0]["pointer"];
        assert_eq!((refused.status, place), (422, &json!(pointer)), "{query}");
    }
    let unknown = format!("{LINKS}/7f3a9c10-2b4d-4e6f-8a1b-5c7d9e0f2a43");
    assert_eq!(sandbox.get(&unknown).await.status, 404);
    assert_eq!(
        sandbox
            .patch(&unknown, &json!({"hidden": true}))
            .await
            .status,
        404
    );
    let made = sandbox.post(LINKS, &link("order-2", &json!(10))).await.body;
    let path = format!("{LINKS}/{}", id(&made));
    let refused = sandbox.patch(&path, &json!({"status": "paid"})).await;
    assert_eq!(
        (refused.status, &refused.body["errors"][0]["pointer"]),
        (422, &json!("/status"))
    );
}

/// A link of 10.00 EUR that is valid for an hour.
async fn made(bench: &Bench, key: &str) -> Uuid {
    let command = Create {
        link: payment_link::Create {
            id: Uuid::new_v4(),
            money: amount::read("10.00", "EUR").unwrap(),
            expires_at: bench
                .service
                .machine_time()
                .checked_add(SignedDuration::from_hours(1))
                .ok(),
            hidden: false,
        },
        payment_channel: "PCL_CARD".to_owned(),
        customer_email: None,
        details: PaymentLinkDetails::default(),
    };
    let submission = bench.submission(key, "");
    let answer = bench.service.create_payment_link(submission, command).await;
    match answer.unwrap() {
        Answer::Made(record) => record.link.id,
        Answer::Replayed(body) => replayed(&body),
    }
}

async fn pay(bench: &Bench, id: Uuid, outcome: &str) -> Result<View, Failure> {
    let pay = Pay {
        payment_channel: "PCL_CARD".to_owned(),
        outcome: outcome.parse().ok(),
    };
    bench
        .service
        .pay_payment_link(bench.merchant, id, pay)
        .await
}

async fn status(bench: &Bench, id: Uuid) -> Status {
    let record = bench.service.payment_link(bench.merchant, id).await;
    record.unwrap().link.status()
}

async fn a_link_is_paid_once(bench: Bench) {
    let id = made(&bench, "order-1").await;
    assert_eq!(made(&bench, "order-1").await, id);
    bench.audit().await;
    let rejected = pay(&bench, id, "reject").await.unwrap().record.transaction;
    assert_eq!(status(&bench, id).await, Status::Active);
    let pending = pay(&bench, id, "pending;after=PT1M").await.unwrap();
    assert_eq!(pending.record.transaction.id, rejected.id);
    assert_eq!(status(&bench, id).await, Status::Processing);
    assert_eq!(code(pay(&bench, id, "accept").await), Code::IllegalState);
    bench.clock.forward(SignedDuration::from_mins(1));
    bench.service.fire_all().await.unwrap();
    assert_eq!(status(&bench, id).await, Status::Paid);
    assert_eq!(code(pay(&bench, id, "accept").await), Code::IllegalState);
    assert_eq!(rejected.merchant_transaction_id, "order-1");
    bench.audit().await;
}

async fn of_concurrent_payments_one_succeeds(bench: Bench) {
    let id = made(&bench, "order-1").await;
    let all = futures_util::future::join_all((0..8).map(|_| pay(&bench, id, "accept"))).await;
    assert_eq!(all.iter().filter(|paid| paid.is_ok()).count(), 1, "{all:?}");
    assert_eq!(status(&bench, id).await, Status::Paid);
    bench.audit().await;
}

async fn a_link_expires_by_itself(bench: Bench) {
    let (open, paid, cancelled) = (
        made(&bench, "order-1").await,
        made(&bench, "order-2").await,
        made(&bench, "order-3").await,
    );
    pay(&bench, paid, "accept").await.unwrap();
    let cancel = Change {
        status: Some("cancelled".to_owned()),
        ..Change::default()
    };
    let changed = bench
        .service
        .update_payment_link(bench.merchant, cancelled, cancel, None);
    changed.await.unwrap();
    bench.clock.forward(SignedDuration::from_hours(1));
    bench.service.fire_all().await.unwrap();
    assert_eq!(status(&bench, open).await, Status::Expired);
    assert_eq!(status(&bench, paid).await, Status::Paid);
    assert_eq!(status(&bench, cancelled).await, Status::Cancelled);
    assert_eq!(code(pay(&bench, open, "accept").await), Code::IllegalState);
    let (merchant, record) = bench.service.open_payment_link(open).await.unwrap();
    assert_eq!((merchant, record.link.id), (bench.merchant, open));
    assert_eq!(
        code(bench.service.open_payment_link(Uuid::nil()).await),
        Code::UnknownRecord
    );
}

on_both! {
    a_link_is_paid_once,
    of_concurrent_payments_one_succeeds,
    a_link_expires_by_itself,
}
