//! Payment methods for an order, over HTTP.

use reqwest::Method;
use serde_json::{Value, json};

use crate::process::{Process, reply};

/// The channels of a listing, in their order.
fn channels(listing: &Value) -> Vec<String> {
    let groups = listing["data"].as_array().unwrap().iter();
    let methods = groups.flat_map(|group| match group["paymentMethods"].as_array() {
        Some(methods) => methods.clone(),
        None => vec![group.clone()],
    });
    let channels = methods.flat_map(|method| method["paymentChannels"].as_array().unwrap().clone());
    let names = channels.map(|channel| channel["paymentChannel"].as_str().unwrap().to_owned());
    names.collect()
}

/// The channels that are marked as last used.
fn last_used(listing: &Value) -> Vec<String> {
    let text = listing.to_string();
    let marked = text.matches("\"lastUsed\":true").count();
    let all = channels(listing);
    let of_method = |name: &&String| {
        let groups = listing["data"].as_array().unwrap();
        groups.iter().any(|group| {
            let methods = group["paymentMethods"].as_array().unwrap();
            methods.iter().any(|method| {
                let channels = method["paymentChannels"].as_array().unwrap();
                channels
                    .iter()
                    .any(|one| one["paymentChannel"] == **name && one["lastUsed"] == true)
            })
        })
    };
    let found: Vec<_> = all.iter().filter(of_method).cloned().collect();
    assert_eq!(found.len(), marked);
    found
}

#[tokio::test]
async fn both_listings_have_the_methods_that_suit_the_order() {
    let sandbox = Process::start();
    let all: &[&str] = &["PCL_CARD", "PCL_BANK_TRANSFER", "PCL_WALLET", "PCL_CRYPTO"];
    let table: [(&str, &[&str]); 9] = [
        ("", all),
        (
            "?transactionType=TRT_PAYOUT",
            &["PCL_CARD", "PCL_BANK_TRANSFER", "PCL_CRYPTO"],
        ),
        ("?amount=0.99&currency=EUR", &["PCL_CARD", "PCL_WALLET"]),
        ("?currency=JPY", &["PCL_CARD"]),
        (
            "?currency=EUR&authorizationCurrency=USD",
            &["PCL_CARD", "PCL_WALLET"],
        ),
        (
            "?orderCountry=us",
            &["PCL_CARD", "PCL_WALLET", "PCL_CRYPTO"],
        ),
        ("?paymentMethod=PME_BANK", &["PCL_BANK_TRANSFER"]),
        ("?paymentChannel=PCL_CRYPTO", &["PCL_CRYPTO"]),
        ("?paymentChannel=PCL_ELSE", &[]),
    ];
    for (query, expected) in table {
        let grouped = sandbox.get(&format!("/v4/terminals{query}")).await;
        let flat = sandbox.get(&format!("/v4/payment-methods{query}")).await;
        assert_eq!((grouped.status, flat.status), (200, 200), "{query}");
        assert_eq!(channels(&grouped.body), expected, "{query}");
        assert_eq!(channels(&flat.body), expected, "{query}");
    }
}

#[tokio::test]
async fn the_ip_address_decides_the_country_of_the_customer() {
    let sandbox = Process::start();
    let ask = |address: &'static str, query: &str| {
        let path = format!("/v4/terminals{query}");
        let request = sandbox.request(Method::GET, &path);
        reply(request.header("customer-ip", address))
    };
    let german = ask("192.0.2.10", "").await.body;
    assert_eq!(
        german["data"][0]["paymentMethods"][0]["customerCountry"],
        "DE"
    );
    let american = ask("198.51.100.7", "").await.body;
    assert!(!channels(&american).contains(&"PCL_BANK_TRANSFER".to_owned()));
    let ordered = ask("198.51.100.7", "?orderCountry=DE").await.body;
    assert!(channels(&ordered).contains(&"PCL_BANK_TRANSFER".to_owned()));
    assert_eq!(
        ordered["data"][0]["paymentMethods"][0]["customerCountry"],
        "US"
    );
    let wrong = ask("nowhere", "").await;
    assert_eq!(
        (wrong.status, &wrong.body["errors"][0]["pointer"]),
        (422, &json!("/header/customer-ip"))
    );
}

#[tokio::test]
async fn the_channel_of_the_last_accepted_transaction_is_marked() {
    let sandbox = Process::start();
    let customer = json!({"merchantCustomerId": "shopper-1", "firstName": "Sample"});
    let customer = sandbox.post("/v3/customers", &customer).await.body;
    let id = customer["id"].as_str().unwrap();
    let ask = |header: &'static str, value: String| {
        let request = sandbox.request(Method::GET, "/v4/terminals");
        reply(request.header(header, value))
    };
    let pay = async |key: &str, channel: &str, outcome: &str| {
        let body = json!({
            "merchantTransactionId": key,
            "paymentChannel": channel,
            "amount": "10.00",
            "currency": "EUR",
            "customer": {"id": id},
            "fraudFields": {"sandbox.outcome": outcome}
        });
        assert_eq!(sandbox.post("/v1/transactions", &body).await.status, 201);
    };
    assert!(last_used(&ask("customer-id", id.to_owned()).await.body).is_empty());
    pay("order-1", "PCL_WALLET", "accept").await;
    pay("order-2", "PCL_CARD", "reject").await;
    let by_id = ask("customer-id", id.to_owned()).await.body;
    assert_eq!(last_used(&by_id), ["PCL_WALLET"]);
    pay("order-3", "PCL_CARD", "accept").await;
    let by_key = ask("external-customer-id", "shopper-1".to_owned())
        .await
        .body;
    assert_eq!(last_used(&by_key), ["PCL_CARD"]);
    let nobody = ask("customer-id", "nobody".to_owned()).await;
    assert_eq!((nobody.status, last_used(&nobody.body).len()), (200, 0));
    let disagree = sandbox
        .request(Method::GET, "/v4/terminals")
        .header("customer-id", "3c603053-9f4b-4204-b0fd-065a2ec34549")
        .header("external-customer-id", "shopper-1");
    assert_eq!(reply(disagree).await.status, 422);
}

#[tokio::test]
async fn an_invalid_order_is_refused() {
    let sandbox = Process::start();
    let table = [
        ("amount=1.00", "/query/currency"),
        ("amount=0&currency=EUR", "/query/amount"),
        ("amount=1.001&currency=EUR", "/query/amount"),
        ("currency=ZZZ", "/query/currency"),
        ("authorizationCurrency=ZZZ", "/query/authorizationCurrency"),
        ("orderCountry=Germany", "/query/orderCountry"),
    ];
    for (query, pointer) in table {
        for path in ["/v4/terminals", "/v4/payment-methods"] {
            let refused = sandbox.get(&format!("{path}?{query}")).await;
            let place = &refused.body["errors"][0]["pointer"];
            assert_eq!(
                (refused.status, place),
                (422, &json!(pointer)),
                "{path} {query}"
            );
        }
    }
}
