//! A small document, and a server with known differences that repeats every secret it receives.

use std::path::Path;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::support::write;

/// The credential of the run.
pub(crate) const TOKEN: &str = "tok/+en\"4711=secret";

/// A secret in the request.
pub(crate) const PIN: &str = "pin \"7/+é\\ 0815";

/// A secret in the answer.
pub(crate) const SECRET_OF_SERVER: &str = "made-by-the-server/1";

/// The document.
pub(crate) const KEYS: &str = r#"
openapi: 3.0.3
info: {title: Keys & <b>locks</b>, version: "1.2"}
security: [{bearer: []}]
paths:
  /keys:
    get:
      operationId: listKeys
      tags: [keys]
      responses:
        "200":
          description: all
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Key'}}
              example: [{id: 1, name: Front, lock: {height: 2}}]
    post:
      operationId: createKey
      tags: [keys]
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Key'}
            examples:
              brass: {value: {id: 1, name: Front, pin: 'pin "7/+é\ 0815', lock: {height: 2}}}
      responses:
        "201":
          description: made
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Key'}
              examples:
                brass: {value: {id: 1, name: Front, lock: {height: 2}}}
        "401": {description: who}
        "409": {description: there already}
  /doors/{id}:
    delete:
      operationId: closeDoor
      tags: [doors]
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}, example: 7}
      responses: {"204": {description: closed}}
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}}
  schemas:
    Key:
      type: object
      required: [id, name]
      properties:
        id: {type: integer}
        name: {type: string}
        pin: {type: string, x-sensitive: true, writeOnly: true}
        made: {type: string, x-sensitive: true}
        note: {type: object}
        tint: {type: string}
        lock: {oneOf: [{$ref: '#/components/schemas/Door'}, {$ref: '#/components/schemas/Safe'}]}
    Door: {type: object, required: [height], properties: {height: {type: integer}}}
    Safe: {type: object, required: [digits], properties: {digits: {type: integer}}}
"#;

/// Starts the server and writes the document. Returns the server's address.
pub(crate) async fn start(folder: &Path) -> String {
    write(folder, "keys.yaml", KEYS);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().fallback(serve);
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}

/// The arguments of a run of the program with every output.
pub(crate) fn arguments(url: &str) -> Vec<String> {
    let header = format!("Authorization: Bearer {TOKEN}");
    let arguments = [
        "run",
        "--spec",
        "keys.yaml",
        "--url",
        url,
        "--header",
        &header,
        "--seed",
        "7",
        "--name",
        "mine",
        "--snapshots",
        "snaps",
        "--out",
        "out",
        "--report",
        "all",
    ];
    arguments.map(str::to_owned).to_vec()
}

/// A secret in every form in which a report could contain it.
pub(crate) fn forms(secret: &str) -> Vec<String> {
    let json = serde_json::to_string(secret).unwrap();
    let escaped = json[1..json.len() - 1].to_owned();
    let twice = serde_json::to_string(&escaped).unwrap();
    let hex = conformance::value::hex(secret.as_bytes());
    let percent = utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string();
    vec![
        secret.to_owned(),
        twice[1..twice.len() - 1].to_owned(),
        escaped,
        hex.to_uppercase(),
        hex,
        percent.replace("%20", "+"),
        percent.replace('%', "%25"),
        percent.to_lowercase(),
        percent,
        STANDARD.encode(secret),
        URL_SAFE_NO_PAD.encode(secret),
        secret.replace('"', "&quot;"),
    ]
}

async fn serve(method: Method, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let Some(credential) = headers
        .get("authorization")
        .and_then(|header| header.to_str().ok())
    else {
        return (StatusCode::UNAUTHORIZED, "<b>who?</b>").into_response();
    };
    if method == Method::DELETE {
        return StatusCode::NO_CONTENT.into_response();
    }
    if method == Method::GET {
        let name = "</script><img src=http://127.0.0.1:9/x onerror=alert(1)><!--";
        let keys = json!([{"id": 2, "name": name, "shape": uri.path(), "lock": {"digits": 4}}]);
        return answer(200, &keys, credential);
    }
    let Ok(mut key) = serde_json::from_slice::<Value>(&body) else {
        return (StatusCode::BAD_REQUEST, "what?").into_response();
    };
    let pin = key["pin"].as_str().unwrap_or_default().to_owned();
    let around = STANDARD.encode(format!("{{\"pin\":\"{pin}\"}}"));
    let all: Vec<String> = [
        credential.trim_start_matches("Bearer "),
        credential,
        &pin,
        SECRET_OF_SERVER,
    ]
    .into_iter()
    .flat_map(forms)
    .collect();
    let Some(fields) = key.as_object_mut() else {
        return (StatusCode::BAD_REQUEST, "what?").into_response();
    };
    fields.remove("pin");
    fields.insert("id".to_owned(), json!("9"));
    fields.insert("made".to_owned(), json!(SECRET_OF_SERVER));
    fields.insert("note".to_owned(), json!({ "all": all, "around": around }));
    answer(201, &key, credential)
}

fn answer(status: u16, body: &Value, credential: &str) -> Response {
    let mut answer = (StatusCode::from_u16(status).unwrap(), body.to_string()).into_response();
    let headers = answer.headers_mut();
    let value = |text: &str| HeaderValue::from_str(text).unwrap();
    headers.insert("content-type", value("application/json"));
    headers.insert("x-told", value(&STANDARD.encode(credential)));
    headers.insert("set-cookie", value("session=not-to-be-shown; Path=/"));
    headers.insert(
        "location",
        value(&format!("/keys?by={}", forms(credential)[8])),
    );
    answer
}
