//! Plots of a garden with a document of their own (`garden.yaml`), which are leased under keys that their gardeners
//! choose. Right in everything, or wrong in one thing that it is told.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer gardener-of-1871";

/// The key of another gardener.
pub(crate) const NEIGHBOUR: &str = "Bearer neighbour-of-1871";

/// What was signed later lies in the future; the clock is not asked, so that a run is the same on each day.
const LATEST: &str = "2029-12-31";

/// What is kept of one lease.
#[derive(Clone)]
struct Lease {
    owner: String,
    version: u64,
    told: Value,
}

/// A request that was granted under its key.
#[derive(Clone)]
struct Granted {
    scope: String,
    body: Value,
    answer: Value,
}

/// Everything that the garden knows.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    leases: Vec<Lease>,
    visits: Vec<Value>,
    dues: Vec<(String, Value)>,
    granted: Vec<Granted>,
    made: u64,
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

fn is_text(own: &Value, most: usize) -> bool {
    let length = own.as_str().map(|own| own.chars().count());
    length.is_some_and(|own| (1..=most).contains(&own))
}

/// Whether a text is a day of a calendar.
fn is_day(own: &Value) -> bool {
    let own = own.as_str().unwrap_or_default();
    own.len() == 10 && own.parse::<jiff::civil::Date>().is_ok()
}

/// Whether a code is one that a caller may choose.
fn is_code(own: &str) -> bool {
    let fits = |own: char| own.is_ascii_uppercase() || own.is_ascii_digit() || own == '-';
    (3..=20).contains(&own.len()) && own.chars().all(fits)
}

