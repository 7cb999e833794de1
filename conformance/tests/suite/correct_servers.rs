//! Tests correct servers for documents that are easy to misread: nothing fails, and little warns.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use conformance::level::Verdict;
use conformance::report::Record;
use serde_json::{Value, json};

use crate::support::{binary, certify, options, write};

/// A received request.
struct Received {
    method: Method,
    path: Vec<String>,
    headers: HeaderMap,
    body: Option<Value>,
}

impl Received {
    fn is(&self, method: &str, path: &[&str]) -> bool {
        let mut pairs = self.path.iter().zip(path);
        let same = pairs.all(|(pair, other)| *other == "*" || pair == other);
        self.method.as_str() == method && self.path.len() == path.len() && same
    }

    fn header(&self, name: &str) -> Option<String> {
        let value = self.headers.get(name)?.to_str().ok()?;
        Some(value.to_owned())
    }
}

/// A record store with the answers to requests by key.
#[derive(Default)]
struct Store {
    records: Vec<Value>,
    keys: Vec<(String, Value, Value)>,
    created: usize,
}

/// A status and a body. JSON `null` stands for an empty text.
type Answer = (u16, Option<Value>);
type Rules = fn(&mut Store, &Received) -> Answer;
type Shared = Arc<(Mutex<Store>, Rules)>;

impl Store {
    fn add(&mut self, mut record: Value) -> Value {
        self.created += 1;
        record["id"] = format!("r{}", self.created).into();
        self.records.push(record.clone());
        record
    }

    fn find(&mut self, id: &str) -> Option<&mut Value> {
        self.records.iter_mut().find(|record| record["id"] == id)
    }
}

async fn answer(
    State(shared): State<Shared>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let path = uri.path().trim_matches('/').split('/').map(str::to_owned);
    let received = Received {
        method,
        path: path.collect(),
        headers,
        body: serde_json::from_slice(&body).ok(),
    };
    let (status, body) = (shared.1)(&mut shared.0.lock().unwrap(), &received);
    let response = Response::builder().status(StatusCode::from_u16(status).unwrap());
    match body {
        Some(Value::Null) => {
            let response = response.header("content-type", "text/plain");
            response.body(Body::empty()).unwrap()
        }
        Some(body) => {
            let response = response.header("content-type", "application/json");
            response.body(Body::from(body.to_string())).unwrap()
        }
        None => response.body(Body::empty()).unwrap(),
    }
}

async fn run(spec: &str, rules: Rules) -> Record {
    run_as(spec, rules, None).await
}

/// Runs with an API key, if there is one.
async fn run_as(spec: &str, rules: Rules, key: Option<&str>) -> Record {
    let shared: Shared = Arc::new((Mutex::default(), rules));
    let router = Router::new().fallback(answer).with_state(shared);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let folder = tempfile::tempdir().unwrap();
    let head = "openapi: 3.0.4\ninfo: {title: Small, version: '1'}\n";
    let spec = write(folder.path(), "api.yaml", &format!("{head}{spec}"));
    let mut options = options(&spec, &url);
    options.laws = true;
    options.headers = key
        .map(|key| ("x-key".to_owned(), key.to_owned()))
        .into_iter()
        .collect();
    certify(&options).await.unwrap()
}

/// The findings, one line each.
fn found(record: &Record) -> Vec<String> {
    let cases = record.cases.iter();
    let all = cases.flat_map(|case| case.differences.iter().map(move |found| (case, found)));
    all.map(|(case, found)| {
        let (id, check) = (&case.id, found.check.id);
        format!(
            "{id}: {} {check}: {}, got {}",
            found.level, found.expected, found.actual
        )
    })
    .collect()
}

/// The skipped cases with their reasons.
fn skips(record: &Record) -> Vec<String> {
    let cases = record.cases.iter();
    let skips = cases.filter(|case| case.verdict == Verdict::Skip);
    skips
        .map(|case| format!("{}: {:?}", case.id, case.reason))
        .collect()
}

