//! Servers that break in every way a server can: each gives a difference that names the way, and
//! the run ends.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

mod support;

use std::time::{Duration, Instant};

use conformance::level::Verdict;
use conformance::run::RunError;
use support::{answer, binary, case, certify, checks, options, raw_server, write};

const SPEC: &str = r"openapi: 3.0.4
info: {title: Things, version: '1'}
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}, example: a}
      responses:
        '200':
          description: The thing.
          headers:
            x-version: {required: true, schema: {type: integer}}
          content:
            application/json:
              schema:
                type: object
                required: [id]
                properties:
                  id: {type: string}
                  size: {type: integer, maximum: 10}
                  kind: {type: string, enum: [BIG, SMALL]}
                  code: {type: string, pattern: '^E[0-9]+$'}
                  at: {type: string, format: email}
              example: {id: a, size: 3, kind: BIG}
";

fn with_header(body: &str) -> Vec<u8> {
    let text = String::from_utf8(answer("200 OK", body)).unwrap();
    text.replacen("\r\n", "\r\nx-version: 1\r\n", 1)
        .into_bytes()
}

type Server = fn(&str) -> Option<Vec<u8>>;

async fn found(server: Server) -> (Vec<&'static str>, Vec<String>, Verdict) {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "openapi.yaml", SPEC);
    let url = format!("http://{}", raw_server(server).await);
    let mut options = options(&spec, &url);
    options.timeout = Duration::from_millis(400);
    let record = certify(&options).await.unwrap();
    let case = case(&record, "getThing/200/example");
    for difference in &case.differences {
        assert!(difference.spec.file.ends_with("openapi.yaml") && difference.spec.line > 0);
        assert!(
            difference.curl.contains("/things/a'"),
            "{}",
            difference.curl
        );
        assert!(!difference.expected.is_empty() && !difference.actual.is_empty());
    }
    let pointers = case
        .differences
        .iter()
        .map(|own| own.pointer.clone())
        .collect();
    (checks(case), pointers, record.counts.verdict())
}

