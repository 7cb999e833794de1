//! A storefront (`orders.yaml`): products with keys that clients choose, stock and reservations,
//! vouchers with limited uses, and orders that are paid in parts, shipped, cancelled and returned.
//! It has at most one fault.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply};

pub(crate) mod faults;
mod fulfilment;
mod placing;
mod products;
mod rules;
mod stock;
mod vouchers;

use rules::{invalid, no, query_number};

/// The key that the storefront accepts.
pub(crate) const KEY: &str = "Bearer storefront-token-17";

/// The state of the storefront.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    products: BTreeMap<String, Value>,
    stock: BTreeMap<String, Level>,
    adjustments: Vec<Value>,
    vouchers: BTreeMap<String, Value>,
    orders: Vec<Value>,
    payments: Vec<Value>,
    placed: BTreeMap<String, (Value, usize)>,
    number: u64,
}

/// The stock of a product.
#[derive(Clone)]
struct Level {
    on_hand: i64,
    reserved: i64,
    moved: Timestamp,
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

    fn media_type(&self, ask: &Ask) -> &'static str {
        if ask.method() == "PATCH" {
            "application/merge-patch+json"
        } else {
            "application/json"
        }
    }

    fn refusal(&self, ask: &Ask) -> Option<Reply> {
        (ask.header("authorization") != KEY).then(|| no(401, "unauthorized"))
    }

    fn unread(&self, _status: u16) -> Reply {
        no(400, "invalid_request")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let done = match (ask.method(), &path[..]) {
            ("GET", ["products"]) => self.list_products(ask),
            ("PUT", ["products", sku]) => self.put_product(sku, &ask.body),
            ("GET", ["products", sku]) => self.product(sku).map(|sku| (200, sku)),
            ("DELETE", ["products", sku]) => self.delete_product(sku),
            ("GET", ["products", sku, "stock"]) => self.level(sku),
            ("POST", ["products", sku, "stock", "adjustments"]) => self.adjust(sku, &ask.body),
            ("GET", ["products", sku, "stock", "adjustments"]) => self.list_adjustments(sku, ask),
            ("POST", ["vouchers"]) => self.create_voucher(&ask.body),
            ("GET", ["vouchers", code]) => self.voucher(code),
            ("POST", ["vouchers", code, "deactivate"]) => self.deactivate(code),
            ("POST", ["orders"]) => self.place(ask),
            ("GET", ["orders"]) => self.list_orders(ask),
            ("GET", ["orders", id]) => self.read_order(id),
            ("PATCH", ["orders", id]) => self.update(id, &ask.body),
            ("POST", ["orders", id, "payments"]) => self.pay(id, &ask.body),
            ("GET", ["orders", id, "payments"]) => self.list_payments(id),
            ("POST", ["orders", id, "ship"]) => self.ship(id, &ask.body),
            ("POST", ["orders", id, "cancel"]) => self.cancel(id),
            ("POST", ["orders", id, "returns"]) => self.take_back(id, &ask.body),
            _ => Err(no(404, "not_found")),
        };
        Reply::of(done)
    }
}

impl Store {
    fn id(&mut self, kind: &str) -> String {
        self.number += 1;
        format!("{kind}_{:06}", self.number * 7919 % 1_000_000)
    }

    /// A page of records; a cursor is the index of the last one.
    fn page(&self, ask: &Ask, all: &[Value]) -> Done {
        let limit = query_number(ask, "limit", (1, 100))?.unwrap_or(if self.is("ten-by-default") {
            10
        } else {
            20
        });
        let limit = usize::try_from(limit).unwrap();
        let from = match ask.query("cursor") {
            None => 0,
            Some(cursor) => {
                let found = cursor.strip_prefix("c-").and_then(|text| text.parse().ok());
                found
                    .filter(|item| *item <= all.len())
                    .ok_or_else(invalid)?
            }
        };
        let step = if self.is("page-skips-one") {
            limit + 1
        } else {
            limit
        };
        let items: Vec<&Value> = all.iter().skip(from).take(limit).collect();
        let is_more = from + limit < all.len() || self.is("cursor-at-the-end");
        let next = is_more.then(|| format!("c-{}", (from + step).min(all.len())));
        Ok((200, json!({"items": items, "nextCursor": next})))
    }
}
