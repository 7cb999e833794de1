//! Tests notifications: servers with one fault each, and the checks that find them.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::support::sandbox::{KEY, Sandbox};
use crate::support::{case, certify, checks, options, write};
use axum::extract::{Json, State};
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Router, serve};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use conformance::collect::Selection;
use conformance::event::CaseReport;
use conformance::level::{Profile, Verdict};
use conformance::notifications::{Settings, SigningSecret};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER: &str = "whsec_AAAAr8GKYqrTwjUPD8ILPZIo2LaLaSwA";

/// Parcels with a callback when they are posted.
const PARCELS: &str = r"
openapi: 3.0.3
info: {title: Parcels, version: '1'}
paths:
  /parcels:
    post:
      operationId: createParcel
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/New'}
            example: {to: Ada, tellAt: 'http://shop.example/told'}
      responses:
        '201':
          description: made
          content:
            application/json: {schema: {$ref: '#/components/schemas/Parcel'}}
      callbacks:
        posted:
          x-sent: WHEN
          '{$request.body#/tellAt}':
            post:
              parameters:
                - {name: webhook-id, in: header, required: true, schema: {type: string}}
                - {name: webhook-timestamp, in: header, required: true, schema: {type: string}}
                - {name: webhook-signature, in: header, required: true, schema: {type: string}}
              requestBody:
                required: true
                content:
                  application/json: {schema: {$ref: '#/components/schemas/Told'}}
              responses: {'2XX': {description: taken}}
components:
  schemas:
    New: {type: object, required: [to], properties: {to: {type: string}, tellAt: {type: string}}}
    Parcel: {type: object, required: [id, to], properties: {id: {type: integer}, to: {type: string}}}
    Told:
      type: object
      required: [kind, parcel]
      properties: {kind: {type: string}, parcel: {$ref: '#/components/schemas/Parcel'}}
";

/// A fault of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Nothing,
    Silent,
    Twice,
    OtherSecret,
    OldTime,
    OtherBody,
    NoField,
    NoJson,
    OtherMethod,
    NoId,
    OtherRecord,
}

struct Shop {
    fault: Fault,
    created: AtomicU32,
    /// The file with the address for webhooks. `None` for callbacks.
    webhooks: Option<PathBuf>,
}

async fn start(fault: Fault) -> String {
    open(fault, None).await
}

async fn open(fault: Fault, webhooks: Option<PathBuf>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let shop = Shop {
        fault,
        created: AtomicU32::new(0),
        webhooks,
    };
    let router = Router::new()
        .route("/parcels", post(create))
        .with_state(Arc::new(shop));
    tokio::spawn(async move { serve(listener, router).await.unwrap() });
    url
}

async fn create(
    State(shop): State<Arc<Shop>>,
    Json(new): Json<Value>,
) -> (StatusCode, Json<Value>) {
    let id = shop.created.fetch_add(1, Ordering::SeqCst) + 1;
    let parcel = json!({"id": id, "to": new["to"]});
    let file = shop.webhooks.as_ref();
    let configured = file.and_then(|file| std::fs::read_to_string(file).ok());
    let address = new["tellAt"].as_str().map(str::to_owned);
    let address = configured.or(address).unwrap_or_default();
    if address.starts_with("http://127.0.0.1:") && shop.fault != Fault::Silent {
        tokio::spawn(send_notification(shop.fault, address, parcel.clone()));
    }
    (StatusCode::CREATED, Json(parcel))
}

