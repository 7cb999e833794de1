//! Links from an answer to the next request.

use std::sync::Arc;

use axum::extract::Path;
use axum::response::IntoResponse;
use serde_json::json;

use codegen_goldens::client;
use codegen_goldens::runtime::client::Settings;

/// Answers with the name of the shelf and its books.
async fn shelf(Path(shelf): Path<String>) -> impl IntoResponse {
    let answer = json!({"shelf": shelf, "books": [7.0]});
    ([("content-type", "application/json")], answer.to_string())
}

#[tokio::test]
async fn a_link_fills_the_next_request() {
    let router = axum::Router::new().route("/shelves/{shelf}", axum::routing::get(shelf));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let connection = Arc::new(Settings::new(address).connect().unwrap());

    let request = client::links(&connection).shelf("a/b");
    let first = request.linked().await.unwrap();
    assert_eq!(first.response.body["shelf"], "a/b");
    let second = first.next().unwrap().linked().await.unwrap();
    assert_eq!(second.response.body["shelf"], "7.0");
}