fn verdict(record: &Record, id: &str) -> Verdict {
    let case = record.cases.iter().find(|case| case.id == id);
    case.map_or(Verdict::Error, |case| case.verdict)
}

fn problem(status: u16) -> Answer {
    (status, Some(json!({"message": "no"})))
}

const READ: &str = "
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
        '404': {description: d}
";

fn read(store: &mut Store, received: &Received) -> Answer {
    if !received.is("GET", &["things", "*"]) {
        return problem(404);
    }
    let found = store.find(&received.path[1]).cloned();
    found.map_or_else(|| problem(404), |record| (200, Some(record)))
}

fn remove(store: &mut Store, received: &Received) -> Answer {
    let before = store.records.len();
    store
        .records
        .retain(|record| record["id"] != received.path[1]);
    if store.records.len() < before {
        (204, None)
    } else {
        problem(404)
    }
}

#[tokio::test]
async fn timestamps_of_several_styles() {
    let spec = "
paths:
  /things:
    get:
      operationId: listThings
      responses:
        '200':
          description: d
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Thing'}}
              example: [{id: a, at: '2026-01-01T10:00:00.123Z'}, {id: b, at: '2026-01-01T10:00:00Z'}]
components: {schemas: {Thing: {type: object, properties: {id: {type: string}, at: {type: string, format: date-time}}}}}
";
    let record = run(spec, |_, received| {
        if received.method != Method::GET && received.method != Method::HEAD {
            return problem(404);
        }
        let list = json!([
            {"id": "a", "at": "2026-05-01T10:00:00Z"},
            {"id": "b", "at": "2026-05-01T10:00:00.123456+00:00"},
        ]);
        (200, Some(list))
    })
    .await;
    assert_eq!(found(&record), Vec::<String>::new());
}

