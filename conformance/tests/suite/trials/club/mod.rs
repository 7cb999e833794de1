//! Cash boxes of clubs (`club.yaml`): lists with short items, lists without an operation that fills
//! them, and records with two keys. It has at most one fault.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;
mod members;

/// The key that the server accepts.
pub(crate) const KEY: &str = "Bearer club-key-58";

/// The state of the server.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    clubs: Vec<Value>,
    notices: u64,
    boxes: Vec<Value>,
    members: Vec<Value>,
    outings: u64,
    deposits: Vec<Value>,
    /// The entries, each with the key of its box.
    entries: Vec<(String, Value)>,
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
        (ask.header("authorization") != KEY).then(|| no(401, "unauthorized"))
    }

    fn unread(&self, _status: u16) -> Reply {
        no(400, "invalid")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let done = match (ask.method(), &path[..]) {
            ("POST", ["clubs"]) => self.found(&ask.body),
            ("GET", ["clubs", id]) => find(&self.clubs, id).map(|at| (200, self.clubs[at].clone())),
            ("PATCH", ["clubs", club]) => self.rename(club, &ask.body),
            ("POST", ["clubs", club, "notices"]) => self.post(club, &ask.body),
            ("POST", ["clubs", club, "boxes"]) => self.open(club, &ask.body),
            ("GET", ["clubs", club, "boxes"]) => self.list_boxes(club, ask),
            ("GET", ["clubs", club, "boxes", id]) => self
                .of_club(club, id)
                .map(|at| (200, self.boxes[at].clone())),
            ("POST", ["clubs", club, "boxes", id, "close"]) => self.close(club, id, &ask.body),
            ("GET", ["clubs", club, "boxes", id, "entries"]) => self.list_entries(club, id, ask),
            ("POST", ["deposits"]) => self.pay_in(&ask.body),
            ("GET", ["deposits"]) => self.list_deposits(ask),
            ("GET", ["deposits", id]) => {
                self.deposit(id).map(|at| (200, self.deposits[at].clone()))
            }
            ("POST", ["deposits", id, "reverse"]) => self.reverse(id),
            ("POST", ["members"]) => self.admit(&ask.body),
            ("GET", ["members", id]) => self.member(id).map(|at| (200, self.members[at].clone())),
            ("PATCH", ["members", id]) => self.change_member(id, &ask.body),
            ("POST", ["outings"]) => self.plan(&ask.body),
            (_, ["members"]) => return elsewhere("POST"),
            (_, ["members", _]) => return elsewhere("GET, PATCH"),
            _ => Err(no(404, "not_found")),
        };
        Reply::of(done)
    }
}

fn no(status: u16, code: &str) -> Reply {
    Reply::new(status, json!({ "code": code }))
}

/// The refusal of a method, with a general code that does not depend on the status.
fn elsewhere(methods: &str) -> Reply {
    let mut refusal = no(405, "invalid");
    refusal.headers.push(("allow", methods.to_owned()));
    refusal
}

fn ensure(holds: bool) -> Result<(), Reply> {
    if holds {
        Ok(())
    } else {
        Err(no(400, "invalid"))
    }
}

fn find(all: &[Value], id: &str) -> Result<usize, Reply> {
    let at = all.iter().position(|item| item["id"] == id);
    at.ok_or_else(|| no(404, "not_found"))
}

fn now() -> Value {
    let now = Timestamp::now();
    now.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string().into()
}

fn is_text(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|item| (1..=80).contains(&item.chars().count()))
}

/// An amount in cents.
fn cents(value: &Value) -> Option<i64> {
    let (whole, rest) = value.as_str()?.split_once('.')?;
    let is_plain = whole
        .trim_start_matches('-')
        .bytes()
        .chain(rest.bytes())
        .all(|byte| byte.is_ascii_digit());
    let item = format!("{whole}{rest}").parse().ok();
    item.filter(|_| is_plain && rest.len() == 2)
}

fn decimal(cents: i64) -> Value {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100).into()
}

impl Store {
    fn found(&mut self, body: &Value) -> Done {
        ensure(has_only(body, &["name"]) && is_text(&body["name"]))?;
        if self.has_named(&body["name"], None) {
            return Err(no(409, "name_taken"));
        }
        let club = json!({"id": format!("club-{}", self.clubs.len() + 1), "name": body["name"], "notices": [], "createdAt": now()});
        self.clubs.push(club.clone());
        Ok((201, club))
    }

    /// Whether another club has a name, in any letter case.
    fn has_named(&self, name: &Value, but: Option<usize>) -> bool {
        let plain = |value: &Value| {
            let value = value.as_str().unwrap_or_default();
            if self.is("name-by-case") {
                value.to_owned()
            } else {
                value.to_lowercase()
            }
        };
        let mut others = self
            .clubs
            .iter()
            .enumerate()
            .filter(|club| Some(club.0) != but);
        others.any(|(_, other)| plain(&other["name"]) == plain(name))
    }

