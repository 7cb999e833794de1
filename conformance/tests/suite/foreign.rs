//! Tests a document without this project's `x-` fields, and a server for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::support::{binary, case, certify, checks, ids, options, write};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use conformance::level::Verdict;
use serde_json::{Value, json};

const PETS: &str = r##"{
  "openapi": "3.0.3",
  "info": {"title": "Pets", "version": "1.0.0"},
  "security": [{"key": []}],
  "paths": {
    "/pets": {
      "get": {
        "operationId": "listPets", "tags": ["pets"],
        "parameters": [
          {"name": "limit", "in": "query", "schema": {"type": "integer"}, "example": 2},
          {"name": "kinds", "in": "query", "required": true,
           "schema": {"type": "array", "items": {"type": "string"}, "example": ["cat", "dog & co"]}}
        ],
        "responses": {
          "200": {"description": "Pets", "content": {"application/json": {
            "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}},
            "example": [{"id": 1, "name": "Tom"}, {"id": 2, "name": "Rex", "tag": "dog"}]}}},
          "400": {"description": "The limit is no number"},
          "default": {"description": "Anything else"}
        }
      },
      "post": {
        "operationId": "createPet", "tags": ["pets"],
        "requestBody": {"required": true, "content": {"application/json": {
          "schema": {"$ref": "#/components/schemas/NewPet"},
          "examples": {"cat": {"value": {"name": "Tom", "tag": "cat", "secret": "open-sesame", "price": 10.10}},
                       "nameless": {"value": {"tag": "cat"}}}}}},
        "responses": {
          "201": {"description": "The pet", "content": {"application/json": {
            "schema": {"$ref": "#/components/schemas/Pet"},
            "examples": {"cat": {"value": {"id": 1, "name": "Tom", "tag": "cat", "price": 10.10}}}}}},
          "400": {"description": "Not JSON"},
          "401": {"description": "Who?"},
          "415": {"description": "Not JSON either"},
          "418": {"description": "Teapot"},
          "422": {"description": "No name", "content": {"application/json": {
            "schema": {"type": "object"}, "examples": {"nameless": {"value": {"error": "no name"}}}}}}
        }
      }
    },
    "/stores/{region}": {
      "parameters": [{"name": "region", "in": "path", "required": true,
                      "schema": {"type": "string", "enum": ["north/east", "south"]}}],
      "delete": {"operationId": "closeStore", "tags": ["stores"], "security": [],
                 "responses": {"204": {"description": "Closed"}, "401": {"description": "Who?"}}},
      "get": {"tags": ["stores"],
              "parameters": [{"name": "id", "in": "query", "required": true, "schema": {"type": "string"}}],
              "responses": {"200": {"description": "A store"}}}
    }
  },
  "components": {
    "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}},
    "schemas": {
      "NewPet": {"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string"}, "tag": {"type": "string"}, "price": {"type": "number"},
        "secret": {"type": "string", "x-sensitive": true}}},
      "Pet": {"type": "object", "required": ["id", "name"], "properties": {
        "id": {"type": "integer"}, "name": {"type": "string"}, "tag": {"type": "string"},
        "price": {"type": "number"}, "secret": {"type": "string", "x-sensitive": true}}}
    }
  }
}"##;

const KEY: &str = "very-secret-key";

/// The requests to the server: method and path with query.
type Log = Arc<Mutex<Vec<String>>>;

/// A fault of the server.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// The price is written as another token for the same number.
    Price,
    /// The answer contains the secret where only a number is allowed.
    Secret,
}

#[derive(Clone)]
struct Server {
    log: Log,
    fault: Fault,
}

async fn start(fault: Fault) -> (u16, Log) {
    let server = Server {
        log: Log::default(),
        fault,
    };
    let log = server.log.clone();
    let router = Router::new().fallback(serve).with_state(server);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (port, log)
}

