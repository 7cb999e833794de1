//! A small server for shelves and books, correct or with one fault.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// The document of the server.
pub(crate) const SPEC: &str = include_str!("shelf.yaml");

#[derive(Default)]
struct Store {
    fault: &'static str,
    created: u64,
    /// The number of requests after which the server forgets all records, once.
    forgets_after: Option<u32>,
    shelves: Vec<Value>,
    books: Vec<Value>,
    removed: Vec<String>,
    /// The key, body and answer of each request with a key.
    keys: Vec<(String, Value, Value)>,
}

/// A received request.
struct Received<'a> {
    method: &'a Method,
    query: &'a str,
    headers: &'a HeaderMap,
    body: &'a [u8],
}

/// Starts a server. Returns its address.
pub(crate) async fn start(fault: &'static str) -> String {
    let store = Store {
        fault,
        ..Store::default()
    };
    serve(store).await
}

/// Starts a correct server that loses its records after some requests. Returns its address.
pub(crate) async fn start_forgetful(requests: u32) -> String {
    let store = Store {
        forgets_after: Some(requests),
        ..Store::default()
    };
    serve(store).await
}

async fn serve(store: Store) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new()
        .fallback(answer)
        .with_state(Arc::new(Mutex::new(store)));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

async fn answer(
    State(store): State<Arc<Mutex<Store>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut store = store.lock().unwrap();
    let path: Vec<&str> = uri.path().trim_matches('/').split('/').collect();
    let request = Received {
        method: &method,
        query: uri.query().unwrap_or_default(),
        headers: &headers,
        body: &body,
    };
    let answer = store.answer(&path, &request);
    if method == Method::HEAD && store.fault == "head-not-found" {
        return StatusCode::NOT_FOUND.into_response();
    }
    answer
}

fn reply(status: u16, body: &Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap();
    (status, axum::Json(body.clone())).into_response()
}

fn problem(status: u16) -> Response {
    reply(status, &json!({"message": "no"}))
}

fn not_allowed(allow: &'static str) -> Response {
    let mut answer = problem(405);
    if !allow.is_empty() {
        answer.headers_mut().insert("allow", allow.parse().unwrap());
    }
    answer
}

impl Received<'_> {
    fn query(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&');
        pairs
            .filter_map(|pair| pair.split_once('='))
            .find_map(|(item, value)| (item == name).then_some(value))
    }

    fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }
}

impl Store {
    fn is(&self, fault: &str) -> bool {
        self.fault == fault
    }

    fn answer(&mut self, path: &[&str], request: &Received<'_>) -> Response {
        self.forgets_after = self.forgets_after.map(|left| left.saturating_sub(1));
        if self.forgets_after == Some(0) {
            self.forgets_after = None;
            self.shelves.clear();
            self.books.clear();
        }
        let accept = request.header("accept");
        let accepts = ["", "*/*"].contains(&accept) || accept.contains("json");
        if !accepts && !self.is("accepts-everything") {
            return problem(406);
        }
        match (path, request.method.as_str()) {
            (["shelves"], "POST") => self.add_shelf(request),
            (["shelves"], _) if self.is("no-allow") => not_allowed(""),
            (["shelves"], "PUT" | "PATCH") if self.is("any-method") => reply(200, &json!({})),
            (["shelves"], _) => not_allowed("POST"),
            (["shelves", shelf], "GET" | "HEAD") => match self.shelf(shelf) {
                Some(found) => reply(200, &found),
                None => problem(404),
            },
            (["shelves", shelf], "DELETE") => self.remove_shelf(shelf),
            (["shelves", _], _) => not_allowed("GET, DELETE"),
            (["shelves", shelf, ..], _) if self.shelf(shelf).is_none() => problem(404),
            (["shelves", shelf, "books"], "POST") => self.add_book(shelf, request),
            (["shelves", shelf, "books"], "GET" | "HEAD") => self.list(shelf, request),
            (["shelves", _, "books"], _) => not_allowed("GET, POST"),
            (["shelves", shelf, "books", book], method) => self.book(shelf, book, method, request),
            _ => problem(404),
        }
    }

    fn shelf(&self, id: &str) -> Option<Value> {
        self.shelves.iter().find(|shelf| shelf["id"] == id).cloned()
    }

    fn next(&mut self, prefix: &str) -> (String, String) {
        self.created += 1;
        let (minute, second) = (self.created / 60, self.created % 60);
        let at = format!(
            "2026-01-01T{:02}:{:02}:{second:02}.000Z",
            minute / 60,
            minute % 60
        );
        (format!("{prefix}_{}", self.created), at)
    }

    /// The body, when it is valid.
    fn read(&self, request: &Received<'_>) -> Result<Value, u16> {
        if !request
            .header("content-type")
            .starts_with("application/json")
            && !self.is("any-type")
        {
            return Err(415);
        }
        if self.is("half-a-body") && serde_json::from_slice::<Value>(request.body).is_err() {
            return Ok(json!({"name": "x"}));
        }
        if request.body.len() > 65_536 && !self.is("no-limit") {
            return Err(413);
        }
        serde_json::from_slice(request.body).map_err(|_| 400)
    }

