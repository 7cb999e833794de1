//! Customers and their recipients, over HTTP.

use reqwest::Method;
use serde_json::{Value, json};

use crate::process::{Process, Reply, id, reply};

/// A request with the customer in the header.
pub(crate) async fn ask(
    sandbox: &Process,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Reply {
    let request = sandbox.request(method, path);
    let request = request.header("external-customer-id", "shopper-1");
    reply(match body {
        Some(body) => request.json(body),
        None => request,
    })
    .await
}

/// Adds the customer `shopper-1`.
pub(crate) async fn shopper(sandbox: &Process) -> Value {
    let body = json!({"merchantCustomerId": "shopper-1", "firstName": "Sample", "email": "a@b"});
    let added = sandbox.post("/v3/customers", &body).await;
    assert_eq!(added.status, 201, "{added:?}");
    added.body
}

/// The pointers of a refusal.
pub(crate) fn pointers(refused: &Reply) -> Vec<&str> {
    let errors = refused.body["errors"].as_array();
    let errors = errors.map(Vec::as_slice).unwrap_or_default();
    errors
        .iter()
        .map(|error| error["pointer"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_customer_is_changed_and_removed() {
    let sandbox = Process::start();
    let added = shopper(&sandbox).await;
    assert_eq!(added["createdAt"], added["updatedAt"]);
    let path = "/v3/customers/shopper-1";
    let patch = json!({"phone": "+15555550100"});
    let changed = ask(&sandbox, Method::PATCH, path, Some(&patch)).await;
    assert_eq!(changed.status, 200);
    assert_eq!(
        (&changed.body["phone"], &changed.body["firstName"]),
        (&json!("+15555550100"), &json!("Sample"))
    );
    assert_eq!(sandbox.get(path).await.body, changed.body);

    let card = json!({"card": {"number": "4242424242424242", "expiryDate": "1230"}});
    let saved = ask(
        &sandbox,
        Method::POST,
        "/v2/payout-profiles/card",
        Some(&card),
    )
    .await;
    assert_eq!(saved.status, 200, "{saved:?}");
    let gone = ask(&sandbox, Method::DELETE, path, None).await;
    assert_eq!((gone.status, gone.body), (204, Value::Null));
    for (method, path) in [
        (Method::GET, path),
        (Method::DELETE, path),
        (Method::PATCH, path),
        (Method::GET, "/v3/customers/shopper-1/payments/card"),
    ] {
        let body = json!({});
        let body = (method == Method::PATCH).then_some(&body);
        let refused = ask(&sandbox, method, path, body).await;
        assert_eq!(
            (refused.status, &refused.body["code"]),
            (404, &json!("E1404"))
        );
    }
    // The id is free again, and the new customer has none of the old records.
    let again = shopper(&sandbox).await;
    assert_ne!(again["id"], added["id"]);
    let cards = ask(&sandbox, Method::GET, "/v2/payout-profiles/card", None).await;
    assert_eq!(cards.body["data"], json!([]));
    // A purchase does not find the removed customer.
    let purchase = json!({"amount": "1.00", "currency": "EUR", "customer": {"id": added["id"]}});
    assert_eq!(
        sandbox.post("/v1/transactions", &purchase).await.status,
        404
    );
}

#[tokio::test]
async fn invalid_customers_are_refused() {
    let sandbox = Process::start();
    shopper(&sandbox).await;
    let table = [
        (
            json!({"merchantCustomerId": "shopper-1"}),
            409,
            "E1412",
            "/merchantCustomerId",
        ),
        (
            json!({"merchantCustomerId": ""}),
            422,
            "E1001",
            "/merchantCustomerId",
        ),
        (
            json!({"merchantCustomerId": "a\u{0}"}),
            422,
            "E1001",
            "/merchantCustomerId",
        ),
        (
            json!({"merchantCustomerId": "a".repeat(256)}),
            422,
            "E1001",
            "/merchantCustomerId",
        ),
        (
            json!({"merchantCustomerId": "b", "email": "b"}),
            422,
            "E1001",
            "/email",
        ),
        (
            json!({"merchantCustomerId": "b", "phone": "b"}),
            422,
            "E1001",
            "/phone",
        ),
        (
            json!({"firstName": "b"}),
            422,
            "E1001",
            "/merchantCustomerId",
        ),
    ];
    for (body, status, code, pointer) in table {
        let refused = sandbox.post("/v3/customers", &body).await;
        let found = (refused.status, refused.body["code"].as_str());
        assert_eq!(found, (status, Some(code)), "{body} {refused:?}");
        assert_eq!(pointers(&refused), [pointer], "{body}");
    }
    let longest = json!({"merchantCustomerId": "ü/ ".repeat(85)});
    let made = sandbox.post("/v3/customers", &longest).await;
    assert_eq!(made.status, 201, "{made:?}");
}

#[tokio::test]
async fn a_customer_created_by_a_transaction_has_the_id_of_the_service() {
    let sandbox = Process::start();
    let purchase = json!({
        "amount": "1.00", "currency": "EUR", "customer": {"firstName": "Sample", "lastName": "Buyer"}
    });
    let made = sandbox.post("/v1/transactions", &purchase).await.body;
    let id = id(&made["customer"]).to_owned();
    let found = sandbox.get(&format!("/v3/customers/{id}")).await;
    assert_eq!(found.status, 200);
    assert_eq!(
        (
            &found.body["id"],
            &found.body["merchantCustomerId"],
            &found.body["lastName"]
        ),
        (&json!(id), &json!(id), &json!("Buyer"))
    );
}

#[tokio::test]
async fn instant_transfer_recipients_are_added_once() {
    let sandbox = Process::start();
    shopper(&sandbox).await;
    let path = "/v3/customers/shopper-1/withdrawals/instanttransfer";
    let mut body = json!({
        "name": "Sample Recipient", "currency": "EUR",
        "proxyType": "mobile_number", "proxyValue": "+15555550104"
    });
    let added = sandbox.post(path, &body).await;
    assert_eq!(
        (added.status, &added.body["status"]),
        (200, &json!("verified"))
    );
    body["name"] = json!("Renamed");
    let again = sandbox.post(path, &body).await.body;
    assert_eq!(
        (&again["id"], &again["name"]),
        (&added.body["id"], &json!("Renamed"))
    );
    body["currency"] = json!("USD");
    let other = sandbox.post(path, &body).await.body;
    assert_ne!(other["id"], added.body["id"]);
    let listed = sandbox.get(path).await.body;
    assert_eq!(listed["data"], json!([again, other]));

    let one = format!("{path}/{}", id(&other));
    assert_eq!(sandbox.get(&one).await.body, other);
    assert_eq!(ask(&sandbox, Method::DELETE, &one, None).await.status, 204);
    assert_eq!(ask(&sandbox, Method::DELETE, &one, None).await.status, 404);
    assert_eq!(sandbox.get(&one).await.status, 404);

    body["currency"] = json!("XXX");
    body["proxyValue"] = json!("somewhere");
    body["name"] = json!(" ");
    let refused = sandbox.post(path, &body).await;
    assert_eq!(refused.status, 422);
    assert_eq!(pointers(&refused), ["/name", "/currency", "/proxyValue"]);
}

#[tokio::test]
async fn lists_are_pages_in_a_stable_order() {
    let sandbox = Process::start();
    shopper(&sandbox).await;
    let path = "/v3/customers/shopper-1/withdrawals/instanttransfer";
    for number in 0..12 {
        let body = json!({
            "name": format!("name-{}", number % 3), "currency": "EUR",
            "proxyType": "mobile_number", "proxyValue": format!("+155555501{number:02}")
        });
        assert_eq!(sandbox.post(path, &body).await.status, 200);
    }
    let first = sandbox.get(path).await.body;
    assert_eq!(first["data"].as_array().unwrap().len(), 10);
    let meta =
        json!({"itemsPerPage": "10", "page": "1", "direction": "asc", "sortBy": "createdAt"});
    assert_eq!(first["meta"], meta);
    let mut seen = Vec::new();
    for page in 1..=4 {
        let query = format!("{path}?itemsPerPage=5&page={page}&sortBy=name&direction=desc");
        let listed = sandbox.get(&query).await.body;
        let data = listed["data"].as_array().unwrap();
        seen.extend(
            data.iter()
                .map(|one| (one["name"].clone(), one["id"].clone())),
        );
        assert_eq!(listed["meta"]["page"], page.to_string());
    }
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let seen: Vec<_> = seen
        .iter()
        .map(|(name, id)| (text(name), text(id)))
        .collect();
    let mut sorted = seen.clone();
    sorted.sort();
    sorted.reverse();
    sorted.dedup();
    assert_eq!((seen.len(), &seen), (12, &sorted));

    let table = [
        (
            "itemsPerPage=0&page=0",
            vec!["/query/itemsPerPage", "/query/page"],
        ),
        ("itemsPerPage=101", vec!["/query/itemsPerPage"]),
        (
            "sortBy=last4&direction=up",
            vec!["/query/direction", "/query/sortBy"],
        ),
        ("sortBy=id;--", vec!["/query/sortBy"]),
        ("page=9223372036854775807", vec![]),
    ];
    for (query, places) in table {
        let refused = sandbox.get(&format!("{path}?{query}")).await;
        let status = if places.is_empty() { 200 } else { 422 };
        assert_eq!(
            (refused.status, pointers(&refused)),
            (status, places),
            "{query}"
        );
    }
}
