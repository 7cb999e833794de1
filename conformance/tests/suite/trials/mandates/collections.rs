//! Collections, and their moves.

use serde_json::{Value, json};

use super::{Store, ensure, find, named, no};
use crate::trials::desk::{Ask, Desk, Done, has_only};

/// From which state to which a collection moves.
const MOVES: [(&str, &str); 4] = [
    ("scheduled", "submitted"),
    ("scheduled", "cancelled"),
    ("submitted", "paid"),
    ("submitted", "failed"),
];

impl Store {
    pub(super) fn collect(&mut self, body: &Value) -> Done {
        let amount = body["amount"].as_i64();
        let is_well = amount.is_some_and(|own| (1..=1_000_000).contains(&own));
        let is_well = is_well && has_only(body, &["mandate_id", "amount"]);
        ensure(is_well, 422, "invalid")?;
        let at = named(&self.mandates, &body["mandate_id"])?;
        let is_active = self.mandates[at]["state"] == "active";
        ensure(is_active, 422, "mandate_not_active")?;
        let collection = json!({
            "id": self.id("col"),
            "mandate_id": body["mandate_id"],
            "amount": amount,
            "state": "scheduled",
            "version": 1,
        });
        self.collections.push(collection.clone());
        Ok((201, collection))
    }

    pub(super) fn page(&self, ask: &Ask) -> Done {
        let limit = ask.query("limit").map_or(Ok(20), str::parse);
        let limit = limit.ok().filter(|own| (1..=50).contains(own));
        let limit = limit.ok_or_else(|| no(400, "invalid_limit"))?;
        let from = ask.query("cursor").map_or(Some(0), |own| self.after(own));
        let from = from.ok_or_else(|| no(400, "invalid_cursor"))?;
        let all = self.collections.iter().rev().skip(from);
        let page: Vec<&Value> = all.take(limit).collect();
        let end = from + page.len();
        let last = page.last().filter(|_| end < self.collections.len());
        let next = last.map(|own| match own["id"].as_str() {
            Some(id) if !self.is("cursor-as-offset") => format!("after.{id}"),
            _ => format!("after.{end}"),
        });
        Ok((200, json!({"data": page, "next_cursor": next})))
    }

    /// How many collections come before the page that a cursor leads to.
    fn after(&self, cursor: &str) -> Option<usize> {
        let own = cursor.strip_prefix("after.")?;
        if self.is("cursor-as-offset") {
            return own.parse().ok();
        }
        let at = find(&self.collections, own).ok()?;
        Some(self.collections.len() - at)
    }

    pub(super) fn step(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.collections, id)?;
        let to = body["to"].as_str().unwrap_or_default();
        let is_known = MOVES.iter().any(|own| own.1 == to);
        ensure(is_known && has_only(body, &["to"]), 422, "invalid")?;
        let from = self.collections[at]["state"].as_str().unwrap_or_default();
        let is_allowed = MOVES.contains(&(from, to))
            || (self.is("pays-failed") && (from, to) == ("failed", "paid"));
        ensure(is_allowed, 409, "move_not_allowed")?;
        let collection = &mut self.collections[at];
        collection["state"] = json!(to);
        collection["version"] = json!(collection["version"].as_u64().unwrap_or_default() + 1);
        Ok((200, collection.clone()))
    }
}