async fn send_notification(fault: Fault, address: String, parcel: Value) {
    let name = format!("msg_{}", parcel["id"]);
    let mut message = json!({"kind": "posted", "parcel": parcel});
    match fault {
        Fault::NoField => message = json!({"parcel": message["parcel"]}),
        Fault::OtherRecord => message["parcel"]["id"] = json!(4711),
        _ => {}
    }
    let body = match fault {
        Fault::NoJson => "posted".to_owned(),
        _ => message.to_string(),
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let time = match fault {
        Fault::OldTime => now.as_secs() - 3600,
        _ => now.as_secs(),
    };
    let secret = if fault == Fault::OtherSecret {
        OTHER
    } else {
        SECRET
    };
    let key = STANDARD
        .decode(secret.trim_start_matches("whsec_"))
        .unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{name}.{time}.{body}").as_bytes());
    let signature = STANDARD.encode(mac.finalize().into_bytes());
    let body = match fault {
        Fault::OtherBody => body.replace("posted", "Posted"),
        _ => body,
    };
    let method = if fault == Fault::OtherMethod {
        "PUT"
    } else {
        "POST"
    };
    let id = if fault == Fault::NoId {
        String::new()
    } else {
        format!("webhook-id: {name}\r\n")
    };
    let (host, path) = address
        .trim_start_matches("http://")
        .split_once('/')
        .unwrap();
    let request = format!(
        "{method} /{path} HTTP/1.1\r\nhost: {host}\r\n{id}webhook-timestamp: {time}\r\n\
         webhook-signature: v1,{signature}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    for _ in 0..if fault == Fault::Twice { 2 } else { 1 } {
        let mut stream = TcpStream::connect(host).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    }
}

/// The same document with webhooks: one that is sent for each parcel, and one that is never sent.
fn with_webhooks() -> String {
    let (before, rest) = PARCELS.split_once("      callbacks:").unwrap();
    let (callback, after) = rest.split_once("components:").unwrap();
    let (_, sent) = callback.split_once("{$request.body#/tellAt}':\n").unwrap();
    let sent = sent
        .replace("\n      ", "\n")
        .replacen("            post", "      post", 1);
    let lost = sent.replace("schemas/Told", "schemas/Lost");
    format!(
        "{}webhooks:\n    posted:\n{sent}    lost:\n{lost}components:{after}{}",
        before.replace("3.0.3", "3.1.0"),
        "    Lost: {type: object, required: [lostAt], properties: {lostAt: {type: string}}}\n"
    )
}

/// The cases of both webhooks.
async fn run_with_webhooks(fault: Fault, secret: Option<&str>) -> [CaseReport; 2] {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("address");
    let spec = write(folder.path(), "parcels.yaml", &with_webhooks());
    let mut options = options(&spec, &open(fault, Some(file.clone())).await);
    options.hooks.before = Some(format!(
        "printf %s \"$CONFORMANCE_WEBHOOKS\" > '{}'",
        file.display()
    ));
    options.laws = true;
    let ids = ["posted", "lost"].map(|ids| format!("laws/notifications/{ids}"));
    options.selection.cases = ids.clone().into();
    options
        .selection
        .cases
        .insert("laws/success/createParcel".to_owned());
    options.notifications.secret = secret.map(|secret| SigningSecret::parse(secret).unwrap());
    options.notifications.window = Duration::from_millis(1500);
    let record = certify(&options).await.unwrap();
    ids.map(|id| case(&record, &id).clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_are_received_and_checked() {
    let [posted, lost] = run_with_webhooks(Fault::Nothing, Some(SECRET)).await;
    assert_eq!(
        (posted.verdict, checks(&posted)),
        (Verdict::Pass, vec![]),
        "{posted:#?}"
    );
    assert_eq!(lost.verdict, Verdict::Skip, "{lost:#?}");
    let reason = lost.reason.unwrap();
    assert!(
        reason.contains("none came at http://127.0.0.1:"),
        "{reason}"
    );
    for (fault, check) in [
        (Fault::Twice, "notification-repeated"),
        (Fault::OtherSecret, "notification-signature"),
        (Fault::NoField, "notification-payload"),
        (Fault::OtherMethod, "notification-request"),
    ] {
        let [posted, _] = run_with_webhooks(fault, Some(SECRET)).await;
        assert_eq!(checks(&posted), [check], "{fault:?}: {posted:#?}");
        assert_eq!(posted.verdict, Verdict::Fail);
    }
    let [posted, _] = run_with_webhooks(Fault::OtherSecret, None).await;
    assert_eq!(posted.verdict, Verdict::Skip);
    assert!(posted.reason.unwrap().contains("--signing-secret"));
    let [posted, _] = run_with_webhooks(Fault::Silent, Some(SECRET)).await;
    assert_eq!(posted.verdict, Verdict::Skip);
}

const CASE: &str = "laws/notifications/createParcel";

async fn run(fault: Fault, when: &str, secret: Option<&str>) -> Option<CaseReport> {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(
        folder.path(),
        "parcels.yaml",
        &PARCELS.replace("WHEN", when),
    );
    let mut options = options(&spec, &start(fault).await);
    options.laws = true;
    options.selection = Selection {
        cases: [CASE.to_owned()].into(),
        ..Selection::default()
    };
    options.notifications = Settings {
        secret: secret.map(|secret| SigningSecret::parse(secret).unwrap()),
        window: Duration::from_millis(1500),
        ..Settings::default()
    };
    let record = certify(&options).await.unwrap();
    record.cases.into_iter().find(|case| case.id == CASE)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fault_has_its_check() {
    for (fault, check) in [
        (Fault::Silent, "notification-missing"),
        (Fault::Twice, "notification-repeated"),
        (Fault::OtherSecret, "notification-signature"),
        (Fault::OldTime, "notification-signature"),
        (Fault::OtherBody, "notification-signature"),
        (Fault::NoField, "notification-payload"),
        (Fault::NoJson, "notification-payload"),
        (Fault::OtherMethod, "notification-request"),
        (Fault::OtherRecord, "notification-astray"),
    ] {
        let report = run(fault, "at-once", Some(SECRET)).await.unwrap();
        assert_eq!(checks(&report), [check], "{fault:?}: {report:#?}");
        assert_eq!(report.verdict, Verdict::Fail);
        let curl = &report.differences[0].curl;
        assert!(curl.contains("tellAt") && !curl.contains("MfKQ9"), "{curl}");
    }
    let report = run(Fault::NoId, "at-once", Some(SECRET)).await.unwrap();
    assert_eq!(
        checks(&report),
        ["notification-signature", "notification-request"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_correct_server_passes() {
    let report = run(Fault::Nothing, "at-once", Some(SECRET)).await.unwrap();
    assert_eq!(
        (report.verdict, checks(&report)),
        (Verdict::Pass, vec![]),
        "{report:#?}"
    );
    assert!(report.requests > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn unchecked_notifications_are_no_pass() {
    let report = run(Fault::OtherSecret, "at-once", None).await.unwrap();
    assert_eq!(report.verdict, Verdict::Skip);
    assert!(report.reason.unwrap().contains("--signing-secret"));
    // When the contract does not say when, a missing notification is no fault.
    let report = run(Fault::Silent, "sometimes", Some(SECRET)).await.unwrap();
    assert_eq!(report.verdict, Verdict::Skip);
    assert!(report.reason.unwrap().contains("x-sent"));
    assert!(run(Fault::Silent, "later", Some(SECRET)).await.is_none());
    let report = run(Fault::Twice, "later", Some(SECRET)).await.unwrap();
    assert_eq!(checks(&report), ["notification-repeated"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reference_server_sends_correct_notifications() {
    let sandbox = Sandbox::start_with(&["--signing-secret", SECRET]);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut options = options(&folder.join("../spec/openapi.yaml"), &sandbox.url);
    options.laws = true;
    options.headers = vec![("authorization".to_owned(), KEY.to_owned())];
    options.profile = Profile::Complete;
    let cases = ["createPurchase", "createPayout"].map(|case| format!("laws/notifications/{case}"));
    options.selection.cases = cases.clone().into();
    options.notifications.secret = SigningSecret::parse(SECRET).ok();
    let record = certify(&options).await.unwrap();
    for id in cases {
        let item = case(&record, &id);
        assert_eq!(item.verdict, Verdict::Pass, "{item:#?}");
    }
}
