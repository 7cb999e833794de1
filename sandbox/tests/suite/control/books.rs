//! The ledger in the control interface.

use serde_json::json;

use super::refusal;
use crate::process::{Process, id};

#[tokio::test]
async fn the_ledger_shows_movements() {
    let sandbox = Process::start();
    let made = sandbox.purchase("order-1", "accept").await;
    let path = format!("/ledger?transactionId={}", id(&made));
    let books = sandbox.read_control(&path).await.body;
    let entries = books["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 1, "{books}");
    let entry = &entries[0];
    assert_eq!(
        (&entry["from"], &entry["to"]),
        (&json!("outside"), &json!("merchant"))
    );
    assert_eq!(
        (&entry["amount"], &entry["currency"]),
        (&json!("10.00"), &json!("EUR"))
    );
    let balances = books["balances"].as_array().unwrap();
    assert!(
        balances.contains(&json!({"account": "outside", "currency": "EUR", "amount": "-10.00"}))
    );
    let latest = sandbox.read_control("/ledger?limit=2").await.body;
    assert_eq!(latest["entries"].as_array().unwrap().len(), 2);
    assert_eq!(latest["entries"][0], *entry);
}

#[tokio::test]
async fn invalid_queries_are_refused() {
    let sandbox = Process::start();
    for (query, status) in [("transactionId=x", 400), ("limit=0", 422)] {
        let refused = sandbox.read_control(&format!("/ledger?{query}")).await;
        assert_eq!(refusal(&refused).0, status, "{query}");
    }
    let nothing = "/ledger?transactionId=019a9d1e-7c50-7b3e-9a53-2f4b8a1c6d10";
    assert_eq!(
        sandbox.read_control(nothing).await.body["entries"],
        json!([])
    );
}

#[tokio::test]
async fn the_audit_finds_violations() {
    let sandbox = Process::start();
    sandbox.purchase("order-1", "accept").await;
    assert_eq!(
        sandbox.read_control("/audit").await.body,
        json!({"findings": []})
    );
    let database = crate::process::database(sandbox.directory.path());
    let connection = rusqlite::Connection::open(database).unwrap();
    let sql = "UPDATE balances SET minor = minor + 1 WHERE account = 'outside'";
    assert_eq!(connection.execute(sql, []).unwrap(), 1);
    let found = sandbox.read_control("/audit").await.body;
    assert_eq!(found["findings"][0]["rule"], "balances-are-folded-entries");
}
