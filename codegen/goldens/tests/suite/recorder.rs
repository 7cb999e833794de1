//! A server that keeps what it receives, byte for byte.

use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket};

use codegen_goldens::runtime::client::{Connection, Endpoint, Request, Settings};
use codegen_goldens::runtime::server::Routes;

/// What came over the socket.
pub(crate) struct Received {
    /// The first line and the headers, as they came.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Received {
    /// Method, target and version.
    pub(crate) fn line(&self) -> &str {
        self.head.lines().next().unwrap_or_default()
    }

    /// The values of a header, in their order.
    pub(crate) fn header(&self, name: &str) -> Vec<&str> {
        let headers = self.head.lines().filter_map(|line| line.split_once(": "));
        let named = headers.filter(|(own, _)| own.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value).collect()
    }
}

/// What a server receives when the request that `call` makes is sent to it.
pub(crate) async fn received<O: Endpoint>(
    call: impl FnOnce(&Arc<Connection>) -> Request<O>,
) -> Received {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let connection = Arc::new(Settings::new(address).connect().unwrap());
    let answered = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut bytes = Vec::new();
        while !is_whole(&bytes) {
            assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0);
        }
        let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
        stream.write_all(answer).await.unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        Received {
            head: head.to_owned(),
            body: body.to_owned(),
        }
    };
    let (sent, received) = tokio::join!(call(&connection), answered);
    assert!(sent.is_ok(), "the answer is documented");
    received
}

/// A client without certificates.
pub(crate) fn plain_http() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().tls_certs_only([]);
    builder.build().unwrap()
}

/// The address of a server with these operations.
pub(crate) async fn listen(routes: Routes) -> String {
    let socket = TcpSocket::new_v4().unwrap();
    // What a system keeps for a reader that is slow may be more than a test sends.
    socket.set_recv_buffer_size(256 << 10).unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let listener = socket.listen(1024).unwrap();
    let address = listener.local_addr().unwrap();
    let router = routes.into_router();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

/// Whether as much has come as the head announces.
fn is_whole(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.parse().ok())?
    });
    body.len() >= length.unwrap_or(0)
}
