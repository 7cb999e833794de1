//! Answers that break the contract, read by a client that is lenient.

use std::convert::Infallible;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use tokio::net::TcpListener;

use codegen_goldens::client;
use codegen_goldens::models::{Parcel, ParcelState};
use codegen_goldens::runtime::client::{Deviation, Error, Response, Settings};

/// What a lenient client makes of an answer.
async fn read(status: u16, body: &str) -> Result<Response<Parcel>, Error<Infallible>> {
    call(status, body, Settings::lenient).await
}

async fn call(
    status: u16,
    body: &str,
    settings: fn(Settings) -> Settings,
) -> Result<Response<Parcel>, Error<Infallible>> {
    let status = StatusCode::from_u16(status).unwrap();
    let body = body.to_owned();
    let answer = move || async move { (status, [(CONTENT_TYPE, "application/json")], body) };
    let router = axum::Router::new().fallback(answer);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let connection = settings(Settings::new(format!("http://{address}"))).connect();
    let connection = Arc::new(connection.unwrap());
    client::lenient_answers(&connection).track().await
}

/// Place, what came, and what is read instead.
fn told(deviations: &[Deviation]) -> Vec<(&str, Option<&str>, Option<&str>)> {
    deviations
        .iter()
        .map(|own| (&*own.pointer, own.found.as_deref(), own.instead.as_deref()))
        .collect()
}

const GOOD: &str = r#"{"id":"p1","sent":"2026-01-02T03:04:05Z","state":"THERE","weight":1.50}"#;

#[tokio::test]
async fn what_breaks_the_contract_is_read_and_reported() {
    let body = r#"{"sent":"2026-01-02T03:04:05","arrived":"soon","state":"LOST","weight":"1.50",
        "pieces":{"all":2},"tags":["a",7,null]}"#;
    let answer = read(200, body).await.unwrap();
    let parcel = &answer.body;
    assert_eq!(parcel.id, "");
    assert_eq!(parcel.sent.to_string(), "2026-01-02T03:04:05Z");
    assert_eq!(parcel.arrived, None);
    assert_eq!(parcel.state, ParcelState::Moving);
    assert_eq!(parcel.weight.to_string(), "1.50");
    assert_eq!(parcel.pieces, None);
    assert_eq!(
        parcel.tags.as_deref(),
        Some(&["a".to_owned(), "7".to_owned()][..])
    );
    let mut told = told(&answer.deviations);
    told.sort_unstable();
    let expected = [
        ("/arrived", Some("\"soon\""), None),
        ("/id", None, Some("\"\"")),
        ("/pieces", Some("{\"all\":2}"), None),
        (
            "/sent",
            Some("\"2026-01-02T03:04:05\""),
            Some("\"2026-01-02T03:04:05Z\""),
        ),
        ("/state", Some("\"LOST\""), Some("\"MOVING\"")),
        ("/tags/1", Some("7"), Some("\"7\"")),
        ("/tags/2", Some("null"), None),
        ("/weight", Some("\"1.50\""), Some("1.50")),
    ];
    assert_eq!(told, expected);
    let shown = format!("{:?}", answer.deviations);
    assert!(
        !shown.contains("soon") && shown.contains("/arrived"),
        "{shown}"
    );
}

#[tokio::test]
async fn an_undocumented_success_is_read_as_a_documented_one() {
    let answer = read(202, GOOD).await.unwrap();
    assert_eq!((answer.status.as_u16(), &*answer.body.id), (202, "p1"));
    let [deviation] = &*answer.deviations else {
        panic!("{:?}", answer.deviations);
    };
    assert_eq!(
        deviation.to_string(),
        "202 Accepted is not documented; read as 200 OK"
    );
    // What is no such body stays what it is, and so does what is no success.
    assert!(matches!(read(202, "{}").await, Err(Error::Unexpected(_))));
    assert!(matches!(read(418, GOOD).await, Err(Error::Unexpected(_))));
}

#[tokio::test]
async fn a_good_answer_has_no_deviation_and_a_hopeless_one_is_an_error() {
    assert!(read(200, GOOD).await.unwrap().deviations.is_empty());
    for body in ["", "[]", "7", "{\"id\":"] {
        assert!(
            matches!(read(200, body).await, Err(Error::Decode(_))),
            "{body}"
        );
    }
}

#[tokio::test]
async fn other_clients_refuse_the_same() {
    let odd = GOOD.replace("05Z", "05");
    let error = call(200, &odd, |settings| settings).await.unwrap_err();
    assert!(matches!(error, Error::Decode(_)), "{error:?}");
    let error = call(202, GOOD, |settings| settings).await.unwrap_err();
    assert!(matches!(error, Error::Unexpected(_)), "{error:?}");
}
