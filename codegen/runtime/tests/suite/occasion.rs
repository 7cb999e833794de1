use std::sync::{Arc, Mutex};

use openapi_generate_runtime::server::{Call, Context, Occasion, Refusal, Routes};
use openapi_generate_runtime::{Answer, Operation, Repeat};
use serde_json::json;
use tokio::net::TcpListener;

const fn operation(path: &'static str) -> Operation {
    Operation {
        id: "told",
        method: "POST",
        path,
        parameters: &[],
        security: &[],
        request_id: None,
        repeat: Repeat::Never,
    }
}

static ORDER: Operation = operation("/orders/{id}.json");

async fn keep(seen: Arc<Mutex<Option<Context>>>, call: Call) -> Result<Answer, Refusal> {
    *seen.lock().unwrap() = Some(call.finish()?);
    Ok(Answer::empty(204))
}

/// The context of a request as it comes over a socket.
async fn context() -> Context {
    let seen = Arc::new(Mutex::new(None));
    let router = Routes::new().operation(&ORDER, &seen, keep).into_router();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder().tls_certs_only([]);
    let url = format!("http://{address}/orders/a%20b.json?tell=http%3A%2F%2Fx&empty");
    let request = http.build().unwrap().post(url).header("x-tell", "http://y");
    assert_eq!(request.send().await.unwrap().status(), 204);
    seen.lock().unwrap().take().unwrap()
}

#[tokio::test]
async fn an_address_is_made_of_what_the_request_and_its_answer_hold() {
    let body = json!({"url": "http://b", "deep": [{"a/b": 7}], "none": null, "list": []});
    let answer = Answer::json(201, "application/json", &json!({"id": "n1"}));
    let answer = answer.header("location", "/orders/n1");
    let bare = Occasion::new(&context().await);
    let whole = bare.clone().body(&body).answer(answer);
    for (expression, expected) in [
        ("{$request.body#/url}", Some("http://b")),
        ("$request.body#/url", Some("http://b")),
        (
            "{$request.query.tell}/{$request.path.id}",
            Some("http://x/a b"),
        ),
        (
            "{$request.header.X-Tell}?id={$response.body#/id}",
            Some("http://y?id=n1"),
        ),
        (
            "http://z{$response.header.location}/{$statusCode}",
            Some("http://z/orders/n1/201"),
        ),
        ("{$request.body#/deep/0/a~1b}/{$method}", Some("7/POST")),
        (
            "https://fixed.example/told",
            Some("https://fixed.example/told"),
        ),
        (
            "{$url}",
            Some("/orders/a%20b.json?tell=http%3A%2F%2Fx&empty"),
        ),
        ("{$request.body#/none}", None),
        ("{$request.body#/list}", None),
        ("{$request.body#/gone}", None),
        ("{$request.body}", None),
        ("{$request.query.gone}", None),
        ("{$request.header.gone}", None),
        ("{$unknown}", None),
        ("", None),
    ] {
        let callback = Box::leak(Box::new(operation(expression)));
        assert_eq!(whole.address(callback).as_deref(), expected, "{expression}");
        let needs = ["$response", "$statusCode", "$request.body"];
        if needs.iter().any(|part| expression.contains(part)) {
            assert_eq!(bare.address(callback), None, "{expression}");
        }
    }
}
