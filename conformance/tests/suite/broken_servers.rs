//! Tests servers that break in many ways: each gets a difference that names the fault, and each run
//! ends.

use std::time::{Duration, Instant};

use crate::support::{
    answer, binary, case, certify, checks, options, raw_server, raw_server_of_heads, write,
};
use conformance::level::Verdict;
use conformance::run::RunError;

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

/// Runs against a server that always sends this answer. Returns the checks and pointers of the only
/// case, and its verdict.
async fn found(answer: Option<Vec<u8>>) -> (Vec<&'static str>, Vec<String>, Verdict) {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "openapi.yaml", SPEC);
    let url = format!("http://{}", raw_server(move |_| answer.clone()).await);
    let mut options = options(&spec, &url);
    options.timeout = Duration::from_secs(3);
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
        .map(|difference| difference.pointer.clone())
        .collect();
    (checks(case), pointers, case.verdict)
}

const GOOD: &str = r#"{"id":"a","size":3,"kind":"BIG"}"#;

#[tokio::test]
async fn each_wrong_body_has_its_check() {
    for (body, check, pointer, expected) in [
        ("<html>", "invalid-json", "", Verdict::Fail),
        (r#"{"id":"a"} {}"#, "invalid-json", "", Verdict::Fail),
        ("", "body-missing", "", Verdict::Fail),
        (
            r#"{"id":"a","id":"b","size":3,"kind":"BIG"}"#,
            "duplicate-key",
            "/id",
            Verdict::Fail,
        ),
        (
            r#"{"id":"a","kind":"BIG"}"#,
            "field-missing",
            "/size",
            // The schema does not require the property, and no request sets it.
            Verdict::Pass,
        ),
        (
            r#"{"size":3,"kind":"BIG"}"#,
            "field-missing",
            "/id",
            Verdict::Fail,
        ),
        (
            r#"{"id":"a","size":"3","kind":"BIG"}"#,
            "json-type",
            "/size",
            Verdict::Fail,
        ),
        (
            r#"{"id":"a","size":3,"kind":"BIG","code":7}"#,
            "schema-type",
            "/code",
            Verdict::Fail,
        ),
        (
            r#"{"id":"a","size":11,"kind":"BIG"}"#,
            "schema-bounds",
            "/size",
            Verdict::Fail,
        ),
        (
            r#"{"id":"a","size":3,"kind":"HUGE"}"#,
            "schema-enum",
            "/kind",
            Verdict::Fail,
        ),
        (
            r#"{"id":"a","size":3,"kind":"big"}"#,
            "letter-case",
            "/kind",
            Verdict::Fail,
        ),
        (
            r#"{"id":"a","size":3,"kind":"BIG","code":"7"}"#,
            "schema-pattern",
            "/code",
            Verdict::Fail,
        ),
        (
            r#"{"id":"a","size":3,"kind":"BIG","at":"7"}"#,
            "schema-format",
            "/at",
            Verdict::Fail,
        ),
        (
            r#"{"id":"b","size":3,"kind":"BIG"}"#,
            "echo",
            "/id",
            Verdict::Warn,
        ),
    ] {
        let (checks, pointers, verdict) = found(Some(with_header(body))).await;
        assert_eq!(
            (checks, pointers),
            (vec![check], vec![pointer.to_owned()]),
            "{body}"
        );
        assert_eq!(verdict, expected, "{body}");
    }
    let more = r#"{"id":"a","size":3,"kind":"BIG","more":1}"#;
    let (checks, pointers, verdict) = found(Some(with_header(more))).await;
    assert_eq!(
        (checks, verdict),
        (vec!["undeclared-property"], Verdict::Pass)
    );
    assert_eq!(pointers, ["/more"]);
    let (checks, _, verdict) = found(Some(with_header(GOOD))).await;
    assert_eq!((checks, verdict), (vec![], Verdict::Pass));
}

#[tokio::test]
async fn each_wrong_answer_has_its_check() {
    let good = String::from_utf8(with_header(GOOD)).unwrap();
    let changed = |from: &str, to: &str| Some(good.replace(from, to).into_bytes());
    let cut = good.as_bytes()[..good.len() - 9].to_vec();
    let mut not_utf8 = good.clone().into_bytes();
    let last = not_utf8.len() - 4;
    not_utf8[last] = 0xff;
    let ten_megabytes = format!("\"{}\"", "x".repeat(10 * 1024 * 1024));
    let redirect = b"HTTP/1.1 302 Found\r\nlocation: /things/a\r\ncontent-length: 0\r\n\r\n";
    for (what, answer, check) in [
        ("hangs", None, "no-answer"),
        ("closes", Some(Vec::new()), "connection-closed"),
        (
            "is not HTTP",
            Some(b"hello\r\n\r\n".to_vec()),
            "connection-closed",
        ),
        ("half a body", Some(cut), "body-incomplete"),
        (
            "ten megabytes",
            Some(with_header(&ten_megabytes)),
            "body-too-large",
        ),
        ("not UTF-8", Some(not_utf8), "invalid-utf8"),
        ("a redirect loop", Some(redirect.to_vec()), "status-code"),
        (
            "501",
            changed("200 OK", "501 Not Implemented"),
            "not-implemented",
        ),
        ("500", changed("200 OK", "500 Oh"), "server-error"),
        ("201", changed("200 OK", "201 Created"), "status-code"),
        (
            "no header",
            changed("x-version", "x-other"),
            "header-missing",
        ),
        (
            "another header",
            changed("x-version: 1", "x-version: one"),
            "header-value",
        ),
        (
            "another type",
            changed("application/json", "text/html"),
            "media-type",
        ),
    ] {
        let (checks, pointers, verdict) = found(answer).await;
        assert_eq!(
            (checks, pointers),
            (vec![check], vec![String::new()]),
            "{what}"
        );
        assert_eq!(verdict, Verdict::Fail, "{what}");
    }
}

const COUNTS: &str = r"openapi: 3.0.4
info: {title: Counts, version: '1'}
paths:
  /counts:
    get:
      operationId: getCounts
      parameters: [{name: offset, in: query, schema: {type: integer}}]
      responses:
        '200':
          description: The counts by name.
          content:
            application/json:
              schema: {type: object, additionalProperties: {type: integer}}
";

#[tokio::test]
async fn a_mistake_causes_no_server_error_although_no_refusal_is_documented() {
    for (answer_to_words, expected) in [("500 Oops", &["server-error"][..]), ("200 OK", &[])] {
        let folder = tempfile::tempdir().unwrap();
        let spec = write(folder.path(), "openapi.yaml", COUNTS);
        let server = raw_server_of_heads(move |head| {
            let is_word = head.contains("offset=") && !head.contains("offset=1");
            let status = if is_word { answer_to_words } else { "200 OK" };
            Some(answer(status, "{}"))
        })
        .await;
        let mut options = options(&spec, &format!("http://{server}"));
        options.laws = true;
        let record = certify(&options).await.unwrap();
        let case = case(&record, "laws/parameters/getCounts");
        assert_eq!(checks(case), expected, "{case:#?}");
    }
}

#[tokio::test]
async fn values_of_a_map_with_the_same_mistake_are_one_difference() {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "openapi.yaml", COUNTS);
    let body = r#"{"one":"1","two":2,"three":"3"}"#;
    let server = raw_server_of_heads(|_| Some(answer("200 OK", body))).await;
    let options = options(&spec, &format!("http://{server}"));
    let record = certify(&options).await.unwrap();
    let case = case(&record, "getCounts/200/default");
    assert_eq!(checks(case), ["schema-type"], "{case:#?}");
}

