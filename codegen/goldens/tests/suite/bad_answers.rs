//! Addresses that lead nowhere, and servers that answer something else.

use std::sync::{Arc, Mutex};

use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, LOCATION};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;

use codegen_goldens::client;
use codegen_goldens::client::security_root::{Client, Settings};
use codegen_goldens::runtime::client::{Error, RetryPolicy};

/// The address of a server that answers everything like this.
async fn server<F>(answer: F) -> String
where
    F: Fn(Request) -> Response + Clone + Send + Sync + 'static,
{
    let router = axum::Router::new().fallback(move |request: Request| {
        let answer = answer(request);
        async move { answer }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

#[test]
fn an_address_is_scheme_host_and_path() {
    for (address, reason) in [
        ("shop.example", "expected `http://` or `https://`"),
        ("localhost:8080", "expected `http://` or `https://`"),
        ("ftp://shop.example", "expected `http://` or `https://`"),
        ("", "expected `http://` or `https://`"),
        ("http://", "empty host"),
        ("https://user:hunter2@shop.example", "it has credentials"),
        ("https://hunter2@shop.example", "it has credentials"),
        (
            "https://shop.example/v1?key=1",
            "expected scheme, host and path only",
        ),
        (
            "https://shop.example/#top",
            "expected scheme, host and path only",
        ),
    ] {
        let error = Settings::new(address).connect().unwrap_err().to_string();
        assert!(error.contains(reason), "{address}: {error}");
        assert!(!error.contains("hunter2"), "{error}");
    }
    for address in ["http://localhost:8080", "HTTPS://shop.example/v1/"] {
        assert!(Settings::new(address).connect().is_ok(), "{address}");
    }
}

#[tokio::test]
async fn a_body_of_another_kind_is_said_to_be_one() {
    for (media_type, body, expected) in [
        (
            Some("text/html"),
            "<h1>Welcome</h1>",
            "; the body is `text/html`",
        ),
        (None, "<h1>Welcome</h1>", "; the body has no media type"),
        (Some("application/json"), "", "; the body is empty"),
    ] {
        let url = server(move |_| {
            let mut answer = Response::new(body.into());
            if let Some(media_type) = media_type {
                answer
                    .headers_mut()
                    .insert(CONTENT_TYPE, media_type.parse().unwrap());
            }
            answer
        });
        let connection = Arc::new(Settings::new(url.await).connect().unwrap());
        let error = client::responses(&connection).poll().await.unwrap_err();
        assert!(matches!(error, Error::Decode(_)), "{error:?}");
        let text = error.to_string();
        assert!(
            text.starts_with("the answer 200 OK is not as documented: "),
            "{text}"
        );
        assert!(text.ends_with(expected), "{text}");
    }
}

#[tokio::test]
async fn no_credentials_follow_a_redirect() {
    let visits = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&visits);
    let elsewhere = server(move |_| {
        *counted.lock().unwrap() += 1;
        StatusCode::NO_CONTENT.into_response()
    })
    .await;
    let secrets = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&secrets);
    let here = server(move |request: Request| {
        let all = [AUTHORIZATION.as_str(), COOKIE.as_str(), "x-key"];
        let headers = request.headers();
        let found = all.into_iter().filter(|name| headers.contains_key(*name));
        seen.lock().unwrap().extend(found);
        (
            StatusCode::TEMPORARY_REDIRECT,
            [(LOCATION, elsewhere.clone())],
        )
            .into_response()
    })
    .await;
    let settings = Settings::new(here).retries(RetryPolicy::off());
    let settings = settings.header_key("h").query_key("q");
    let error = Client::new(settings)
        .unwrap()
        .security()
        .either()
        .await
        .unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::TEMPORARY_REDIRECT));
    assert_eq!(*secrets.lock().unwrap(), ["x-key"]);
    assert_eq!(*visits.lock().unwrap(), 0);
}
