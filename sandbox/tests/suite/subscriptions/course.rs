//! Subscriptions from their start over their charges to their end.

use reqwest::Method;
use serde_json::{Value, json};

use super::{PLANS, START, SUBSCRIPTIONS, purchase, refusal};
use crate::customers::shopper;
use crate::process::{Process, id, reply};

on_both_programs! {
    a_trial_is_followed_by_charges_until_all_are_made,
    a_declined_card_is_retried_four_times,
    charges_follow_the_purchase_or_the_script,
    a_charge_that_the_merchant_renews_is_paid,
    a_subscription_begins_when_its_purchase_is_accepted,
    a_trial_may_be_free,
    a_cancelled_subscription_runs_until_its_period_ends,
    a_deactivated_plan_ends_its_subscriptions,
    subscriptions_of_a_removed_customer_go_on_but_not_by_a_saved_card,
}

async fn a_trial_is_followed_by_charges_until_all_are_made(sandbox: &Process) {
    sandbox.advance(START).await;
    let fields = json!({"trialPeriodDays": 14, "setupFee": "5.00", "totalCount": 2});
    let plan = sandbox.plan(&fields).await;
    let (first, trial) = sandbox.subscribe(&purchase(&plan, "order-1", "5.00")).await;
    assert_eq!(trial["firstTransactionId"], first["id"]);
    assert_eq!(trial["customerId"], first["customer"]["id"]);
    assert_eq!(
        (&trial["status"], &trial["remainingCount"]),
        (&json!("trial"), &json!(2))
    );
    assert_eq!(
        (&trial["startDate"], &trial["nextChargeDate"]),
        (&json!(START), &json!("2099-01-31"))
    );
    assert_eq!(sandbox.subscription(&trial).await, trial);

    sandbox.advance("2099-01-31").await;
    let charge = sandbox.charge(&trial, 0).await.body;
    assert_eq!(
        (&charge["status"], &charge["amount"]),
        (&json!("ACCEPTED"), &json!("9.90"))
    );
    assert_eq!(charge["createdAt"], "2099-01-31T00:00:00.000Z");
    assert_eq!(charge["originMerchantTransactionId"], "order-1");
    assert_eq!(charge["customer"], first["customer"]);
    let active = sandbox.subscription(&trial).await;
    assert_eq!(
        (&active["status"], &active["nextChargeDate"]),
        (&json!("active"), &json!("2099-02-28"))
    );

    sandbox.advance("2099-03-30").await;
    assert_eq!(
        sandbox.charge(&trial, 1).await.body["createdAt"],
        "2099-02-28T00:00:00.000Z"
    );
    assert_eq!(sandbox.charge(&trial, 2).await.status, 404);
    let last = sandbox.subscription(&trial).await;
    assert_eq!(
        (&last["remainingCount"], &last["nextChargeDate"]),
        (&json!(0), &Value::Null)
    );
    assert_eq!(
        (&last["status"], &last["endDate"]),
        (&json!("active"), &json!("2099-03-31"))
    );
    sandbox.advance("2099-03-31").await;
    assert_eq!(sandbox.subscription(&trial).await["status"], "expired");
    sandbox.audit();
}

async fn a_declined_card_is_retried_four_times(sandbox: &Process) {
    sandbox.advance(START).await;
    let plan = sandbox.plan(&json!({"chargeRetry": true})).await;
    let mut body = purchase(&plan, "order-1", "9.90");
    body["paymentSpecificData"]["cardToken"] = json!("00000000-0000-4000-8000-000000002006");
    let (_, subscription) = sandbox.subscribe(&body).await;
    assert_eq!(subscription["status"], "active");
    let attempts = ["2099-02-18", "2099-02-20", "2099-02-22", "2099-02-24"];
    let mut day = "2099-02-17";
    for next in attempts {
        sandbox.advance(day).await;
        let overdue = sandbox.subscription(&subscription).await;
        assert_eq!(overdue["nextChargeAttemptDate"], next);
        assert_eq!(
            (&overdue["status"], &overdue["nextChargeDate"]),
            (&json!("active"), &json!("2099-02-17"))
        );
        assert_eq!(
            sandbox.charge(&subscription, 1).await.body["rejectCode"],
            "E1006"
        );
        day = next;
    }
    sandbox.advance(day).await;
    let ended = sandbox.subscription(&subscription).await;
    assert_eq!(
        (&ended["status"], &ended["endDate"]),
        (&json!("expired"), &json!("2099-02-24"))
    );
    assert_eq!(ended["cancelReason"], "payment_failed");
    assert_eq!(ended["nextChargeAttemptDate"], Value::Null);
    sandbox.audit();
}

