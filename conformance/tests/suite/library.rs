//! Tests a document with features that the project's contract lacks: other parameter styles,
//! alternatives, nullable and one-way properties, HEAD and DELETE, headers as parameters.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use conformance::event::CaseReport;
use conformance::level::Verdict;
use conformance::report::Record;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::{case, certify, checks, ids, options, raw_server, troubles, write};

const LIBRARY: &str = r#"
openapi: 3.0.3
info: {title: Library, version: "1.0"}
paths:
  /books/{isbn}:
    parameters:
      - {name: isbn, in: path, required: true, schema: {type: string}, example: 978-1/ä b}
    delete:
      operationId: removeBook
      responses: {"204": {description: gone}}
    head:
      operationId: probeBook
      responses:
        "200": {description: there, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}
    put:
      operationId: replaceBook
      parameters:
        - {name: Content-Type, in: header, required: true, schema: {type: string}, example: text/xml}
        - {name: X-Api-Key, in: header, required: true, schema: {type: string}}
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Book'}
            example: {isbn: 978-1/ä b, pin: "1234", code: free, rack: [a, 1]}
      responses:
        "200":
          description: replaced
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Book'}
              example: {id: 7, isbn: 978-1/ä b, code: free, rack: [a, 1], note: null}
  /books:
    get:
      operationId: searchBooks
      parameters:
        - {name: tag, in: query, required: true, schema: {type: array, items: {type: string}}, example: [a b, "c,d"]}
        - {name: ids, in: query, required: true, explode: false, schema: {type: array, items: {type: integer}}, example: [1, 2]}
        - {name: page, in: query, required: true, style: deepObject, explode: true, schema: {type: object}, example: {size: 5}}
        - {name: filter, in: query, required: true, content: {application/json: {schema: {type: object}, example: {k: [1]}}}}
        - {name: Authorization, in: header, required: true, schema: {type: string}, example: Bearer documented}
        - {name: session, in: cookie, required: true, schema: {type: string}, example: s1}
        - {name: theme, in: cookie, required: true, schema: {type: string}, example: dark}
      responses:
        "200":
          description: found
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Book'}}
              example: [{id: 1, isbn: "1", code: 6a112e4a-83d0-4dd8-8111-be242b8dc188, stamp: "2020-01-02", mood: calm, rack: [a, 1]}]
components:
  schemas:
    Book:
      allOf:
        - type: object
          properties:
            id: {type: integer, readOnly: true}
            isbn: {type: string}
            pin: {type: string, writeOnly: true}
            note: {type: string, nullable: true}
            rack: {type: array, items: {}}
            code: {oneOf: [{type: string, format: uuid}, {type: string, maxLength: 12}]}
            stamp: {anyOf: [{type: string, format: date}, {type: string, format: date-time}]}
            mood: {anyOf: [{type: string, enum: [calm]}, {type: string}]}
        - required: [id, isbn, pin]
"#;

const FOUND: &str = r#"[
    {"rack":["b",2,"c"],"code":"free","id":2,"isbn":"2","stamp":"2020-01-02T10:00:00Z","mood":"Happy"},
    {"rack":[],"code":"6a112e4a-83d0-4dd8-8111-be242b8dc188","id":3,"isbn":"3","stamp":"2020-01-02","mood":"calm"}
]"#;

#[derive(Clone, Default)]
struct Library {
    removed: Arc<Mutex<bool>>,
    seen: Arc<Mutex<Vec<String>>>,
}

async fn serve(
    State(library): State<Library>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut seen = format!("{method} {uri}");
    for name in ["authorization", "x-api-key", "cookie", "content-type"] {
        for value in headers.get_all(name) {
            seen = format!("{seen} {name}={}", value.to_str().unwrap());
        }
    }
    library.seen.lock().unwrap().push(seen);
    let json = [("content-type", "application/json")];
    let mut removed = library.removed.lock().unwrap();
    match (&method, uri.path()) {
        (&Method::GET, "/books") => (json, FOUND.to_owned()).into_response(),
        _ if *removed => StatusCode::NOT_FOUND.into_response(),
        (&Method::DELETE, _) => {
            *removed = true;
            StatusCode::NO_CONTENT.into_response()
        }
        (&Method::HEAD, _) => json.into_response(),
        _ => {
            let text = String::from_utf8(body.to_vec()).unwrap();
            let text = text.replacen('{', r#"{"note":"n","id":9,"#, 1);
            (json, text.replace(r#""pin":"1234","#, "")).into_response()
        }
    }
}

async fn run(library: &Library) -> Record {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "library.yaml", LIBRARY);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let router = Router::new().fallback(serve).with_state(library.clone());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let mut options = options(&spec, &url);
    let header = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    options.headers = [
        ("authorization", "Bearer real"),
        ("x-api-key", "the-key"),
        ("content-type", "text/html"),
    ]
    .map(header)
    .to_vec();
    certify(&options).await.unwrap()
}

#[tokio::test]
async fn a_correct_server_of_an_unusual_document_has_no_difference() {
    let library = Library::default();
    let record = run(&library).await;
    let troubles: Vec<&CaseReport> = troubles(&record);
    assert!(troubles.is_empty(), "{troubles:#?}");
    assert_eq!(record.counts.pass, 4, "{:?}", ids(&record));
    let item = "authorization=Bearer real x-api-key=the-key";
    assert_eq!(
        *library.seen.lock().unwrap(),
        [
            format!("HEAD /books/978-1%2F%C3%A4%20b {item} content-type=text/html"),
            format!("PUT /books/978-1%2F%C3%A4%20b {item} content-type=application/json"),
            format!(
                "GET /books?tag=a%20b&tag=c%2Cd&ids=1,2&page%5Bsize%5D=5&filter=%7B%22k%22%3A%5B1%5D%7D \
                 {item} cookie=session=s1; theme=dark content-type=text/html"
            ),
            format!("DELETE /books/978-1%2F%C3%A4%20b {item} content-type=text/html"),
        ]
    );
}

#[tokio::test]
async fn bytes_after_an_answer_are_not_the_next_answer() {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "library.yaml", LIBRARY);
    let address = raw_server(|_| {
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{FOUND}\
             HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n",
            FOUND.len()
        );
        Some(answer.into_bytes())
    })
    .await;
    let mut options = options(&spec, &format!("http://{address}"));
    options.selection.operations = ["searchBooks".to_owned(), "probeBook".to_owned()].into();
    let record = certify(&options).await.unwrap();
    assert_eq!(record.counts.pass, 2, "{:?}", ids(&record));
}

#[tokio::test]
async fn slow_bodies_end_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = "  /PATH: {get: {responses: {'200': {description: d, content: {application/json: {schema: {}}}}}}}\n";
    let paths: String = (0..9)
        .map(|index| path.replace("PATH", &index.to_string()))
        .collect();
    let text = format!("openapi: 3.0.3\ninfo: {{title: t, version: '1'}}\npaths:\n{paths}");
    let spec = write(folder.path(), "slow.yaml", &text);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let mut open = Vec::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            let head = b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1";
            let _ = stream.read(&mut [0; 4096]).await;
            // The first connection of the runner sends no request.
            let _ = stream.write_all(head).await;
            open.push(stream);
        }
    });
    let mut options = options(&spec, &url);
    options.timeout = std::time::Duration::from_millis(200);
    let record = certify(&options).await.unwrap();
    assert_eq!((record.counts.fail, record.counts.skip), (3, 6));
    assert_eq!(checks(case(&record, "GET /0/200/default")), ["no-answer"]);
    assert_eq!(record.counts.verdict(), Verdict::Fail);
}
