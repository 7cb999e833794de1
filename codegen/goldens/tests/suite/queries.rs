//! The method `QUERY` of OpenAPI 3.2, which has a body and only reads, and an additional method.

use std::sync::Arc;

use super::recorder::{listen, plain_http, received};
use codegen_goldens::client;
use codegen_goldens::operations::queries::CopyBooksParameters;
use codegen_goldens::runtime::client::Settings;
use codegen_goldens::runtime::server::Context;
use codegen_goldens::server::queries::{CopyBooksResponse, FindBooksResponse, Queries};

struct Library;

impl Queries for Library {
    async fn find_books(&self, _: Context, words: Vec<String>) -> FindBooksResponse {
        FindBooksResponse::Ok(words)
    }

    async fn copy_books(&self, _: Context, query: CopyBooksParameters) -> CopyBooksResponse {
        assert_eq!(query.title, "sea");
        CopyBooksResponse::NoContent
    }
}

#[tokio::test]
async fn a_query_goes_to_the_server_with_its_body() {
    let routes = codegen_goldens::server::queries::routes(&Arc::new(Library));
    let settings = Settings::new(listen(routes).await).http(plain_http());
    let connection = Arc::new(settings.connect().unwrap());
    let words = vec!["sea".to_owned()];
    let answer = client::queries(&connection).find_books(&words).await;
    assert_eq!(answer.unwrap().body, words);
}

#[tokio::test]
async fn an_additional_method_goes_to_the_server() {
    let routes = codegen_goldens::server::queries::routes(&Arc::new(Library));
    let settings = Settings::new(listen(routes).await).http(plain_http());
    let connection = Arc::new(settings.connect().unwrap());
    let answer = client::queries(&connection).copy_books("sea").await;
    assert_eq!(answer.unwrap().status, 204);
    let sent = received(|connection| client::queries(connection).copy_books("sea")).await;
    assert_eq!(sent.line(), "COPY /books?title=sea HTTP/1.1");
}