#[tokio::test]
async fn a_key_with_another_body_is_tested_or_skipped() {
    let spec = format!(
        "
paths:
  /things:
    post:
      operationId: createThing
      parameters: [{{name: Idempotency-Key, in: header, required: true, schema: {{type: string}}, example: k-1}}]
      requestBody:
        content: {{application/json: {{schema: {{type: object, required: [size], properties: {{size: {{type: integer}}}}}}, example: {{size: 1}}}}}}
      responses:
        '201': {{description: d, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Thing'}}}}}}}}
        '400': {{description: d}}
        '422':
          description: The Idempotency-Key was used with a different body.
          content: {{application/json: {{example: {{message: no}}}}}}
{READ}
components: {{schemas: {{Thing: {{type: object, required: [id], properties: {{id: {{type: string}}, size: {{type: integer}}}}}}}}}}
"
    );
    let record = run(&spec, |store, received| {
        if !received.is("POST", &["things"]) {
            return read(store, received);
        }
        let (Some(key), Some(body)) = (received.header("idempotency-key"), received.body.clone())
        else {
            return problem(400);
        };
        if !body["size"].is_i64() {
            return problem(400);
        }
        if let Some((_, known, answer)) = store.keys.iter().find(|entry| entry.0 == key) {
            let same = *known == body;
            return if same {
                (201, Some(answer.clone()))
            } else {
                problem(422)
            };
        }
        let record = store.add(body.clone());
        store.keys.push((key, body, record.clone()));
        (201, Some(record))
    })
    .await;
    assert_eq!(found(&record), Vec::<String>::new());
}

/// A thing that a key in a header and a property recognise, each on its own.
fn create_with_two_keys(store: &mut Store, received: &Received, is_unique: bool) -> Answer {
    if !received.is("POST", &["things"]) {
        return read(store, received);
    }
    let body = received.body.clone().unwrap_or_default();
    let (Some(number), true) = (body["number"].as_str(), body["size"].is_i64()) else {
        return problem(400);
    };
    let header = received.header("idempotency-key");
    let keys = header.into_iter().map(|key| format!("header {key}"));
    let number = is_unique.then(|| format!("number {number}"));
    let keys: Vec<String> = keys.chain(number).collect();
    let mut known = store.keys.iter().filter(|entry| keys.contains(&entry.0));
    if let Some((_, old, answer)) = known.next() {
        return if *old == body {
            (201, Some(answer.clone()))
        } else {
            problem(422)
        };
    }
    let record = store.add(body.clone());
    let kept = keys.into_iter();
    let kept = kept.map(|key| (key, body.clone(), record.clone()));
    store.keys.extend(kept);
    (201, Some(record))
}

#[tokio::test]
async fn a_repeat_is_recognised_by_its_header_or_by_its_property() {
    let body = "{type: object, required: [number, size], properties: {number: {type: string, x-natural-key: true}, size: {type: integer}}}";
    let spec = format!(
        "
paths:
  /things:
    post:
      operationId: createThing
      parameters: [{{name: Idempotency-Key, in: header, schema: {{type: string}}}}]
      requestBody: {{required: true, content: {{application/json: {{schema: {body}, example: {{number: n-1, size: 1}}}}}}}}
      responses:
        '201': {{description: d, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Thing'}}}}}}}}
        '400': {{description: d}}
        '422': {{description: The key or the number was used with another body., content: {{application/json: {{example: {{message: no}}}}}}}}
{READ}
components: {{schemas: {{Thing: {{type: object, required: [id], properties: {{id: {{type: string}}, number: {{type: string}}, size: {{type: integer}}}}}}}}}}
"
    );
    let right = run(&spec, |store, received| {
        create_with_two_keys(store, received, true)
    });
    assert_eq!(found(&right.await), Vec::<String>::new());
    let wrong = run(&spec, |store, received| {
        create_with_two_keys(store, received, false)
    });
    let found = found(&wrong.await);
    let is_found = |line: &String| {
        line.starts_with("laws/repetition/createThing") && line.contains("key-reused")
    };
    assert!(found.iter().any(is_found), "{found:?}");
}

#[tokio::test]
async fn an_optional_array_that_a_put_omits_becomes_empty() {
    let spec = "
paths:
  /things:
    post:
      operationId: createThing
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewThing'}, example: {name: a, tags: [x]}}}}
      responses:
        '201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
        '400': {description: d}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getThing
      responses:
        '200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
        '404': {description: d}
    put:
      operationId: replaceThing
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewThing'}, example: {name: b, tags: [y]}}}}
      responses:
        '200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
        '400': {description: d}
        '404': {description: d}
components:
  schemas:
    NewThing: {type: object, required: [name], properties: {name: {type: string}, tags: {type: array, items: {type: string}}}}
    Thing: {type: object, required: [id, name, tags], properties: {id: {type: string}, name: {type: string}, tags: {type: array, items: {type: string}}}}
";
    let record = run(spec, |store, received| {
        let body = received.body.clone().unwrap_or_default();
        let is_list = |value: &Value| {
            let items = value.as_array();
            value.is_null() || items.is_some_and(|items| items.iter().all(Value::is_string))
        };
        let is_right = body["name"].is_string() && is_list(&body["tags"]);
        let has_null = body
            .as_object()
            .is_some_and(|body| body.values().any(Value::is_null));
        let tags = body.get("tags").cloned().unwrap_or_else(|| json!([]));
        let record = json!({"name": body["name"], "tags": tags});
        match received.method.as_str() {
            "POST" | "PUT" if !is_right || has_null => problem(400),
            "POST" if received.path.len() == 1 => (201, Some(store.add(record))),
            "PUT" => match store.find(&received.path[1]) {
                Some(known) => {
                    known["name"] = record["name"].clone();
                    known["tags"] = record["tags"].clone();
                    (200, Some(known.clone()))
                }
                None => problem(404),
            },
            _ => read(store, received),
        }
    })
    .await;
    assert_eq!(found(&record), Vec::<String>::new());
}

#[tokio::test]
async fn lines_that_are_deleted_with_their_draft_do_not_block_it() {
    let spec = format!(
        "
paths:
  /things:
    post:
      operationId: createThing
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [name], properties: {{name: {{type: string}}}}}}, example: {{name: a}}}}}}}}
      responses:
        '201': {{description: d, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Thing'}}}}}}}}
        '400': {{description: d}}
  /things/{{id}}/lines:
    post:
      operationId: addLine
      parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [text], properties: {{text: {{type: string}}}}}}, example: {{text: a}}}}}}}}
      responses:
        '201': {{description: d, content: {{application/json: {{schema: {{type: object, properties: {{id: {{type: string}}, text: {{type: string}}}}}}}}}}}}
        '400': {{description: d}}
        '404': {{description: d}}
{READ}
    delete:
      operationId: deleteThing
      description: Only drafts can be deleted. Their lines go with them.
      parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]
      responses:
        '204': {{description: d}}
        '404': {{description: d}}
        '409': {{description: Only drafts can be deleted.}}
