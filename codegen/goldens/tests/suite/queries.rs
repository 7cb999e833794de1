//! The method `QUERY` of OpenAPI 3.2: it has a body and only reads.

use std::sync::Arc;

use super::recorder::{listen, plain_http};
use codegen_goldens::client;
use codegen_goldens::runtime::client::Settings;
use codegen_goldens::runtime::server::Context;
use codegen_goldens::server::queries::{FindBooksResponse, Queries};

struct Library;

impl Queries for Library {
    async fn find_books(&self, _: Context, words: Vec<String>) -> FindBooksResponse {
        FindBooksResponse::Ok(words)
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