#[tokio::test]
async fn a_run_against_a_hanging_server_ends() {
    let folder = tempfile::tempdir().unwrap();
    let mut operations = String::new();
    for index in 0..40 {
        let id = index.to_string();
        let parts = ["  /a", &id, ":\n    get:\n      operationId: a", &id, "\n"];
        operations.extend(parts);
        operations.push_str("      responses: {'200': {description: ok}}\n");
    }
    let text = format!("openapi: 3.0.4\ninfo: {{title: t, version: '1'}}\npaths:\n{operations}");
    let spec = write(folder.path(), "openapi.yaml", &text);
    let url = format!("http://{}", raw_server(|_| None).await);
    let mut options = options(&spec, &url);
    options.timeout = Duration::from_millis(500);
    let started = Instant::now();
    let record = certify(&options).await.unwrap();
    assert!(started.elapsed() < Duration::from_secs(15));
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
async fn a_run_that_cannot_start_gives_the_reason() {
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
        (
            "inside.yaml",
            SPEC.replace(
                "schema: {type: string}",
                "schema: {$ref: '#/components/schemas/X'}",
            ),
        ),
        (
            "cycle.yaml",
            format!("{SPEC}components: {{schemas: {{X: {{$ref: '#/components/schemas/X'}}}}}}\n"),
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
    for address in ["http://u:secret@127.0.0.1:9", "http://127.0.0.1:9/?a=1"] {
        let error = certify(&options(&good, address)).await.unwrap_err();
        let text = error.to_string();
        assert!(
            matches!(error, RunError::Usage(_)) && !text.contains("secret"),
            "{text}"
        );
    }
    let empty = write(
        folder.path(),
        "empty.yaml",
        "openapi: 3.0.0\ninfo: {}\npaths: {}\n",
    );
    let error = certify(&options(&empty, unused)).await.unwrap_err();
    assert!(matches!(error, RunError::Usage(_)), "{error}");
    let mut inputs = options(&good, unused);
    let value = openapi_document::json::read_text("1").unwrap();
    inputs.selection.inputs.insert("nothing".to_owned(), value);
    let error = certify(&inputs).await.unwrap_err().to_string();
    assert!(
        error.contains("no scenario has the input `nothing`"),
        "{error}"
    );
    let mut area = options(&good, unused);
    area.selection.areas.insert("nothing".to_owned());
    let error = certify(&area).await.unwrap_err().to_string();
    assert!(
        error.contains("there is no area `nothing`\n  the document has untagged"),
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

#[tokio::test]
async fn an_encrypted_connection_to_a_plain_port_fails() {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "openapi.yaml", SPEC);
    let address = raw_server(|_| Some(answer("200 OK", "{}"))).await;
    let mut options = options(&spec, &format!("https://{address}"));
    options.timeout = Duration::from_millis(300);
    let error = certify(&options).await.unwrap_err();
    assert!(matches!(error, RunError::Target(_)), "{error}");
}

#[test]
fn invalid_headers_and_names_are_usage_errors() {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "openapi.yaml", SPEC);
    let configuration = write(folder.path(), "c.toml", "timeout = 'soon'\n");
    let base = [
        "run",
        "--without-laws",
        "--spec",
        spec.to_str().unwrap(),
        "--url",
        "http://127.0.0.1:1",
    ];
    let long = "x".repeat(300);
    for (option, value, message) in [
        ("--header", "content-length: 5", "for the runner itself"),
        ("--header", "a: \u{1}", "control character"),
        ("--name", long.as_str(), "not a usable name"),
        (
            "--config",
            configuration.to_str().unwrap(),
            "the timeout `soon`",
        ),
    ] {
        let output = binary(&[&base[..], &[option, value]].concat(), folder.path());
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(message), "{text}");
    }
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
            "--without-laws",
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