components: {{schemas: {{Thing: {{type: object, required: [id], properties: {{id: {{type: string}}, name: {{type: string}}, status: {{type: string, enum: [draft, sent]}}}}}}}}}}
"
    );
    let record = run(&spec, |store, received| {
        let body = received.body.clone().unwrap_or_default();
        match (received.method.as_str(), received.path.len()) {
            ("POST", 1) if body["name"].is_string() => (
                201,
                Some(store.add(json!({"name": body["name"], "status": "draft"}))),
            ),
            ("POST", 3) if store.find(&received.path[1]).is_none() => problem(404),
            ("POST", 3) if body["text"].is_string() => {
                store.created += 1;
                (
                    201,
                    Some(json!({"id": format!("l{}", store.created), "text": body["text"]})),
                )
            }
            ("POST", _) => problem(400),
            ("DELETE", 2) => remove(store, received),
            _ => read(store, received),
        }
    })
    .await;
    assert_eq!(found(&record), Vec::<String>::new());
}

#[tokio::test]
async fn references_to_existing_places_keep_the_example_value() {
    let spec = format!(
        "
paths:
  /things:
    post:
      operationId: createThing
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [shelves], properties: {{shelves: {{type: array, items: {{type: string}}}}}}}}, example: {{shelves: [A1, A2]}}}}}}}}
      responses:
        '201': {{description: d, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Thing'}}}}}}}}
        '400': {{description: There is no such shelf.}}
        '409': {{description: A shelf is taken.}}
{READ}
    delete:
      operationId: deleteThing
      parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]
      responses: {{'204': {{description: d}}, '404': {{description: d}}}}
components: {{schemas: {{Thing: {{type: object, required: [id], properties: {{id: {{type: string}}, shelves: {{type: array, items: {{type: string}}}}}}}}}}}}
"
    );
    let record = run(&spec, |store, received| {
        let body = received.body.clone().unwrap_or_default();
        let shelves = body["shelves"].as_array().cloned().unwrap_or_default();
        match received.method.as_str() {
            "POST"
                if shelves.is_empty()
                    || !shelves.iter().all(|shelf| shelf == "A1" || shelf == "A2") =>
            {
                problem(400)
            }
            "POST" if !store.records.is_empty() => problem(409),
            "POST" => (201, Some(store.add(json!({"shelves": shelves})))),
            "DELETE" => remove(store, received),
            _ => read(store, received),
        }
    })
    .await;
    assert_eq!(found(&record), Vec::<String>::new());
    for id in [
        "createThing/201/default",
        "laws/success/createThing",
        "laws/success/deleteThing",
        "laws/agreement/createThing",
    ] {
        assert_eq!(
            verdict(&record, id),
            Verdict::Pass,
            "{id}: {:#?}",
            skips(&record)
        );
    }
}

