//! Bodies that are larger than what may be in memory, and bodies that break off.

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::pieces::{self, DOWNLOADED, LARGE, UPLOADED};
use super::shop::{client, client_of};
use crate::client::Error;
use crate::client::{DownloadFileError, ReplaceFileError};
use crate::runtime::ByteStream;
use crate::runtime::client::RetryPolicy;

/// What may be underway: the buffers of two sockets and two HTTP connections.
const UNDERWAY: i64 = LARGE / 16;

#[tokio::test]
async fn a_large_request_goes_through_piece_by_piece() {
    let body = ByteStream::new(pieces::large(&UPLOADED));
    let response = client().await.files().replace_file("large", body).await;

    assert_eq!(response.unwrap().body.size, Some(LARGE));
    let most = UPLOADED.most();
    assert!(most < UNDERWAY, "{most} bytes at a time");
}

#[tokio::test]
async fn a_large_answer_comes_through_piece_by_piece() {
    let request = client().await.files().download_file(vec!["large".into()]);
    let mut body = request.stream().await.unwrap().body;
    let mut size = 0;
    while let Some(piece) = body.next().await {
        let piece = piece.unwrap();
        assert_eq!(piece[0], pieces::expected(size));
        size += DOWNLOADED.take(&piece);
        assert_eq!(piece[piece.len() - 1], pieces::expected(size - 1));
    }

    assert_eq!(size, LARGE);
    let most = DOWNLOADED.most();
    assert!(most < UNDERWAY, "{most} bytes at a time");
}

#[tokio::test]
async fn the_size_goes_ahead_where_it_is_known() {
    let files = client().await.files();
    let cases = [
        ("123".into(), "3"),
        (ByteStream::new(pieces::of(&["12", "3"])).with_size(3), "3"),
        (ByteStream::new(pieces::of(&["12", "3"])), "chunked"),
        (ByteStream::default(), "0"),
    ];
    for (body, framing) in cases {
        let size = if framing == "0" { 0 } else { 3 };
        let record = files.replace_file("a", body).await.unwrap().body;
        assert_eq!((record.id.as_str(), record.size), (framing, Some(size)));
    }

    let sized = files
        .download_file(vec!["a".into()])
        .stream()
        .await
        .unwrap();
    let size = sized.body.size().map(|size| size.to_string());
    assert_eq!(
        sized.headers["content-length"].to_str().ok(),
        size.as_deref()
    );
    assert!(
        sized
            .body
            .collect(1 << 10)
            .await
            .unwrap()
            .starts_with(b"DownloadFile")
    );
    let chunked = files
        .download_file(vec!["large".into()])
        .stream()
        .await
        .unwrap();
    assert_eq!(chunked.headers["transfer-encoding"], "chunked");
    assert_eq!(chunked.body.size(), None);
}

#[tokio::test]
async fn a_request_that_breaks_off_is_an_error_on_both_sides() {
    let files = client().await.files();
    let cases = [
        (ByteStream::new(pieces::broken()), "the disk is gone"),
        (
            ByteStream::new(pieces::of(&["12345"])).with_size(10),
            "the body ended after 5 of 10 bytes",
        ),
        (
            ByteStream::new(pieces::of(&["12345", "67890"])).with_size(7),
            "the body has more than 7 bytes",
        ),
    ];
    for (body, told) in cases {
        match files
            .replace_file("a", body)
            .retries(RetryPolicy::attempts(4))
            .await
            .unwrap_err()
        {
            Error::Transport(error) => {
                assert!(error.source.to_string().contains(told), "{error:?}");
            }
            // The server saw it first, and answered.
            Error::Refused(answer) => {
                let ReplaceFileError::Default(problem) = answer.body;
                assert!(problem.title.contains("broke off"), "{problem:?}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_an_error() {
    let files = client().await.files();
    for id in ["broken", "short"] {
        let whole = files.download_file(vec![id.into()]).await.unwrap_err();
        assert!(matches!(whole, Error::Transport(_)), "{whole:?}");

        let opened = files.download_file(vec![id.into()]).stream().await.unwrap();
        let error = opened.body.collect(100).await.unwrap_err().to_string();
        assert!(
            error.starts_with("the body broke off after 5 bytes: "),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_connection_that_is_lost_is_no_end_of_the_answer() {
    for head in [
        "content-length: 10\r\n\r\n12345",
        "transfer-encoding: chunked\r\n\r\n5\r\n12345\r\n",
    ] {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = client_of(&format!("http://{}", listener.local_addr().unwrap()));
        let head = format!("HTTP/1.1 200 OK\r\n{head}");
        tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = [0; 16];
            socket.read_exact(&mut request).await.unwrap();
            socket.write_all(head.as_bytes()).await.unwrap();
        });
        let request = client.files().download_file(vec!["a".into()]);
        let mut body = request.stream().await.unwrap().body;
        assert_eq!(body.next().await.unwrap().unwrap(), "12345");
        let error = body.next().await.unwrap().unwrap_err().to_string();
        assert!(
            error.starts_with("the body broke off after 5 bytes: "),
            "{error}"
        );
        assert!(body.next().await.is_none());
    }
}

#[tokio::test]
async fn silence_is_an_error_after_the_timeout() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = client_of(&format!("http://{}", listener.local_addr().unwrap()));
    let server = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut request = [0; 16];
        socket.read_exact(&mut request).await.unwrap();
        let head = b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345";
        socket.write_all(head).await.unwrap();
        let mut rest = Vec::new();
        let _ = socket.read_to_end(&mut rest).await;
    });
    let request = client.files().download_file(vec!["a".into()]);
    let request = request.timeout(std::time::Duration::from_millis(100));
    let body = request.stream().await.unwrap().body;
    let error = body.collect(100).await.unwrap_err().to_string();
    assert!(error.ends_with("nothing came for 100ms"), "{error}");
    server.await.unwrap();
}

#[tokio::test]
async fn refusals_are_read_as_a_whole() {
    let request = client().await.files().download_file(vec!["unknown".into()]);
    let error = request.stream().await.unwrap_err();
    assert_eq!(
        error.refusal(),
        Some(&DownloadFileError::NotFound("no such file".into()))
    );
}

#[tokio::test]
async fn a_body_that_is_too_large_is_not_collected() {
    let body = ByteStream::new(pieces::of(&["123", "456"]));
    let error = body.collect(5).await.unwrap_err().to_string();
    assert_eq!(error, "the body has more than 5 bytes");
}
