//! A box office (`tickets.yaml`): tenants, entity tags, cursors, decimal texts, bulk requests, and
//! work that continues after the answer. It has at most one fault.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Reply};

pub(crate) mod faults;

mod bookings;
mod events;
mod rules;
mod venues;

/// The key that the box office accepts.
pub(crate) const KEY: &str = "tickets-key-77";

/// The state of the box office.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    number: u64,
    venues: Vec<Value>,
    events: Vec<Value>,
    bookings: Vec<Value>,
    exports: Vec<Value>,
    keys: Vec<(String, Value, Reply)>,
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
        refusal(ask)
    }

    fn unread(&self, status: u16) -> Reply {
        error(status, "send JSON")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        self.act(ask)
    }
}

pub(crate) fn error(status: u16, message: &str) -> Reply {
    Reply {
        status,
        headers: Vec::new(),
        body: Some(json!({"code": format!("E{status}"), "message": message})),
    }
}

fn refusal(ask: &Ask) -> Option<Reply> {
    if ask.header("x-api-key") != KEY {
        return Some(error(401, "who are you?"));
    }
    let fits = (3..=12).contains(&ask.tenant.len());
    if !fits || !ask.tenant.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Some(error(400, "which tenant?"));
    }
    None
}

impl Store {
    fn next(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    fn id(&mut self, kind: &str) -> String {
        let number = self.next();
        format!(
            "{kind}_{:012x}",
            number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16
        )
    }

    fn now(&self) -> String {
        let now = jiff::Timestamp::now();
        if self.is("no-zone") {
            return now.strftime("%Y-%m-%dT%H:%M:%S").to_string();
        }
        now.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string()
    }

    fn act(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        match (ask.method(), &path[..]) {
            ("POST", ["v2", "venues"]) => self.create_venue(ask),
            ("GET", ["v2", "venues"]) => self.list_venues(ask),
            ("GET", ["v2", "venues", id]) => self.get_venue(ask, id),
            ("PUT", ["v2", "venues", id]) => self.replace_venue(ask, id),
            ("DELETE", ["v2", "venues", id]) => self.delete_venue(ask, id),
            ("POST", ["v2", "venues", id, "events"]) => self.create_event(ask, id),
            ("GET", ["v2", "venues", id, "events"]) => self.list_events(ask, id),
            ("GET", ["v2", "events", id]) => self.get_event(ask, id),
            ("PATCH", ["v2", "events", id]) => self.update_event(ask, id),
            ("POST", ["v2", "events", id, "publish"]) => self.publish(ask, id),
            ("POST", ["v2", "events", id, "cancel"]) => self.cancel_event(ask, id),
            ("POST", ["v2", "events", id, "bookings"]) => self.create_booking(ask, id),
            ("GET", ["v2", "events", id, "bookings"]) => self.list_bookings(ask, id),
            ("POST", ["v2", "bookings", "bulk"]) => self.bulk(ask),
            ("GET", ["v2", "bookings", id]) => self.get_booking(ask, id),
            ("POST", ["v2", "bookings", id, "confirm"]) => self.confirm(ask, id),
            ("POST", ["v2", "bookings", id, "cancel"]) => self.cancel_booking(ask, id),
            ("POST", ["v2", "exports"]) => self.start_export(ask),
            ("GET", ["v2", "exports", id]) => self.get_export(ask, id),
            _ => not_here(&path),
        }
    }

    /// The index of a record of the requesting tenant.
    fn find(&self, ask: &Ask, all: &[Value], id: &str) -> Option<usize> {
        let fields = |value: &Value| value["tenant"] == ask.tenant || self.is("any-tenant");
        all.iter()
            .position(|record| record["id"] == id && fields(record))
    }

    /// A page of records, and the next cursor.
    fn page(&self, ask: &Ask, list: &[Value]) -> Result<(Vec<Value>, Value), Reply> {
        let size = ask.query("page_size").map(str::parse::<usize>);
        let size = match size {
            None => 10,
            Some(Ok(size)) if (1..=50).contains(&size) => size,
            Some(Ok(size)) if self.is("page-clamped") => size.clamp(1, 50),
            Some(_) => return Err(error(400, "page_size")),
        };
        let from = match ask.query("cursor") {
            None => 0,
            Some(text) => match text.strip_prefix("c.").and_then(|text| text.parse().ok()) {
                Some(from) => from,
                None => return Err(error(400, "cursor")),
            },
        };
        let from: usize = from;
        let items: Vec<Value> = list.iter().skip(from).take(size).map(shown).collect();
        let step = match self.fault {
            "cursor-skips" => size + 1,
            "cursor-repeats" if size > 1 => size - 1,
            _ => size,
        };
        let more = from + size < list.len();
        let next = if more {
            json!(format!("c.{}", from + step))
        } else {
            Value::Null
        };
        Ok((items, next))
    }
}

fn not_here(path: &[&str]) -> Reply {
    let allowed = match path {
        ["v2", "bookings", "bulk"]
        | ["v2", "venues"]
        | ["v2", "venues", _, "events"]
        | ["v2", "events", _, "bookings"] => "GET, HEAD, POST",
        ["v2", "venues", _] => "GET, HEAD, PUT, DELETE",
        ["v2", "events", _] => "GET, HEAD, PATCH",
        ["v2", "bookings" | "exports", _] => "GET, HEAD",
        ["v2", "exports"] | ["v2", "events" | "bookings", _, _] => "POST",
        _ => return error(404, "no such page"),
    };
    let mut reply = error(405, "not here");
    reply.headers.push(("allow", allowed.to_owned()));
    reply
}

/// A record as tenants see it.
fn shown(record: &Value) -> Value {
    let mut record = record.clone();
    if let Some(object) = record.as_object_mut() {
        object.remove("tenant");
        object.remove("version");
    }
    record
}
