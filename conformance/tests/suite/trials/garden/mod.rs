//! Plots of a garden (`garden.yaml`): leases have keys that the gardeners choose. It has at most
//! one fault.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer gardener-of-1871";

/// The key of another gardener.
pub(crate) const NEIGHBOUR: &str = "Bearer neighbour-of-1871";

/// The latest accepted signing date. The clock is not used, so that runs on different days are
/// equal.
const LATEST: &str = "2029-12-31";

/// A stored lease.
#[derive(Clone)]
struct Lease {
    owner: String,
    version: u64,
    content: Value,
}

/// An accepted request with its key.
#[derive(Clone)]
struct Accepted {
    scope: String,
    body: Value,
    answer: Value,
}

/// The state of the garden.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    leases: Vec<Lease>,
    visits: Vec<Value>,
    dues: Vec<(String, Value)>,
    accepted: Vec<Accepted>,
    created: u64,
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
        let is_known = [KEY, NEIGHBOUR].contains(&ask.header("authorization"));
        (!is_known).then(|| no(401))
    }

    fn unread(&self, _status: u16) -> Reply {
        no(400)
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let reply = match (ask.method(), &path[..]) {
            ("PUT", ["leases", code]) => return self.put_lease(ask, code),
            ("GET", ["leases", code]) => return self.read_lease(ask, code),
            ("PUT", ["leases", code, "visits", visit]) => self.put_visit(ask, (code, visit)),
            ("GET", ["leases", code, "visits", visit]) => self.read_visit(ask, (code, visit)),
            ("POST", ["dues"]) => self.once(ask, Self::ask_dues),
            ("POST", ["letters"]) => self.once(ask, Self::send_letter),
            ("POST", ["receipts"]) => self.once(ask, Self::give_receipt),
            ("GET", ["dues", id]) => self
                .dues_of(ask, id)
                .map(|at| (200, self.dues[at].1.clone())),
            ("POST", ["dues", id, "settle"]) => self.settle(ask, id),
            (_, ["dues", _]) if self.is("no-such-method") => Err(no(404)),
            (
                _,
                ["leases", _]
                | ["leases", _, "visits", _]
                | ["dues", ..]
                | ["letters" | "receipts"],
            ) => {
                return Self::other_method(&path);
            }
            _ => Err(no(404)),
        };
        let is_entered = matches!(&reply, Ok((201, _))) && path.contains(&"visits");
        let mut reply = Reply::of(reply);
        if is_entered {
            let at = format!("/{}", path.join("/"));
            reply.headers.push(("location", at));
        }
        reply
    }
}

fn no(status: u16) -> Reply {
    Reply::new(status, json!({"mistakes": []}))
}

fn ensure(holds: bool, status: u16) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(no(status)) }
}

fn is_text(value: &Value, most: usize) -> bool {
    let length = value.as_str().map(|item| item.chars().count());
    length.is_some_and(|length| (1..=most).contains(&length))
}

/// Whether a text is a date.
fn is_day(value: &Value) -> bool {
    let item = value.as_str().unwrap_or_default();
    item.len() == 10 && item.parse::<jiff::civil::Date>().is_ok()
}

/// Whether a client may choose a code.
fn is_code(text: &str) -> bool {
    let fits =
        |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '-';
    (3..=20).contains(&text.len()) && text.chars().all(fits)
}

/// The body with the other properties of a lease.
fn lease(code: &str, body: &Value, visits: &Value) -> Value {
    json!({
        "leaseCode": code,
        "gardener": body["gardener"],
        "plot": body["plot"],
        "signedOn": body["signedOn"],
        "remark": body["remark"],
        "visits": visits,
    })
}

impl Store {
    fn other_method(path: &[&str]) -> Reply {
        let allowed = match path {
            ["leases", ..] => "GET, PUT",
            ["dues", _] => "GET",
            _ => "POST",
        };
        let mut reply = no(405);
        reply.headers.push(("allow", allowed.to_owned()));
        reply
    }

    /// The invalid properties of a lease, one entry each.
    fn mistakes(&self, body: &Value) -> Result<(), Reply> {
        let remark = &body["remark"];
        let has_remark = body.get("remark").is_some();
        let is_short = remark
            .as_str()
            .is_some_and(|remark| remark.chars().count() <= 80);
        let signed = &body["signedOn"];
        let is_signed = is_day(signed) && signed.as_str() <= Some(LATEST);
        let plot = &body["plot"];
        let known = ["gardener", "plot", "signedOn", "remark"];
        let rules = [
            ("gardener", is_text(&body["gardener"], 40)),
            ("plot", *plot == "east" || *plot == "west"),
            ("signedOn", is_signed),
            ("remark", !has_remark || is_short),
            ("", has_only(body, &known)),
        ];
        let wrong = rules.into_iter().filter(|(_, holds)| !holds);
        let mut wrong: Vec<Value> = wrong.map(|(name, _)| json!({"field": name})).collect();
        if self.is("one-mistake") {
            wrong.truncate(1);
        }
        if wrong.is_empty() {
            return Ok(());
        }
        Err(Reply::new(400, json!({"mistakes": wrong})))
    }

