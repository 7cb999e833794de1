//! Tests a record that no operation creates: an invoice is created with a subscription, and must be
//! paid before the subscription can be paused.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::support::{case, certify, options, write};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use conformance::level::Verdict;
use serde_json::{Value, json};

const DOCUMENT: &str = r#"
openapi: 3.0.3
info: {title: Subscriptions, version: "1"}
paths:
  /subscriptions:
    post:
      operationId: subscribe
      description: The subscription is `pending`, and its first invoice is issued.
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [plan], properties: {plan: {type: string, enum: [small, large]}}}}}
      responses:
        "201": {$ref: '#/components/responses/Subscription'}
        "400": {description: The body is no JSON.}
        "422": {description: The plan is not known.}
  /subscriptions/{subscription_id}:
    parameters: [{name: subscription_id, in: path, required: true, schema: {type: string}, example: sub_0a1b}]
    get:
      operationId: getSubscription
      responses:
        "200": {$ref: '#/components/responses/Subscription'}
        "404": {description: There is no such subscription.}
  /subscriptions/{subscription_id}/pause:
    parameters: [{name: subscription_id, in: path, required: true, schema: {type: string}, example: sub_0a1b}]
    post:
      operationId: pauseSubscription
      description: Only an `active` subscription can be paused, else `409`.
      responses:
        "200": {$ref: '#/components/responses/Subscription'}
        "404": {description: There is no such subscription.}
        "409": {description: The subscription is not active.}
  /invoices/{invoice_id}:
    parameters: [{name: invoice_id, in: path, required: true, schema: {type: string}, example: inv_0a1b}]
    get:
      operationId: getInvoice
      responses:
        "200": {$ref: '#/components/responses/Invoice'}
        "404": {description: There is no such invoice.}
  /invoices/{invoice_id}/pay:
    parameters: [{name: invoice_id, in: path, required: true, schema: {type: string}, example: inv_0a1b}]
    post:
      operationId: payInvoice
      description: |
        Pays an invoice, whose subscription becomes `active`. `amount` must be the invoice's `amount_due`, else `422`.
        An invoice is paid once, else `409`.
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, required: [amount], properties: {amount: {type: integer, minimum: 1}}}
            example: {amount: 8087}
      responses:
        "200": {$ref: '#/components/responses/Invoice'}
        "400": {description: The body is no JSON.}
        "404": {description: There is no such invoice.}
        "409": {description: The invoice is paid.}
        "422": {description: The amount is another one.}