    fn add_shelf(&mut self, request: &Received<'_>) -> Response {
        let body = match self.read(request) {
            Ok(body) => body,
            Err(refusal) => return problem(refusal),
        };
        if body.as_object().is_none_or(|body| body.len() != 1) || !text(&body["name"], 40) {
            return problem(400);
        }
        let (id, _) = self.next("sh");
        let shelf = json!({"id": id, "name": body["name"]});
        self.shelves.push(shelf.clone());
        reply(201, &shelf)
    }

    fn remove_shelf(&mut self, id: &str) -> Response {
        if self.shelf(id).is_none() {
            return if self.is("deleted-twice") && self.removed.iter().any(|item| item == id) {
                StatusCode::NO_CONTENT.into_response()
            } else {
                problem(404)
            };
        }
        self.removed.push(id.to_owned());
        if !self.is("still-read") {
            self.shelves.retain(|shelf| shelf["id"] != id);
        }
        StatusCode::NO_CONTENT.into_response()
    }

    fn add_book(&mut self, shelf: &str, request: &Received<'_>) -> Response {
        let body = match self.read(request) {
            Ok(body) => body,
            Err(refusal) => return problem(refusal),
        };
        let key = request.header("idempotency-key").to_owned();
        if !fits(&body) || key.len() > 60 {
            return problem(400);
        }
        let known = self
            .keys
            .iter()
            .find(|item| item.0 == key && !key.is_empty());
        if let (Some((_, old, created)), false) = (known, self.is("always-another")) {
            return match () {
                () if *old == body || self.is("other-body-granted") => reply(201, created),
                () => problem(409),
            };
        }
        let (id, at) = self.next("bk");
        let mut book = json!({"id": id, "shelfId": shelf, "createdAt": at});
        book["title"] = body["title"].clone();
        book["pages"] = body["pages"].clone();
        self.books.push(book.clone());
        self.keys.push((key, body, book.clone()));
        let mut answer = reply(201, &book);
        let place = if self.is("location-nowhere") {
            "book"
        } else {
            "books"
        };
        let location = format!("/shelves/{shelf}/{place}/{id}");
        answer
            .headers_mut()
            .insert("location", location.parse().unwrap());
        answer
    }

    fn list(&self, shelf: &str, request: &Received<'_>) -> Response {
        let fields = |value: &&Value| value["shelfId"] == shelf;
        let mut books: Vec<Value> = self.books.iter().filter(fields).cloned().collect();
        let number = |name: &str, default: usize| match request.query(name) {
            Some(text) => text.parse().ok(),
            None => Some(default),
        };
        let most = if self.is("no-maximum") { 1000 } else { 50 };
        let normal = if self.is("other-default") { 4 } else { 5 };
        let (Some(limit), Some(page)) = (number("limit", normal), number("page", 1)) else {
            return problem(400);
        };
        let direction = request.query("direction").unwrap_or("asc");
        let known = ["asc", "desc"].contains(&direction) || self.is("any-direction");
        let most = if self.is("maximum-refused") { 49 } else { most };
        if !(1..=most).contains(&limit) || page == 0 || !known {
            return problem(400);
        }
        if direction == "desc" && !self.is("one-direction") {
            books.reverse();
        }
        let mut first = (page - 1) * limit;
        match self.fault {
            "overlap" if page > 1 => first -= 1,
            "gap" if page > 1 => first += 1,
            _ => {}
        }
        let limit = if self.is("large-pages") {
            limit + 1
        } else {
            limit
        };
        let items: Vec<Value> = books.into_iter().skip(first).take(limit).collect();
        reply(200, &json!({"items": items}))
    }

    fn book(&mut self, shelf: &str, id: &str, method: &str, request: &Received<'_>) -> Response {
        let anywhere = self.is("any-parent");
        let is_it = |value: &Value| value["id"] == id && (value["shelfId"] == shelf || anywhere);
        let Some(at) = self.books.iter().position(is_it) else {
            return problem(404);
        };
        match method {
            "GET" | "HEAD" => reply(200, &self.books[at]),
            "PATCH" => self.change(at, request),
            "DELETE" => {
                if !self.is("still-listed") {
                    self.books.remove(at);
                }
                StatusCode::NO_CONTENT.into_response()
            }
            _ => not_allowed("GET, PATCH, DELETE"),
        }
    }

    fn change(&mut self, at: usize, request: &Received<'_>) -> Response {
        let body = match self.read(request) {
            Ok(body) => body,
            Err(refusal) => return problem(refusal),
        };
        if !fits(&body) {
            if let (true, Some(title)) = (self.is("half-a-change"), body["title"].as_str()) {
                self.books[at]["title"] = title.into();
            }
            return problem(400);
        }
        self.books[at]["title"] = body["title"].clone();
        self.books[at]["pages"] = body["pages"].clone();
        reply(200, &self.books[at])
    }
}

fn text(value: &Value, most: usize) -> bool {
    let length = value.as_str().map_or(0, |item| item.chars().count());
    (1..=most).contains(&length)
}

fn fits(body: &Value) -> bool {
    let pages = body["pages"].as_u64();
    body.as_object().is_some_and(|body| body.len() == 2)
        && text(&body["title"], 40)
        && pages.is_some_and(|number| (1..=9000).contains(&number))
}
