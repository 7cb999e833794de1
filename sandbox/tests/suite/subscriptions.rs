//! Products, plans and subscriptions over the socket: each operation, and each refusal.

use reqwest::Method;
use serde_json::{Value, json};

use crate::process::{Process, Reply, id, reply};

const PRODUCTS: &str = "/v1/subscriptions/products";
const PLANS: &str = "/v1/subscriptions/plans";
const SUBSCRIPTIONS: &str = "/v1/subscriptions";
const NOBODY: &str = "836efa5d-17a8-490c-afbb-5eca57ae9270";

impl Process {
    async fn product(&self) -> String {
        let made = self.post(PRODUCTS, &json!({"name": "Tea club"})).await;
        assert_eq!(made.status, 201, "{made:?}");
        id(&made.body).to_owned()
    }

    /// A plan of 9.90 EUR a month, with these fields besides.
    async fn plan(&self, fields: &Value) -> String {
        let product = self.product().await;
        let made = self.post(PLANS, &monthly(&product, fields)).await;
        assert_eq!(made.status, 201, "{made:?}");
        id(&made.body).to_owned()
    }

    /// The purchase that begins a subscription, and the subscription.
    async fn subscribe(&self, body: &Value) -> (Value, Value) {
        let made = self.post("/v1/transactions", body).await;
        assert_eq!(made.status, 201, "{made:?}");
        let plan = &body["paymentSpecificData"]["subscription"]["planId"];
        let path = format!("{SUBSCRIPTIONS}?planId={}", plan.as_str().unwrap());
        let found = self.get(&path).await.body["data"].take();
        (made.body, found[0].clone())
    }

    async fn subscription(&self, subscription: &Value) -> Value {
        let found = self
            .get(&format!("{SUBSCRIPTIONS}/{}", id(subscription)))
            .await;
        assert_eq!(found.status, 200, "{found:?}");
        found.body
    }

    /// The charge of that number.
    async fn charge(&self, subscription: &Value, number: u32) -> Reply {
        let path = format!("/v1/transactions/merchant/{}-{number}", id(subscription));
        self.get(&path).await
    }

    /// Moves the clock to the first moment of a day.
    async fn advance(&self, day: &str) {
        let to = json!({"to": format!("{day}T00:00:00.000Z")});
        let moved = self.order("/clock/advance", &to).await;
        assert_eq!(moved.status, 200, "{moved:?}");
    }
}

fn monthly(product: &str, fields: &Value) -> Value {
    let mut body = json!({"productId": product, "amount": "9.90", "currency": "EUR",
        "intervalUnit": "month"});
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

fn purchase(plan: &str, key: &str, amount: &str) -> Value {
    json!({
        "merchantTransactionId": key,
        "amount": amount,
        "currency": "EUR",
        "customer": {"email": "customer@merchant.example"},
        "fraudFields": {},
        "paymentSpecificData": {"subscription": {"planId": plan}}
    })
}

/// Status, code and the first pointer of a problem.
fn refusal(reply: &Reply) -> (u16, &str, Option<&str>) {
    let code = reply.body["code"].as_str().unwrap_or_default();
    (
        reply.status,
        code,
        reply.body["errors"][0]["pointer"].as_str(),
    )
}

/// A clock at which dates can be written down. The machine's is earlier for a long time yet.
const START: &str = "2099-01-17";

#[tokio::test]
async fn a_trial_is_followed_by_charges_until_all_are_made() {
    let sandbox = Process::start();
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

#[tokio::test]
async fn a_card_that_pays_no_more_is_tried_four_times_again() {
    let sandbox = Process::start();
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
        sandbox.order("/clock/advance", &five_years).await;
        let charge = sandbox.charge(&subscription, 1).await.body;
        assert_eq!(charge["rejectCode"], code);
        let ended = sandbox.subscription(&subscription).await;
        assert_eq!(ended["cancelReason"], "payment_failed");
    }
}

#[tokio::test]
async fn charges_go_as_the_purchase_or_the_script_asks() {
    let sandbox = Process::start();
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
    assert_eq!(sandbox.order("/scenarios", &line).await.status, 201);
    sandbox.advance("2099-04-17").await;
    assert_eq!(sandbox.charge(&scripted, 1).await.body["status"], "PENDING");
    let waits = sandbox.subscription(&scripted).await;
    assert_eq!(waits["nextChargeDate"], "2099-04-17");
    sandbox.advance("2099-04-18").await;
    let paid = sandbox.subscription(&scripted).await;
    assert_eq!(paid["nextChargeDate"], "2099-05-17");
}

#[tokio::test]
async fn a_charge_that_the_merchant_gets_authorized_is_paid() {
    let sandbox = Process::start();
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

#[tokio::test]
async fn a_subscription_begins_when_its_purchase_is_accepted() {
    let sandbox = Process::start();
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
                .order("/clock/advance", &json!({"by": "PT1H"}))
                .await;
        }
        let begun = sandbox.get(&path).await.body["data"].take();
        assert_eq!(
            (&begun[0]["status"], &begun[0]["firstTransactionId"]),
            (&json!("active"), &made["id"])
        );
    }
}

