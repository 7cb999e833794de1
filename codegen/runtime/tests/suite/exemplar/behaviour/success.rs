//! Calls that succeed.

use super::shop::{KNOWN, client, purchase};
use crate::models::{BillingAddress, TransactionStatus};
use crate::operations::transactions::CreatePurchaseCreatedHeaders;
use crate::runtime::{Decimal, Uuid};

#[tokio::test]
async fn a_purchase_comes_back_as_it_was_sent() {
    let mut request = purchase();
    let mut address = BillingAddress {
        country: Some("DE".into()),
        ..BillingAddress::default()
    };
    address
        .additional_properties
        .insert("property1".into(), "one".into());
    request.billing_address = Some(address.clone());

    let response = client()
        .await
        .transactions()
        .create_purchase(&request)
        .await
        .unwrap();

    assert_eq!(response.status, 201);
    assert_eq!(
        response.body.amount.as_ref().map(Decimal::as_str),
        Some("10.00")
    );
    assert_eq!(response.body.billing_address, Some(address));
    assert_eq!(
        response.body.created_at.unwrap().to_string(),
        "1970-01-01T00:00:00.000Z"
    );
}

#[tokio::test]
async fn an_unknown_value_of_an_open_enumeration_keeps_its_text() {
    let response = client()
        .await
        .transactions()
        .create_purchase(&purchase())
        .await
        .unwrap();

    assert_eq!(
        response.body.status,
        Some(TransactionStatus::Unknown("SETTLING".into()))
    );
    assert!(
        serde_json::to_string(&response.body)
            .unwrap()
            .contains(r#""status":"SETTLING""#)
    );
}

#[tokio::test]
async fn documented_headers_are_typed() {
    let response = client()
        .await
        .transactions()
        .create_purchase(&purchase())
        .await
        .unwrap();

    let headers: CreatePurchaseCreatedHeaders = response.read_headers().unwrap();
    assert_eq!(headers.idempotent_replayed, Some(false));
}

#[tokio::test]
async fn each_call_has_a_request_id_and_the_answer_has_the_same() {
    let client = client().await;
    let first = client
        .transactions()
        .create_purchase(&purchase())
        .await
        .unwrap();
    let second = client
        .transactions()
        .create_purchase(&purchase())
        .await
        .unwrap();
    let given = client
        .transactions()
        .create_purchase(&purchase())
        .request_id("mine")
        .await
        .unwrap();

    assert_eq!(first.request_id.as_deref(), first.header("request-id"));
    assert!(Uuid::new(&first.request_id.unwrap()).is_ok());
    assert_ne!(first.headers["request-id"], second.headers["request-id"]);
    assert_eq!(given.headers["request-id"], "mine");
}

#[tokio::test]
async fn parameters_travel_in_path_query_and_headers() {
    let client = client().await;
    let id = Uuid::new(KNOWN).unwrap();
    let transaction = client.transactions().get_transaction(id).await.unwrap();
    let links = client
        .payment_links()
        .list_payment_links()
        .status(vec!["new & old".into(), "paid".into()])
        .show_hidden(true)
        .items_per_page(7)
        .customer_id("c, 1")
        .await
        .unwrap();

    assert_eq!(transaction.body.id.to_string(), KNOWN);
    let amount = links.body.data.unwrap().remove(0).amount.unwrap();
    let expected = r#"ListPaymentLinksParameters { status: Some(["new & old", "paid"]), show_hidden: Some(true), items_per_page: Some(7), customer_id: Some("c, 1") }"#;
    assert_eq!(amount.currency.as_deref(), Some(expected));
    assert_eq!(amount.value.unwrap().as_str(), "10.10");
}
