//! Tests connections, rates and credentials with real sockets and the program.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::support::{answer, binary, raw_server, write};
use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

const THINGS: &str = r"
openapi: 3.0.3
info: {title: Things, version: '1'}
security: [{bearer: []}]
paths:
  /a: {get: {operationId: getA, responses: {'200': {description: a}}}}
  /b: {get: {operationId: getB, responses: {'200': {description: b}}}}
  /c: {get: {operationId: getC, responses: {'200': {description: c}}}}
components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
";

/// The result of a run of the program.
struct Output {
    code: Option<i32>,
    printed: String,
    folder: tempfile::TempDir,
}

impl Output {
    /// Everything that the run wrote, in one text.
    fn written(&self) -> String {
        let mut text = self.printed.clone();
        for entry in std::fs::read_dir(self.folder.path().join("out")).unwrap() {
            text.push_str(&crate::support::details::readable(&entry.unwrap().path()));
        }
        text
    }
}

fn run(url: &str, more: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "things.yaml", THINGS);
    let item = [
        "run",
        "--spec",
        "things.yaml",
        "--url",
        url,
        "--without-laws",
    ];
    let outputs = ["--out", "out", "--report", "ndjson,har"];
    let output = binary(&[&item[..], &outputs, more].concat(), folder.path());
    Output {
        code: output.status.code(),
        printed: String::from_utf8([output.stdout, output.stderr].concat()).unwrap(),
        folder,
    }
}