#[tokio::test]
async fn a_trial_may_be_free() {
    let sandbox = Process::start();
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

#[tokio::test]
async fn what_is_cancelled_stays_until_its_period_ends() {
    let sandbox = Process::start();
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

#[tokio::test]
async fn a_plan_that_is_deactivated_gives_its_subscriptions_an_end() {
    let sandbox = Process::start();
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
    // What was purchased while the plan was active begins, and ends with its first period.
    sandbox
        .order("/clock/advance", &json!({"by": "PT2H"}))
        .await;
    let all = sandbox
        .get(&format!("{SUBSCRIPTIONS}?planId={plan}"))
        .await
        .body;
    assert_eq!(all["data"][1]["endDate"], "2099-02-17");
    assert_eq!(all["data"][1]["externalId"], "order-2");
}

#[tokio::test]
async fn what_is_removed_is_not_there_any_more() {
    let sandbox = Process::start();
    let product = sandbox.product().await;
    let plan = sandbox.post(PLANS, &monthly(&product, &json!({}))).await;
    let plan = id(&plan.body).to_owned();
    let (_, subscription) = sandbox.subscribe(&purchase(&plan, "order-1", "9.90")).await;
    let paths = [
        format!("{SUBSCRIPTIONS}/{}", id(&subscription)),
        format!("{PLANS}/{plan}"),
        format!("{PRODUCTS}/{product}"),
    ];
    for path in &paths[1..] {
        let kept = reply(sandbox.request(Method::DELETE, path)).await;
        assert_eq!(refusal(&kept), (409, "E1409", None), "{path}");
    }
    for path in &paths {
        let removed = reply(sandbox.request(Method::DELETE, path)).await;
        assert_eq!(
            (removed.status, &removed.body),
            (204, &Value::Null),
            "{path}"
        );
        for method in [Method::GET, Method::DELETE] {
            let gone = reply(sandbox.request(method, path)).await;
            assert_eq!(refusal(&gone), (404, "E1404", None), "{path}");
        }
    }
    let update = json!({"url": "https://merchant.example/tea"});
    let gone = reply(sandbox.request(Method::PATCH, &paths[2]).json(&update)).await;
    assert_eq!(gone.status, 404);
    for list in [
        SUBSCRIPTIONS,
        PLANS,
        PRODUCTS,
        "/v1/subscriptions/customers",
    ] {
        assert_eq!(sandbox.get(list).await.body["data"], json!([]), "{list}");
    }
    sandbox.order("/clock/advance", &json!({"by": "P1Y"})).await;
    assert_eq!(sandbox.charge(&subscription, 1).await.status, 404);
    let gone = sandbox
        .post("/v1/transactions", &purchase(&plan, "order-2", "9.90"))
        .await;
    assert_eq!(refusal(&gone).0, 404);
}

#[tokio::test]
async fn lists_have_pages_an_order_and_filters() {
    let sandbox = Process::start();
    let plan = sandbox.plan(&json!({})).await;
    let other = sandbox.plan(&json!({})).await;
    for number in 0..3 {
        let key = format!("order-{number}");
        sandbox.subscribe(&purchase(&plan, &key, "9.90")).await;
        // Records of one millisecond are in the order of their ids.
        sandbox
            .order("/clock/advance", &json!({"by": "PT1S"}))
            .await;
    }
    sandbox
        .subscribe(&purchase(&other, "order-3", "9.90"))
        .await;
    let keys = async |query: &str| {
        let found = sandbox.get(&format!("{SUBSCRIPTIONS}?{query}")).await.body;
        let data = found["data"].as_array().unwrap().iter();
        let keys = data.map(|found| found["externalId"].as_str().unwrap().to_owned());
        keys.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(keys("").await, "order-0 order-1 order-2 order-3");
    assert_eq!(
        keys("direction=desc&itemsPerPage=3").await,
        "order-3 order-2 order-1"
    );
    assert_eq!(keys("itemsPerPage=3&page=2").await, "order-3");
    assert_eq!(keys("page=9223372036854775807").await, "");
    assert_eq!(
        keys(&format!("planId={plan}&status=active")).await,
        "order-0 order-1 order-2"
    );
    assert_eq!(keys("status=trial").await, "");
    assert_eq!(keys(&format!("customerId={NOBODY}")).await, "");

    let customers = format!("/v1/subscriptions/customers?planId={other}");
    let customers = sandbox.get(&customers).await.body;
    assert_eq!(customers["data"][0]["subscriptionCount"], 1);
    assert_eq!(customers["data"][0]["email"], "customer@merchant.example");
    let meta =
        json!({"itemsPerPage": "10", "page": "1", "direction": "asc", "sortBy": "createdAt"});
    assert_eq!(customers["meta"], meta);
    let all = sandbox
        .get("/v1/subscriptions/customers?itemsPerPage=2")
        .await
        .body;
    assert_eq!(all["data"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn what_cannot_be_is_refused_and_nothing_is_written() {
    let sandbox = Process::start();
    let product = sandbox.product().await;
    let plan = sandbox.plan(&json!({"setupFee": "5.00"})).await;
    let (_, subscription) = sandbox
        .subscribe(&purchase(&plan, "order-1", "14.90"))
        .await;
    let before = sandbox.rows();
    let cancel = format!("{SUBSCRIPTIONS}/{}/cancel", id(&subscription));
    refuse_products(&sandbox, &format!("{PRODUCTS}/{product}")).await;
    refuse_plans(&sandbox, &product).await;
    refuse_purchases(&sandbox, &plan).await;
    refuse_queries(&sandbox).await;
    for reason in [String::new(), "x".repeat(256)] {
        let body = json!({"cancelReason": reason});
        let expected = (422, "E1001", Some("/cancelReason"));
        assert_refused(&sandbox, Method::POST, &cancel, &body, expected).await;
    }
    for path in [SUBSCRIPTIONS, PLANS, PRODUCTS] {
        let found = sandbox.get(&format!("{path}/{NOBODY}")).await;
        assert_eq!(refusal(&found), (404, "E1404", None), "{path}");
    }
    assert_eq!(sandbox.rows(), before);
    for (list, length) in [(PRODUCTS, 2), (PLANS, 1)] {
        let found = sandbox.get(list).await.body;
        assert_eq!(found["data"].as_array().unwrap().len(), length, "{list}");
    }
    assert_eq!(sandbox.subscription(&subscription).await, subscription);
}

async fn assert_refused(
    sandbox: &Process,
    method: Method,
    path: &str,
    body: &Value,
    expected: (u16, &str, Option<&str>),
) {
    let refused = reply(sandbox.request(method, path).json(body)).await;
    assert_eq!(refusal(&refused), expected, "{path} {body}");
}

async fn refuse_products(sandbox: &Process, product: &str) {
    for (method, path, body, pointer) in [
        (Method::POST, PRODUCTS, json!({}), "/name"),
        (Method::POST, PRODUCTS, json!({"name": " "}), "/name"),
        (Method::POST, PRODUCTS, json!({"name": "a\u{0}"}), "/name"),
        (
            Method::POST,
            PRODUCTS,
            json!({"name": "a", "url": "tea"}),
            "/url",
        ),
        (Method::PATCH, product, json!({"url": "tea"}), "/url"),
    ] {
        let expected = (422, "E1001", Some(pointer));
        assert_refused(sandbox, method, path, &body, expected).await;
    }
}

async fn refuse_plans(sandbox: &Process, product: &str) {
    for (status, code, field, value) in [
        (404, "E1404", "productId", json!(NOBODY)),
        (422, "E1001", "productId", json!("tea")),
        (422, "E1001", "intervalUnit", json!("fortnight")),
        (422, "E1001", "intervalCount", json!(0)),
        (422, "E1001", "intervalCount", json!(1001)),
        (422, "E1001", "chargeDay", json!(0)),
        (422, "E1001", "chargeDay", json!(32)),
        (422, "E1001", "trialPeriodDays", json!(-1)),
        (422, "E1001", "totalCount", json!(0)),
        (422, "E1004", "amount", json!("0.00")),
        (422, "E1004", "amount", json!("9.901")),
        (422, "E1004", "currency", json!("XXX")),
        (422, "E1004", "setupFee", json!("0.001")),
    ] {
        let body = monthly(product, &json!({ field: value }));
        let pointer = format!("/{field}");
        let expected = (status, code, Some(pointer.as_str()));
        assert_refused(sandbox, Method::POST, PLANS, &body, expected).await;
    }
}

async fn refuse_purchases(sandbox: &Process, plan: &str) {
    let planned = "/paymentSpecificData/subscription/planId";
    let of_plan = || purchase(plan, "order-2", "14.90");
    let mut dollars = of_plan();
    dollars["currency"] = json!("USD");
    let mut nobody = of_plan();
    nobody.as_object_mut().unwrap().remove("customer");
    let mut charges = of_plan();
    charges["fraudFields"]["sandbox.outcome.charge"] = json!("perhaps");
    for (status, code, pointer, body) in [
        (404, "E1404", planned, purchase(NOBODY, "order-2", "14.90")),
        (422, "E1004", "/amount", purchase(plan, "order-2", "9.90")),
        (422, "E1004", "/currency", dollars),
        (422, "E1001", "/customer", nobody),
        (422, "E1001", "/fraudFields/sandbox.outcome.charge", charges),
    ] {
        let expected = (status, code, Some(pointer));
        assert_refused(sandbox, Method::POST, "/v1/transactions", &body, expected).await;
    }
}

async fn refuse_queries(sandbox: &Process) {
    let lists = [
        SUBSCRIPTIONS,
        PLANS,
        PRODUCTS,
        "/v1/subscriptions/customers",
    ];
    let queries = [
        "itemsPerPage=101",
        "itemsPerPage=many",
        "page=0",
        "direction=up",
        "sortBy=name",
    ];
    let each = lists
        .iter()
        .flat_map(|list| queries.iter().map(move |query| (*list, *query)));
    for (list, query) in each.chain([(SUBSCRIPTIONS, "planId=tea")]) {
        let refused = sandbox.get(&format!("{list}?{query}")).await;
        let pointer = format!("/query/{}", query.split('=').next().unwrap());
        let expected = (422, "E1001", Some(pointer.as_str()));
        assert_eq!(refusal(&refused), expected, "{list}?{query}");
    }
}
