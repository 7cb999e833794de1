//! Books with entity tags and unique ISBNs.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Reply};

use super::rules::{BOOK, PATCH};
use super::{Store, shown};

impl Store {
    fn tagged(&self, status: u16, book: &Value) -> Reply {
        let mut reply = Reply::new(status, shown(book));
        reply.headers.push(("etag", self.tag(book)));
        reply
    }

    fn tag(&self, book: &Value) -> String {
        let version = if self.is("tag-stands") {
            &Value::Null
        } else {
            &book["version"]
        };
        format!("\"{}-{version}\"", book["id"])
    }

    pub(super) fn find_books(&self, ask: &Ask) -> Result<Reply, Reply> {
        let genre = ask.query("genre").filter(|_| !self.is("genre-ignored"));
        let author = ask.query("author");
        let after = ask
            .query("publishedAfter")
            .filter(|_| !self.is("after-ignored"));
        let is_date = |text: &str| text.parse::<jiff::civil::Date>().is_ok();
        if genre.is_some_and(|genre| self.check(&json!({"genre": genre}), PATCH).is_err()) {
            return self.refuse(400, "genre");
        }
        if ask.query("publishedAfter").is_some_and(|ask| !is_date(ask)) {
            return self.refuse(400, "publishedAfter");
        }
        let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let fits = |value: &&Value| {
            let by_genre = genre.is_none_or(|genre| value["genre"] == genre);
            let by_author = author.is_none_or(|author| {
                text(value, "author")
                    .to_lowercase()
                    .contains(&author.to_lowercase())
            });
            let by_date = after.is_none_or(|after| text(value, "publishedOn").as_str() > after);
            by_genre && by_author && by_date
        };
        let there = |value: &&Value| value["gone"] != true || self.is("gone-listed");
        let mut all: Vec<Value> = self
            .books
            .iter()
            .filter(there)
            .filter(fits)
            .cloned()
            .collect();
        if let Some(sort) = ask.query("sort") {
            let name = sort.trim_start_matches('-');
            if !["title", "publishedOn"].contains(&name) {
                return self.refuse(400, "sort");
            }
            if !self.is("sort-ignored") {
                all.sort_by_key(|item| text(item, name));
            }
            if sort.starts_with('-') && !self.is("sort-ignored") {
                all.reverse();
            }
        }
        if self.is("list-without-tags") {
            for book in &mut all {
                book["tags"] = json!([]);
            }
        }
        self.page(ask, &all)
    }

    /// Refuses an ISBN that another book has.
    fn is_unique(&self, book: &Value, but: Option<&Value>) -> Result<(), Reply> {
        let same = |value: &&Value| value["isbn"] == book["isbn"] && value["gone"] != true;
        let other = self
            .books
            .iter()
            .filter(same)
            .any(|item| Some(&item["id"]) != but);
        if other && !self.is("isbn-twice") {
            return self.refuse(409, "the ISBN is in use");
        }
        Ok(())
    }

    pub(super) fn add_book(&mut self, ask: &Ask) -> Result<Reply, Reply> {
        self.check(&ask.body, BOOK)?;
        self.is_unique(&ask.body, None)?;
        let now = self.now();
        let mut book = json!({
            "id": self.id(), "publishedOn": null, "weight": null, "tags": [], "version": 1,
            "createdAt": now, "updatedAt": now, "copiesAvailable": ask.body["copies"],
        });
        put(&mut book, &ask.body);
        match self.fault {
            "tags-first" => book["tags"].as_array_mut().unwrap().truncate(1),
            "title-escaped" => {
                book["title"] = book["title"].as_str().unwrap().replace('&', "&amp;").into();
            }
            "weight-rounded" if book["weight"].is_number() => {
                book["weight"] = json!(book["weight"].as_f64().unwrap().round());
            }
            "date-shifted" if book["publishedOn"] == "2030-01-15" => {
                book["publishedOn"] = "2030-01-14".into();
            }
            _ => {}
        }
        self.books.push(book.clone());
        let mut reply = self.tagged(201, &book);
        let place = if self.is("location-collection") {
            "/books".to_owned()
        } else {
            format!("/books/{}", book["id"])
        };
        reply.headers.push(("location", place));
        Ok(reply)
    }

