//! Payouts of collections that are paid.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Store, ensure, find, named};
use crate::trials::desk::{Desk, Done, has_only};

impl Store {
    pub(super) fn pay_out(&mut self, body: &Value) -> Done {
        let ids = body["collection_ids"].as_array();
        let ids = ids.map(Vec::as_slice).unwrap_or_default();
        let texts = ids.iter().filter_map(Value::as_str);
        let is_once = texts.collect::<BTreeSet<_>>().len() == ids.len();
        let is_well = is_once && (1..=20).contains(&ids.len());
        let is_well = is_well && has_only(body, &["collection_ids"]);
        ensure(is_well, 422, "invalid")?;
        for id in ids {
            let at = named(&self.collections, id)?;
            let is_paid = self.collections[at]["state"] == "paid";
            ensure(is_paid, 422, "collection_not_paid")?;
        }
        let payout = json!({"id": self.id("pyo"), "collection_ids": ids});
        self.payouts.push(payout.clone());
        Ok((201, payout))
    }

    pub(super) fn payout(&self, id: &str) -> Done {
        let at = find(&self.payouts, id)?;
        let mut payout = self.payouts[at].clone();
        if self.is("payout-read-empty") {
            payout["collection_ids"] = json!([]);
        }
        Ok((200, payout))
    }
}