/// What is put, with the rest of a lease.
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

    /// The fields of a lease that are wrong, one entry for each.
    fn mistakes(&self, body: &Value) -> Result<(), Reply> {
        let remark = &body["remark"];
        let has_remark = body.get("remark").is_some();
        let is_short = remark.as_str().is_some_and(|own| own.chars().count() <= 80);
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
        all.position(|own| own.owner == owner && own.told["leaseCode"] == code)
    }

    fn read_lease(&self, ask: &Ask, code: &str) -> Reply {
        let found = self.lease_of(ask, code).map(|at| &self.leases[at]);
        found.map_or_else(|| no(404), |own| tagged(200, own))
    }

    fn put_lease(&mut self, ask: &Ask, code: &str) -> Reply {
        self.put_lease_or(ask, code)
            .unwrap_or_else(|refusal| refusal)
    }

    fn put_lease_or(&mut self, ask: &Ask, code: &str) -> Result<Reply, Reply> {
        ensure(is_code(code), 400)?;
        self.mistakes(&ask.body)?;
        let told = ask.header("if-match");
        let Some(at) = self.lease_of(ask, code) else {
            ensure(told.is_empty() || self.is("version-of-nothing"), 412)?;
            let own = Lease {
                owner: ask.header("authorization").to_owned(),
                version: 1,
                told: lease(code, &ask.body, &json!(0)),
            };
            self.leases.push(own.clone());
            let mut reply = tagged(201, &own);
            reply.headers.push(("location", format!("/leases/{code}")));
            return Ok(reply);
        };
        let own = &self.leases[at];
        ensure(!told.is_empty() || self.is("version-untold"), 428)?;
        let tag = format!("\"{}\"", own.version);
        // Only the tag of nobody is refused by who takes an outdated one.
        let is_outdated = told
            .trim_matches('"')
            .parse::<u64>()
            .is_ok_and(|old| old < own.version);
        let is_told =
            told.is_empty() || told == tag || (is_outdated && self.is("version-outdated"));
        ensure(is_told, 412)?;
        if own.told["plot"] != ask.body["plot"] && !self.is("plot-moves") {
            if self.is("name-stays-behind") {
                self.leases[at].told["gardener"] = ask.body["gardener"].clone();
            }
            return Err(no(409));
        }
        let own = &mut self.leases[at];
        let next = lease(code, &ask.body, &own.told["visits"]);
        if next != own.told {
            own.version += 1;
            own.told = next;
        }
        let mut reply = tagged(200, own);
        if self.is("replaced-without-tag") {
            reply.headers.clear();
        }
        Ok(reply)
    }

    fn visit_of(&self, ask: &Ask, (code, visit): (&str, &str)) -> Option<usize> {
        let owner = ask.header("authorization");
        let is_anywhere = self.is("entered-elsewhere") && ask.method() == "GET";
        let mut all = self.visits.iter();
        all.position(|own| {
            let is_there = own["leaseCode"] == code || is_anywhere;
            own["owner"] == owner && is_there && own["visitCode"] == visit
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
            let own = &self.visits[at];
            let is_same = own["purpose"] == body["purpose"] && own["hours"] == body["hours"];
            ensure(is_same || self.is("entered-over"), 409)?;
            let status = if self.is("entered-again") { 201 } else { 200 };
            return Ok((status, shown(own)));
        }
        let own = json!({
            "owner": ask.header("authorization"),
            "leaseCode": code,
            "visitCode": visit,
            "purpose": body["purpose"],
            "hours": hours,
        });
        self.visits.push(own.clone());
        let lease = &mut self.leases[lease];
        lease.version += 1;
        let visits = lease.told["visits"].as_u64().unwrap_or_default();
        lease.told["visits"] = json!(visits + 1);
        Ok((201, shown(&own)))
    }

    /// Does what was not done under its key; what was is answered again.
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
        let before = self.granted.iter().find(|own| own.scope == scope);
        if let Some(own) = before.filter(|_| !key.is_empty()) {
            ensure(own.body == ask.body, 409)?;
            let now = self
                .dues
                .iter()
                .find(|(_, now)| now["duesId"] == own.answer["duesId"]);
            let now = now.filter(|_| self.is("answer-of-now"));
            return Ok((
                201,
                now.map_or_else(|| own.answer.clone(), |own| own.1.clone()),
            ));
        }
        let done = act(self, ask);
        let answer = match &done {
            Ok((_, own)) => own.clone(),
            Err(_) if self.is("key-spent") && is_letter(&ask.body) => Value::Null,
            Err(_) => return done,
        };
        if !key.is_empty() {
            self.granted.push(Granted {
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
        self.made += 1;
        let own =
            json!({"duesId": format!("du-{:07}", self.made), "cents": cents, "status": "open"});
        let owner = ask.header("authorization").to_owned();
        self.dues.push((owner, own.clone()));
        Ok((201, own))
    }

    fn dues_of(&self, ask: &Ask, id: &str) -> Result<usize, Reply> {
        let owner = ask.header("authorization");
        let mut all = self.dues.iter();
        let found = all.position(|own| own.0 == owner && own.1["duesId"] == id);
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
        self.made += 1;
        let receipt = format!("re-{:07}", self.made);
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
        self.made += 1;
        let mut own = body.clone();
        own["letterId"] = format!("le-{:07}", self.made).into();
        Ok((201, own))
    }
}

/// Whether a letter is formed as it has to be.
fn is_letter(body: &Value) -> bool {
    let about = body["about"].as_str().unwrap_or_default();
    let is_known = ["water", "fences", "another"].contains(&about);
    let is_formed = body.get("note").is_none() || is_text(&body["note"], 80);
    has_only(body, &["about", "note"]) && is_known && is_formed
}

/// A lease with the tag of its version.
fn tagged(status: u16, own: &Lease) -> Reply {
    let mut reply = Reply::new(status, own.told.clone());
    reply.headers.push(("etag", format!("\"{}\"", own.version)));
    reply
}

/// A visit without whose it is.
fn shown(own: &Value) -> Value {
    let mut own = own.clone();
    if let Some(all) = own.as_object_mut() {
        all.remove("owner");
    }
    own
}
