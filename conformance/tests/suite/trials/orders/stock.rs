//! Stock of products and its reservations.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::Store;
use super::rules::{count, ensure, is_one_of, is_text, is_whole, no, now, timestamp};
use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

impl Store {
    pub(super) fn level(&self, sku: &str) -> Done {
        self.product(sku)?;
        let item = &self.stock[sku];
        let available = if self.is("available-ignores-reserved") {
            item.on_hand
        } else {
            item.on_hand - item.reserved
        };
        let level = json!({
            "sku": sku,
            "onHand": item.on_hand,
            "reserved": item.reserved,
            "available": available,
            "updatedAt": timestamp(item.moved),
        });
        Ok((200, level))
    }

    pub(super) fn adjust(&mut self, sku: &str, body: &Value) -> Done {
        self.product(sku)?;
        ensure(has_only(body, &["delta", "reason", "note"]))?;
        ensure(is_whole(&body["delta"], (-100_000, 100_000)))?;
        ensure(is_one_of(
            &body["reason"],
            &["received", "damaged", "counted"],
        ))?;
        ensure(body.get("note").is_none_or(|body| is_text(body, (0, 200))))?;
        let delta = count(&body["delta"]);
        let fault = self.fault;
        let level = self.stock.get_mut(sku).unwrap();
        let is_enough = match fault {
            "removes-reserved" => level.on_hand + delta >= 0,
            "removes-too-much" => true,
            _ => delta >= 0 || level.on_hand - level.reserved + delta >= 0,
        };
        if !is_enough {
            return Err(no(409, "insufficient_stock"));
        }
        match fault {
            "adjust-does-nothing" => {}
            "adjust-adds-always" => level.on_hand += delta.abs(),
            "adjust-sets" => level.on_hand = delta.max(0),
            _ => level.on_hand += delta,
        }
        if fault != "stock-time-stands" {
            level.moved = Timestamp::now();
        }
        let after = match fault {
            "after-is-before" => level.on_hand - delta,
            "after-is-available" => level.on_hand - level.reserved,
            _ => level.on_hand,
        };
        let mut adjustment = json!({
            "id": self.id("adj"),
            "sku": sku,
            "delta": delta,
            "reason": body["reason"],
            "onHandAfter": after.max(0),
            "createdAt": now(),
        });
        if let Some(note) = body.get("note") {
            adjustment["note"] = note.clone();
        }
        if self.is("reason-is-received") {
            adjustment["reason"] = "received".into();
        }
        self.adjustments.push(adjustment.clone());
        Ok((201, adjustment))
    }

    pub(super) fn list_adjustments(&self, sku: &str, ask: &Ask) -> Done {
        self.product(sku)?;
        let is_of = |value: &&Value| value["sku"] == sku || self.is("adjustments-of-all");
        let mut all: Vec<Value> = self.adjustments.iter().filter(is_of).cloned().collect();
        if !self.is("adjustments-oldest-first") {
            all.reverse();
        }
        self.page(ask, &all)
    }

    /// Reserves stock for an order.
    pub(super) fn reserve(&mut self, lines: &[Value]) -> Result<(), Reply> {
        let mut wanted: BTreeMap<&str, i64> = BTreeMap::new();
        for line in lines {
            *wanted.entry(line["sku"].as_str().unwrap()).or_default() += count(&line["quantity"]);
        }
        let is_short = wanted.iter().any(|(sku, wanted)| {
            let level = self.stock.get(*sku);
            level.is_some_and(|level| {
                let free = match self.fault {
                    "sells-what-is-promised" => level.on_hand,
                    "sells-one-more" => level.on_hand - level.reserved + 1,
                    _ => level.on_hand - level.reserved,
                };
                free < *wanted
            })
        });
        if is_short && !self.is("sells-what-is-not-there") {
            return Err(no(409, "insufficient_stock"));
        }
        let (is_forgotten, is_at_once) = (self.is("reserves-nothing"), self.is("takes-at-once"));
        for (sku, wanted) in wanted {
            if let Some(level) = self.stock.get_mut(sku) {
                if is_at_once {
                    level.on_hand -= wanted;
                } else if !is_forgotten {
                    level.reserved += wanted;
                }
                level.moved = Timestamp::now();
            }
        }
        Ok(())
    }

    /// The quantity of each product in an order.
    pub(super) fn parts(&self, at: usize) -> Vec<(String, i64)> {
        let lines = self.orders[at]["lines"].as_array().unwrap().iter();
        lines
            .map(|line| {
                (
                    line["sku"].as_str().unwrap().to_owned(),
                    count(&line["quantity"]),
                )
            })
            .collect()
    }
}