#[tokio::test]
async fn each_fault_has_its_check() {
    let servers: &[(&str, Server, &str, &str)] = &[
        ("hangs", |_| None, "no-answer", ""),
        ("closes", |_| Some(Vec::new()), "connection-closed", ""),
        (
            "is not HTTP",
            |_| Some(b"hello\r\n\r\n".to_vec()),
            "connection-closed",
            "",
        ),
        (
            "half a body",
            |_| {
                let mut whole = with_header(r#"{"id":"a","size":3,"kind":"BIG"}"#);
                whole.truncate(whole.len() - 9);
                Some(whole)
            },
            "body-incomplete",
            "",
        ),
        (
            "ten megabytes",
            |_| {
                Some(with_header(&format!(
                    "\"{}\"",
                    "x".repeat(10 * 1024 * 1024)
                )))
            },
            "body-too-large",
            "",
        ),
        (
            "not JSON",
            |_| Some(with_header("<html>")),
            "invalid-json",
            "",
        ),
        (
            "two values",
            |_| Some(with_header(r#"{"id":"a"} {}"#)),
            "invalid-json",
            "",
        ),
        (
            "not UTF-8",
            |_| {
                let mut bytes = with_header(r#"{"id":"?","size":3,"kind":"BIG"}"#);
                let at = bytes.iter().position(|byte| *byte == b'?').unwrap();
                bytes[at] = 0xff;
                Some(bytes)
            },
            "invalid-utf8",
            "",
        ),
        ("no body", |_| Some(with_header("")), "body-missing", ""),
        (
            "a redirect loop",
            |_| {
                let head = "HTTP/1.1 302 Found\r\nlocation: /things/a\r\ncontent-length: 0\r\n\r\n";
                Some(head.as_bytes().to_vec())
            },
            "status-code",
            "",
        ),
        (
            "501",
            |_| Some(answer("501 Not Implemented", "{}")),
            "not-implemented",
            "",
        ),
        ("500", |_| Some(answer("500 Oh", "{}")), "server-error", ""),
        (
            "204",
            |_| Some(answer("204 No Content", "")),
            "status-code",
            "",
        ),
        (
            "the same key twice",
            |_| Some(with_header(r#"{"id":"a","id":"b","size":3,"kind":"BIG"}"#)),
            "duplicate-key",
            "/id",
        ),
        (
            "a field gone",
            |_| Some(with_header(r#"{"id":"a","kind":"BIG"}"#)),
            "field-missing",
            "/size",
        ),
        (
            "a required field gone",
            |_| Some(with_header(r#"{"size":3,"kind":"BIG"}"#)),
            "field-missing",
            "/id",
        ),
        (
            "another type",
            |_| Some(with_header(r#"{"id":"a","size":"3","kind":"BIG"}"#)),
            "json-type",
            "/size",
        ),
        (
            "a type that no example shows",
            |_| Some(with_header(r#"{"id":"a","size":3,"kind":"BIG","code":7}"#)),
            "schema-type",
            "/code",
        ),
        (
            "beyond a bound",
            |_| Some(with_header(r#"{"id":"a","size":11,"kind":"BIG"}"#)),
            "schema-bounds",
            "/size",
        ),
        (
            "none of the values",
            |_| Some(with_header(r#"{"id":"a","size":3,"kind":"HUGE"}"#)),
            "schema-enum",
            "/kind",
        ),
        (
            "another letter case",
            |_| Some(with_header(r#"{"id":"a","size":3,"kind":"big"}"#)),
            "letter-case",
            "/kind",
        ),
        (
            "not the pattern",
            |_| {
                Some(with_header(
                    r#"{"id":"a","size":3,"kind":"BIG","code":"7"}"#,
                ))
            },
            "schema-pattern",
            "/code",
        ),
        (
            "not the format",
            |_| Some(with_header(r#"{"id":"a","size":3,"kind":"BIG","at":"7"}"#)),
            "schema-format",
            "/at",
        ),
        (
            "a path argument that comes back altered",
            |_| Some(with_header(r#"{"id":"b","size":3,"kind":"BIG"}"#)),
            "echo",
            "/id",
        ),
        (
            "no header",
            |_| Some(answer("200 OK", r#"{"id":"a","size":3,"kind":"BIG"}"#)),
            "header-missing",
            "",
        ),
        (
            "a header of another type",
            |_| {
                let text = String::from_utf8(with_header(r#"{"id":"a","size":3,"kind":"BIG"}"#));
                Some(
                    text.unwrap()
                        .replace("x-version: 1", "x-version: one")
                        .into_bytes(),
                )
            },
            "header-value",
            "",
        ),
        (
            "another media type",
            |_| {
                let text = String::from_utf8(with_header(r#"{"id":"a","size":3,"kind":"BIG"}"#));
                Some(
                    text.unwrap()
                        .replace("application/json", "text/html")
                        .into_bytes(),
                )
            },
            "media-type",
            "",
        ),
    ];
    for (what, server, check, pointer) in servers {
        let (checks, pointers, verdict) = found(*server).await;
        assert_eq!(checks, [*check], "{what}");
        assert_eq!(pointers, [*pointer], "{what}");
        assert_eq!(verdict, Verdict::Fail, "{what}");
    }
    let (checks, _, verdict) =
        found(|_| Some(with_header(r#"{"id":"a","size":3,"kind":"BIG"}"#))).await;
    assert!(checks.is_empty(), "{checks:?}");
    assert_eq!(verdict, Verdict::Pass);
    let (checks, pointers, verdict) =
        found(|_| Some(with_header(r#"{"id":"a","size":3,"kind":"BIG","more":1}"#))).await;
    assert_eq!(
        (checks, verdict),
        (vec!["undeclared-property"], Verdict::Pass)
    );
    assert_eq!(pointers, ["/more"]);
}

#[tokio::test]
async fn a_server_that_hangs_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let operations: String = (0..40)
        .map(|index| {
            format!(
                "  /a{index}:\n    get:\n      operationId: a{index}\n      responses:\n        \
                 '200': {{description: ok}}\n"
            )
        })
        .collect();
    let text = format!("openapi: 3.0.4\ninfo: {{title: t, version: '1'}}\npaths:\n{operations}");
    let spec = write(folder.path(), "openapi.yaml", &text);
    let url = format!("http://{}", raw_server(|_| None).await);
    let mut options = options(&spec, &url);
    options.timeout = Duration::from_millis(100);
    let started = Instant::now();
    let record = certify(&options).await.unwrap();
    assert!(started.elapsed() < Duration::from_secs(3));
    assert_eq!((record.counts.fail, record.counts.skip), (3, 37));
    assert!(
        record.cases[39]
            .reason
            .as_ref()
            .unwrap()
            .contains("given up")
    );
    assert_eq!(record.counts.verdict(), Verdict::Fail);
}

#[tokio::test]
async fn what_cannot_be_run_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let good = write(folder.path(), "good.yaml", SPEC);
    let unused = "http://127.0.0.1:9";
    for (name, text) in [
        ("malformed.yaml", "openapi: [".to_owned()),
        (
            "version.yaml",
            "openapi: 2.0.0\ninfo: {title: t, version: '1'}\npaths: {}\n".to_owned(),
        ),
        (
            "nowhere.yaml",
            SPEC.replace("schema: {type: string}", "schema: {$ref: other.yaml#/X}"),
        ),
    ] {
        let spec = write(folder.path(), name, &text);
        let error = certify(&options(&spec, unused)).await.unwrap_err();
        assert!(
            matches!(&error, RunError::Usage(text) if text.contains(name)),
            "{error}"
        );
    }
    let missing = options(&folder.path().join("missing.yaml"), unused);
    assert!(matches!(certify(&missing).await, Err(RunError::Usage(_))));
    let nobody = certify(&options(&good, "http://127.0.0.1:1"))
        .await
        .unwrap_err();
    assert!(matches!(nobody, RunError::Target(_)), "{nobody}");
    let address = certify(&options(&good, "somewhere")).await.unwrap_err();
    assert!(matches!(address, RunError::Usage(_)), "{address}");
    let mut area = options(&good, unused);
    area.selection.areas.insert("nothing".to_owned());
    let error = certify(&area).await.unwrap_err().to_string();
    assert!(
        error.contains("there is no area `nothing`; there are untagged"),
        "{error}"
    );
    let mut scenarios = options(&good, unused);
    write(
        folder.path(),
        "s/a.arazzo.yaml",
        "arazzo: 1.0.1\nworkflows: [{workflowId: w, x: 1}]\n",
    );
    scenarios.scenarios = Some(folder.path().join("s"));
    let error = certify(&scenarios).await.unwrap_err().to_string();
    assert!(
        error.contains("`x` of a workflow is not supported"),
        "{error}"
    );
}

#[test]
fn exit_codes_are_the_documented_ones() {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "openapi.yaml", SPEC);
    let spec = spec.to_str().unwrap();
    let code = |arguments: &[&str]| binary(arguments, folder.path()).status.code();
    assert_eq!(code(&["run", "--spec", spec]), Some(2));
    assert_eq!(
        code(&[
            "run",
            "--spec",
            "missing.yaml",
            "--url",
            "http://127.0.0.1:1"
        ]),
        Some(2)
    );
    assert_eq!(
        code(&["run", "--spec", spec, "--url", "http://127.0.0.1:1"]),
        Some(3)
    );
    assert_eq!(
        code(&["run", "--spec", spec, "--url", "x", "--timeout", "soon"]),
        Some(2)
    );
    assert_eq!(code(&["schema"]), Some(0));
    assert_eq!(code(&["accept", "--snapshots", "missing"]), Some(3));
}
