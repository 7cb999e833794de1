//! Sellers and their payouts.

use super::{Desk, Done, Store, Value, ensure, find, has_only, is_text, json, no, whole};

/// The fee of a payout, in hundredths of a percent.
const FEE_BPS: i64 = 25;

const STATUSES: [&str; 3] = ["onboarding", "active", "paused"];

impl Store {
    pub(super) fn add_seller(&mut self, body: &Value) -> Done {
        let currency = match body["country"].as_str() {
            Some("US") => "usd",
            Some("GB") if self.is("one-currency") => "usd",
            Some("GB") => "gbp",
            _ => return Err(no(422, "invalid")),
        };
        let is_valid = has_only(body, &["name", "country"]) && is_text(&body["name"], 60);
        ensure(is_valid, 422, "invalid")?;
        let seller = json!({
            "id": self.next("sel"),
            "name": body["name"],
            "country": body["country"],
            "currency": currency,
            "status": "onboarding",
        });
        self.sellers.push(seller.clone());
        Ok((201, seller))
    }

    pub(super) fn change_seller(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.sellers, id)?;
        let is_some = body.as_object().is_some_and(|body| !body.is_empty());
        ensure(
            is_some && has_only(body, &["name", "status"]),
            422,
            "invalid",
        )?;
        let name = body.get("name");
        ensure(name.is_none_or(|name| is_text(name, 60)), 422, "invalid")?;
        let status = body.get("status");
        let is_known = |value: &Value| STATUSES.iter().any(|known| value == known);
        ensure(status.is_none_or(is_known), 422, "invalid")?;
        let now = self.sellers[at]["status"].as_str().unwrap_or_default();
        let leads = status.and_then(Value::as_str).is_none_or(|next| {
            let is_pair = matches!((now, next), ("active", "paused") | ("paused", "active"));
            now == next || is_pair || self.is("status-jumps")
        });
        let is_kept = !leads && !self.is("refused-is-renamed");
        ensure(!is_kept, 409, "transition_invalid")?;
        if let Some(name) = name {
            self.sellers[at]["name"] = name.clone();
        }
        ensure(leads, 409, "transition_invalid")?;
        if let Some(status) = status {
            self.sellers[at]["status"] = status.clone();
        }
        Ok((200, self.sellers[at].clone()))
    }

    pub(super) fn pay_out(&mut self, body: &Value) -> Done {
        ensure(
            has_only(body, &["seller_id", "amount", "splits"]),
            422,
            "invalid",
        )?;
        let amount = whole(&body["amount"], 1, 1_000_000)?;
        let splits = body["splits"].as_array().map_or(&[][..], Vec::as_slice);
        ensure((1..=5).contains(&splits.len()), 422, "invalid")?;
        let mut sum = 0;
        for split in splits {
            let is_valid =
                has_only(split, &["account", "amount"]) && is_text(&split["account"], 40);
            ensure(is_valid, 422, "invalid")?;
            sum += whole(&split["amount"], 1, 1_000_000)?;
        }
        let id = body["seller_id"].as_str().unwrap_or_default();
        let at = find(&self.sellers, id).map_err(|_| no(422, "invalid"))?;
        let adds_up = sum == amount
            || (self.is("splits-fall-short") && sum < amount)
            || (self.is("splits-go-beyond") && sum > amount);
        let code = if self.is("splits-told-otherwise") {
            "invalid"
        } else {
            "splits_differ"
        };
        ensure(adds_up, 422, code)?;
        let is_active = self.sellers[at]["status"] == "active";
        ensure(is_active, 409, "seller_inactive")?;
        let up = if self.is("fee-cut") { 0 } else { 9999 };
        let payout = json!({
            "id": self.next("pay"),
            "seller_id": id,
            "amount": amount,
            "fee_bps": FEE_BPS,
            "fee": (amount * FEE_BPS + up) / 10_000,
            "splits": splits,
        });
        Ok((201, payout))
    }
}