#[tokio::test]
async fn a_saved_card_pays_until_it_expires_or_is_removed() {
    for (is_removed, code) in [(false, "E1007"), (true, "E1009")] {
        let sandbox = Process::start();
        let mut first = purchase("", "order-1", "10.00");
        first["paymentSpecificData"] = json!({"cardToken": "00000000-0000-4000-8000-000000000000"});
        let first = sandbox.post("/v1/transactions", &first).await.body;
        let customer = first["customer"]["id"].as_str().unwrap();
        let cards = format!("/v3/customers/{customer}/payments/card");
        let card = sandbox.get(&cards).await.body["data"][0]["id"].take();
        let tokens = format!("/v3/customers/{customer}/payments/tokens");
        let token = sandbox.get(&tokens).await.body["data"][0]["token"].take();

        let fields = json!({"intervalUnit": "year", "intervalCount": 5});
        let plan = sandbox.plan(&fields).await;
        let mut body = purchase(&plan, "order-2", "9.90");
        body["customer"] = json!({"id": customer});
        body["paymentSpecificData"]["cardToken"] = token;
        let (_, subscription) = sandbox.subscribe(&body).await;
        assert_eq!(subscription["paymentSourceId"], card, "{subscription}");
        if is_removed {
            let path = format!("{cards}/{}", card.as_str().unwrap());
            let removed = reply(sandbox.request(Method::DELETE, &path)).await;
            assert_eq!(removed.status, 204, "{removed:?}");
        }
        let five_years = json!({"by": "P5Y"});
        sandbox.post_control("/clock/advance", &five_years).await;
        let charge = sandbox.charge(&subscription, 1).await.body;
        assert_eq!(charge["rejectCode"], code);
        let ended = sandbox.subscription(&subscription).await;
        assert_eq!(ended["cancelReason"], "payment_failed");
    }
}

async fn charges_follow_the_purchase_or_the_script(sandbox: &Process) {
    sandbox.advance(START).await;
    let plan = sandbox.plan(&json!({"chargeRetry": true})).await;
    let mut body = purchase(&plan, "order-1", "9.90");
    body["fraudFields"]["sandbox.outcome.charge"] =
        json!("reject;code=E1006,accept,reject;code=E1007");
    let (_, subscription) = sandbox.subscribe(&body).await;
    sandbox.advance("2099-02-18").await;
    let paid = sandbox.subscription(&subscription).await;
    assert_eq!(
        (&paid["status"], &paid["nextChargeDate"]),
        (&json!("active"), &json!("2099-03-17"))
    );
    assert_eq!(
        sandbox.charge(&subscription, 1).await.body["status"],
        "ACCEPTED"
    );
    sandbox.advance("2099-03-17").await;
    let ended = sandbox.subscription(&subscription).await;
    assert_eq!(
        (&ended["status"], &ended["endDate"]),
        (&json!("expired"), &json!("2099-03-17"))
    );

    let plan = sandbox.plan(&json!({})).await;
    let (_, scripted) = sandbox.subscribe(&purchase(&plan, "order-2", "9.90")).await;
    let line = json!({"operation": "chargeSubscription", "outcome": "pending;after=PT24H"});
    assert_eq!(sandbox.post_control("/scenarios", &line).await.status, 201);
    sandbox.advance("2099-04-17").await;
    assert_eq!(sandbox.charge(&scripted, 1).await.body["status"], "PENDING");
    let waits = sandbox.subscription(&scripted).await;
    assert_eq!(waits["nextChargeDate"], "2099-04-17");
    sandbox.advance("2099-04-18").await;
    let paid = sandbox.subscription(&scripted).await;
    assert_eq!(paid["nextChargeDate"], "2099-05-17");
}

