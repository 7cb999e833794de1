//! Tests a server that is lost during a run, or refuses the credential, with the program.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use crate::support::{answer, binary, raw_server_of_heads, read_head, shelf, write};

const STORE: &str = r"
openapi: 3.0.3
info: {title: Store, version: '1'}
security: [{key: []}]
paths:
  /one: {get: {operationId: getOne, responses: {'200': {description: ok}}}}
  /two: {get: {operationId: getTwo, responses: {'200': {description: ok}}}}
  /three: {get: {operationId: getThree, responses: {'200': {description: ok}}}}
  /four: {post: {operationId: postFour, responses: {'200': {description: ok}}}}
  /five: {get: {operationId: getFive, responses: {'200': {description: ok}}}}
  /six: {get: {operationId: getSix, responses: {'200': {description: ok}}}}
  /seven: {get: {operationId: getSeven, responses: {'200': {description: ok}}}}
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
";

/// Runs the program with further options. Returns its exit code and output.
fn run(folder: &Path, url: &str, more: &[&str]) -> (Option<i32>, String) {
    write(folder, "store.yaml", STORE);
    let options = ["run", "--spec", "store.yaml", "--url", url, "--seed", "7"];
    let key = ["--header", "X-Key: abcdefgh"];
    let output = binary(&[&options[..], &key, more].concat(), folder);
    let printed = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(printed).unwrap())
}

/// A server that accepts no connection after a request for `/four`.
async fn mortal() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let is_dead = Arc::new(AtomicBool::new(false));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            if is_dead.load(Ordering::Relaxed) {
                break;
            }
            let is_dead = Arc::clone(&is_dead);
            tokio::spawn(async move {
                while let Some(head) = read_head(&mut stream).await {
                    if head.starts_with("POST /four") || is_dead.load(Ordering::Relaxed) {
                        is_dead.store(true, Ordering::Relaxed);
                        break;
                    }
                    stream.write_all(&answer("200 OK", "")).await.unwrap();
                }
            });
        }
    });
    format!("http://{address}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_ends_the_run_with_its_last_requests() {
    let folder = tempfile::tempdir().unwrap();
    let (code, printed) = run(folder.path(), &mortal().await, &[]);
    assert_eq!(code, Some(3), "{printed}");
    assert!(
        printed.contains("the server no longer answers"),
        "{printed}"
    );
    assert!(printed.contains("GET http://"), "{printed}");
    assert!(printed.contains("--skip-operation"), "{printed}");
    assert!(!printed.contains("connection-closed"), "{printed}");
}

/// A server that closes three connections from the first request for `/four` on, and then answers again.
async fn reviving() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (outage, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let shared = Arc::new((outage, is_over));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let shared = Arc::clone(&shared);
            tokio::spawn(async move {
                while let Some(head) = read_head(&mut stream).await {
                    let (outage, is_over) = &*shared;
                    if head.starts_with("POST /four") && !is_over.swap(true, Ordering::Relaxed) {
                        outage.store(3, Ordering::Relaxed);
                    }
                    let less = |left: usize| left.checked_sub(1);
                    if outage
                        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
                        .is_ok()
                    {
                        break;
                    }
                    stream.write_all(&answer("200 OK", "")).await.unwrap();
                }
            });
        }
    });
    format!("http://{address}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_comes_back_is_judged_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let (code, printed) = run(folder.path(), &reviving().await, &[]);
    assert!(matches!(code, Some(0 | 1)), "{code:?} {printed}");
    assert!(!printed.contains("no longer answers"), "{printed}");
    assert!(printed.contains("✓ getSeven/200/default"), "{printed}");
}