async fn serve(
    State(server): State<Server>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let target = uri.path_and_query().unwrap().as_str().to_owned();
    server
        .log
        .lock()
        .unwrap()
        .push(format!("{method} {target}"));
    if method == Method::DELETE {
        return StatusCode::NO_CONTENT.into_response();
    }
    if headers.get("x-api-key").is_none_or(|key| key != KEY) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    if method == Method::GET && target.contains("limit=malformed") {
        return StatusCode::BAD_REQUEST.into_response();
    }
    if method == Method::GET {
        return answer(200, r#"[{"id":7,"name":"Tim"}]"#);
    }
    if headers
        .get("content-type")
        .is_none_or(|kind| kind != "application/json")
    {
        return StatusCode::UNSUPPORTED_MEDIA_TYPE.into_response();
    }
    let Ok(pet) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let Some(name) = pet["name"].as_str() else {
        return answer(422, &json!({"error": "a name is needed"}).to_string());
    };
    let price = if server.fault == Fault::Price {
        "10.1"
    } else {
        "10.10"
    };
    let tag = if server.fault == Fault::Secret {
        &pet["secret"]
    } else {
        &pet["tag"]
    };
    answer(
        201,
        &format!(r#"{{"id":9,"name":"{name}","tag":{tag},"price":{price}}}"#),
    )
}

fn answer(status: u16, body: &str) -> Response {
    let headers = [("content-type", "application/json; charset=utf-8")];
    (
        StatusCode::from_u16(status).unwrap(),
        headers,
        body.to_owned(),
    )
        .into_response()
}

fn pets(folder: &std::path::Path, port: u16) -> conformance::options::Options {
    let spec = write(folder, "pets.json", PETS);
    let mut options = options(&spec, &format!("http://127.0.0.1:{port}"));
    options.headers = vec![("x-api-key".to_owned(), KEY.to_owned())];
    // The stores existed before the run.
    options.selection.exclusions.allow_destructive = true;
    options
}

#[tokio::test]
async fn a_correct_server_passes_and_every_other_answer_has_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (port, log) = start(Fault::None).await;
    let record = certify(&pets(folder.path(), port)).await.unwrap();
    let expected = BTreeMap::from([
        ("listPets/200/example", ""),
        ("listPets/400/default", ""),
        (
            "listPets/default/default",
            "`laws/answers/listPets` tests the received answers",
        ),
        ("createPet/201/cat", ""),
        ("createPet/400/default", ""),
        ("createPet/401/default", ""),
        ("createPet/415/default", ""),
        (
            "createPet/418/default",
            "a request example with the key `default` would show how",
        ),
        ("createPet/422/nameless", ""),
        ("closeStore/204/default", ""),
        (
            "closeStore/401/default",
            "the operation needs no credentials",
        ),
        (
            "GET /stores/{region}/200/default",
            "no value for the query parameter `id`",
        ),
    ]);
    assert_eq!(record.cases.len(), expected.len(), "{:#?}", ids(&record));
    for (id, reason) in expected {
        let case = case(&record, id);
        let verdict = if reason.is_empty() {
            Verdict::Pass
        } else {
            Verdict::Skip
        };
        assert_eq!(case.verdict, verdict, "{case:#?}");
        assert!(case.differences.is_empty(), "{case:#?}");
        assert!(
            case.reason.as_deref().unwrap_or_default().contains(reason),
            "{case:#?}"
        );
    }
    assert_eq!(record.counts.verdict(), Verdict::Pass);
    let log = log.lock().unwrap();
    assert_eq!(log[0], "GET /pets?limit=2&kinds=cat&kinds=dog%20%26%20co");
    assert!(
        log.contains(&"DELETE /stores/north%2Feast".to_owned()),
        "{log:?}"
    );
}

#[tokio::test]
async fn deletions_come_last_in_any_order_of_areas() {
    let folder = tempfile::tempdir().unwrap();
    let (port, log) = start(Fault::None).await;
    let (before, rest) = PETS.split_once("\"/pets\": ").unwrap();
    let (pets, rest) = rest.split_once(",\n    \"/stores/{region}\": ").unwrap();
    let (stores, after) = rest.split_once("\n  },\n  \"components\"").unwrap();
    let turned = format!(
        "{before}\"/stores/{{region}}\": {stores}, \"/pets\": {pets}\n  }},\n  \"components\"{after}"
    );
    let spec = write(folder.path(), "turned.json", &turned);
    let mut options = options(&spec, &format!("http://127.0.0.1:{port}"));
    options.headers = vec![("x-api-key".to_owned(), KEY.to_owned())];
    // The stores existed before the run.
    options.selection.exclusions.allow_destructive = true;
    certify(&options).await.unwrap();
    let log = log.lock().unwrap();
    let first = log.iter().position(|line| line.starts_with("DELETE "));
    let after = &log[first.unwrap()..];
    assert!(
        after.iter().all(|text| text.starts_with("DELETE ")),
        "{log:?}"
    );
}

#[tokio::test]
async fn numbers_are_compared_digit_for_digit() {
    let folder = tempfile::tempdir().unwrap();
    let (port, _) = start(Fault::Price).await;
    let record = certify(&pets(folder.path(), port)).await.unwrap();
    let failed = record
        .cases
        .iter()
        .filter(|case| case.verdict == Verdict::Warn);
    let failed: Vec<_> = failed.map(|case| case.id.as_str()).collect();
    assert_eq!(failed, ["createPet/201/cat"]);
    let case = case(&record, failed[0]);
    assert_eq!(checks(case), ["echo"]);
    let difference = &case.differences[0];
    assert_eq!(difference.pointer, "/price");
    assert_eq!(difference.expected, "10.10 as sent");
    assert_eq!(difference.actual, "10.1");
}

#[tokio::test]
async fn nothing_is_written_to_servers_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let (port, log) = start(Fault::None).await;
    let mut options = pets(folder.path(), port);
    options.url = format!("http://0.0.0.0:{port}/");
    let record = certify(&options).await.unwrap();
    assert!(
        log.lock()
            .unwrap()
            .iter()
            .all(|line| line.starts_with("GET "))
    );
    let create = case(&record, "createPet/201/cat");
    assert!(
        create.reason.as_ref().unwrap().contains("--allow-writes"),
        "{create:#?}"
    );
    options.allow_writes = true;
    let record = certify(&options).await.unwrap();
    assert_eq!(case(&record, "createPet/201/cat").verdict, Verdict::Pass);
}

