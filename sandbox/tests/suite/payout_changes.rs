//! Payouts with offers, cancellations and retries.

use serde_json::{Value, json};

use crate::process::{Process, Reply, id, payout};

impl Process {
    /// Creates a payout of 250.00 EUR.
    pub(crate) async fn payout(&self, key: &str, channel: &str, outcome: &str) -> Value {
        let made = self
            .post("/v1/payouts", &payout(key, channel, outcome))
            .await;
        assert_eq!(made.status, 201, "{made:?}");
        made.body
    }

    /// Creates a payout and requests offers for it.
    async fn offered(&self, key: &str) -> (Value, Value) {
        let mut body = payout(key, "PCL_CRYPTO", "accept");
        body.as_object_mut().unwrap().remove("fraudFields");
        let made = self.post("/v1/payouts", &body).await.body;
        let target = json!({"transactionId": id(&made)});
        let offers = self.post("/v1/payouts/offersRenew", &target).await.body;
        (made, offers)
    }
}

fn choice(payout: &Value, offer: &Value) -> Value {
    json!({
        "transactionId": payout["id"],
        "pspId": offer["pspId"],
        "attemptId": offer["lastAttempt"]["attemptId"],
        "termsUuid": offer["termsUuid"]
    })
}

/// The status, code and first pointer of a refusal.
fn refusal(reply: &Reply) -> (u16, &str, Option<&str>) {
    let pointer = reply.body["errors"][0]["pointer"].as_str();
    (reply.status, reply.body["code"].as_str().unwrap(), pointer)
}

#[tokio::test]
async fn the_last_selected_offer_is_captured() {
    let sandbox = Process::start();
    let (made, offers) = sandbox.offered("payout-1").await;
    for offer in [&offers[0], &offers[1]] {
        let path = "/v1/payouts/offersSelect";
        let selected = sandbox.post(path, &choice(&made, offer)).await;
        assert_eq!(
            (selected.status, &selected.body["status"]),
            (200, &json!("PENDING"))
        );
        assert_eq!(
            selected.body["meta"]["selectedOffer"]["pspId"],
            offer["pspId"]
        );
        assert_eq!(selected.body["actions"]["selectOffer"], true);
    }
    let target = json!({"transactionId": made["id"]});
    let captured = sandbox.post("/v1/payouts/capture", &target).await.body;
    assert_eq!(captured["status"], "ACCEPTED");
    let (meta, taken) = (&captured["meta"], &offers[1]["lastAttempt"]["pspData"]);
    for name in ["amountToWithdraw", "cryptoAmount", "cryptoNetworkFee"] {
        assert_eq!(meta[name], taken[name], "{name}");
    }
    assert_eq!(
        (&meta["walletCurrency"], &meta["network"]),
        (&json!("BTC"), &json!("Bitcoin"))
    );
    assert_eq!(
        captured["meta"]["selectedOffer"]["pspId"],
        offers[1]["pspId"]
    );
    sandbox.audit();
}

#[tokio::test]
async fn an_unavailable_offer_is_refused() {
    let sandbox = Process::start();
    let (made, offers) = sandbox.offered("payout-1").await;
    let (_, others) = sandbox.offered("payout-2").await;
    let bare = sandbox.payout("payout-3", "PCL_CRYPTO", "pending").await;
    let card = sandbox.payout("payout-4", "PCL_CARD", "pending").await;
    let rows = sandbox.rows();
    let mut terms = choice(&made, &offers[0]);
    terms["termsUuid"] = offers[1]["termsUuid"].clone();
    let mut nobody = choice(&made, &offers[0]);
    nobody.as_object_mut().unwrap().remove("transactionId");
    let table: [(Value, u16, &str, Option<&str>); 5] = [
        (choice(&made, &others[0]), 404, "E1404", None),
        (terms, 422, "E1001", Some("/termsUuid")),
        (nobody, 422, "E1001", Some("/transactionId")),
        (choice(&bare, &offers[0]), 409, "E1409", None),
        (choice(&card, &offers[0]), 409, "E1409", None),
    ];
    for (body, status, code, pointer) in table {
        let refused = sandbox.post("/v1/payouts/offersSelect", &body).await;
        assert_eq!(refusal(&refused), (status, code, pointer), "{body}");
    }
    assert_eq!(sandbox.rows(), rows);
    let path = format!("/v1/payouts/{}", id(&made));
    assert_eq!(
        sandbox.get(&path).await.body["meta"].get("selectedOffer"),
        None
    );
}

