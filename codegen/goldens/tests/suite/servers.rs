//! Requests of operations that have servers of their own.

use super::recorder::{plain_http, received};
use codegen_goldens::client;
use codegen_goldens::runtime::client::{Error, Settings};
use std::sync::Arc;

#[tokio::test]
async fn an_operation_goes_to_its_own_server() {
    let upload = received(|connection| client::servers(connection).upload()).await;
    assert_eq!(upload.line(), "PUT /uploads/v2/files HTTP/1.1");
    let moved = received(|connection| {
        let text = format!("{connection:?}");
        let begin = text.find("http://").unwrap();
        let base = text[begin..].split('"').next().unwrap();
        client::servers(connection)
            .upload()
            .server(format!("{base}/other/"))
    });
    assert_eq!(moved.await.line(), "PUT /other/files HTTP/1.1");
}

#[tokio::test]
async fn a_client_of_another_address_keeps_to_it() {
    // `localhost` is none of the document's servers.
    let settings = Settings::new("http://localhost:1").http(plain_http());
    let connection = Arc::new(settings.connect().unwrap());
    let error = client::servers(&connection).download().await.unwrap_err();
    let Error::Transport(error) = error else {
        unreachable!("nobody listens: {error}");
    };
    let told = format!("{error:?}");
    assert!(told.contains(":1,") && !told.contains(":9"), "{told}");
}