    fn rename(&mut self, club: &str, body: &Value) -> Done {
        let at = find(&self.clubs, club)?;
        ensure(has_only(body, &["name"]) && is_text(&body["name"]))?;
        if self.has_named(&body["name"], Some(at)) && !self.is("renamed-alike") {
            return Err(no(409, "name_taken"));
        }
        self.clubs[at]["name"] = body["name"].clone();
        Ok((200, self.clubs[at].clone()))
    }

    fn post(&mut self, club: &str, body: &Value) -> Done {
        let at = find(&self.clubs, club)?;
        ensure(has_only(body, &["text"]) && is_text(&body["text"]))?;
        self.notices += 1;
        let item = json!({"id": self.notices, "text": body["text"]});
        let fault = self.fault;
        let all = self.clubs[at]["notices"].as_array_mut().unwrap();
        match fault {
            "notices-turned" => all.insert(0, item.clone()),
            "first-notice-only" if !all.is_empty() => {}
            _ => all.push(item.clone()),
        }
        Ok((201, item))
    }

    fn of_club(&self, club: &str, id: &str) -> Result<usize, Reply> {
        find(&self.clubs, club)?;
        let at = find(&self.boxes, id)?;
        let is_same = self.boxes[at]["clubId"] == club;
        if is_same {
            Ok(at)
        } else {
            Err(no(404, "not_found"))
        }
    }

    fn open(&mut self, club: &str, body: &Value) -> Done {
        find(&self.clubs, club)?;
        ensure(has_only(body, &["label", "currency", "keeper", "labels"]))?;
        ensure(is_text(&body["label"]) && body.get("keeper").is_none_or(is_text))?;
        ensure(body["currency"] == "EUR" || body["currency"] == "SEK")?;
        let empty = json!({});
        let labels = body.get("labels").unwrap_or(&empty);
        let all = labels
            .as_object()
            .map(|label| label.values().all(Value::is_string));
        ensure(all == Some(true))?;
        let item = json!({
            "id": format!("box-{}", self.boxes.len() + 1),
            "clubId": club,
            "label": body["label"],
            "currency": body["currency"],
            "keeper": body["keeper"],
            "labels": labels,
            "status": "open",
            "closedFor": null,
            "entryCount": 0,
            "balance": "0.00",
            "createdAt": now(),
        });
        self.boxes.push(item);
        let at = self.boxes.len() - 1;
        self.book(at, "opening", 0);
        Ok((201, self.boxes[at].clone()))
    }

    fn list_boxes(&self, club: &str, ask: &Ask) -> Done {
        find(&self.clubs, club)?;
        let status = ask.query("status");
        ensure(status.is_none_or(|statu| statu == "open" || statu == "closed"))?;
        let is_due = |value: &&Value| {
            let is_shown =
                !(self.is("closed-unlisted") && value["status"] == "closed" && status.is_none());
            value["clubId"] == club
                && status.is_none_or(|status| value["status"] == status)
                && is_shown
        };
        let line = |value: &Value| {
            let names = ["id", "clubId", "label", "currency", "status", "createdAt"];
            let mut line: Value = names
                .iter()
                .map(|name| ((*name).to_owned(), value[*name].clone()))
                .collect();
            if self.is("line-shouts") {
                line["label"] = value["label"].as_str().unwrap().to_uppercase().into();
            }
            line
        };
        let mut all: Vec<Value> = self.boxes.iter().filter(is_due).map(line).collect();
        if self.is("boxes-turned") {
            all.reverse();
        }
        Ok((200, json!({ "items": all })))
    }

    fn close(&mut self, club: &str, id: &str, body: &Value) -> Done {
        let at = self.of_club(club, id)?;
        ensure(has_only(body, &["reason"]) && is_text(&body["reason"]))?;
        if self.boxes[at]["status"] == "closed" {
            return Err(no(409, "closed"));
        }
        let fault = self.fault;
        let item = &mut self.boxes[at];
        item["status"] = "closed".into();
        item["closedFor"] = body["reason"].clone();
        match fault {
            "close-drops-labels" => item["labels"] = json!({}),
            "close-drops-keeper" => item["keeper"] = Value::Null,
            _ => {}
        }
        Ok((200, item.clone()))
    }

    /// Books an amount in a box.
    fn book(&mut self, at: usize, kind: &str, amount: i64) {
        let item = &mut self.boxes[at];
        let before = cents(&item["balance"]).unwrap();
        item["balance"] = decimal(before + amount);
        if !(self.fault == "reversals-uncounted" && amount < 0) {
            item["entryCount"] = (item["entryCount"].as_i64().unwrap() + 1).into();
        }
        let is_stale = self.fault == "balance-before" && amount < 0;
        let entry = json!({
            "id": self.entries.len() + 1,
            "kind": kind,
            "amount": decimal(if self.fault == "unsigned" { amount.abs() } else { amount }),
            "balanceAfter": decimal(if is_stale { before } else { before + amount }),
            "createdAt": now(),
        });
        self.entries
            .push((item["id"].as_str().unwrap().to_owned(), entry));
    }