    pub(super) fn get_book(&self, ask: &Ask, id: &str) -> Result<Reply, Reply> {
        let gone = self
            .books
            .iter()
            .position(|book| book["id"].as_u64() == id.parse().ok());
        let at = match gone {
            Some(at) if self.is("gone-read") => at,
            _ => self.find(&self.books, id)?,
        };
        let book = &self.books[at];
        if ask.header("if-none-match") == self.tag(book) && !self.is("never-304") {
            return Ok(Reply {
                status: 304,
                headers: vec![("etag", self.tag(book))],
                body: None,
            });
        }
        Ok(self.tagged(200, book))
    }

    fn changed(&mut self, at: usize, mut book: Value) -> Value {
        let old = &self.books[at];
        let lent = old["copies"].as_u64().unwrap() - old["copiesAvailable"].as_u64().unwrap();
        book["id"] = old["id"].clone();
        book["createdAt"] = old["createdAt"].clone();
        book["version"] = (old["version"].as_u64().unwrap() + 1).into();
        book["updatedAt"] = self.now().into();
        book["copiesAvailable"] = book["copies"].as_u64().unwrap().saturating_sub(lent).into();
        if self.is("put-renews") {
            book["createdAt"] = book["updatedAt"].clone();
        }
        if !self.is("put-forgotten") {
            self.books[at] = book.clone();
        }
        book
    }

    pub(super) fn replace_book(&mut self, ask: &Ask, id: &str) -> Result<Reply, Reply> {
        let at = self.find(&self.books, id)?;
        let requested = ask.header("if-match");
        let stale = !["", "*"].contains(&requested) && requested != self.tag(&self.books[at]);
        if stale && !self.is("no-412") {
            return self.refuse(412, "another version");
        }
        self.check(&ask.body, BOOK)?;
        self.is_unique(&ask.body, Some(&self.books[at]["id"]))?;
        let mut book = json!({"publishedOn": null, "weight": null, "tags": []});
        put(&mut book, &ask.body);
        let before = self.tag(&self.books[at]);
        let book = self.changed(at, book);
        let mut reply = self.tagged(200, &book);
        if self.is("tag-of-before") {
            reply.headers[0].1 = before;
        }
        Ok(reply)
    }

    pub(super) fn change_book(&mut self, ask: &Ask, id: &str) -> Result<Reply, Reply> {
        let at = self.find(&self.books, id)?;
        if let Err(refusal) = self.check(&ask.body, PATCH) {
            if self.is("refusal-counted") {
                let version = self.books[at]["version"].as_u64().unwrap();
                self.books[at]["version"] = (version + 1).into();
            }
            return Err(refusal);
        }
        let mut book = self.books[at].clone();
        put(&mut book, &ask.body);
        match self.fault {
            "null-ignored" if book["publishedOn"].is_null() => {
                book["publishedOn"] = self.books[at]["publishedOn"].clone();
            }
            "patch-clears-weight" => book["weight"] = Value::Null,
            _ => {}
        }
        let mut book = self.changed(at, book);
        if self.is("change-answers-other") {
            book["id"] = (book["id"].as_u64().unwrap() + 1).into();
        }
        Ok(self.tagged(200, &book))
    }

    pub(super) fn remove_book(&mut self, id: &str) -> Result<Reply, Reply> {
        let at = self.find(&self.books, id)?;
        let book = &self.books[at]["id"];
        let lent = |value: &Value| value["bookId"] == *book && value["status"] == "LENT";
        if self.loans.iter().any(lent) && !self.is("remove-lent") {
            return self.refuse(409, "a copy is lent");
        }
        self.books[at]["gone"] = true.into();
        Ok(Reply {
            status: 204,
            headers: Vec::new(),
            body: None,
        })
    }
}

/// Copies the properties of a body to a record.
pub(super) fn put(record: &mut Value, body: &Value) {
    for (name, value) in body.as_object().unwrap() {
        record[name] = value.clone();
    }
}
