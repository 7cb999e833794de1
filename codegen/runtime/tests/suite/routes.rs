use std::sync::Arc;

use openapi_generate_runtime::server::{Call, Index, Refusal, Routes};
use openapi_generate_runtime::{Answer, Operation, Repeat};
use tokio::net::TcpListener;

const fn get(path: &'static str) -> Operation {
    let (parameters, security, request_id) = (&[], &[] as &[_], None);
    Operation {
        id: path,
        method: "GET",
        path,
        parameters,
        security,
        request_id,
        repeat: Repeat::Idempotent,
    }
}

static ONE: Operation = get("/v1/accounts/{id}");
static ONE_AS_JSON: Operation = get("/v1/accounts/{id}.json");
static DATED: Operation = get("/v1/reports/{from}..{to}/file");
static LATEST: Operation = get("/v1/reports/latest/file");
static COLON: Operation = get("/v1/{name}:cancel");
static STAR: Operation = get("/:odd/*/path");
static ROOT: Operation = get("/");

async fn name(_: Arc<()>, call: Call) -> Result<Answer, Refusal> {
    Ok(Answer::bytes(
        200,
        "text/plain",
        call.finish()?.operation.path,
    ))
}

const ALL: [&Operation; 7] = [&ONE, &ONE_AS_JSON, &DATED, &LATEST, &COLON, &STAR, &ROOT];

/// The path template that answers each of the paths; the index finds the same.
async fn templates(paths: &[&str]) -> Vec<String> {
    let mut routes = Routes::new();
    for operation in ALL {
        routes = routes.operation(operation, &Arc::new(()), name);
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, routes.into_router()).await.unwrap() });
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder()
        .tls_certs_only([])
        .build()
        .unwrap();
    let mut found = Vec::new();
    let index = Index::new(&ALL);
    for path in paths {
        let answer = http
            .get(format!("http://{address}{path}"))
            .send()
            .await
            .unwrap();
        let status = answer.status();
        let indexed = index.find("HEAD", path).map(|operation| operation.path);
        found.push(if status == 200 {
            let template = answer.text().await.unwrap();
            assert_eq!(indexed, Some(&*template), "{path}");
            template
        } else {
            assert_eq!(indexed, None, "{path}");
            status.to_string()
        });
    }
    found
}

#[tokio::test]
async fn templates_may_have_literals_around_parameters() {
    let found = templates(&[
        "/v1/accounts/7",
        "/v1/accounts/7.json",
        "/v1/accounts/a.json.json",
        "/v1/reports/1..2/file",
        "/v1/reports/latest/file",
        "/v1/reports/12/file",
        "/v1/order-1:cancel",
        "/:odd/*/path",
        "/",
        "/v1/accounts/",
    ]);
    let expected = [
        ONE.path,
        ONE_AS_JSON.path,
        ONE_AS_JSON.path,
        DATED.path,
        LATEST.path,
        "404 Not Found",
        COLON.path,
        STAR.path,
        ROOT.path,
        "404 Not Found",
    ];
    assert_eq!(found.await, expected);
}