components:
  responses:
    Subscription: {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Subscription'}}}}
    Invoice: {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Invoice'}}}}
  schemas:
    Subscription:
      type: object
      required: [id, plan, status, latest_invoice_id]
      properties:
        id: {type: string}
        plan: {type: string, enum: [small, large]}
        status: {type: string, enum: [pending, active, paused]}
        latest_invoice_id: {type: string}
    Invoice:
      type: object
      required: [id, status, amount_due]
      properties:
        id: {type: string}
        status: {type: string, enum: [open, paid]}
        amount_due: {type: integer}
"#;

/// The subscriptions, and whether a payment activates them.
#[derive(Clone)]
struct Server {
    records: Arc<Mutex<BTreeMap<String, Value>>>,
    activates: bool,
}

async fn start(activates: bool) -> String {
    let records = Arc::default();
    let server = Server { records, activates };
    let router = Router::new().fallback(serve).with_state(server);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

async fn serve(State(server): State<Server>, method: Method, uri: Uri, body: Bytes) -> Response {
    let mut records = server.records.lock().unwrap();
    let path: Vec<&str> = uri.path().split('/').skip(1).collect();
    let known = |value: &Value| (StatusCode::OK, Json(value.clone())).into_response();
    let (kind, id, step) = match path[..] {
        ["subscriptions"] if method == Method::POST => {
            let Ok(request) = serde_json::from_slice::<Value>(&body) else {
                return StatusCode::BAD_REQUEST.into_response();
            };
            if !matches!(request["plan"].as_str(), Some("small" | "large")) {
                return StatusCode::UNPROCESSABLE_ENTITY.into_response();
            }
            let number = records.len();
            let (id, invoice) = (format!("sub_{number}"), format!("inv_{number}"));
            let subscription = json!({"id": id, "plan": request["plan"], "status": "pending", "latest_invoice_id": invoice});
            let due = if request["plan"] == "small" {
                900
            } else {
                2900
            };
            let issued = json!({"id": invoice, "status": "open", "amount_due": due});
            records.insert(id, subscription.clone());
            records.insert(invoice, issued);
            return (StatusCode::CREATED, Json(subscription)).into_response();
        }
        [kind, id] if method == Method::GET => (kind, id, ""),
        [kind, id, step @ ("pause" | "pay")] if method == Method::POST => (kind, id, step),
        _ => return StatusCode::METHOD_NOT_ALLOWED.into_response(),
    };
    let is_of_kind = id.starts_with(&kind[..3]);
    let Some(record) = records.get(id).cloned().filter(|_| is_of_kind) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut changed = record.clone();
    match step {
        "pause" if record["status"] != "active" => return StatusCode::CONFLICT.into_response(),
        "pause" => changed["status"] = "paused".into(),
        "pay" => {
            let Ok(request) = serde_json::from_slice::<Value>(&body) else {
                return StatusCode::BAD_REQUEST.into_response();
            };
            if record["status"] == "paid" {
                return StatusCode::CONFLICT.into_response();
            }
            if request["amount"] != record["amount_due"] {
                return StatusCode::UNPROCESSABLE_ENTITY.into_response();
            }
            changed["status"] = "paid".into();
            changed["amount_due"] = 0.into();
            if server.activates {
                let of_it = |value: &&mut Value| value["latest_invoice_id"] == record["id"];
                if let Some(record) = records.values_mut().find(of_it) {
                    record["status"] = "active".into();
                }
            }
        }
        _ => {}
    }
    records.insert(id.to_owned(), changed.clone());
    known(&changed)
}

async fn run(document: &str, activates: bool) -> conformance::report::Record {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "subscriptions.yaml", document);
    let mut options = options(&spec, &start(activates).await);
    options.laws = true;
    certify(&options).await.unwrap()
}

#[tokio::test]
async fn a_record_created_with_another_one_is_found_and_paid() {
    let record = run(DOCUMENT, true).await;
    assert_eq!(
        record.counts.verdict(),
        Verdict::Pass,
        "{:#?}",
        record.cases
    );
    for id in [
        "getInvoice/200/default",
        "payInvoice/200/default",
        "pauseSubscription/200/default",
        "laws/success/payInvoice",
        "laws/success/pauseSubscription",
    ] {
        assert_eq!(case(&record, id).verdict, Verdict::Pass, "{id}");
    }
}

#[tokio::test]
async fn a_record_that_keeps_its_first_state_is_skipped_with_a_reason() {
    let record = run(DOCUMENT, false).await;
    let pause = case(&record, "pauseSubscription/200/default");
    assert_eq!(pause.verdict, Verdict::Skip, "{pause:#?}");
    let reason = pause.reason.as_ref().unwrap();
    assert!(reason.contains("in the state pending"), "{reason}");
}

#[tokio::test]
async fn an_unreachable_state_is_a_skip() {
    let (before, rest) = DOCUMENT
        .split_once("  /invoices/{invoice_id}/pay:")
        .unwrap();
    let (_, after) = rest.split_once("components:").unwrap();
    let short = format!("{before}components:{after}");
    let record = run(&short, true).await;
    let pause = case(&record, "pauseSubscription/200/default");
    assert_eq!(pause.verdict, Verdict::Skip, "{pause:#?}");
    let reason = pause.reason.as_ref().unwrap();
    assert!(reason.contains("in the state pending"), "{reason}");
    let unnamed = short.replace("latest_invoice_id", "first_bill");
    let record = run(&unnamed, true).await;
    let invoice = case(&record, "getInvoice/200/default");
    assert_eq!(invoice.verdict, Verdict::Skip, "{invoice:#?}");
    assert!(invoice.reason.as_ref().unwrap().contains("404"));
}