async fn a_charge_that_the_merchant_renews_is_paid(sandbox: &Process) {
    sandbox.advance(START).await;
    let plan = sandbox.plan(&json!({"chargeRetry": true})).await;
    let mut body = purchase(&plan, "order-1", "9.90");
    body["fraudFields"]["sandbox.outcome.charge"] = json!("reject");
    let (_, subscription) = sandbox.subscribe(&body).await;
    sandbox.advance("2099-02-17").await;
    let key = format!("{}-1", id(&subscription));
    let renewed = json!({"merchantTransactionId": key});
    let renewed = sandbox
        .post("/v1/transactions/renewAuthorization", &renewed)
        .await;
    assert_eq!(renewed.body["status"], "ACCEPTED", "{renewed:?}");
    let paid = sandbox.subscription(&subscription).await;
    assert_eq!(
        (&paid["nextChargeDate"], &paid["nextChargeAttemptDate"]),
        (&json!("2099-03-17"), &Value::Null)
    );
}

async fn a_subscription_begins_when_its_purchase_is_accepted(sandbox: &Process) {
    let plan = sandbox.plan(&json!({})).await;
    for (key, outcome, renewed) in [
        ("order-1", "reject", true),
        ("order-2", "pending;after=PT1H", false),
    ] {
        let mut body = purchase(&plan, key, "9.90");
        body["fraudFields"]["sandbox.outcome"] = json!(outcome);
        let made = sandbox.post("/v1/transactions", &body).await.body;
        let path = format!(
            "{SUBSCRIPTIONS}?customerId={}",
            made["customer"]["id"].as_str().unwrap()
        );
        assert_eq!(
            sandbox.get(&path).await.body["data"],
            json!([]),
            "{outcome}"
        );
        if renewed {
            let renew = json!({"transactionId": made["id"]});
            sandbox
                .post("/v1/transactions/renewAuthorization", &renew)
                .await;
        } else {
            sandbox
                .post_control("/clock/advance", &json!({"by": "PT1H"}))
                .await;
        }
        let begun = sandbox.get(&path).await.body["data"].take();
        assert_eq!(
            (&begun[0]["status"], &begun[0]["firstTransactionId"]),
            (&json!("active"), &made["id"])
        );
    }
}

async fn a_trial_may_be_free(sandbox: &Process) {
    let plan = sandbox.plan(&json!({"trialPeriodDays": 30})).await;
    let (first, trial) = sandbox.subscribe(&purchase(&plan, "order-1", "0.00")).await;
    assert_eq!(
        (&first["status"], &first["amount"]),
        (&json!("ACCEPTED"), &json!("0.00"))
    );
    assert_eq!(first["actions"]["refund"], false);
    assert_eq!(trial["status"], "trial");
    let mut later = purchase(&plan, "order-2", "0.00");
    later["authorization"] = json!({"type": "TWO_STEP"});
    let refused = sandbox.post("/v1/transactions", &later).await;
    assert_eq!(
        refusal(&refused),
        (422, "E1001", Some("/authorization/type"))
    );
    sandbox.audit();
}

async fn a_cancelled_subscription_runs_until_its_period_ends(sandbox: &Process) {
    sandbox.advance(START).await;
    let plan = sandbox.plan(&json!({"chargeDay": 31})).await;
    let (_, subscription) = sandbox.subscribe(&purchase(&plan, "order-1", "9.90")).await;
    let path = format!("{SUBSCRIPTIONS}/{}/cancel", id(&subscription));
    let cancelled = sandbox
        .post(&path, &json!({"cancelReason": "moved away"}))
        .await;
    assert_eq!(
        (cancelled.status, &cancelled.body["endDate"]),
        (200, &json!("2099-02-28"))
    );
    assert_eq!(
        (&cancelled.body["status"], &cancelled.body["cancelReason"]),
        (&json!("active"), &json!("moved away"))
    );
    let again = sandbox.post(&path, &json!({"cancelReason": "other"})).await;
    assert_eq!((again.status, &again.body), (200, &cancelled.body));
    let without_body = reply(sandbox.request(Method::POST, &path)).await;
    assert_eq!(
        (without_body.status, &without_body.body),
        (200, &cancelled.body)
    );
    sandbox.advance("2099-02-27").await;
    assert_eq!(
        sandbox.subscription(&subscription).await["status"],
        "active"
    );
    sandbox.advance("2099-02-28").await;
    assert_eq!(
        sandbox.subscription(&subscription).await["status"],
        "expired"
    );
    assert_eq!(sandbox.charge(&subscription, 1).await.status, 404);
}