    fn list_entries(&self, club: &str, id: &str, ask: &Ask) -> Done {
        if self.is("entries-of-any-club") {
            find(&self.boxes, id)?;
        } else {
            self.of_club(club, id)?;
        }
        let of_box = self.entries.iter().rev().filter(|entry| entry.0 == id);
        let mut all: Vec<Value> = of_box.map(|of_box| of_box.1.clone()).collect();
        if self.is("entries-turned") {
            all.reverse();
        }
        self.page(ask, &all, self.is("entries-skip"))
    }

    fn pay_in(&mut self, body: &Value) -> Done {
        ensure(has_only(body, &["boxId", "amount", "note"]))?;
        ensure(body.get("note").is_none_or(is_text))?;
        let id = body["boxId"].as_str().filter(|body| body.len() <= 40);
        let id = id.ok_or_else(|| no(400, "invalid"))?;
        let text = body["amount"].as_str().unwrap_or_default();
        let amount = cents(&body["amount"]).filter(|body| (100..1_000_000_000).contains(body));
        let amount = amount.filter(|_| !text.starts_with('0'));
        let amount = amount.ok_or_else(|| no(400, "invalid"))?;
        let at = find(&self.boxes, id)?;
        if self.boxes[at]["status"] == "closed" {
            return Err(no(409, "closed"));
        }
        self.book(at, "deposit", amount);
        let item = json!({
            "id": self.deposits.len() + 1,
            "boxId": id,
            "amount": decimal(amount),
            "note": body["note"],
            "status": "booked",
            "createdAt": now(),
        });
        self.deposits.push(item.clone());
        Ok((201, item))
    }

    fn deposit(&self, id: &str) -> Result<usize, Reply> {
        let key: Option<usize> = id.parse().ok();
        let at = self
            .deposits
            .iter()
            .position(|deposit| Some(&deposit["id"]) == key.map(Value::from).as_ref());
        at.ok_or_else(|| no(404, "not_found"))
    }

    fn list_deposits(&self, ask: &Ask) -> Done {
        let (note, sort) = (ask.query("note"), ask.query("sort"));
        ensure(note.is_none_or(|note| note.chars().count() <= 80))?;
        ensure(sort.is_none_or(|sort| ["amount", "-amount"].contains(&sort)))?;
        let fits = |value: &&Value| {
            let text = value["note"].as_str().unwrap_or_default();
            note.is_none_or(|note| {
                text == note || (self.is("note-begins") && text.starts_with(note))
            })
        };
        let mut all: Vec<Value> = self.deposits.iter().filter(fits).cloned().collect();
        if let Some(sort) = sort {
            if self.is("ties-turned") {
                all.reverse();
            }
            let turn = |ordering: std::cmp::Ordering| {
                if sort.starts_with('-') {
                    ordering.reverse()
                } else {
                    ordering
                }
            };
            all.sort_by(|one, other| {
                let (one, other) = (&one["amount"], &other["amount"]);
                if self.is("sort-as-text") {
                    turn(one.as_str().cmp(&other.as_str()))
                } else {
                    turn(cents(one).cmp(&cents(other)))
                }
            });
        }
        self.page(ask, &all, false)
    }

    fn reverse(&mut self, id: &str) -> Done {
        let at = self.deposit(id)?;
        if self.deposits[at]["status"] == "reversed" {
            return Err(no(409, "reversed"));
        }
        self.deposits[at]["status"] = "reversed".into();
        let item = self.deposits[at].clone();
        let of = find(&self.boxes, item["boxId"].as_str().unwrap())?;
        self.book(of, "reversal", -cents(&item["amount"]).unwrap());
        Ok((200, item))
    }

    /// A page of records; a cursor is the index of the first one.
    fn page(&self, ask: &Ask, all: &[Value], skips: bool) -> Done {
        let limit = ask.query("limit").map(str::parse::<usize>);
        let limit = limit.unwrap_or(Ok(20)).unwrap_or_default();
        ensure((1..=100).contains(&limit))?;
        let from = match ask.query("cursor") {
            None => 0,
            Some(cursor) => {
                let found = cursor.strip_prefix("c-").and_then(|text| text.parse().ok());
                let selected: Option<usize> = found.filter(|item| *item <= all.len());
                let item = selected.or(self.is("any-cursor").then_some(0));
                item.ok_or_else(|| no(400, "invalid"))?
            }
        };
        let items: Vec<&Value> = all.iter().skip(from).take(limit).collect();
        let next = from + limit + usize::from(skips);
        let next = (from + limit < all.len()).then(|| format!("c-{}", next.min(all.len())));
        Ok((200, json!({"items": items, "nextCursor": next})))
    }
}
