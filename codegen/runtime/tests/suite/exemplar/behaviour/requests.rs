//! What the client puts on the wire.

use tokio::io::AsyncReadExt;

use super::shop::{KEY, client_of, http, purchase, serve};
use crate::client::{Client, Error, Settings};
use crate::runtime::client::RetryPolicy;
use crate::runtime::{Nullable, Sensitive, Uuid};

/// The address of a server that answers 418 with the headers and the body of the request.
async fn mirror() -> String {
    let mirrored = |headers: http::HeaderMap, body: String| async move {
        (http::StatusCode::IM_A_TEAPOT, headers, body)
    };
    serve(axum::Router::new().fallback(axum::routing::post(mirrored))).await
}

#[tokio::test]
async fn absent_null_and_a_value_differ() {
    let client = client_of(&mirror().await);
    let cases = [
        (Nullable::Absent, r#""currency":"EUR"}"#),
        (Nullable::Null, r#""comment":null}"#),
        (Nullable::Value("hello".to_owned()), r#""comment":"hello"}"#),
    ];
    for (comment, end) in cases {
        let mut request = purchase();
        request.comment = comment.clone();
        let Err(Error::Unexpected(answer)) = client.transactions().create_purchase(&request).await
        else {
            panic!("expected the mirror's answer");
        };
        let text = answer.read_text().unwrap();
        assert!(text.ends_with(end), "{text}");
        let read: crate::models::PurchaseRequest = answer.read_json().unwrap();
        assert_eq!(read.comment, comment);
    }
}

#[tokio::test]
async fn credentials_follow_the_security_of_the_operation() {
    let address = mirror().await;
    let settings = || Settings::new(&address);
    let cases = [
        (settings().api_key(KEY), KEY),
        (settings().basic("u", "p"), "Basic dTpw"),
        (settings().basic("us", "p"), "Basic dXM6cA=="),
        (settings().basic("u", "päss"), "Basic dTpww6Rzcw=="),
        (settings().basic("u", "pa"), "Basic dTpwYQ=="),
        (settings().basic("user", "p"), "Basic dXNlcjpw"),
        (settings().basic("u", "p").api_key(KEY), KEY),
    ];
    for (settings, expected) in cases {
        let call = Client::new(settings)
            .unwrap()
            .transactions()
            .create_purchase(&purchase());
        let Err(Error::Unexpected(answer)) = call.await else {
            panic!("expected the mirror's answer");
        };
        assert_eq!(answer.headers["authorization"], expected);
    }
}

#[tokio::test]
async fn secrets_are_sent_but_not_printed() {
    let address = mirror().await;
    let client = Client::new(Settings::new(&address).api_key(KEY)).unwrap();
    let token = Uuid::random();
    let mut request = purchase();
    request.card_token = Some(Sensitive::new(token));

    let call = client.transactions().create_purchase(&request);
    let printed = format!(
        "{client:?} {request:?} {call:?} {:?}",
        Settings::new(&address).api_key(KEY)
    );
    let error = call.await.unwrap_err();
    let Error::Unexpected(answer) = &error else {
        panic!("expected the mirror's answer");
    };

    assert!(answer.read_text().unwrap().contains(&token.to_string()));
    let printed = format!("{printed} {error:?} {error}");
    assert!(
        !printed.contains(KEY) && !printed.contains(&token.to_string()),
        "{printed}"
    );
    assert!(printed.contains("[redacted]"));
}

#[tokio::test]
async fn what_cannot_be_sent_is_an_error_before_anything_is_sent() {
    let client = client_of("http://127.0.0.1:1");
    let call = client
        .transactions()
        .create_purchase(&purchase())
        .header("x-note", "a\nb");
    assert!(matches!(call.await, Err(Error::Request(_))));

    for address in [
        "",
        "nowhere",
        "http://",
        "mailto:a@b",
        "http://localhost/?a=b",
    ] {
        assert!(Client::new(Settings::new(address)).is_err(), "{address}");
    }
}

#[tokio::test]
async fn a_call_can_carry_a_header_of_its_own() {
    let client = client_of(&mirror().await);
    let call = client.transactions().create_purchase(&purchase());
    let Err(Error::Unexpected(answer)) = call.header("x-note", "hello").await else {
        panic!("expected the mirror's answer");
    };
    assert_eq!(answer.headers["x-note"], "hello");
}

/// Without certificates on the machine, `Client::new` fails; no call has to be sent for that.
#[test]
fn https_works_or_says_what_is_missing() {
    if let Err(error) = Client::new(Settings::new("https://localhost")) {
        assert!(error.message.contains("certificates"), "{error}");
    }
}

#[tokio::test]
async fn https_is_spoken() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://{}", listener.local_addr().unwrap());
    let settings = Settings::new(address).http(http());
    let client = Client::new(settings.retries(RetryPolicy::off())).unwrap();
    let call = tokio::spawn(
        client
            .transactions()
            .create_purchase(&purchase())
            .into_future(),
    );
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut first = [0];
    stream.read_exact(&mut first).await.unwrap();
    drop(stream);

    assert_eq!(first, [22], "a TLS handshake");
    assert!(matches!(call.await.unwrap(), Err(Error::Transport(_))));
}
