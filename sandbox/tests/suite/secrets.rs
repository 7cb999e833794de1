//! Secrets are neither in the database nor in its log nor in the program's log.

use reqwest::Method;
use serde_json::json;

use crate::process::{KEY, Process, purchase, reply};

#[tokio::test]
async fn no_secret_is_kept_or_logged() {
    let sandbox = Process::start();
    let sentinels = [
        "987654321",
        // Four digits alone may occur by chance.
        "\"cvv\":9876",
        "cvv: 9876",
        "4242424242424242",
        "SENTINEL-VALUE",
        "SENTINEL-TICKET",
        KEY,
    ];
    let mut body = purchase("order-1", "reject");
    body["paymentSpecificData"] = json!({
        "cardToken": "00000000-0000-4000-8000-000000001005",
        "card": {"expiryDate": "1230", "cvv": 9876, "number": "4242424242424242"},
        "verificationResult": {"authenticationValue": "SENTINEL-VALUE"}
    });
    assert_eq!(sandbox.post("/v1/transactions", &body).await.status, 201);
    let renewal = json!({
        "merchantTransactionId": "order-1",
        "paymentSpecificData": {"ticket": "SENTINEL-TICKET"}
    });
    assert_eq!(
        sandbox
            .post("/v1/transactions/renewAuthorization", &renewal)
            .await
            .status,
        200
    );
    // Also in refused requests: too many digits, a wrong type, and broken JSON around the secret.
    body["merchantTransactionId"] = json!("order-2");
    body["paymentSpecificData"]["card"]["cvv"] = json!(987_654_321);
    let refused = sandbox.post("/v1/transactions", &body).await;
    assert_eq!(refused.status, 422);
    body["paymentSpecificData"]["card"]["cvv"] = json!("987654321");
    let refused = sandbox.post("/v1/transactions", &body).await;
    assert_eq!(refused.status, 422);
    assert!(
        !refused.body.to_string().contains("987654321"),
        "{refused:?}"
    );
    let request = sandbox.request(Method::POST, "/v1/transactions");
    let request = request.header("content-type", "application/json");
    let refused =
        reply(request.body("{\"paymentSpecificData\": {\"card\": {\"cvv\": 987654321}}")).await;
    assert_eq!(refused.status, 400);

    // Killed, so that the write-ahead log still exists.
    let directory = sandbox.kill();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        for sentinel in sentinels {
            let found = bytes
                .windows(sentinel.len())
                .any(|window| window == sentinel.as_bytes());
            assert!(!found, "{sentinel} is in {}", path.display());
        }
        files.push((path.file_name().unwrap().to_owned(), bytes.len()));
    }
    let size = |name: &str| {
        files
            .iter()
            .find(|file| file.0 == name)
            .map_or(0, |file| file.1)
    };
    assert!(size("sandbox.db-wal") > 0 && size("log") > 0, "{files:?}");
}
