//! Members, who are admitted with a card, and their outings.

use super::{Desk, Done, Store, Timestamp, Value, ensure, find, has_only, is_text, json, no, now};

const CURRENCIES: [&str; 2] = ["EUR", "SEK"];

impl Store {
    pub(super) fn admit(&mut self, body: &Value) -> Done {
        let names = ["name", "email", "phone", "card", "startsOn", "fees"];
        ensure(has_only(body, &names) && is_text(&body["name"]))?;
        let has = |name: &str| body.get(name).is_some();
        let is_both = has("email") && has("phone") && self.is("email-and-phone");
        ensure(has("email") != has("phone") || is_both)?;
        let is_address = |value: &Value| {
            let parts = value.as_str().and_then(|item| item.split_once('@'));
            let fits = |text: &str| !text.is_empty() && !text.contains(['@', ' ']);
            is_text(value) && parts.is_some_and(|(one, other)| fits(one) && fits(other))
        };
        ensure(body.get("email").is_none_or(is_address))?;
        let is_phone = |value: &Value| {
            let value = value.as_str().and_then(|text| text.strip_prefix('+'));
            value.is_some_and(|item| is_number(item, 6, 15))
        };
        ensure(body.get("phone").is_none_or(is_phone))?;
        let starts_on = self.start(&body["startsOn"]);
        ensure(starts_on)?;
        let fees = body["fees"].as_array().map_or(&[][..], Vec::as_slice);
        ensure((1..=5).contains(&fees.len()) && fees.iter().all(|fee| self.is_fee(fee)))?;
        ensure(
            fees.iter()
                .all(|fee| fee["currency"] == fees[0]["currency"]),
        )?;
        self.has_card(&body["card"])?;
        let number = u64::try_from(self.members.len()).unwrap_or_default() + 1;
        let number = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
        let item = json!({
            "id": format!("mem_{number:012x}"),
            "name": body["name"],
            "email": body["email"],
            "phone": body["phone"],
            "startsOn": body["startsOn"],
            "fees": fees,
            "createdAt": now(),
        });
        self.members.push(item.clone());
        Ok((201, item))
    }

    /// Whether a membership may start on a day.
    fn start(&self, day: &Value) -> bool {
        let day = day.as_str().filter(|day| day.len() == 10);
        let day = day.and_then(|day| day.parse::<jiff::civil::Date>().ok());
        let today = Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
        day.is_some_and(|day| day >= today || self.is("started-before"))
    }

    fn is_fee(&self, value: &Value) -> bool {
        let is_listed = |text: &str| {
            let any = text.to_ascii_uppercase();
            let text = if self.is("currency-by-case") {
                &any
            } else {
                text
            };
            CURRENCIES.contains(&text)
        };
        let cents = value["cents"]
            .as_i64()
            .is_some_and(|number| (1..=100_000).contains(&number));
        let currency = value["currency"].as_str().is_some_and(is_listed);
        has_only(value, &["label", "cents", "currency"])
            && is_text(&value["label"])
            && cents
            && currency
    }

    fn has_card(&self, card: &Value) -> Result<(), super::Reply> {
        let number = card["number"].as_str().unwrap_or_default();
        ensure(has_only(card, &["number", "holder"]) && is_text(&card["holder"]))?;
        ensure(is_number(number, 11, 19))?;
        let digits = number.bytes().rev().map(|byte| u32::from(byte - b'0'));
        let sum: u32 = digits
            .enumerate()
            .map(|(at, digit)| {
                if at % 2 == 0 {
                    digit
                } else {
                    digit * 2 / 10 + digit * 2 % 10
                }
            })
            .sum();
        if sum.is_multiple_of(10) || self.is("any-card") {
            return Ok(());
        }
        let is_otherwise = self.is("card-told-otherwise");
        Err(no(
            400,
            if is_otherwise {
                "invalid"
            } else {
                "card_invalid"
            },
        ))
    }

    pub(super) fn member(&self, id: &str) -> Result<usize, super::Reply> {
        ensure(is_key(id))?;
        let at = self.members.iter().position(|member| member["id"] == id);
        let any = (self.is("any-member") && !self.members.is_empty()).then_some(0);
        at.or(any).ok_or_else(|| no(404, "not_found"))
    }

    pub(super) fn change_member(&mut self, id: &str, body: &Value) -> Done {
        let at = self.member(id)?;
        let names = if self.is("change-takes-email") {
            &["name", "email"][..]
        } else {
            &["name"]
        };
        ensure(has_only(body, names) && is_text(&body["name"]))?;
        self.members[at]["name"] = body["name"].clone();
        Ok((200, self.members[at].clone()))
    }
}

impl Store {
    pub(super) fn plan(&mut self, body: &Value) -> Done {
        ensure(has_only(body, &["memberId", "boat", "boxId"]))?;
        let (boat, of) = (body.get("boat"), body.get("boxId"));
        ensure(boat.is_some() != of.is_some() && boat.is_none_or(is_text))?;
        let of = of.map(|item| item.as_str().filter(|text| text.len() <= 40));
        ensure(of != Some(None))?;
        let id = body["memberId"].as_str().unwrap_or_default();
        ensure(is_key(id))?;
        let is_there = self.members.iter().any(|member| member["id"] == id);
        let has_box = of.flatten().is_none_or(|of| find(&self.boxes, of).is_ok());
        if !(is_there || self.is("outing-of-nobody")) || !has_box {
            return Err(no(422, "unknown"));
        }
        self.outings += 1;
        let item = json!({
            "id": format!("out-{}", self.outings),
            "memberId": id,
            "boat": boat,
            "boxId": body["boxId"],
            "createdAt": now(),
        });
        Ok((201, item))
    }
}

fn is_number(text: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text has the form of a key.
fn is_key(id: &str) -> bool {
    let found = id.strip_prefix("mem_");
    let is_hex = |item: u8| matches!(item, b'0'..=b'9' | b'a'..=b'f');
    found.is_some_and(|text| text.len() == 12 && text.bytes().all(is_hex))
}