    fn lease_of(&self, ask: &Ask, code: &str) -> Option<usize> {
        let owner = ask.header("authorization");
        let mut all = self.leases.iter();
        all.position(|lease| lease.owner == owner && lease.content["leaseCode"] == code)
    }

    fn read_lease(&self, ask: &Ask, code: &str) -> Reply {
        let found = self.lease_of(ask, code).map(|at| &self.leases[at]);
        found.map_or_else(|| no(404), |item| tagged(200, item))
    }

    fn put_lease(&mut self, ask: &Ask, code: &str) -> Reply {
        self.put_lease_or(ask, code)
            .unwrap_or_else(|refusal| refusal)
    }

    fn put_lease_or(&mut self, ask: &Ask, code: &str) -> Result<Reply, Reply> {
        ensure(is_code(code), 400)?;
        self.mistakes(&ask.body)?;
        let content = ask.header("if-match");
        let Some(at) = self.lease_of(ask, code) else {
            ensure(content.is_empty() || self.is("version-of-nothing"), 412)?;
            let item = Lease {
                owner: ask.header("authorization").to_owned(),
                version: 1,
                content: lease(code, &ask.body, &json!(0)),
            };
            self.leases.push(item.clone());
            let mut reply = tagged(201, &item);
            reply.headers.push(("location", format!("/leases/{code}")));
            return Ok(reply);
        };
        let found = &self.leases[at];
        ensure(!content.is_empty() || self.is("version-untold"), 428)?;
        let tag = format!("\"{}\"", found.version);
        // A server that accepts outdated tags still refuses unknown ones.
        let is_outdated = content
            .trim_matches('"')
            .parse::<u64>()
            .is_ok_and(|old| old < found.version);
        let is_stated =
            content.is_empty() || content == tag || (is_outdated && self.is("version-outdated"));
        ensure(is_stated, 412)?;
        if found.content["plot"] != ask.body["plot"] && !self.is("plot-moves") {
            if self.is("name-stays-behind") {
                self.leases[at].content["gardener"] = ask.body["gardener"].clone();
            }
            return Err(no(409));
        }
        let item = &mut self.leases[at];
        let next = lease(code, &ask.body, &item.content["visits"]);
        if next != item.content {
            item.version += 1;
            item.content = next;
        }
        let mut reply = tagged(200, item);
        if self.is("replaced-without-tag") {
            reply.headers.clear();
        }
        Ok(reply)
    }

    fn visit_of(&self, ask: &Ask, (code, visit): (&str, &str)) -> Option<usize> {
        let owner = ask.header("authorization");
        let is_anywhere = self.is("entered-elsewhere") && ask.method() == "GET";
        let mut all = self.visits.iter();
        all.position(|item| {
            let is_there = item["leaseCode"] == code || is_anywhere;
            item["owner"] == owner && is_there && item["visitCode"] == visit
        })
    }

    fn read_visit(&self, ask: &Ask, at: (&str, &str)) -> Done {
        let found = self.visit_of(ask, at).ok_or_else(|| no(404))?;
        Ok((200, shown(&self.visits[found])))
    }

    fn put_visit(&mut self, ask: &Ask, (code, visit): (&str, &str)) -> Done {
        let body = &ask.body;
        let hours = body["hours"].as_u64().unwrap_or_default();
        let is_whole = has_only(body, &["purpose", "hours"]) && is_text(&body["purpose"], 40);
        ensure(is_code(visit) && is_whole && (1..=24).contains(&hours), 400)?;
        let lease = self.lease_of(ask, code).ok_or_else(|| no(404))?;
        if let Some(at) = self.visit_of(ask, (code, visit)) {
            let item = &self.visits[at];
            let is_same = item["purpose"] == body["purpose"] && item["hours"] == body["hours"];
            ensure(is_same || self.is("entered-over"), 409)?;
            let status = if self.is("entered-again") { 201 } else { 200 };
            return Ok((status, shown(item)));
        }
        let item = json!({
            "owner": ask.header("authorization"),
            "leaseCode": code,
            "visitCode": visit,
            "purpose": body["purpose"],
            "hours": hours,
        });
        self.visits.push(item.clone());
        let lease = &mut self.leases[lease];
        lease.version += 1;
        let visits = lease.content["visits"].as_u64().unwrap_or_default();
        lease.content["visits"] = json!(visits + 1);
        Ok((201, shown(&item)))
    }