#[tokio::test]
async fn scope_and_levels() {
    let folder = tempfile::tempdir().unwrap();
    let (port, _) = start(Fault::Price).await;
    let mut options = pets(folder.path(), port);
    options.selection.operations.insert("createPet".to_owned());
    let record = certify(&options).await.unwrap();
    assert!(
        record
            .cases
            .iter()
            .all(|case| case.operation_id == "createPet")
    );
    let level = r#""price": {"type": "number", "x-provenance": {"level": "proposed"}}"#;
    let proposed = PETS.replace(r#""price": {"type": "number"}"#, level);
    assert_ne!(proposed, PETS);
    options.spec = write(folder.path(), "proposed.json", &proposed).into();
    let record = certify(&options).await.unwrap();
    let cat = case(&record, "createPet/201/cat");
    assert_eq!((cat.verdict, checks(cat)), (Verdict::Pass, vec!["echo"]));
    options.profile = conformance::level::Profile::Complete;
    let record = certify(&options).await.unwrap();
    assert_eq!(case(&record, "createPet/201/cat").verdict, Verdict::Warn);
    options.examples = Some(conformance::level::Examples::Normative);
    let record = certify(&options).await.unwrap();
    assert_eq!(case(&record, "createPet/201/cat").verdict, Verdict::Fail);
}

#[tokio::test]
async fn a_wrong_example_is_an_error_of_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let (port, _) = start(Fault::None).await;
    let mut options = pets(folder.path(), port);
    let wrong = PETS.replace(
        r#"{"id": 1, "name": "Tom", "tag": "cat", "price": 10.10}"#,
        r#"{"id": 1}"#,
    );
    options.spec = write(folder.path(), "wrong.json", &wrong).into();
    let record = certify(&options).await.unwrap();
    let cat = case(&record, "createPet/201/cat");
    assert_eq!(cat.verdict, Verdict::Error);
    let reason = cat.reason.as_ref().unwrap();
    assert!(
        reason.contains("wrong.json:") && reason.contains("`/name`"),
        "{reason}"
    );
    assert_eq!(record.counts.verdict(), Verdict::Error);
}

#[tokio::test(flavor = "multi_thread")]
async fn outputs_and_snapshots_show_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let (port, _) = start(Fault::Secret).await;
    write(folder.path(), "pets.json", PETS);
    let header = format!("X-Api-Key: {KEY}");
    let url = format!("http://127.0.0.1:{port}");
    let arguments = [
        "run",
        "--without-laws",
        "--spec",
        "pets.json",
        "--url",
        &url,
        "--header",
        &header,
    ];
    let more = [
        "--basic",
        "user:open-door",
        "--examples",
        "normative",
        "--name",
        "mine",
        "--snapshots",
        "snaps",
        "--out",
        "out",
    ];
    let run = || binary(&[&arguments[..], &more[..]].concat(), folder.path());
    let output = run();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let account = String::from_utf8(output.stdout).unwrap();
    assert!(!account.contains('\u{1b}'), "{account}");
    assert!(account.contains("✗ createPet/201/cat: fail"), "{account}");
    assert!(account.contains("$CONFORMANCE_AUTH"), "{account}");
    let report = std::fs::read_to_string(folder.path().join("out/report.json")).unwrap();
    crate::support::validate(&report);
    let snapshots = folder.path().join("snaps/mine");
    let pending = snapshots.join("createPet__201__cat.snap.new");
    let snapshot = std::fs::read_to_string(&pending).unwrap();
    assert!(snapshot.contains("MUST echo at /tag"), "{snapshot}");
    for text in [&account, &report, &snapshot] {
        for secret in [KEY, "open-sesame", "open-door", "dXNlcjpvcGVuLWRvb3I="] {
            assert!(!text.contains(secret), "{secret} is in\n{text}");
        }
    }

    let accept = binary(&["accept", "--snapshots", "snaps"], folder.path());
    assert_eq!(accept.status.code(), Some(0));
    let accepted = snapshots.join("createPet__201__cat.snap");
    let text = std::fs::read_to_string(&accepted).unwrap();
    assert!(
        !pending.exists() && !text.contains("assertion_line"),
        "{text}"
    );
    // An accepted snapshot is not pending again, and does not change the verdict.
    assert_eq!(run().status.code(), Some(1));
    assert!(!pending.exists() && accepted.exists());

    let (port, _) = start(Fault::None).await;
    let url = format!("http://127.0.0.1:{port}");
    let arguments = [
        "run",
        "--without-laws",
        "--spec",
        "pets.json",
        "--url",
        &url,
        "--header",
        &header,
    ];
    let clean = binary(&[&arguments[..], &more[..]].concat(), folder.path());
    assert_eq!(clean.status.code(), Some(0), "{clean:?}");
    assert_eq!(std::fs::read_dir(&snapshots).unwrap().count(), 0);
}
