//! A small server of shelves and books, right in everything, or wrong in one thing that it is told.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// Its document.
pub(crate) const SPEC: &str = include_str!("shelf.yaml");

#[derive(Default)]
struct Store {
    fault: &'static str,
    made: u64,
    shelves: Vec<Value>,
    books: Vec<Value>,
    removed: Vec<String>,
    /// Keys of requests with what they asked for and were answered.
    keys: Vec<(String, Value, Value)>,
}

/// What came in.
struct Asked<'a> {
    method: &'a Method,
    query: &'a str,
    headers: &'a HeaderMap,
    body: &'a [u8],
}

/// Starts one; its address.
pub(crate) async fn start(fault: &'static str) -> String {
    let store = Store {
        fault,
        ..Store::default()
    };
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
    let asked = Asked {
        method: &method,
        query: uri.query().unwrap_or_default(),
        headers: &headers,
        body: &body,
    };
    let answer = store.answer(&path, &asked);
    if method == Method::HEAD && store.fault == "head-not-found" {
        return StatusCode::NOT_FOUND.into_response();
    }
    answer
}

fn told(status: u16, body: &Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap();
    (status, axum::Json(body.clone())).into_response()
}

fn problem(status: u16) -> Response {
    told(status, &json!({"message": "no"}))
}

fn not_allowed(allow: &'static str) -> Response {
    let mut answer = problem(405);
    if !allow.is_empty() {
        answer.headers_mut().insert("allow", allow.parse().unwrap());
    }
    answer
}

impl Asked<'_> {
    fn query(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&');
        pairs
            .filter_map(|own| own.split_once('='))
            .find_map(|(own, value)| (own == name).then_some(value))
    }

    fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.and_then(|own| own.to_str().ok()).unwrap_or_default()
    }
}

impl Store {
    fn is(&self, fault: &str) -> bool {
        self.fault == fault
    }

    fn answer(&mut self, path: &[&str], asked: &Asked<'_>) -> Response {
        let accept = asked.header("accept");
        let accepts = ["", "*/*"].contains(&accept) || accept.contains("json");
        if !accepts && !self.is("accepts-everything") {
            return problem(406);
        }
        match (path, asked.method.as_str()) {
            (["shelves"], "POST") => self.add_shelf(asked),
            (["shelves"], _) if self.is("no-allow") => not_allowed(""),
            (["shelves"], "PUT" | "PATCH") if self.is("any-method") => told(200, &json!({})),
            (["shelves"], _) => not_allowed("POST"),
            (["shelves", shelf], "GET" | "HEAD") => match self.shelf(shelf) {
                Some(found) => told(200, &found),
                None => problem(404),
            },
            (["shelves", shelf], "DELETE") => self.remove_shelf(shelf),
            (["shelves", _], _) => not_allowed("GET, DELETE"),
            (["shelves", shelf, ..], _) if self.shelf(shelf).is_none() => problem(404),
            (["shelves", shelf, "books"], "POST") => self.add_book(shelf, asked),
            (["shelves", shelf, "books"], "GET" | "HEAD") => self.list(shelf, asked),
            (["shelves", _, "books"], _) => not_allowed("GET, POST"),
            (["shelves", shelf, "books", book], method) => self.book(shelf, book, method, asked),
            _ => problem(404),
        }
    }

    fn shelf(&self, id: &str) -> Option<Value> {
        self.shelves.iter().find(|own| own["id"] == id).cloned()
    }

    fn next(&mut self, prefix: &str) -> (String, String) {
        self.made += 1;
        let (minute, second) = (self.made / 60, self.made % 60);
        let at = format!(
            "2026-01-01T{:02}:{:02}:{second:02}.000Z",
            minute / 60,
            minute % 60
        );
        (format!("{prefix}_{}", self.made), at)
    }

    /// The body, where it is what it has to be.
    fn read(&self, asked: &Asked<'_>) -> Result<Value, u16> {
        if !asked.header("content-type").starts_with("application/json") && !self.is("any-type") {
            return Err(415);
        }
        if self.is("half-a-body") && serde_json::from_slice::<Value>(asked.body).is_err() {
            return Ok(json!({"name": "x"}));
        }
        if asked.body.len() > 65_536 && !self.is("no-limit") {
            return Err(413);
        }
        serde_json::from_slice(asked.body).map_err(|_| 400)
    }

