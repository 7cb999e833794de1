//! Endpoints with a document of their own (`relay.yaml`), of which an account has a few at a time: whoever tries something
//! with one has to leave room for others. Right in everything, or wrong in one thing that it is told.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer relay-of-1837";

/// There are as many at a time.
const MOST: usize = 4;

/// Everything that the relay knows.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    endpoints: Vec<Value>,
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
        (ask.header("authorization") != KEY).then(|| no(401, "unauthorized"))
    }

    fn unread(&self, _status: u16) -> Reply {
        no(422, "invalid")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let done = match (ask.method(), &path[..]) {
            ("POST", ["endpoints"]) => self.create(&ask.body),
            ("GET", ["endpoints"]) => Ok((200, json!({"data": self.listed()}))),
            ("GET", ["endpoints", id]) => self.find(id).map(|at| (200, self.endpoints[at].clone())),
            ("PATCH", ["endpoints", id]) => self.rename(id, &ask.body),
            ("DELETE", ["endpoints", id]) => self.remove(id),
            _ => Err(no(404, "not_found")),
        };
        Reply::of(done)
    }
}

fn no(status: u16, code: &str) -> Reply {
    let message = format!("Refused: {}.", code.replace('_', " "));
    Reply::new(status, json!({"code": code, "message": message}))
}

fn ensure(holds: bool, status: u16, code: &str) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(no(status, code)) }
}

fn is_label(own: &Value) -> bool {
    let own = own.as_str();
    own.is_some_and(|own| (1..=40).contains(&own.chars().count()))
}

impl Store {
    fn find(&self, id: &str) -> Result<usize, Reply> {
        let at = self.endpoints.iter().position(|own| own["id"] == id);
        at.ok_or_else(|| no(404, "not_found"))
    }

    fn create(&mut self, body: &Value) -> Done {
        let url = body["url"].as_str().unwrap_or_default();
        let is_address = url.starts_with("https://") && url.len() > 8 && url.len() <= 200;
        let is_well = has_only(body, &["url", "label"]) && is_address && is_label(&body["label"]);
        ensure(is_well, 422, "invalid")?;
        let is_room = self.endpoints.len() < MOST || self.is("one-too-many");
        let code = if self.is("told-otherwise") {
            "full"
        } else {
            "too_many"
        };
        ensure(is_room, 409, code)?;
        self.made += 1;
        let endpoint = json!({
            "id": format!("end_{}", self.made + 100),
            "url": url,
            "label": body["label"],
        });
        self.endpoints.push(endpoint.clone());
        Ok((201, endpoint))
    }

    fn listed(&self) -> Vec<Value> {
        let newest = self.endpoints.iter().rev().cloned();
        let fewer = usize::from(self.is("newest-unlisted"));
        newest.skip(fewer).collect()
    }

    fn rename(&mut self, id: &str, body: &Value) -> Done {
        let at = self.find(id)?;
        ensure(has_only(body, &["label"]), 422, "invalid")?;
        ensure(is_label(&body["label"]), 422, "invalid")?;
        if self.is("renames-all") {
            for own in &mut self.endpoints {
                own["label"] = body["label"].clone();
            }
        }
        let mut renamed = self.endpoints[at].clone();
        renamed["label"] = body["label"].clone();
        if !self.is("rename-forgotten") {
            self.endpoints[at] = renamed.clone();
        }
        Ok((200, renamed))
    }

    fn remove(&mut self, id: &str) -> Done {
        let at = self.find(id)?;
        self.endpoints.remove(at);
        if self.is("removes-another") && !self.endpoints.is_empty() {
            self.endpoints.remove(0);
        }
        Ok((204, Value::Null))
    }
}