#[tokio::test]
async fn sentences_that_only_look_like_rules() {
    let spec = format!(
        "
paths:
  /things:
    post:
      operationId: createThing
      description: The same thing may be added more than once, at different prices. Price changes are kept.
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [price], properties: {{price: {{type: integer}}}}}}, example: {{price: 3}}}}}}}}
      responses:
        '201': {{description: d, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Thing'}}}}}}}}
        '400': {{description: d}}
{READ}
components:
  schemas:
    Thing:
      type: object
      required: [id, checks]
      properties:
        id: {{type: string}}
        price: {{type: integer, description: Price changes are shown elsewhere.}}
        checks: {{type: integer, description: The number of consecutive health checks that passed.}}
"
    );
    let record = run(&spec, |store, received| {
        let body = received.body.clone().unwrap_or_default();
        match received.method.as_str() {
            "POST" if body["price"].is_i64() => (
                201,
                Some(store.add(json!({"price": body["price"], "checks": 2}))),
            ),
            "POST" => problem(400),
            _ => read(store, received),
        }
    })
    .await;
    assert_eq!(found(&record), Vec::<String>::new());
}

#[tokio::test]
async fn a_list_of_distinct_items_is_filled_to_its_bound() {
    let spec = format!(
        "
paths:
  /things:
    post:
      operationId: createThing
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [tags], properties: {{tags: {{type: array, maxItems: 8, uniqueItems: true, items: {{type: string}}}}}}}}, example: {{tags: [A1, A2]}}}}}}}}
      responses:
        '201': {{description: d, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Thing'}}}}}}}}
        '400': {{description: d}}
{READ}
components: {{schemas: {{Thing: {{type: object, required: [id], properties: {{id: {{type: string}}, tags: {{type: array, items: {{type: string}}}}}}}}}}}}
"
    );
    // Ignoring `maxItems` is a fault that only distinct items show.
    let rules: Rules = |store, received| {
        let body = received.body.clone().unwrap_or_default();
        let tags = body["tags"].as_array().cloned();
        let is_right = tags.as_ref().is_some_and(|tags| {
            let mut texts: Vec<&str> = tags.iter().filter_map(Value::as_str).collect();
            let all = texts.len();
            texts.sort_unstable();
            texts.dedup();
            all == tags.len() && texts.len() == all
        });
        match received.method.as_str() {
            "POST" if is_right => (201, Some(store.add(json!({"tags": body["tags"]})))),
            "POST" => problem(400),
            _ => read(store, received),
        }
    };
    let record = run(&spec, rules).await;
    let found = found(&record);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].contains("MUST constraint-ignored") && found[0].contains("maxItems"),
        "{found:?}"
    );
}

#[tokio::test]
async fn missing_credentials_and_late_steps_are_no_findings() {
    let spec = "
paths:
  /things:
    post:
      operationId: createThing
      security: [{key: []}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}, example: {name: a}}}}
      responses:
        '202': {description: It is made later., content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
        '400': {description: d}
        '401': {description: d, content: {application/json: {example: {message: no}}}}
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
        '404': {description: d}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas: {Thing: {type: object, required: [id, status], properties: {id: {type: string}, name: {type: string}, status: {type: string, enum: [pending, ready]}}}}
";
    let record = run(spec, |store, received| {
        let body = received.body.clone().unwrap_or_default();
        match received.method.as_str() {
            "POST" if body["name"].is_string() => {
                let record = store.add(json!({"name": body["name"], "status": "pending"}));
                (202, Some(record))
            }
            "POST" => problem(400),
            _ => {
                // The record becomes ready between two readings.
                let answer = read(store, received);
                if let Some(known) = store.find(received.path.last().unwrap()) {
                    known["status"] = "ready".into();
                }
                answer
            }
        }
    })
    .await;
    assert_eq!(found(&record), Vec::<String>::new());
}

const ACCOUNTS: &str = "openapi: 3.0.4
info: {title: Accounts, version: '1'}
paths:
  /accounts:
    post:
      operationId: createAccount
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [email], properties: {email: {type: string}}}, example: {email: jo@shop.example}}}}
      responses:
        '201': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string}, email: {type: string}}}, example: {id: r1, email: jo@shop.example}}}}
        '400': {description: d}
        '409': {description: An account with this email already exists.}
";

