//! Parcels (`parcels.yaml`) with a description that states rules for every path. It has at most one
//! fault.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

/// The accepted name and password: `staff:Parcels-of-1958`.
pub(crate) const STAFF: &str = "Basic c3RhZmY6UGFyY2Vscy1vZi0xOTU4";

/// The credentials of a client without parcels: `other:Neighbour-of-1961`.
pub(crate) const NEIGHBOUR: &str = "Basic b3RoZXI6TmVpZ2hib3VyLW9mLTE5NjE=";

/// The beginning of credentials with the right name.
const NAMED: &str = "Basic c3RhZmY6";

/// The state of the server.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    requests: u64,
    senders: Vec<Value>,
    parcels: Vec<Value>,
    /// The sender's key, the body, and the parcel at the time of the request.
    keys: Vec<(String, Value, Value)>,
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
        let credential = ask.header("authorization");
        let is_known = credential == STAFF
            || credential == NEIGHBOUR
            || (self.is("any-password") && credential.starts_with(NAMED));
        (!is_known).then(|| no(401, "Unauthorized"))
    }

    fn unread(&self, _status: u16) -> Reply {
        no(422, "Unreadable")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let methods = methods(&path);
        let mut reply = if methods.is_empty() {
            no(404, "Not found")
        } else if methods.contains(&ask.method()) && !self.is_headless(ask, &path) {
            Reply::of(self.act(ask, &path))
        } else {
            self.not_allowed(methods)
        };
        if let Some(tag) = self.tag(ask, &reply) {
            reply.headers.push(("etag", tag));
        }
        self.requests += 1;
        let number = if self.is("one-request-id") {
            0
        } else {
            self.requests
        };
        reply.headers.push(("x-request-id", format!("rq-{number}")));
        reply
    }
}

/// The methods of a path.
fn methods(path: &[&str]) -> &'static [&'static str] {
    match path {
        ["senders"] | ["parcels", _, "close"] => &["POST"],
        ["senders", _] => &["GET"],
        ["parcels", _] => &["GET", "PATCH"],
        ["senders", _, "parcels"] => &["GET", "POST"],
        _ => &[],
    }
}

fn no(status: u16, title: &str) -> Reply {
    let mut reply = Reply::new(
        status,
        json!({"title": title, "status": status, "faults": []}),
    );
    let media_type = "application/problem+json".to_owned();
    reply.headers.push(("content-type", media_type));
    reply
}

fn ensure(holds: bool) -> Result<(), Reply> {
    if holds {
        Ok(())
    } else {
        Err(no(422, "Invalid"))
    }
}

fn find(all: &[Value], id: &str) -> Result<usize, Reply> {
    let at = all.iter().position(|item| item["id"] == id);
    at.ok_or_else(|| no(404, "Not found"))
}

fn is_text(value: &Value, most: usize) -> bool {
    value
        .as_str()
        .is_some_and(|item| (1..=most).contains(&item.chars().count()))
}

fn is_iban(value: &Value) -> bool {
    let item = value.as_str().unwrap_or_default();
    let (country, digits) = item.split_at_checked(2).unwrap_or_default();
    let is_country = country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase());
    is_country && digits.len() == 20 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

impl Store {
    fn is_headless(&self, ask: &Ask, path: &[&str]) -> bool {
        self.is("headless") && ask.method.as_str() == "HEAD" && path.len() == 3
    }

    /// Whether the neighbour can access a path.
    fn is_open(&self, path: &[&str]) -> bool {
        match path {
            ["parcels", _] => self.is("read-by-neighbour"),
            ["parcels", ..] => self.is("closed-by-neighbour"),
            ["senders", _, _] => self.is("listed-by-neighbour"),
            _ => path.len() == 1,
        }
    }

    /// The tag of the parcel in an answer, computed from its content.
    fn tag(&self, ask: &Ask, reply: &Reply) -> Option<String> {
        let parcel = reply
            .body
            .as_ref()
            .filter(|body| body["senderId"].is_string())?;
        let is_created = self.is("tag-of-making") && ask.method() == "POST";
        let sum: u64 = parcel.to_string().bytes().map(u64::from).sum();
        Some(format!("\"{}\"", sum + u64::from(is_created)))
    }

    fn not_allowed(&self, methods: &[&str]) -> Reply {
        let mut reply = no(405, "Not allowed");
        let credential = if self.is("half-allow") {
            &methods[..1]
        } else {
            methods
        };
        if !self.is("no-allow") {
            reply.headers.push(("allow", credential.join(", ")));
        }
        reply
    }

    fn act(&mut self, ask: &Ask, path: &[&str]) -> Done {
        if ask.header("authorization") == NEIGHBOUR && !self.is_open(path) {
            return Err(no(404, "Not found"));
        }
        match (ask.method(), path) {
            ("POST", ["senders"]) => self.enrol(&ask.body),
            ("POST", ["senders", id, _]) => self.post(id, ask),
            ("GET", ["senders", id, _]) => self.list(id),
            ("POST", ["parcels", id, _]) => self.close(id, &ask.body),
            ("GET", ["parcels", id]) => {
                find(&self.parcels, id).map(|at| (200, self.parcels[at].clone()))
            }
            ("PATCH", ["parcels", id]) => self.relabel(id, &ask.body),
            (_, ["senders", id]) => {
                find(&self.senders, id).map(|at| (200, self.senders[at].clone()))
            }
            _ => Err(no(404, "Not found")),
        }
    }