fn ok() -> Vec<u8> {
    answer("200 OK", "")
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_follow_a_rate() {
    let times = Arc::new(Mutex::new(Vec::new()));
    let seen = times.clone();
    let server = raw_server(move |_| {
        seen.lock().unwrap().push(Instant::now());
        Some(ok())
    })
    .await;
    let ran = run(&format!("http://{server}"), &["--rate", "5/s"]);
    assert_eq!(ran.code, Some(0), "{}", ran.printed);
    let times = times.lock().unwrap();
    assert_eq!(times.len(), 3);
    for pair in times.windows(2) {
        assert!(pair[1] - pair[0] > Duration::from_millis(150), "{times:?}");
    }
}

/// A server with another answer to its first request.
async fn at_first(first: &'static str) -> (String, Arc<Mutex<u32>>) {
    let count = Arc::new(Mutex::new(0));
    let seen = count.clone();
    let server = raw_server(move |_| {
        let mut count = seen.lock().unwrap();
        *count += 1;
        let busy = format!("HTTP/1.1 {first}\r\ncontent-length: 0\r\n\r\n");
        Some(if *count == 1 { busy.into_bytes() } else { ok() })
    })
    .await;
    (format!("http://{server}"), count)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_repeated_after_the_requested_wait() {
    for first in [
        "429 Too Many Requests\r\nretry-after: 0",
        "503 Service Unavailable\r\nretry-after: 1",
    ] {
        let (url, count) = at_first(first).await;
        let ran = run(&url, &[]);
        assert_eq!(
            (ran.code, *count.lock().unwrap()),
            (Some(0), 4),
            "{}",
            ran.printed
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_a_rate_limit_is_judged_by_its_other_answers() {
    let granted = Mutex::new(Instant::now().checked_sub(Duration::from_secs(1)).unwrap());
    let server = raw_server(move |_| {
        let mut granted = granted.lock().unwrap();
        if granted.elapsed() < Duration::from_millis(200) {
            let head =
                "HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n";
            return Some(head.as_bytes().to_vec());
        }
        *granted = Instant::now();
        Some(ok())
    })
    .await;
    let ran = run(&format!("http://{server}"), &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.printed);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_requested_wait_has_a_limit() {
    for (first, more) in [
        ("429 Too Many Requests\r\nretry-after: 3600", &[][..]),
        (
            "503 Service Unavailable\r\nretry-after: 1",
            &["--retry-after", "none"],
        ),
        ("429 Too Many Requests", &[]),
    ] {
        let (url, count) = at_first(first).await;
        let ran = run(&url, more);
        assert_eq!(
            (ran.code, *count.lock().unwrap()),
            (Some(1), 3),
            "{first}: {}",
            ran.printed
        );
    }
}

/// A command that prints a new token each time, and counts its calls.
const FETCH: &str =
    "n=$(cat n 2>/dev/null || echo 0); n=$((n+1)); echo $n > n; echo token-number-$n";

/// A server that accepts one token only, and prints the token in each answer.
async fn guarded(token: &'static str) -> String {
    let server = crate::support::raw_server_of_heads(move |head| {
        let has = head
            .to_lowercase()
            .contains(&format!("authorization: bearer {token}\r\n"));
        let status = if has { "200 OK" } else { "401 Unauthorized" };
        Some(answer(status, r#""token-number-1 token-number-2""#))
    })
    .await;
    format!("http://{server}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_token_is_fetched_once_more() {
    let url = guarded("token-number-2").await;
    let ran = run(&url, &["--token-command", FETCH]);
    assert_eq!(ran.code, Some(0), "{}", ran.printed);
    let count = std::fs::read_to_string(ran.folder.path().join("n")).unwrap();
    assert_eq!(count.trim(), "2");
    let written = ran.written();
    assert!(!written.contains("token-number"), "{written}");
    assert!(written.contains("$CONFORMANCE_AUTH"), "{written}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_refuses_every_token_ends_the_attempts() {
    let url = guarded("another").await;
    let ran = run(&url, &["--token-command", FETCH]);
    assert_eq!(ran.code, Some(1), "{}", ran.printed);
    let count = std::fs::read_to_string(ran.folder.path().join("n")).unwrap();
    assert_eq!(
        count.trim(),
        "2",
        "one for the run, one more when it was refused"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expiring_token_is_renewed_early() {
    let url = guarded("token-number-9").await;
    let fetch = "n=$(cat n 2>/dev/null || echo 7); n=$((n+1)); echo $n > n; \
        echo \"{\\\"access_token\\\": \\\"token-number-$n\\\", \\\"expires_in\\\": $((n == 8 ? 0 : 60))}\"";
    let ran = run(&url, &["--token-command", fetch]);
    assert_eq!(ran.code, Some(0), "{}", ran.printed);
    assert_eq!(
        std::fs::read_to_string(ran.folder.path().join("n"))
            .unwrap()
            .trim(),
        "9"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_without_a_token_ends_the_run() {
    let url = guarded("any").await;
    let complaint = run(&url, &["--token-command", "echo no login >&2; exit 4"]);
    assert_eq!(complaint.code, Some(3));
    assert!(
        complaint.printed.contains("no login") && complaint.printed.contains('4'),
        "{}",
        complaint.printed
    );
    let two = run(&url, &["--token-command", "echo secret-a; echo secret-b"]);
    assert_eq!(two.code, Some(3));
    assert!(!two.printed.contains("secret-a"), "{}", two.printed);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_go_through_a_proxy() {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = requests.clone();
    let proxy = raw_server(move |line| {
        seen.lock().unwrap().push(line.to_owned());
        Some(ok())
    })
    .await;
    // No server listens there.
    let ran = run(
        "http://127.0.0.1:9",
        &["--proxy", &format!("http://{proxy}")],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.printed);
    let requests = requests.lock().unwrap();
    assert!(
        requests
            .iter()
            .all(|line| line.starts_with("GET http://127.0.0.1:9/")),
        "{requests:?}"
    );
    let wrong = run("http://127.0.0.1:9", &["--proxy", "socks"]);
    assert_eq!(wrong.code, Some(3), "{}", wrong.printed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_self_signed_certificate_is_trusted_when_it_is_named() {
    let url = encrypted("self-signed.pem", false).await;
    let certificate = tls("self-signed.pem");
    let trusted = run(&url, &["--cacert", certificate.to_str().unwrap()]);
    assert_eq!(trusted.code, Some(0), "{}", trusted.printed);
    assert_eq!(run(&url, &[]).code, Some(3));
    // Another certificate is not trusted.
    let other = encrypted("server.pem", false).await;
    let refused = run(&other, &["--cacert", certificate.to_str().unwrap()]);
    assert_eq!(refused.code, Some(3), "{}", refused.printed);
    // The certificate is not trusted for another name.
    let elsewhere = url.replace("127.0.0.1", "localhost");
    let refused = run(&elsewhere, &["--cacert", certificate.to_str().unwrap()]);
    assert_eq!(refused.code, Some(3), "{}", refused.printed);
}

fn tls(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/suite/support/tls")
        .join(name)
}

/// An encrypted server. With `asks`, clients need a certificate of the same authority.
async fn encrypted(name: &str, asks: bool) -> String {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(tls("ca.pem")).unwrap())
        .unwrap();
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone());
    let builder = rustls::ServerConfig::builder_with_provider(provider);
    let builder = builder.with_safe_default_protocol_versions().unwrap();
    let builder = if asks {
        builder.with_client_cert_verifier(verifier.build().unwrap())
    } else {
        builder.with_no_client_auth()
    };
    let certificate = CertificateDer::from_pem_file(tls(name)).unwrap();
    let key = PrivateKeyDer::from_pem_file(tls(name)).unwrap();
    let config = builder.with_single_cert(vec![certificate], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(stream).await else {
                    return;
                };
                let mut head = [0; 4096];
                if stream.read(&mut head).await.is_ok_and(|read| read > 0) {
                    let _ = stream.write_all(&ok()).await;
                    let _ = stream.shutdown().await;
                }
            });
        }
    });
    url
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_authority_is_trusted_when_it_is_named() {
    let url = encrypted("server.pem", false).await;
    let (ca, runner) = (tls("ca.pem"), tls("runner.pem"));
    let (ca, runner) = (ca.to_str().unwrap(), runner.to_str().unwrap());
    let trusted = run(&url, &["--cacert", ca]);
    assert_eq!(trusted.code, Some(0), "{}", trusted.printed);
    assert_eq!(run(&url, &[]).code, Some(3));
    let none = run(&url, &["--cacert", "things.yaml"]);
    assert_eq!(none.code, Some(3));
    assert!(none.printed.contains("things.yaml"), "{}", none.printed);
    let closed = encrypted("server.pem", true).await;
    let let_in = run(&closed, &["--cacert", ca, "--client-cert", runner]);
    assert_eq!(let_in.code, Some(0), "{}", let_in.printed);
    assert_ne!(run(&closed, &["--cacert", ca]).code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_configuration_has_the_same_options() {
    let url = guarded("token-number-2").await;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "things.yaml", THINGS);
    let config = format!(
        "url = \"{url}\"\nspec = \"things.yaml\"\n[transport]\nrate = \"100/s\"\n[token]\n\
         command = '''{FETCH}'''\nheader = \"Authorization: Bearer {{token}}\"\n"
    );
    write(folder.path(), "ours.toml", &config);
    let arguments = [
        "run",
        "--config",
        "ours.toml",
        "--without-laws",
        "--out",
        "out",
    ];
    let output = binary(&arguments, folder.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report = std::fs::read(folder.path().join("out/report.json")).unwrap();
    let report: Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["counts"]["pass"], 3);
    write(folder.path(), "ours.toml", "[transport]\nrate = \"fast\"\n");
    let output = binary(&arguments, folder.path());
    assert_eq!(output.status.code(), Some(2));
}
