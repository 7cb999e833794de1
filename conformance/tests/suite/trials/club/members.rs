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
        let is_address = |own: &Value| {
            let parts = own.as_str().and_then(|own| own.split_once('@'));
            let fits = |own: &str| !own.is_empty() && !own.contains(['@', ' ']);
            is_text(own) && parts.is_some_and(|(one, other)| fits(one) && fits(other))
        };
        ensure(body.get("email").is_none_or(is_address))?;
        let is_phone = |own: &Value| {
            let own = own.as_str().and_then(|own| own.strip_prefix('+'));
            own.is_some_and(|own| is_number(own, 6, 15))
        };
        ensure(body.get("phone").is_none_or(is_phone))?;
        let starts_on = self.start(&body["startsOn"]);
        ensure(starts_on)?;
        let fees = body["fees"].as_array().map_or(&[][..], Vec::as_slice);
        ensure((1..=5).contains(&fees.len()) && fees.iter().all(|own| self.is_fee(own)))?;
        ensure(
            fees.iter()
                .all(|own| own["currency"] == fees[0]["currency"]),
        )?;
        self.has_card(&body["card"])?;
        let number = u64::try_from(self.members.len()).unwrap_or_default() + 1;
        let number = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
        let own = json!({
            "id": format!("mem_{number:012x}"),
            "name": body["name"],
            "email": body["email"],
            "phone": body["phone"],
            "startsOn": body["startsOn"],
            "fees": fees,
            "createdAt": now(),
        });
        self.members.push(own.clone());
        Ok((201, own))
    }

    /// Whether a membership may start on a day.
    fn start(&self, day: &Value) -> bool {
        let day = day.as_str().filter(|own| own.len() == 10);
        let day = day.and_then(|own| own.parse::<jiff::civil::Date>().ok());
        let today = Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
        day.is_some_and(|own| own >= today || self.is("started-before"))
    }

    fn is_fee(&self, own: &Value) -> bool {
        let is_listed = |own: &str| {
            let any = own.to_ascii_uppercase();
            let own = if self.is("currency-by-case") {
                &any
            } else {
                own
            };
            CURRENCIES.contains(&own)
        };
        let cents = own["cents"]
            .as_i64()
            .is_some_and(|own| (1..=100_000).contains(&own));
        let currency = own["currency"].as_str().is_some_and(is_listed);
        has_only(own, &["label", "cents", "currency"])
            && is_text(&own["label"])
            && cents
            && currency
    }

    fn has_card(&self, card: &Value) -> Result<(), super::Reply> {
        let number = card["number"].as_str().unwrap_or_default();
        ensure(has_only(card, &["number", "holder"]) && is_text(&card["holder"]))?;
        ensure(is_number(number, 11, 19))?;
        let digits = number.bytes().rev().map(|own| u32::from(own - b'0'));
        let sum: u32 = digits
            .enumerate()
            .map(|(at, own)| {
                if at % 2 == 0 {
                    own
                } else {
                    own * 2 / 10 + own * 2 % 10
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
        let at = self.members.iter().position(|own| own["id"] == id);
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
        let of = of.map(|own| own.as_str().filter(|own| own.len() <= 40));
        ensure(of != Some(None))?;
        let id = body["memberId"].as_str().unwrap_or_default();
        ensure(is_key(id))?;
        let is_there = self.members.iter().any(|own| own["id"] == id);
        let has_box = of.flatten().is_none_or(|of| find(&self.boxes, of).is_ok());
        if !(is_there || self.is("outing-of-nobody")) || !has_box {
            return Err(no(422, "unknown"));
        }
        self.outings += 1;
        let own = json!({
            "id": format!("out-{}", self.outings),
            "memberId": id,
            "boat": boat,
            "boxId": body["boxId"],
            "createdAt": now(),
        });
        Ok((201, own))
    }
}

fn is_number(own: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&own.len()) && own.bytes().all(|own| own.is_ascii_digit())
}

/// Whether a key has the form of one.
fn is_key(id: &str) -> bool {
    let own = id.strip_prefix("mem_");
    let is_hex = |own: u8| matches!(own, b'0'..=b'9' | b'a'..=b'f');
    own.is_some_and(|own| own.len() == 12 && own.bytes().all(is_hex))
}