async fn a_deactivated_plan_ends_its_subscriptions(sandbox: &Process) {
    sandbox.advance(START).await;
    let plan = sandbox.plan(&json!({})).await;
    let mut pending = purchase(&plan, "order-2", "9.90");
    pending["fraudFields"]["sandbox.outcome"] = json!("pending;after=PT1H");
    let (_, subscription) = sandbox.subscribe(&purchase(&plan, "order-1", "9.90")).await;
    sandbox.subscribe(&pending).await;
    let path = format!("{PLANS}/{plan}");
    let deactivated = reply(sandbox.request(Method::POST, &format!("{path}/deactivate"))).await;
    assert_eq!(
        (deactivated.status, &deactivated.body["status"]),
        (200, &json!(false))
    );
    assert_eq!(
        sandbox.subscription(&subscription).await["endDate"],
        "2099-02-17"
    );
    let refused = sandbox
        .post("/v1/transactions", &purchase(&plan, "order-3", "9.90"))
        .await;
    let pointer = "/paymentSpecificData/subscription/planId";
    assert_eq!(refusal(&refused), (409, "E1409", Some(pointer)));

    let activated = reply(sandbox.request(Method::POST, &format!("{path}/activate"))).await;
    assert_eq!(
        (activated.status, &activated.body["status"]),
        (200, &json!(true))
    );
    assert_eq!(
        sandbox.subscription(&subscription).await["endDate"],
        "2099-02-17"
    );
    reply(sandbox.request(Method::POST, &format!("{path}/deactivate"))).await;
    // A subscription that was ordered while the plan was active begins, and ends with its first
    // period.
    sandbox
        .post_control("/clock/advance", &json!({"by": "PT2H"}))
        .await;
    let all = sandbox
        .get(&format!("{SUBSCRIPTIONS}?planId={plan}"))
        .await
        .body;
    assert_eq!(all["data"][1]["endDate"], "2099-02-17");
    assert_eq!(all["data"][1]["externalId"], "order-2");
}

async fn subscriptions_of_a_removed_customer_go_on_but_not_by_a_saved_card(sandbox: &Process) {
    sandbox.advance(START).await;
    let customer = shopper(sandbox).await;
    let plan = sandbox.plan(&json!({})).await;
    let mut body = purchase(&plan, "order-1", "9.90");
    body["customer"] = json!({"id": customer["id"]});
    let (_, on_account) = sandbox.subscribe(&body).await;
    body["merchantTransactionId"] = json!("order-2");
    body["paymentSpecificData"] = json!({
        "cardToken": "00000000-0000-4000-8000-000000000000", "card": {"expiryDate": "1299"}
    });
    let saving = sandbox.post("/v1/transactions", &body).await.body;
    let plan = sandbox.plan(&json!({})).await;
    body["merchantTransactionId"] = json!("order-3");
    body["paymentSpecificData"] =
        json!({"subscription": {"planId": plan}, "cardToken": saving["paymentToken"]});
    let (_, by_card) = sandbox.subscribe(&body).await;
    let path = "/v3/customers/shopper-1";
    let removed = reply(sandbox.request(Method::DELETE, path)).await;
    assert_eq!(removed.status, 204, "{removed:?}");
    sandbox.advance("2099-02-17").await;
    let charged = sandbox.charge(&on_account, 1).await.body;
    assert_eq!(charged["status"], "ACCEPTED", "{charged}");
    assert_eq!(sandbox.subscription(&on_account).await["status"], "active");
    let charged = sandbox.charge(&by_card, 1).await.body;
    assert_eq!(charged["rejectCode"], "E1009", "{charged}");
    assert_eq!(sandbox.subscription(&by_card).await["status"], "expired");
    sandbox.audit();
}
