//! What the server stubs refuse on their own.

use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::shop::{KEY, KNOWN, http, routes, serve, shop};
use crate::client::{Client, Error, Settings};
use crate::runtime::Answer;

async fn post(body: impl Into<reqwest::Body>, content_type: &str) -> (u16, Value) {
    let address = format!("{}/v1/transactions", shop().await);
    let request = http().post(address).header(CONTENT_TYPE, content_type);
    let response = request.body(body).send().await.unwrap();
    let status = response.status().as_u16();
    assert_eq!(response.headers()[CONTENT_TYPE], "application/problem+json");
    assert_eq!(
        response.headers().get("request-id").is_some(),
        status != 404
    );
    (
        status,
        serde_json::from_slice(&response.bytes().await.unwrap()).unwrap(),
    )
}

/// Pointers and codes of a problem.
fn faults(problem: &Value) -> Vec<(&str, &str)> {
    let errors = problem["errors"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let pair = |error| (text(error, "pointer"), text(error, "code"));
    errors.iter().map(pair).collect()
}

fn text<'a>(error: &'a Value, name: &str) -> &'a str {
    error[name].as_str().unwrap_or_default()
}

#[tokio::test]
async fn all_broken_constraints_are_reported_with_their_places() {
    let body = json!({
        "merchantTransactionId": "",
        "amount": "1.00",
        "currency": "euro",
        "card": {"cvv": 12345},
        "billingAddress": {"country": "Germany"},
    });
    let (status, problem) = post(body.to_string(), "application/json; charset=utf-8").await;

    assert_eq!(status, 422);
    let expected = [
        ("/merchantTransactionId", "minLength"),
        ("/currency", "pattern"),
        ("/card/cvv", "maximum"),
        ("/billingAddress/country", "pattern"),
    ];
    assert_eq!(faults(&problem), expected);
    assert_eq!(problem["instance"], "/v1/transactions");
}

#[tokio::test]
async fn all_wrong_types_are_reported_with_broken_constraints() {
    let body = json!({
        "merchantTransactionId": "order-1",
        "amount": "1.00",
        "currency": "euro",
        "customer": {"id": "{3f1c2d54-0000-4000-8000-000000000001}", "email": null},
        "fraudFields": {"a/b": 1},
        "billingAddress": {"country": 49},
    });
    let (status, problem) = post(body.to_string(), "application/json").await;

    assert_eq!(status, 422);
    let mut found = faults(&problem);
    found.sort_unstable();
    let expected = [
        ("/billingAddress/country", "type"),
        ("/currency", "pattern"),
        ("/customer/email", "type"),
        ("/customer/id", "type"),
        ("/fraudFields/a~1b", "type"),
    ];
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_missing_property_is_reported_where_it_should_be() {
    let body = json!({"merchantTransactionId": "order-1", "amount": 10});
    let (status, problem) = post(body.to_string(), "application/json").await;

    assert_eq!(status, 422);
    assert_eq!(faults(&problem), [("/amount", "type")]);
    let (_, problem) = post(
        r#"{"merchantTransactionId": "a", "amount": "1"}"#,
        "application/json",
    )
    .await;
    assert_eq!(faults(&problem), [("/currency", "required")]);
}

#[tokio::test]
async fn a_body_that_is_no_json_is_unreadable() {
    for body in [
        "",
        "{",
        "{\"amount\": 1, ",
        "[1] 2",
        "{\"amount\": \"\u{1}\"}",
    ] {
        let (status, problem) = post(body, "application/json").await;
        assert_eq!(
            (status, text(&problem, "title")),
            (400, "Bad Request"),
            "{body}"
        );
    }
    assert_eq!(post(b"\"\xff\"".to_vec(), "application/json").await.0, 400);
    assert_eq!(post("[".repeat(100_000), "application/json").await.0, 400);
}

#[tokio::test]
async fn another_media_type_is_refused() {
    assert_eq!(post("{}", "text/plain").await.0, 415);
    assert_eq!(post("{}", "application/xml").await.0, 415);
}

#[tokio::test]
async fn a_secret_is_not_quoted() {
    let body = json!({"merchantTransactionId": "a", "amount": "1", "currency": "EUR",
        "card": {"cvv": "s3cret"}, "cardToken": "s3cret"});
    let (status, problem) = post(body.to_string(), "application/json").await;

    assert_eq!((status, faults(&problem).len()), (422, 2));
    assert!(!problem.to_string().contains("s3cret"), "{problem}");
}

async fn get(path: &str) -> (u16, Value) {
    let response = http()
        .get(format!("{}{path}", shop().await))
        .send()
        .await
        .unwrap();
    let status = response.status().as_u16();
    (
        status,
        serde_json::from_slice(&response.bytes().await.unwrap()).unwrap(),
    )
}

#[tokio::test]
async fn parameters_that_cannot_be_read_are_all_reported() {
    let (status, problem) = get("/v1/payment-links?itemsPerPage=many&showHidden=1").await;
    assert_eq!(status, 422);
    assert_eq!(
        faults(&problem),
        [
            ("/query/showHidden", "type"),
            ("/query/itemsPerPage", "type")
        ]
    );

    let (status, problem) = get("/v1/transactions/not-a-uuid").await;
    assert_eq!(
        (status, faults(&problem)),
        (400, vec![("/path/id", "type")])
    );

    let (status, problem) = get("/v1/payment-links?itemsPerPage=101").await;
    assert_eq!(
        (status, faults(&problem)),
        (422, vec![("/query/itemsPerPage", "maximum")])
    );
}

#[tokio::test]
async fn unknown_paths_and_methods_are_problems_too() {
    assert_eq!(get("/v1/nowhere").await.0, 404);

    let address = format!("{}/v1/transactions", shop().await);
    let response = http().delete(address).send().await.unwrap();
    assert_eq!(response.status(), 405);
    assert_eq!(response.headers()["allow"], "POST");
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_whether_its_length_is_announced_or_not() {
    let address = serve(routes().body_limit(10).into_router()).await;
    for framing in [
        "content-length: 999999\r\n\r\n",
        "transfer-encoding: chunked\r\n\r\n14\r\n{\"amount\": \"1234567\"}\r\n",
    ] {
        let host = address.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).await.unwrap();
        let request = format!("POST /v1/transactions HTTP/1.1\r\nhost: {host}\r\n{framing}");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).await.unwrap();
        assert_eq!(status, *b"HTTP/1.1 413", "{framing}");
    }
}