/// Accounts with addresses that stay unique after a deletion.
fn accounts(store: &mut Store, received: &Received) -> Answer {
    let body = received.body.clone().unwrap_or_default();
    let is_taken = store
        .records
        .iter()
        .any(|record| record["email"] == body["email"]);
    match received.method.as_str() {
        "POST" if !body["email"].is_string() => problem(400),
        "POST" if is_taken => problem(409),
        "POST" => (201, Some(store.add(json!({"email": body["email"]})))),
        _ => problem(404),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_run_and_a_replay_with_the_same_seed_pass() {
    let shared: Shared = Arc::new((Mutex::default(), accounts));
    let router = Router::new()
        .fallback(answer)
        .with_state(Arc::clone(&shared));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "api.yaml", ACCOUNTS);
    let run = |arguments: &[&str]| {
        let output = binary(arguments, folder.path());
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        (output.status.code(), text)
    };
    let plain = ["run", "--spec", "api.yaml", "--url", &url, "--seed", "7"];
    let (code, text) = run(&plain);
    assert_eq!(code, Some(0), "{text}");
    let first = shared.0.lock().unwrap().records[0]["email"].clone();
    assert_eq!(
        first, "jo@shop.example",
        "the example goes out as it stands"
    );
    let (code, text) = run(&plain);
    assert_eq!(code, Some(0), "{text}");
    let why = "its unchanged example was answered with 409, and sent again with another `email`";
    assert!(
        text.contains(&format!("createAccount/201/example: {why}")),
        "{text}"
    );
    let report = || std::fs::read(folder.path().join("target/certify/report.json")).unwrap();
    let before = report();
    let (code, text) = run(&["replay", "createAccount/201/example"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("1 cases: 1 pass"), "{text}");
    assert_eq!(report(), before);
}

/// Whether a body has an integer `size`.
fn has_size(received: &Received) -> bool {
    let body = received.body.as_ref();
    body.is_some_and(|body| body["size"].is_i64())
}

const BOXES: &str = "
paths:
  /boxes/{code}:
    parameters: [{name: code, in: path, required: true, schema: {type: string}, example: blue}]
    put:
      operationId: putBox
      description: Creates the box, or replaces it.
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Size'}, examples: {bolt: {value: {size: 3}}}}}}
      responses:
        '200': {description: The box was replaced., content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}
        '201': {description: The box was created., content: {application/json: {schema: {$ref: '#/components/schemas/Box'}, examples: {bolt: {value: {code: blue, size: 3}}}}}}
        '400': {description: d}
    get:
      operationId: getBox
      responses:
        '200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}
        '404': {description: d}
  /boxes/{code}/log:
    parameters: [{name: code, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getLog
      responses: {'200': {description: d, content: {text/plain: {schema: {type: string}}}}, '404': {description: d}}
  /boxes/{code}/labels/{name}:
    parameters:
      - {name: code, in: path, required: true, schema: {type: string}}
      - {name: name, in: path, required: true, schema: {type: string}, example: fragile}
    delete:
      operationId: removeLabel
      description: Removes a label. It is not an error if there is no such label.
      responses: {'204': {description: d}, '404': {description: There is no such box.}}
components:
  schemas:
    Size: {type: object, required: [size], properties: {size: {type: integer}}}
    Box: {type: object, required: [code, size], properties: {code: {type: string}, size: {type: integer}}}
";

#[tokio::test]
async fn another_success_an_empty_text_and_a_missing_item_are_no_errors() {
    let record = run(BOXES, |store, received| {
        let code = Value::from(received.path.get(1).cloned().unwrap_or_default());
        let known = store
            .records
            .iter()
            .position(|record| record["code"] == code);
        match (received.method.as_str(), received.path.len(), known) {
            ("PUT", 2, _) if !has_size(received) => problem(400),
            ("PUT", 2, known) => {
                let record = json!({"code": code, "size": received.body.as_ref().unwrap()["size"]});
                let status = if known.is_some() { 200 } else { 201 };
                store.records.retain(|record| record["code"] != code);
                store.records.push(record.clone());
                (status, Some(record))
            }
            ("GET" | "HEAD", 2, Some(known)) => (200, Some(store.records[known].clone())),
            ("GET" | "HEAD", 3, Some(_)) => (200, Some(Value::Null)),
            ("DELETE", 4, Some(_)) => (204, None),
            _ => problem(404),
        }
    })
    .await;
    assert_eq!(found(&record), Vec::<String>::new());
    for id in [
        "putBox/200/default",
        "putBox/201/bolt",
        "laws/unknown/getBox",
    ] {
        assert_ne!(verdict(&record, id), Verdict::Error, "{id} is a case");
    }
    let log = verdict(&record, "laws/success/getLog");
    assert_eq!(log, Verdict::Pass, "{:#?}", skips(&record));
}

const TRASH: &str = "
paths:
  /things:
    post:
      operationId: createThing
      description: The code is stored in upper case.
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, required: [code], properties: {code: {type: string, pattern: '^[A-Za-z]{3,9}$'}, note: {type: string}}}
            example: {code: abc, note: Old}
      responses:
        '201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
        '400': {description: d}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getThing
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, '404': {description: d}}
    patch:
      operationId: patchThing
      requestBody:
        required: true
        content:
          application/json-patch+json:
            schema: {type: array, minItems: 1, items: {type: object, required: [op, path, value], properties: {op: {enum: [replace]}, path: {enum: [/note]}, value: {type: string}}}}
            example: [{op: replace, path: /note, value: New}]
      responses:
        '200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
        '400': {description: d}
        '404': {description: d}
    delete:
      operationId: deleteThing
      description: Takes the thing away.
      responses: {'204': {description: d}, '404': {description: d}}
  /things/{id}/restore:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      operationId: restoreThing
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, '404': {description: d}}
components:
  schemas: {Thing: {type: object, required: [id, code, note, gone], properties: {id: {type: string}, code: {type: string}, note: {type: string}, gone: {type: boolean}}}}
";

#[tokio::test]
async fn restorable_records_and_json_patches_are_no_findings() {
    let record = run(TRASH, |store, received| {
        if received.is("POST", &["things"]) {
            let body = received.body.clone().unwrap_or_default();
            let note = body.get("note").cloned().unwrap_or_else(|| json!(""));
            let code = body["code"].as_str().filter(|code| {
                let is_letter = |letter: char| letter.is_ascii_alphabetic();
                (3..=9).contains(&code.len()) && code.chars().all(is_letter)
            });
            return match code.filter(|_| note.is_string()) {
                Some(code) => {
                    let record = json!({"code": code.to_uppercase(), "note": note, "gone": false});
                    (201, Some(store.add(record)))
                }
                None => problem(400),
            };
        }
        let id = received.path.get(1).cloned().unwrap_or_default();
        let Some(record) = store.find(&id) else {
            return problem(404);
        };
        match (received.method.as_str(), received.path.len()) {
            ("GET" | "HEAD", 2) => (200, Some(record.clone())),
            ("DELETE", 2) => {
                record["gone"] = true.into();
                (204, None)
            }
            ("POST", 3) => {
                record["gone"] = false.into();
                (200, Some(record.clone()))
            }
            ("PATCH", 2) => {
                let changes = received.body.as_ref().and_then(Value::as_array);
                let is_one = |change: &Value| {
                    change["op"] == "replace"
                        && change["path"] == "/note"
                        && change["value"].is_string()
                };
                match changes.filter(|all| !all.is_empty() && all.iter().all(is_one)) {
                    Some(changes) => {
                        record["note"] = changes.last().unwrap()["value"].clone();
                        (200, Some(record.clone()))
                    }
                    None => problem(400),
                }
            }
            _ => problem(404),
        }
    })
    .await;
    assert_eq!(found(&record), Vec::<String>::new());
}

const PROJECTS: &str = "
security: [{key: []}]
paths:
  /projects:
    post:
      operationId: addProject
      responses: {'201': {$ref: '#/components/responses/Project'}, '401': {$ref: '#/components/responses/NoKey'}, '403': {$ref: '#/components/responses/WrongKey'}}
  /projects/{projectId}:
    parameters: [{name: projectId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getProject
      responses: {'200': {$ref: '#/components/responses/Project'}, '401': {$ref: '#/components/responses/NoKey'}, '403': {$ref: '#/components/responses/WrongKey'}, '404': {description: d}}
  /projects/{projectId}/report:
    parameters: [{name: projectId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getReport
      responses:
        '200': {description: The report is ready., content: {application/json: {schema: {type: object, required: [rows], properties: {rows: {type: integer}}}}}}
        '202': {description: The report is not ready yet.}
        '401': {$ref: '#/components/responses/NoKey'}
        '403': {$ref: '#/components/responses/WrongKey'}
        '404': {description: d}
  /projects/{projectId}/tasks:
    parameters: [{name: projectId, in: path, required: true, schema: {type: string}}]
    post:
      operationId: addTask
      description: Tasks are numbered within the project.
      responses: {'201': {$ref: '#/components/responses/Task'}, '401': {$ref: '#/components/responses/NoKey'}, '403': {$ref: '#/components/responses/WrongKey'}, '404': {description: d}}
    get:
      operationId: listTasks
      responses:
        '200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Task'}}}}}
        '401': {$ref: '#/components/responses/NoKey'}
        '403': {$ref: '#/components/responses/WrongKey'}
        '404': {description: d}
  /rooms/{room}:
    parameters: [{name: room, in: path, required: true, schema: {type: string}, example: blue}]
    get:
      operationId: getRoom
      responses:
        '200': {description: d, content: {application/json: {schema: {type: object}, example: {room: blue}}}}
        '401': {$ref: '#/components/responses/NoKey'}
        '403': {$ref: '#/components/responses/WrongKey'}
        '404': {description: d}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  responses:
    NoKey: {description: No key was sent.}
    WrongKey: {description: The key is not known.}
    Project: {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}
    Task: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}
  schemas: {Task: {type: object, required: [id], properties: {id: {type: integer}, title: {type: string}}}}