#[tokio::test]
async fn offers_expire_and_so_does_their_payout() {
    let sandbox = Process::start();
    let (made, offers) = sandbox.offered("payout-1").await;
    let path = format!("/v1/payouts/{}", id(&made));
    sandbox
        .post_control("/clock/advance", &json!({"by": "PT15M"}))
        .await;
    let late = sandbox
        .post("/v1/payouts/offersSelect", &choice(&made, &offers[0]))
        .await;
    assert_eq!(refusal(&late), (409, "E1411", None));
    let waiting = sandbox.get(&path).await.body;
    assert_eq!(waiting["actions"]["selectOffer"], false);
    assert_eq!(waiting["actions"]["renewOffers"], true);
    sandbox
        .post_control("/clock/advance", &json!({"by": "PT24H"}))
        .await;
    let expired = sandbox.get(&path).await.body;
    assert_eq!(expired["status"], "EXPIRED", "{expired}");
    sandbox.audit();
}

#[tokio::test]
async fn a_cancelled_payout_returns_its_money() {
    let sandbox = Process::start();
    sandbox.relax().await;
    let all = json!({"amount": "1000000000.00"});
    let mut body = payout("payout-1", "PCL_CARD", "pending");
    body["amount"] = all["amount"].clone();
    let made = sandbox.post("/v1/payouts", &body).await.body;
    assert_eq!(made["actions"]["cancel"], true);
    let poor = sandbox.payout("payout-2", "PCL_CARD", "accept").await;
    assert_eq!(poor["rejectCode"], "E2001");
    let target = json!({"transactionId": id(&made)});
    let cancelled = sandbox.post("/v1/payouts/cancel", &target).await;
    assert_eq!(
        (cancelled.status, &cancelled.body["status"]),
        (200, &json!("CANCELLED"))
    );
    let rows = sandbox.rows();
    let again = sandbox.post("/v1/payouts/cancel", &target).await;
    assert_eq!(refusal(&again), (409, "E1409", None));
    assert_eq!(sandbox.rows(), rows);

    // The balance covers it now, so the rejected payout can be retried.
    let renewal = json!({"merchantTransactionId": "payout-2",
        "paymentSpecificData": {"destinationAddress": "account-78"}});
    let header = sandbox
        .request(reqwest::Method::POST, "/v1/payouts/renew")
        .header("sandbox-outcome", "accept");
    let renewed = crate::process::reply(header.json(&renewal)).await;
    assert_eq!(
        (renewed.status, &renewed.body["status"]),
        (200, &json!("ACCEPTED"))
    );
    assert_eq!(renewed.body["meta"]["destinationAddress"], "account-78");
    assert_eq!(renewed.body.get("rejectCode"), None);
    sandbox.audit();
}

#[tokio::test]
async fn forbidden_changes_are_refused() {
    let sandbox = Process::start();
    let paid = sandbox.payout("payout-1", "PCL_CARD", "accept").await;
    let failed = sandbox.payout("payout-2", "PCL_CARD", "reject").await;
    let purchase = sandbox.purchase("order-1", "reject").await;
    let rows = sandbox.rows();
    let both = json!({"transactionId": id(&failed), "merchantTransactionId": "payout-1"});
    for path in ["/v1/payouts/cancel", "/v1/payouts/renew"] {
        let table: [(Value, u16, &str, Option<&str>); 4] = [
            (json!({"transactionId": id(&paid)}), 409, "E1409", None),
            (json!({"transactionId": id(&purchase)}), 404, "E1404", None),
            (json!({}), 422, "E1001", Some("/transactionId")),
            (both.clone(), 422, "E1001", Some("/merchantTransactionId")),
        ];
        for (body, status, code, pointer) in table {
            let refused = sandbox.post(path, &body).await;
            assert_eq!(refusal(&refused), (status, code, pointer), "{path} {body}");
        }
    }
    // A payout has no customer to ask.
    let header = sandbox
        .request(reqwest::Method::POST, "/v1/payouts/renew")
        .header("sandbox-outcome", "3ds");
    let target = json!({"transactionId": id(&failed)});
    let refused = crate::process::reply(header.json(&target)).await;
    assert_eq!(refusal(&refused), (422, "E1001", None));
    assert_eq!(sandbox.rows(), rows);
}