/// A server that leaves the first request for `/two` without an answer.
async fn late_once() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let was_late = Arc::new(AtomicBool::new(false));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let was_late = Arc::clone(&was_late);
            tokio::spawn(async move {
                while let Some(head) = read_head(&mut stream).await {
                    if head.starts_with("GET /two") && !was_late.swap(true, Ordering::Relaxed) {
                        std::future::pending::<()>().await;
                    }
                    stream.write_all(&answer("200 OK", "")).await.unwrap();
                }
            });
        }
    });
    format!("http://{address}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_without_an_answer_is_repeated_before_it_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--timeout", "500ms", "--parallel", "1", "--without-laws"];
    let (code, printed) = run(folder.path(), &late_once().await, &more);
    assert_eq!(code, Some(0), "{printed}");
    assert!(
        printed.contains("not when repeated alone: getTwo ×1"),
        "{printed}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_forgets_its_records_is_not_judged_further() {
    let mut lost = 0;
    for requests in (75..475).step_by(40) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "shelf.yaml", shelf::SPEC);
        let url = shelf::start_forgetful(requests).await;
        let more = ["--url", &url, "--seed", "7", "--parallel", "1"];
        let output = binary(
            &[&["run", "--spec", "shelf.yaml"], &more[..]].concat(),
            folder.path(),
        );
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(printed.contains("0 warn, 0 fail"), "{requests}: {printed}");
        // A run that needs none of the forgotten records goes on.
        let code = if printed.contains("forgotten the records") {
            lost += 1;
            3
        } else {
            0
        };
        assert_eq!(output.status.code(), Some(code), "{requests}: {printed}");
    }
    assert!(lost > 1, "{lost}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credential_that_is_refused_everywhere_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = raw_server_of_heads(|_| Some(answer("401 Unauthorized", ""))).await;
    let (code, printed) = run(folder.path(), &format!("http://{server}"), &[]);
    assert_eq!(code, Some(3), "{printed}");
    assert!(
        printed.contains("refuses the credential of the run"),
        "{printed}"
    );
    assert!(!printed.contains("status-code"), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_website_instead_of_the_service_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    let page = "<!doctype html><title>Welcome</title>";
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{page}",
        page.len()
    );
    let server = raw_server_of_heads(move |_| Some(head.clone().into_bytes())).await;
    let (code, printed) = run(folder.path(), &format!("http://{server}"), &[]);
    assert_eq!(code, Some(3), "{printed}");
    assert!(printed.contains("with an HTML page"), "{printed}");
    assert!(!printed.contains("media-type"), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_in_front_of_the_service_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    let head = "HTTP/1.1 302 Found\r\nLocation: /login?next=x\r\nContent-Length: 0\r\n\r\n";
    let server = raw_server_of_heads(|_| Some(head.to_owned().into_bytes())).await;
    let (code, printed) = run(folder.path(), &format!("http://{server}"), &[]);
    assert_eq!(code, Some(3), "{printed}");
    assert!(printed.contains("such as to `/login`"), "{printed}");
    assert!(!printed.contains("status-code"), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ends_in_the_middle_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let is_over = AtomicBool::new(false);
    let server = raw_server_of_heads(move |head| {
        if head.starts_with("POST /four") {
            is_over.store(true, Ordering::Relaxed);
        }
        let is_refused = is_over.load(Ordering::Relaxed) && !head.starts_with("POST /four");
        let status = if is_refused {
            "401 Unauthorized"
        } else {
            "200 OK"
        };
        Some(answer(status, ""))
    })
    .await;
    let (code, printed) = run(folder.path(), &format!("http://{server}"), &[]);
    assert_eq!(code, Some(3), "{printed}");
    assert!(printed.contains("now refuses it"), "{printed}");
    assert!(printed.contains("POST http://"), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_run_waits_for_a_starting_server() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let url = format!("http://{address}");
    let (code, printed) = run(folder.path(), &url, &[]);
    assert_eq!(code, Some(3), "{printed}");
    // The server begins to listen when the program is about to connect.
    let program = {
        let (folder, url) = (folder.path().to_owned(), url.clone());
        let more = ["--wait", "60s", "--before", "touch begun"];
        tokio::task::spawn_blocking(move || run(&folder, &url, &more))
    };
    while !folder.path().join("begun").exists() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let listener = TcpListener::bind(address).await.unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                while read_head(&mut stream).await.is_some() {
                    stream.write_all(&answer("200 OK", "")).await.unwrap();
                }
            });
        }
    });
    let (code, printed) = program.await.unwrap();
    assert!(
        printed.contains("✓ getOne/200/default"),
        "{code:?} {printed}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn one_refused_credential_is_no_loss() {
    let folder = tempfile::tempdir().unwrap();
    let server = raw_server_of_heads(|head| {
        let is_refused = head.contains(" /two ");
        let status = if is_refused {
            "401 Unauthorized"
        } else {
            "200 OK"
        };
        Some(answer(status, ""))
    })
    .await;
    let (code, printed) = run(folder.path(), &format!("http://{server}"), &[]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("getTwo/200/default: fail"), "{printed}");
    assert!(!printed.contains("server/lost"), "{printed}");
}