";

/// Projects whose tasks are counted from 1, and reports that are never ready.
fn projects(store: &mut Store, received: &Received) -> Answer {
    match received.header("x-key").as_deref() {
        Some("right") => {}
        Some(_) => return (403, None),
        None => return (401, None),
    }
    let path: Vec<&str> = received.path.iter().map(String::as_str).collect();
    let method = match received.method.as_str() {
        "HEAD" => "GET",
        method => method,
    };
    if (method, &path[..]) == ("POST", &["projects"][..]) {
        let created = store.add(json!({"tasks": []}));
        return (201, Some(json!({"id": created["id"]})));
    }
    let Some(project) = path.get(1).and_then(|id| store.find(id)) else {
        return (404, None);
    };
    let tasks = project["tasks"].as_array_mut().unwrap();
    match (method, path.get(2)) {
        ("GET", None) => (200, Some(json!({"id": project["id"]}))),
        ("GET", Some(&"report")) => (202, None),
        ("GET", Some(&"tasks")) => (200, Some(project["tasks"].clone())),
        ("POST", Some(&"tasks")) => {
            tasks.push(json!({"id": tasks.len() + 1}));
            (201, tasks.last().cloned())
        }
        _ => (404, None),
    }
}

#[tokio::test]
async fn forbidden_keys_late_reports_and_counted_tasks_are_no_findings() {
    let record = run_as(PROJECTS, projects, Some("right")).await;
    assert_eq!(found(&record), Vec::<String>::new());
    for (id, expected) in [
        ("laws/authentication/getProject", Verdict::Pass),
        ("laws/success/getReport", Verdict::Pass),
        ("laws/success/addTask", Verdict::Pass),
        ("getRoom/200/example", Verdict::Skip),
    ] {
        assert_eq!(
            verdict(&record, id),
            expected,
            "{id}: {:#?}",
            skips(&record)
        );
    }
}