    /// Runs an operation once for its key; repeats return the first answer.
    fn once(&mut self, ask: &Ask, act: fn(&mut Self, &Ask) -> Done) -> Done {
        let key = ask.header("idempotency-key");
        ensure(key.len() <= 64, 400)?;
        let owner = ask.header("authorization");
        let owner = if self.is("keys-of-all") { "" } else { owner };
        let path = ask.path.join("/");
        let path = if self.is("keys-of-everywhere") {
            ""
        } else {
            &path
        };
        let scope = format!("{owner} {path} {key}");
        let before = self.accepted.iter().find(|item| item.scope == scope);
        if let Some(first) = before.filter(|_| !key.is_empty()) {
            ensure(first.body == ask.body, 409)?;
            let now = self
                .dues
                .iter()
                .find(|(_, now)| now["duesId"] == first.answer["duesId"]);
            let now = now.filter(|_| self.is("answer-of-now"));
            return Ok((
                201,
                now.map_or_else(|| first.answer.clone(), |(_, dues)| dues.clone()),
            ));
        }
        let done = act(self, ask);
        let answer = match &done {
            Ok((_, body)) => body.clone(),
            Err(_) if self.is("key-spent") && is_letter(&ask.body) => Value::Null,
            Err(_) => return done,
        };
        if !key.is_empty() {
            self.accepted.push(Accepted {
                scope,
                body: ask.body.clone(),
                answer,
            });
        }
        done
    }

    fn ask_dues(&mut self, ask: &Ask) -> Done {
        let cents = ask.body["cents"].as_u64().unwrap_or_default();
        let is_known = has_only(&ask.body, &["cents"]);
        ensure(is_known && (1..=100_000).contains(&cents), 400)?;
        self.created += 1;
        let item =
            json!({"duesId": format!("du-{:07}", self.created), "cents": cents, "status": "open"});
        let owner = ask.header("authorization").to_owned();
        self.dues.push((owner, item.clone()));
        Ok((201, item))
    }

    fn dues_of(&self, ask: &Ask, id: &str) -> Result<usize, Reply> {
        let owner = ask.header("authorization");
        let mut all = self.dues.iter();
        let found = all.position(|item| item.0 == owner && item.1["duesId"] == id);
        found.ok_or_else(|| no(404))
    }

    fn settle(&mut self, ask: &Ask, id: &str) -> Done {
        let at = self.dues_of(ask, id)?;
        ensure(self.dues[at].1["status"] == "open", 409)?;
        self.dues[at].1["status"] = "settled".into();
        Ok((200, self.dues[at].1.clone()))
    }

    fn give_receipt(&mut self, ask: &Ask) -> Done {
        let id = ask.body["duesId"].as_str().unwrap_or_default();
        ensure(has_only(&ask.body, &["duesId"]), 400)?;
        self.dues_of(ask, id).map_err(|_| no(400))?;
        self.created += 1;
        let receipt = format!("re-{:07}", self.created);
        Ok((201, json!({"receiptId": receipt, "duesId": id})))
    }

    fn send_letter(&mut self, ask: &Ask) -> Done {
        let body = &ask.body;
        let about = body["about"].as_str().unwrap_or_default();
        let has_note = body.get("note").is_some();
        ensure(is_letter(body), 400)?;
        let lacks = about == "another" && !has_note && !self.is("note-missing");
        let has_too_much = about == "water" && has_note && !self.is("note-too-much");
        ensure(!lacks && !has_too_much, 400)?;
        self.created += 1;
        let mut item = body.clone();
        item["letterId"] = format!("le-{:07}", self.created).into();
        Ok((201, item))
    }
}

/// Whether a letter is valid.
fn is_letter(body: &Value) -> bool {
    let about = body["about"].as_str().unwrap_or_default();
    let is_known = ["water", "fences", "another"].contains(&about);
    let is_formed = body.get("note").is_none() || is_text(&body["note"], 80);
    has_only(body, &["about", "note"]) && is_known && is_formed
}

/// A lease with the tag of its version.
fn tagged(status: u16, lease: &Lease) -> Reply {
    let mut reply = Reply::new(status, lease.content.clone());
    reply
        .headers
        .push(("etag", format!("\"{}\"", lease.version)));
    reply
}

/// A visit without its owner.
fn shown(value: &Value) -> Value {
    let mut item = value.clone();
    if let Some(all) = item.as_object_mut() {
        all.remove("owner");
    }
    item
}