#[tokio::test]
async fn the_guard_goes_before_everything_else() {
    let guarded = routes().guard(|context| async move {
        match context.header("authorization") {
            Some(KEY) => Ok(context),
            _ => Err(Answer::empty(401).header("www-authenticate", "Basic")),
        }
    });
    let address = format!("{}/v1/transactions", serve(guarded.into_router()).await);
    let client = http();
    let refused = client.post(&address).body("{").send().await.unwrap();
    let admitted = client
        .post(&address)
        .header("authorization", KEY)
        .body("{")
        .send()
        .await
        .unwrap();

    assert_eq!(refused.status(), 401);
    assert_eq!(refused.headers()["www-authenticate"], "Basic");
    assert!(refused.headers().contains_key("request-id"));
    assert_eq!(admitted.status(), 415);
}

#[tokio::test]
async fn the_guard_leaves_the_address_as_it_came() {
    let guarded = routes().guard(|mut context| async move {
        context.uri = "/elsewhere".parse().unwrap();
        Ok(context)
    });
    let address = format!("{}/v1/transactions", serve(guarded.into_router()).await);
    let known = http().get(format!("{address}/{KNOWN}")).send();
    let unknown = http().get(format!("{address}/x")).send();

    assert_eq!(known.await.unwrap().status(), 200);
    let text = unknown.await.unwrap().bytes().await.unwrap();
    let problem: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(problem["instance"], "/v1/transactions/x");
}

#[tokio::test]
async fn a_body_in_pieces_is_one_body() {
    let address = shop().await;
    let host = address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).await.unwrap();
    let head = "content-type: application/json\r\ntransfer-encoding: chunked";
    let pieces = [
        r#"{"merchantTransactionId": "a","#,
        r#""amount": "1","#,
        r#""currency": "EUR"}"#,
    ];
    let pieces = pieces.map(|piece| format!("{:x}\r\n{piece}\r\n", piece.len()));
    let request = format!(
        "POST /v1/transactions HTTP/1.1\r\nhost: {host}\r\n{head}\r\n\r\n{}0\r\n\r\n",
        pieces.concat()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).await.unwrap();
    assert_eq!(status, *b"HTTP/1.1 201");
}

#[tokio::test]
async fn problems_can_be_described_by_the_service() {
    let described = routes().describe(|reason, problem| {
        problem.code = Some(format!("E{}", reason.status()));
    });
    let address = serve(described.into_router()).await;
    let response = http()
        .get(format!("{address}/v1/transactions/x"))
        .send()
        .await
        .unwrap();
    let problem: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
    assert_eq!(problem["code"], "E400");
}

#[tokio::test]
async fn the_guard_knows_the_scopes_that_an_operation_demands() {
    let guarded = routes().guard(|context| async move {
        let ways = context.operation.security.iter();
        let scopes: Vec<_> = ways
            .flat_map(|way| way.iter().flat_map(|it| it.scopes))
            .collect();
        let session = context.header("cookie").unwrap_or_default();
        let told = format!("{session} lacks {scopes:?}");
        Err(Answer::bytes(403, "text/plain", told))
    });
    let address = serve(guarded.into_router()).await;
    let client = Client::new(Settings::new(&address).session("s")).unwrap();
    let error = client
        .files()
        .download_file(vec!["a".into()])
        .await
        .unwrap_err();
    let Error::Unexpected(answer) = error else {
        panic!("{error:?}");
    };
    let text = answer.read_text().unwrap();
    assert_eq!(text, r#"sid=s lacks ["files:read"]"#);
}