    fn add_shelf(&mut self, asked: &Asked<'_>) -> Response {
        let body = match self.read(asked) {
            Ok(body) => body,
            Err(refusal) => return problem(refusal),
        };
        if body.as_object().is_none_or(|own| own.len() != 1) || !text(&body["name"], 40) {
            return problem(400);
        }
        let (id, _) = self.next("sh");
        let shelf = json!({"id": id, "name": body["name"]});
        self.shelves.push(shelf.clone());
        told(201, &shelf)
    }

    fn remove_shelf(&mut self, id: &str) -> Response {
        if self.shelf(id).is_none() {
            return if self.is("deleted-twice") && self.removed.iter().any(|own| own == id) {
                StatusCode::NO_CONTENT.into_response()
            } else {
                problem(404)
            };
        }
        self.removed.push(id.to_owned());
        if !self.is("still-read") {
            self.shelves.retain(|own| own["id"] != id);
        }
        StatusCode::NO_CONTENT.into_response()
    }

    fn add_book(&mut self, shelf: &str, asked: &Asked<'_>) -> Response {
        let body = match self.read(asked) {
            Ok(body) => body,
            Err(refusal) => return problem(refusal),
        };
        let key = asked.header("idempotency-key").to_owned();
        if !fits(&body) || key.len() > 60 {
            return problem(400);
        }
        let known = self.keys.iter().find(|own| own.0 == key && !key.is_empty());
        if let (Some((_, old, made)), false) = (known, self.is("always-another")) {
            return match () {
                () if *old == body || self.is("other-body-granted") => told(201, made),
                () => problem(409),
            };
        }
        let (id, at) = self.next("bk");
        let mut book = json!({"id": id, "shelfId": shelf, "createdAt": at});
        book["title"] = body["title"].clone();
        book["pages"] = body["pages"].clone();
        self.books.push(book.clone());
        self.keys.push((key, body, book.clone()));
        let mut answer = told(201, &book);
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

    fn list(&self, shelf: &str, asked: &Asked<'_>) -> Response {
        let own = |own: &&Value| own["shelfId"] == shelf;
        let mut books: Vec<Value> = self.books.iter().filter(own).cloned().collect();
        let number = |name: &str, default: usize| match asked.query(name) {
            Some(text) => text.parse().ok(),
            None => Some(default),
        };
        let most = if self.is("no-maximum") { 1000 } else { 50 };
        let normal = if self.is("other-default") { 4 } else { 5 };
        let (Some(limit), Some(page)) = (number("limit", normal), number("page", 1)) else {
            return problem(400);
        };
        let direction = asked.query("direction").unwrap_or("asc");
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
        told(200, &json!({"items": items}))
    }

    fn book(&mut self, shelf: &str, id: &str, method: &str, asked: &Asked<'_>) -> Response {
        let anywhere = self.is("any-parent");
        let is_it = |own: &Value| own["id"] == id && (own["shelfId"] == shelf || anywhere);
        let Some(at) = self.books.iter().position(is_it) else {
            return problem(404);
        };
        match method {
            "GET" | "HEAD" => told(200, &self.books[at]),
            "PATCH" => self.change(at, asked),
            "DELETE" => {
                if !self.is("still-listed") {
                    self.books.remove(at);
                }
                StatusCode::NO_CONTENT.into_response()
            }
            _ => not_allowed("GET, PATCH, DELETE"),
        }
    }

    fn change(&mut self, at: usize, asked: &Asked<'_>) -> Response {
        let body = match self.read(asked) {
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
        told(200, &self.books[at])
    }
}

fn text(value: &Value, most: usize) -> bool {
    let length = value.as_str().map_or(0, |own| own.chars().count());
    (1..=most).contains(&length)
}

fn fits(body: &Value) -> bool {
    let pages = body["pages"].as_u64();
    body.as_object().is_some_and(|own| own.len() == 2)
        && text(&body["title"], 40)
        && pages.is_some_and(|own| (1..=9000).contains(&own))
}
