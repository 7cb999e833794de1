//! Credentials that a login yields, streams without an end, and values that only the user knows: the real program over sockets.

use std::fs;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use futures_util::StreamExt as _;
use serde_json::{Value, json};

use crate::support::{binary, write};

const GUARDED: &str = r"
openapi: 3.0.3
info: {title: Guarded, version: '1'}
security: [{credential: []}]
paths:
  /things:
    get: {operationId: listThings, responses: {'200': {description: all}, '401': {description: no}}}
    post: {operationId: createThing, responses: {'201': {description: made}, '401': {description: no}}}
components: {securitySchemes: {credential: {type: http, scheme: bearer}}}
";

fn text(headers: &HeaderMap, name: &str) -> String {
    let value = headers.get(name).map(|item| item.to_str().unwrap());
    value.unwrap_or_default().to_owned()
}

fn plain(status: u16) -> Response {
    let body = Response::builder().status(StatusCode::from_u16(status).unwrap());
    body.body(Body::empty()).unwrap()
}

/// A server with three logins, and records for clients that are logged in.
async fn serve(method: Method, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let json: Value = serde_json::from_slice(&body).unwrap_or_default();
    let body = String::from_utf8(body.to_vec()).unwrap();
    let authorization = text(&headers, "authorization");
    let cookie = text(&headers, "cookie");
    match (method.as_str(), uri.path()) {
        ("POST", "/login") if json == json!({"user": "ann", "password": "open-sesame"}) => {
            Response::new(Body::from(r#"{"data":{"token":"token-of-ann"}}"#))
        }
        ("POST", "/oauth/token")
            if body == "grant_type=client_credentials&scope=things%3Aread"
                && authorization == "Basic Y2xpZW50OmNsaWVudC1zZWNyZXQ=" =>
        {
            let granted = r#"{"access_token":"token-of-client","token_type":"Bearer"}"#;
            Response::new(Body::from(granted))
        }
        ("GET", "/session") => Response::builder()
            .header("set-cookie", "csrf=c-s-r-f-value; Path=/")
            .body(Body::empty())
            .unwrap(),
        ("POST", "/session")
            if body == "name=ann&word=open%20sesame"
                && cookie == "csrf=c-s-r-f-value"
                && text(&headers, "x-csrf") == "c-s-r-f-value" =>
        {
            Response::builder()
                .status(303)
                .header("location", "/")
                .header("set-cookie", "session=session-of-ann; HttpOnly")
                .body(Body::empty())
                .unwrap()
        }
        (method, "/things") => {
            let has_token = ["token-of-ann", "token-of-client"]
                .iter()
                .any(|item| authorization == format!("Bearer {item}"));
            let has_session = cookie.contains("session=session-of-ann")
                && (method != "POST" || text(&headers, "x-csrf") == "c-s-r-f-value");
            let granted = match method {
                "GET" | "HEAD" => 200,
                "POST" => 201,
                _ => 405,
            };
            plain(if has_token || has_session {
                granted
            } else {
                401
            })
        }
        _ => plain(404),
    }
}

async fn start(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}

/// What became of a run: its exit code, and everything that it wrote.
fn run(url: &str, spec: &str, config: &str, more: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "spec.yaml", spec);
    let config = format!("url = \"{url}\"\nspec = \"spec.yaml\"\n{config}");
    write(folder.path(), "ours.toml", &config);
    let arguments = [
        "run",
        "--config",
        "ours.toml",
        "--out",
        "out",
        "--report",
        "ndjson",
    ];
    let output = binary(&[&arguments[..], more].concat(), folder.path());
    let mut observed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    if let Ok(events) = fs::read_to_string(folder.path().join("out/events.ndjson")) {
        observed.push_str(&events);
    }
    (output.status.code(), observed)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_yields_the_credential() {
    let url = start(Router::new().fallback(serve)).await;
    for (config, secrets) in [
        (
            "[login]\nurl = '/login'\njson = {user = 'ann', password = 'open-sesame'}\ntoken = '/data/token'\n",
            &["open-sesame", "token-of-ann"][..],
        ),
        (
            "[login]\nurl = '/session'\nform = {name = 'ann', word = 'open sesame'}\ncsrf = 'csrf: X-Csrf'\n",
            &["open sesame", "session-of-ann", "c-s-r-f-value"],
        ),
        (
            "[oauth2]\ntoken-url = '/oauth/token'\nclient-id = 'client'\nclient-secret = 'client-secret'\n\
             scope = 'things:read'\n",
            &["client-secret", "token-of-client"],
        ),
    ] {
        let (code, observed) = run(&url, GUARDED, config, &[]);
        assert_eq!(code, Some(0), "{config}: {observed}");
        assert!(
            observed.contains(r#""operationId":"createThing""#),
            "{observed}"
        );
        for secret in secrets {
            assert!(!observed.contains(secret), "{secret} in {observed}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_that_fails_ends_the_run() {
    let url = start(Router::new().fallback(serve)).await;
    for (config, code, part) in [
        (
            "[login]\nurl = '/login'\njson = {user = 'ann', password = 'wrong'}\ntoken = '/data/token'\n",
            3,
            "/login failed: it answered 404",
        ),
        (
            "[login]\nurl = '/login'\njson = {user = 'ann', password = 'open-sesame'}\ntoken = '/token'\n",
            3,
            "its answer has no token at `/token`",
        ),
        (
            "[login]\nurl = '/login'\njson = {user = 'ann', password = 'open-sesame'}\n",
            3,
            "it sets no cookie",
        ),
        (
            "[login]\nurl = '/login'\n",
            2,
            "needs a body: `json` or `form`",
        ),
        (
            "[token]\ncommand = 'true'\n[login]\nurl = '/login'\njson = {}\n",
            2,
            "one of `[token]`, `[login]` and `[oauth2]`",
        ),
    ] {
        let (ended, observed) = run(&url, GUARDED, config, &[]);
        assert_eq!(ended, Some(code), "{config}: {observed}");
        assert!(observed.contains(part), "{observed}");
        assert!(!observed.contains("open-sesame"), "{observed}");
    }
}

const STREAMS: &str = r"
openapi: 3.0.3
info: {title: Streams, version: '1'}
paths:
  /events:
    get: {operationId: events, responses: {'200': {description: without an end, content: {text/event-stream: {schema: {type: string}}}}}}
  /wrong:
    get: {operationId: wrong, responses: {'200': {description: something else, content: {application/json: {schema: {type: object}}}}}}
";

/// A stream of events that goes on for ever.
async fn stream() -> Response {
    let first = futures_util::stream::iter([Ok::<_, std::io::Error>("data: one\n\n")]);
    let events = first.chain(futures_util::stream::pending());
    Response::builder()
        .header("content-type", "text/event-stream")
        .body(Body::from_stream(events))
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_without_an_end_is_read_for_a_while() {
    let url = start(Router::new().fallback(stream)).await;
    let (code, observed) = run(&url, STREAMS, "timeout = '30s'\n", &["--without-laws"]);
    assert_eq!(code, Some(1), "{observed}");
    assert!(observed.contains("✓ events/200/default"), "{observed}");
    assert!(observed.contains("✗ wrong/200/default"), "{observed}");
    assert!(observed.contains("media-type"), "{observed}");
    assert!(!observed.contains("body-incomplete"), "{observed}");
}

const SERVICES: &str = r"
openapi: 3.0.3
info: {title: Services, version: '1'}
paths:
  /services/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get: {operationId: getService, responses: {'200': {description: one}, '404': {description: none}}}
  /checks:
    post:
      operationId: check
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [licence, seats], properties: {licence: {type: string}, seats: {type: integer}}}}}}
      responses: {'200': {description: right}, '400': {description: wrong}}
";

async fn services(method: Method, uri: Uri, body: Bytes) -> Response {
    let body = String::from_utf8(body.to_vec()).unwrap();
    plain(match (method.as_str(), uri.path()) {
        ("GET", "/services/culler") => 200,
        ("POST", "/checks") if body.contains(r#""licence":"L-1""#) => 200,
        ("POST", "/checks") => 400,
        _ => 404,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn values_of_the_user_lead_to_a_success() {
    let url = start(Router::new().fallback(services)).await;
    let (_, observed) = run(&url, SERVICES, "", &[]);
    assert!(
        observed.contains("getService did not succeed"),
        "{observed}"
    );
    assert!(observed.contains("check did not succeed"), "{observed}");
    let values = "[values.parameters]\nname = 'culler'\n[values.properties]\nlicence = 'L-1'\n";
    let (code, observed) = run(&url, SERVICES, values, &[]);
    assert!(!observed.contains("did not succeed"), "{observed}");
    assert!(observed.contains("✓ laws/success/getService"), "{observed}");
    assert!(observed.contains("✓ laws/success/check"), "{observed}");
    assert_ne!(code, Some(2), "{observed}");
    let folder = tempfile::tempdir().unwrap();
    let file = "[operations.getService]\nparameters = {name = 'culler'}\n[operations.check]\n\
        body = {licence = 'L-1', seats = 2}\n";
    let file = write(folder.path(), "fixtures.toml", file);
    let (_, observed) = run(&url, SERVICES, "", &["--fixtures", file.to_str().unwrap()]);
    assert!(observed.contains("✓ laws/success/getService"), "{observed}");
    assert!(observed.contains("✓ laws/success/check"), "{observed}");
    let wrong = "[values.parameters]\nnam = 'culler'\n";
    let (code, observed) = run(&url, SERVICES, wrong, &[]);
    assert_eq!(code, Some(2), "{observed}");
    let mistake = "ours.toml:4: no operation has a parameter `nam`; did you mean `name`?";
    assert!(observed.contains(mistake), "{observed}");
}
