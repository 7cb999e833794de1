//! A market (`market.yaml`) with rules in sentences: sums, values from other records, unique
//! events, and payouts to active sellers only. It has at most one fault.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;
mod orders;
mod sellers;

pub(crate) const KEY: &str = "Bearer market-of-1853";

/// The only seller who is active from the beginning.
const ACTIVE: &str = "sel_100";

/// The state of the market.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    sellers: Vec<Value>,
    orders: Vec<Value>,
    /// Deleted notes that stay in their orders.
    gone: Vec<String>,
    created: u64,
}

impl Desk for Store {
    fn new(fault: &'static str) -> Self {
        let active = json!({
            "id": ACTIVE, "name": "Old Cups", "country": "GB", "currency": "gbp", "status": "active",
        });
        Self {
            fault,
            sellers: vec![active],
            ..Self::default()
        }
    }

    fn fault(&self) -> &'static str {
        self.fault
    }

    fn refusal(&self, ask: &Ask) -> Option<Reply> {
        let mut refusal = no(401, "unauthorized");
        let is_stated = ask.method() != "DELETE" || !self.is("challenge-untold");
        if is_stated {
            let challenge = ("www-authenticate", "Bearer".to_owned());
            refusal.headers.push(challenge);
        }
        (ask.header("authorization") != KEY).then_some(refusal)
    }

    fn unread(&self, _status: u16) -> Reply {
        no(400, "malformed")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let done = match (ask.method(), &path[..]) {
            ("POST", ["sellers"]) => self.add_seller(&ask.body),
            ("GET", ["sellers", id]) => {
                find(&self.sellers, id).map(|at| (200, self.sellers[at].clone()))
            }
            ("PATCH", ["sellers", id]) => self.change_seller(id, &ask.body),
            ("POST", ["payouts"]) => self.pay_out(&ask.body),
            ("POST", ["orders"]) => return self.order_placed(&ask.body),
            ("GET", ["orders"]) => return self.list(ask),
            ("GET", ["orders", id]) => {
                find(&self.orders, id).map(|at| (200, self.orders[at].clone()))
            }
            ("POST", ["orders", id, "cancel"]) => self.cancel(id),
            ("POST", ["orders", id, "captures"]) => self.capture(id, &ask.body),
            ("POST", ["orders", id, "shipments"]) => self.ship(id, &ask.body),
            ("POST", ["orders", id, "notes"]) => self.add_note(id, &ask.body),
            ("DELETE", ["orders", id, "notes", note]) => self.remove_note(id, note),
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

fn find(all: &[Value], id: &str) -> Result<usize, Reply> {
    let at = all.iter().position(|item| item["id"] == id);
    at.ok_or_else(|| no(404, "not_found"))
}

fn is_text(value: &Value, most: usize) -> bool {
    let found = value.as_str();
    found.is_some_and(|item| (1..=most).contains(&item.chars().count()))
}

/// A whole number within bounds.
fn whole(value: &Value, least: i64, most: i64) -> Result<i64, Reply> {
    let selected = value
        .as_i64()
        .filter(|number| (least..=most).contains(number));
    selected.ok_or_else(|| no(422, "invalid"))
}

impl Store {
    /// The next key of a kind.
    fn next(&mut self, prefix: &str) -> String {
        self.created += 1;
        format!("{prefix}_{}", self.created + 1000)
    }
}
