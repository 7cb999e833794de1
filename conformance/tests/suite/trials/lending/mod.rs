//! A lending library (`lending.yaml`): integer keys, pages with totals, problems, entity tags,
//! merge patches, and bodies that name other records. It has at most one fault.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Reply};

pub(crate) mod faults;

mod books;
mod loans;
mod members;
mod rules;

/// The key that the library accepts.
pub(crate) const KEY: &str = "lending-key-4182";

/// The state of the library.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    number: u64,
    books: Vec<Value>,
    members: Vec<Value>,
    loans: Vec<Value>,
}

impl Desk for Store {
    fn new(fault: &'static str) -> Self {
        Self {
            fault,
            ..Self::default()
        }
    }

    fn fault(&self) -> &'static str {
        self.fault
    }

    fn refusal(&self, ask: &Ask) -> Option<Reply> {
        let key = ask.header("x-lending-key");
        let begins = self.is("key-begins") && key.starts_with("lending-key-");
        (key != KEY && !begins).then(|| self.problem(401, "who are you?"))
    }

    fn media_type(&self, ask: &Ask) -> &'static str {
        match ask.method() {
            "PATCH" => "application/merge-patch+json",
            _ => "application/json",
        }
    }

    fn unread(&self, status: u16) -> Reply {
        self.problem(status, "send JSON")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        self.act(ask).unwrap_or_else(|refusal| refusal)
    }
}

impl Store {
    fn id(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    fn now(&self) -> String {
        let hours = if self.is("created-elsewhere") { 2 } else { 0 };
        let now = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(hours);
        now.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string()
    }

    fn problem(&self, status: u16, title: &str) -> Reply {
        let shown_status = if self.is("problem-status") {
            400
        } else {
            status
        };
        let kind = if self.is("problem-type") {
            "no address"
        } else {
            "https://lending.example/problems"
        };
        let mut reply = Reply::new(
            status,
            json!({"type": kind, "title": title, "status": shown_status}),
        );
        let media = if self.is("error-as-json") {
            "application/json"
        } else {
            "application/problem+json"
        };
        reply.headers.push(("content-type", media.to_owned()));
        reply
    }

    fn refuse<T>(&self, status: u16, title: &str) -> Result<T, Reply> {
        Err(self.problem(status, title))
    }

    fn act(&mut self, ask: &Ask) -> Result<Reply, Reply> {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        match (ask.method(), &path[..]) {
            ("GET", ["books"]) => self.find_books(ask),
            ("POST", ["books"]) => self.add_book(ask),
            ("GET", ["books", id]) => self.get_book(ask, id),
            ("PUT", ["books", id]) => self.replace_book(ask, id),
            ("PATCH", ["books", id]) => self.change_book(ask, id),
            ("DELETE", ["books", id]) => self.remove_book(id),
            ("GET", ["members"]) => self.find_members(ask),
            ("POST", ["members"]) => self.add_member(ask),
            ("GET", ["members", id]) => self.get_member(id),
            ("PUT", ["members", id]) => self.replace_member(ask, id),
            ("POST", ["members", id, "suspend"]) => self.suspend(id),
            ("GET", ["members", id, "loans"]) => self.find_loans(ask, id),
            ("POST", ["members", id, "loans"]) => self.lend(ask, id),
            ("GET", ["loans", id]) => self.get_loan(id),
            ("POST", ["loans", id, "return"]) => self.give_back(id),
            _ => self.not_here(&path),
        }
    }

    fn not_here(&self, path: &[&str]) -> Result<Reply, Reply> {
        let allowed = match path {
            ["books" | "members"] | ["members", _, "loans"] => "GET, HEAD, POST",
            ["books", _] => "GET, HEAD, PUT, PATCH, DELETE",
            ["members", _] => "GET, HEAD, PUT",
            ["members", _, "suspend"] | ["loans", _, "return"] => "POST",
            ["loans", _] => "GET, HEAD",
            _ => return self.refuse(404, "no such page"),
        };
        let mut reply = self.problem(405, "not here");
        reply.headers.push(("allow", allowed.to_owned()));
        Err(reply)
    }

    /// The index of an existing record.
    fn find(&self, all: &[Value], id: &str) -> Result<usize, Reply> {
        let of = |value: &Value| value["id"].as_u64() == id.parse().ok() && value["gone"] != true;
        let found = all.iter().position(of);
        found.map_or_else(|| self.refuse(404, "no such thing"), Ok)
    }

    /// A page of records, with their number.
    fn page(&self, ask: &Ask, all: &[Value]) -> Result<Reply, Reply> {
        let number = |name: &str, default: usize, most: usize| match ask.query(name) {
            None => Ok(default),
            Some(text) => match text.parse::<usize>() {
                Ok(number) if (1..=most).contains(&number) => Ok(number),
                _ => self.refuse(400, name),
            },
        };
        let (page, size) = (number("page", 1, 1_000_000)?, number("size", 20, 50)?);
        let pages = all.len().div_ceil(size);
        let from = match self.fault {
            "pages-from-zero" => page * size,
            "page-overlaps" if page > 1 => (page - 1) * size - 1,
            "page-after-last" if page > pages && pages > 0 => (pages - 1) * size,
            _ => (page - 1) * size,
        };
        let items: Vec<Value> = all.iter().skip(from).take(size).map(shown).collect();
        let total = if self.is("total-of-page") {
            items.len()
        } else if self.is("total-unfiltered") {
            self.books.len()
        } else {
            all.len()
        };
        let pages = if self.is("pages-rounded-down") {
            all.len() / size
        } else {
            pages
        };
        Ok(Reply::new(
            200,
            json!({
                "content": items, "page": page, "size": size, "totalElements": total,
                "totalPages": pages,
            }),
        ))
    }
}

/// A record as clients see it.
fn shown(record: &Value) -> Value {
    let mut record = record.clone();
    record.as_object_mut().unwrap().remove("gone");
    record
}
