//! Vouchers with a limited number of uses.

use serde_json::{Value, json};

use super::Store;
use super::rules::{ensure, is_code, is_whole, no, now};
use crate::trials::desk::{Desk, Done, Reply, has_only};

impl Store {
    pub(super) fn create_voucher(&mut self, body: &Value) -> Done {
        ensure(has_only(body, &["code", "percentOff", "maxRedemptions"]))?;
        let code = body["code"].as_str().unwrap_or_default();
        ensure(is_code(code, (4, 20), ""))?;
        ensure(is_whole(&body["percentOff"], (1, 100)))?;
        let default = json!(if self.is("two-redemptions") { 2 } else { 1 });
        let most = body.get("maxRedemptions").unwrap_or(&default);
        ensure(is_whole(most, (1, 1000)))?;
        if self.vouchers.contains_key(code) && !self.is("code-twice") {
            return Err(no(409, "code_taken"));
        }
        let voucher = json!({
            "code": code,
            "percentOff": body["percentOff"],
            "maxRedemptions": most,
            "timesRedeemed": 0,
            "active": true,
            "createdAt": now(),
        });
        self.vouchers.insert(code.to_owned(), voucher.clone());
        Ok((201, voucher))
    }

    pub(super) fn voucher(&self, code: &str) -> Done {
        let found = self.vouchers.get(code);
        let item = found.cloned().ok_or_else(|| no(404, "not_found"))?;
        Ok((200, item))
    }

    pub(super) fn deactivate(&mut self, code: &str) -> Done {
        let found = self.vouchers.get_mut(code);
        let item = found.ok_or_else(|| no(404, "not_found"))?;
        if self.fault == "deactivate-twice" && item["active"] == false {
            return Err(no(404, "not_found"));
        }
        if self.fault == "deactivate-says-so" {
            let mut copy = item.clone();
            copy["active"] = false.into();
            return Ok((200, copy));
        }
        if self.fault == "deactivate-toggles" {
            item["active"] = (item["active"] == false).into();
        } else {
            item["active"] = false.into();
        }
        Ok((200, item.clone()))
    }

    /// The voucher with a code, if it can be used.
    pub(super) fn usable(&self, code: &str) -> Result<Option<Value>, Reply> {
        let usable = self.vouchers.get(code).filter(|code| {
            let is_left = code["timesRedeemed"].as_i64() < code["maxRedemptions"].as_i64();
            (code["active"] == true || self.is("inactive-voucher"))
                && (is_left || self.is("voucher-without-end"))
        });
        if usable.is_none() && !self.is("any-voucher") {
            return Err(no(422, "voucher_not_usable"));
        }
        Ok(usable.cloned())
    }
}
