//! Models of the slice.

use crate::models::{PurchaseRequest, Transaction};
use crate::runtime::constraint::Validate;
use crate::runtime::json;

use super::shop::{client, purchase};

#[test]
fn a_document_survives_reading_and_writing() {
    let text = concat!(
        r#"{"id":"3f1c2d54-0000-4000-8000-00000000ABCD","amount":"010.00"#,
        r#"","status":"ODD","createdAt":"2026-01-02T03:04:05+01:00","#,
        r#""billingAddress":{"country":"DE","property1":"one"}}"#,
    );
    assert_eq!(
        json::read::<Transaction>(text.as_bytes())
            .unwrap_err()
            .pointer,
        "/amount"
    );
    let text = text.replace("010.00", "10.00");
    let transaction: Transaction = json::read(text.as_bytes()).unwrap();
    assert_eq!(serde_json::to_string(&transaction).unwrap(), text);
}

/// Also on the thread on which a server has just refused `null`.
#[tokio::test]
async fn a_client_takes_null_for_absent() {
    client()
        .await
        .transactions()
        .create_purchase(&purchase())
        .await
        .unwrap();
    let text = r#"{"merchantTransactionId":"a","amount":"1","currency":"EUR","customer":null}"#;
    assert_eq!(
        json::read::<PurchaseRequest>(text.as_bytes())
            .unwrap()
            .customer,
        None
    );
}

#[test]
fn violations_can_be_asked_for_without_a_server() {
    let mut request = purchase();
    assert_eq!(request.violations(), []);
    request.currency = "€uro".into();
    let violations = request.violations();
    assert_eq!(violations[0].pointer, "/currency");
    assert!(!violations[0].detail.contains("uro"));
}