    fn enrol(&mut self, body: &Value) -> Done {
        ensure(has_only(body, &["name"]) && is_text(&body["name"], 80))?;
        let item = json!({"id": format!("se-{}", self.senders.len() + 1), "name": body["name"]});
        self.senders.push(item.clone());
        Ok((201, item))
    }

    fn list(&self, sender: &str) -> Done {
        find(&self.senders, sender)?;
        let selected = self
            .parcels
            .iter()
            .filter(|parcel| parcel["senderId"] == sender);
        Ok((200, json!({"items": selected.collect::<Vec<_>>()})))
    }

    fn post(&mut self, sender: &str, ask: &Ask) -> Done {
        find(&self.senders, sender)?;
        self.is_valid(&ask.body)?;
        let key = ask.header("idempotency-key").to_owned();
        ensure((8..=64).contains(&key.len()))?;
        let key = format!("{sender} {key}");
        if let Some((_, body, first)) = self.keys.iter().find(|item| item.0 == key) {
            let mut all = self.parcels.iter();
            let now = all.find(|item| item["id"] == first["id"]);
            let now = now.filter(|_| self.is("repeat-of-now"));
            return if *body != ask.body || self.is("repeat-refused") {
                Err(no(409, "The key was used"))
            } else {
                Ok((201, now.unwrap_or(first).clone()))
            };
        }
        let item = self.parcel(sender, &ask.body);
        self.keys.push((key, ask.body.clone(), item.clone()));
        self.parcels.push(item.clone());
        Ok((201, item))
    }

    fn is_valid(&self, body: &Value) -> Result<(), Reply> {
        ensure(has_only(
            body,
            &["label", "weight", "speed", "fragile", "holder"],
        ))?;
        ensure(is_text(&body["label"], 40) && self.is_weight(&body["weight"]))?;
        let speed = body["speed"].as_str().unwrap_or_default();
        let speed = if self.is("speed-any-case") {
            speed.to_lowercase()
        } else {
            speed.to_owned()
        };
        ensure(speed == "slow" || speed == "fast")?;
        let is_worded =
            self.is("fragile-as-text") && (body["fragile"] == "true" || body["fragile"] == "false");
        ensure(body["fragile"].is_boolean() || is_worded)?;
        let holder = &body["holder"];
        ensure(has_only(holder, &["name", "iban"]) && is_text(&holder["name"], 80))?;
        ensure(is_iban(&holder["iban"]))
    }

    fn is_weight(&self, value: &Value) -> bool {
        let item = value.as_str().unwrap_or_default();
        let (whole, rest) = item.split_once('.').unwrap_or((item, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_formed = (1..=4).contains(&whole.len()) && digits(whole) && digits(rest);
        let is_fine = rest.len() == 2 || self.is("weight-loose");
        let grams: Option<u32> = format!("{whole}{rest}").parse().ok();
        let least = if self.is("weight-little") { 0 } else { 10 };
        is_formed && is_fine && grams.is_some_and(|gram| gram >= least || rest.len() != 2)
    }

    fn parcel(&self, sender: &str, body: &Value) -> Value {
        let hours = i64::from(self.is("hour-ahead"));
        let requested = Timestamp::now() + SignedDuration::from_hours(hours);
        let iban = body["holder"]["iban"].as_str().unwrap();
        let name = if self.is("holder-renamed") {
            &body["label"]
        } else {
            &body["holder"]["name"]
        };
        json!({
            "id": format!("pa-{}", self.parcels.len() + 1),
            "senderId": sender,
            "label": body["label"],
            "weight": body["weight"],
            "speed": body["speed"],
            "fragile": body["fragile"],
            "holder": {"name": name, "ibanLast4": iban[iban.len() - 4..]},
            "status": "posted",
            "dueOn": "2030-01-01",
            "requestedAt": requested.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string(),
        })
    }

    fn relabel(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.parcels, id)?;
        ensure(has_only(body, &["label"]) && is_text(&body["label"], 40))?;
        let sender = self.parcels[at]["senderId"].clone();
        let is_all = self.is("relabel-all");
        let all = self.parcels.iter_mut();
        let named =
            all.filter(|named| named["id"] == id || (is_all && named["senderId"] == sender));
        named.for_each(|item| item["label"] = body["label"].clone());
        Ok((200, self.parcels[at].clone()))
    }

    fn close(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.parcels, id)?;
        let outcome = body["outcome"].as_str().unwrap_or_default();
        ensure(has_only(body, &["outcome"]) && (outcome == "delivered" || outcome == "lost"))?;
        if self.parcels[at]["status"] != "posted" {
            let mut refusal = no(409, "The parcel is closed");
            if let (true, Some(credential)) = (self.is("problem-of-400"), &mut refusal.body) {
                credential["status"] = 400.into();
            }
            return Err(refusal);
        }
        let is_other = self.is("other-status") && outcome == "lost";
        self.parcels[at]["status"] = if is_other { "gone" } else { outcome }.into();
        if self.is("close-clears-others") {
            let sender = self.parcels[at]["senderId"].clone();
            let all = self.parcels.iter_mut();
            let others = all.filter(|other| other["senderId"] == sender && other["id"] != id);
            others.for_each(|other| other["dueOn"] = Value::Null);
        }
        Ok((200, self.parcels[at].clone()))
    }
}
