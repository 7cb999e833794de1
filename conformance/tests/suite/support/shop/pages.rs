//! The lists of the shop.

use serde_json::{Value, json};

use super::store::Store;
use super::{Ask, Reply, Rule};

fn query_value<'a>(ask: &'a Ask, name: &str) -> Option<&'a str> {
    let mut pairs = ask.query.iter();
    pairs
        .find(|(pair, _)| pair == name)
        .map(|(_, value)| value.as_str())
}

fn unreadable(name: &str) -> Reply {
    let detail = format!("{name} is not valid");
    Reply::problem(400, "Bad Request", &detail)
}

impl Store {
    /// A number in the query, between 1 and `most`.
    fn bounded(&self, ask: &Ask, name: &str, usual: usize, most: usize) -> Result<usize, Reply> {
        let Some(text) = query_value(ask, name) else {
            return Ok(usual);
        };
        let number = text.parse::<usize>().ok();
        if self.breaks(Rule::AnySizeAccepted) {
            return Ok(number.unwrap_or(usual).clamp(1, most));
        }
        let number = number.filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| unreadable(name))
    }

    fn size(&self, ask: &Ask, name: &str, usual: usize) -> Result<usize, Reply> {
        let usual = usual
            + if self.breaks(Rule::DefaultSizeIgnored) {
                7
            } else {
                0
            };
        let size = self.bounded(ask, name, usual, 100)?;
        if self.breaks(Rule::SizeIgnored) {
            return Ok(usual);
        }
        Ok(size + usize::from(self.breaks(Rule::SizeOffByOne)))
    }

    pub(super) fn list_customers(&mut self, ask: &Ask) -> Reply {
        let size = match self.size(ask, "limit", 10) {
            Ok(size) => size,
            Err(refusal) => return refusal,
        };
        let is_shown = |value: &&Value| value["gone"] != true || self.breaks(Rule::DeletedIsListed);
        let mut list: Vec<Value> = self.customers.iter().filter(is_shown).cloned().collect();
        list.reverse();
        if self.breaks(Rule::NewestIsNotListed) {
            list = list.split_off(list.len().min(1));
        }
        let mut from = 0;
        if let Some(after) = query_value(ask, "starting_after") {
            let Some(at) = list.iter().position(|item| item["id"] == after) else {
                return unreadable("starting_after");
            };
            from = at + 1 + usize::from(self.breaks(Rule::PageSkipsOne))
                - usize::from(self.breaks(Rule::PageRepeatsLast));
        }
        let mut data: Vec<Value> = list.iter().skip(from).take(size).cloned().collect();
        for item in &mut data {
            item.as_object_mut().unwrap().remove("gone");
            if self.breaks(Rule::ListShowsOldName) {
                item["name"] = "New customer".into();
            }
        }
        let more = (from + data.len() < list.len() || self.breaks(Rule::MoreForEver))
            && !self.breaks(Rule::NeverMore);
        Reply::new(200, json!({"data": data, "has_more": more}))
    }

    pub(super) fn list_charges(&mut self, ask: &Ask) -> Reply {
        let requested = self
            .bounded(ask, "page", 1, usize::MAX)
            .and_then(|page| Ok((page, self.size(ask, "per_page", 20)?)));
        let (page, size) = match requested {
            Ok(requested) => requested,
            Err(refusal) => return refusal,
        };
        let known = ["authorised", "captured", "cancelled", "refunded"];
        let status = query_value(ask, "status");
        let order = query_value(ask, "order").unwrap_or("desc");
        if status.is_some_and(|statu| !known.contains(&statu)) {
            return unreadable("status");
        }
        if !["asc", "desc"].contains(&order) {
            return unreadable("order");
        }
        let customer =
            query_value(ask, "customer_id").filter(|_| !self.breaks(Rule::FilterIgnored));
        let status = status.filter(|_| !self.breaks(Rule::StatusFilterIgnored));
        let Ok(since) = query_value(ask, "since")
            .map(str::parse::<jiff::Timestamp>)
            .transpose()
        else {
            return unreadable("since");
        };
        let since = since.filter(|_| !self.breaks(Rule::SinceIgnored));
        let later = |value: &Value| {
            let created: jiff::Timestamp = value["created_at"].as_str().unwrap().parse().unwrap();
            let is_later = since.is_none_or(|since| created >= since);
            is_later && (since.is_none() || !self.breaks(Rule::SinceIsNow))
        };
        let is_shown = |value: &&Value| {
            later(value)
                && customer.is_none_or(|customer| value["customer_id"] == customer)
                && status.is_none_or(|status| value["status"] == status)
        };
        let mut list: Vec<Value> = self.charges.iter().filter(is_shown).cloned().collect();
        if order == "desc" || self.breaks(Rule::OrderIgnored) {
            list.reverse();
        }
        let skipped = (page - 1).saturating_mul(size);
        let skipped = if self.breaks(Rule::PageRepeatsLast) && page > 1 {
            skipped - 1
        } else if self.breaks(Rule::PageSkipsOne) && page > 1 {
            skipped + 1
        } else {
            skipped
        };
        let charges: Vec<Value> = list.iter().skip(skipped).take(size).cloned().collect();
        let total = if self.breaks(Rule::TotalIsOfPage) {
            charges.len()
        } else if self.breaks(Rule::TotalIsUnfiltered) {
            self.charges.len()
        } else {
            list.len()
        };
        let body = json!({"charges": charges, "page": page, "per_page": size, "total": total});
        Reply::new(200, body)
    }

    pub(super) fn list_refunds(&mut self, at: usize) -> Reply {
        let id = self.charges[at]["id"].clone();
        let selected = self
            .refunds
            .iter()
            .filter(|refund| refund["charge_id"] == id);
        let mut list: Vec<Value> = selected.cloned().collect();
        if self.breaks(Rule::RefundIsNotListed) {
            list.pop();
        }
        Reply::new(200, Value::Array(list))
    }
}
