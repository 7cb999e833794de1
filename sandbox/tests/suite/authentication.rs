//! Authentication comes first: by API key or HTTP Basic, and 401 before any other refusal.

use reqwest::Method;
use reqwest::header::HeaderValue;

use crate::process::{KEY, Process, reply};

#[tokio::test]
async fn the_key_and_basic_authenticate() {
    let sandbox = Process::start();
    let url = format!("{}/v1/transactions/merchant/nobody", sandbox.url);
    let basic = sandbox
        .client
        .get(&url)
        .basic_auth("development", Some(KEY));
    assert_eq!(reply(basic).await.status, 404);
    let key = sandbox.client.get(&url).header("authorization", KEY);
    assert_eq!(reply(key).await.status, 404);
}

#[tokio::test]
async fn invalid_credentials_are_refused_before_anything_else() {
    let sandbox = Process::start();
    let url = format!("{}/v1/transactions", sandbox.url);
    let post = || sandbox.client.request(Method::POST, &url).body("{");
    let raw =
        |bytes: &[u8]| post().header("authorization", HeaderValue::from_bytes(bytes).unwrap());
    let twice = post()
        .header("authorization", KEY)
        .header("authorization", KEY);
    let requests = [
        ("nothing", post()),
        ("another key", post().header("authorization", "another")),
        (
            "the key with a suffix",
            post().header("authorization", format!("{KEY}x")),
        ),
        ("an empty value", post().header("authorization", "")),
        (
            "another scheme",
            post().header("authorization", format!("Bearer {KEY}")),
        ),
        ("another user", post().basic_auth("somebody", Some(KEY))),
        (
            "another password",
            post().basic_auth("development", Some("another")),
        ),
        (
            "no password",
            post().basic_auth("development", None::<&str>),
        ),
        ("no base64", post().header("authorization", "Basic %%%")),
        (
            "no colon",
            post().header("authorization", "Basic ZGV2ZWxvcG1lbnQ="),
        ),
        ("no text", raw(&[0xff, 0xfe])),
        ("two values", twice),
        (
            "an unknown path",
            sandbox.client.get(format!("{}/nowhere", sandbox.url)),
        ),
    ];
    for (what, request) in requests {
        let refused = reply(request.header("request-id", "r-1")).await;
        assert_eq!(refused.status, 401, "{what}");
        assert!(
            refused.headers["www-authenticate"]
                .to_str()
                .unwrap()
                .starts_with("Basic ")
        );
        assert_eq!(refused.headers["content-type"], "application/problem+json");
        assert_eq!(refused.body["code"], "E1401", "{what}");
        assert_eq!(refused.body["requestId"], "r-1", "{what}");
    }
}
