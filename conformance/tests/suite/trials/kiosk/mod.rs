//! Kiosks with a document of their own (`kiosk.yaml`): halls that are only listed, sales with lines whose total goes with them, and
//! lines that are taken back. Right in everything, or wrong in one thing that it is told.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "kiosk-key-77";

const RATES: [&str; 3] = ["0.00", "9.00", "23.00"];

/// Everything that the kiosks know.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    kiosks: Vec<Kiosk>,
    sales: Vec<Value>,
    returns: Vec<Value>,
    /// How many of each line of a sale were taken back: the sale, the line, and how many.
    back: Vec<(usize, u64, u64)>,
}

/// A kiosk, how often it was changed, and how many sales it has numbered.
#[derive(Clone)]
struct Kiosk {
    record: Value,
    version: u64,
    numbered: u64,
}

impl Kiosk {
    fn tag(&self) -> String {
        format!("\"{}\"", self.version)
    }

    fn reply(&self, status: u16) -> Reply {
        Reply {
            status,
            headers: vec![("etag", self.tag())],
            body: Some(self.record.clone()),
        }
    }
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

    fn refusal(&self, ask: &Ask) -> Option<Reply> {
        (ask.header("x-api-key") != KEY).then(|| no(401, "unauthorized"))
    }

    fn unread(&self, _status: u16) -> Reply {
        no(400, "invalid")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let body = &ask.body;
        let done = match (ask.method(), &path[..]) {
            ("GET", ["halls"]) => Ok((
                200,
                json!([{"id": "hall_1", "name": "North"}, {"id": "hall_2", "name": "South"}]),
            )),
            ("POST", ["halls", hall, "kiosks"]) => {
                return self.open(hall, body).unwrap_or_else(|refusal| refusal);
            }
            ("GET", ["halls", hall, "kiosks", id]) => {
                let found = self.kiosk_in(hall, id).map(|at| self.kiosks[at].reply(200));
                return found.unwrap_or_else(|refusal| refusal);
            }
            ("PATCH", ["halls", hall, "kiosks", id]) => {
                let changed = self.change((hall, id), ask);
                return changed.unwrap_or_else(|refusal| refusal);
            }
            ("POST", ["kiosks", id, "sales"]) => self.sell(id, body),
            ("GET", ["kiosks", id, "takings"]) => self.takings(id),
            ("GET", ["sales", id]) => self.sale(id).map(|at| (200, self.sales[at].clone())),
            ("POST", ["sales", id, "void"]) => self.void(id),
            ("POST", ["sales", id, "returns"]) => self.take_back(id, body),
            _ => Err(no(404, "not_found")),
        };
        Reply::of(done)
    }
}

fn no(status: u16, code: &str) -> Reply {
    Reply::new(status, json!({"code": code}))
}

fn whole(body: &Value, name: &str, (least, most): (u64, u64)) -> Result<u64, Reply> {
    let own = body[name].as_u64();
    let own = own.filter(|own| (least..=most).contains(own));
    own.ok_or_else(|| no(400, "invalid"))
}

fn named(body: &Value) -> Result<String, Reply> {
    let own = body["name"].as_str();
    let own = own.filter(|own| (1..=40).contains(&own.chars().count()));
    own.map(str::to_owned).ok_or_else(|| no(400, "invalid"))
}

fn is(body: bool) -> Result<(), Reply> {
    body.then_some(()).ok_or_else(|| no(400, "invalid"))
}

impl Store {
    fn kiosk(&self, id: &str) -> Result<usize, Reply> {
        let at = self.kiosks.iter().position(|own| own.record["id"] == id);
        at.ok_or_else(|| no(404, "not_found"))
    }

    fn kiosk_in(&self, hall: &str, id: &str) -> Result<usize, Reply> {
        let at = self.kiosk(id)?;
        let is_there = self.kiosks[at].record["hall_id"] == hall || self.is("foreign-hall");
        is_there.then_some(at).ok_or_else(|| no(404, "not_found"))
    }

    fn sale(&self, id: &str) -> Result<usize, Reply> {
        let at = self.sales.iter().position(|own| own["id"] == id);
        at.ok_or_else(|| no(404, "not_found"))
    }

    fn open(&mut self, hall: &str, body: &Value) -> Result<Reply, Reply> {
        if !["hall_1", "hall_2"].contains(&hall) {
            return Err(no(404, "not_found"));
        }
        is(has_only(body, &["name", "bag_price"]))?;
        let kiosk = Kiosk {
            record: json!({
                "id": format!("kiosk_{}", self.kiosks.len() + 1),
                "hall_id": hall,
                "name": named(body)?,
                "bag_price": whole(body, "bag_price", (0, 500))?,
                "status": "active",
            }),
            version: 1,
            numbered: 0,
        };
        let reply = kiosk.reply(201);
        self.kiosks.push(kiosk);
        Ok(reply)
    }

    fn change(&mut self, (hall, id): (&str, &str), ask: &Ask) -> Result<Reply, Reply> {
        let at = self.kiosk_in(hall, id)?;
        let given = ask.header("if-match");
        is(!given.is_empty() && has_only(&ask.body, &["name", "status"]))?;
        is(ask.body.as_object().is_some_and(|own| !own.is_empty()))?;
        let mut record = self.kiosks[at].record.clone();
        if ask.body.get("name").is_some() {
            record["name"] = named(&ask.body)?.into();
        }
        if let Some(status) = ask.body.get("status") {
            is(status == "active" || status == "retired")?;
            record["status"] = status.clone();
        }
        let kiosk = &mut self.kiosks[at];
        if given != kiosk.tag() {
            return Err(no(412, "stale"));
        }
        kiosk.record = record;
        kiosk.version += 1;
        Ok(kiosk.reply(200))
    }

    fn sell(&mut self, id: &str, body: &Value) -> Done {
        let at = self.kiosk(id)?;
        is(has_only(
            body,
            &["lines", "total", "bags", "tip", "payment"],
        ))?;
        let lines = body["lines"].as_array().cloned().unwrap_or_default();
        is((1..=20).contains(&lines.len()))?;
        let mut sum = 0;
        for line in &lines {
            sum += self.line(line)?;
        }
        let total = whole(body, "total", (0, u64::MAX))?;
        let bags = whole(body, "bags", (0, 9))?;
        let tip = whole(body, "tip", (0, 10_000))?;
        self.payment(&body["payment"])?;
        if self.kiosks[at].record["status"] == "retired" && !self.is("retired-sells") {
            return Err(no(409, "kiosk_retired"));
        }
        if self.is("gap") {
            self.kiosks[at].numbered += u64::from(total != sum);
        }
        if total != sum {
            return Err(no(422, "total_mismatch"));
        }
        self.kiosks[at].numbered += 1;
        let kiosk = &self.kiosks[at];
        let price = kiosk.record["bag_price"].as_u64().unwrap_or_default();
        let counted = if self.is("one-bag") {
            bags.min(1)
        } else {
            bags
        };
        let lines = lines.into_iter().enumerate().map(|(index, mut line)| {
            line["line_no"] = (index + 1).into();
            line
        });
        let sale = json!({
            "id": format!("sale_{}", self.sales.len() + 1),
            "kiosk_id": kiosk.record["id"],
            "number": kiosk.numbered,
            "status": "completed",
            "lines": lines.collect::<Vec<_>>(),
            "total": total,
            "bags": bags,
            "tip": tip,
            "extras": price * counted + tip,
            "fee": self.fee(total),
            "payment": body["payment"],
        });
        self.sales.push(sale.clone());
        Ok((201, sale))
    }

    /// What a line comes to.
    fn line(&self, line: &Value) -> Result<u64, Reply> {
        is(has_only(
            line,
            &["sku", "quantity", "unit_price", "vat_rate"],
        ))?;
        let sku = line["sku"].as_str().unwrap_or_default();
        let may_be = |own: u8| own.is_ascii_uppercase() || own.is_ascii_digit() || own == b'-';
        is((3..=12).contains(&sku.len()) && sku.bytes().all(may_be))?;
        let rate = line["vat_rate"].as_str().unwrap_or_default();
        let is_rate = rate.len() > 3 && rate.parse::<f64>().is_ok() && self.is("any-rate");
        is(RATES.contains(&rate) || is_rate)?;
        let least = u64::from(!self.is("none-sold"));
        let quantity = whole(line, "quantity", (least, 99))?;
        Ok(quantity * whole(line, "unit_price", (1, 100_000))?)
    }

    fn payment(&self, payment: &Value) -> Result<(), Reply> {
        if payment["method"] == "cash" {
            is(has_only(payment, &["method", "tendered"]))?;
            return whole(payment, "tendered", (1, u64::MAX)).map(|_| ());
        }
        let last = payment["last4"].as_str();
        let are_digits = |own: &str| own.len() == 4 && own.bytes().all(|own| own.is_ascii_digit());
        let is_card = last.is_some_and(|own| self.is("any-card") || are_digits(own));
        is(payment["method"] == "card" && has_only(payment, &["method", "last4"]) && is_card)
    }

    /// So much is kept of a sale.
    fn fee(&self, total: u64) -> u64 {
        let thousandths = total * 15;
        let rounded = if self.is("fee-down") {
            thousandths / 1000
        } else {
            (thousandths + 500) / 1000
        };
        rounded + 5
    }

    fn takings(&self, id: &str) -> Done {
        self.kiosk(id)?;
        let counts = |own: &&Value| {
            let is_voided = own["status"] == "voided" && !self.is("void-counted");
            own["kiosk_id"] == id && !is_voided
        };
        let sales: Vec<&Value> = self.sales.iter().filter(counts).collect();
        let cash = sales
            .iter()
            .filter(|own| own["payment"]["method"] == "cash");
        let taken = cash.map(|own| {
            let told = if self.is("tendered-counted") {
                &own["payment"]["tendered"]
            } else {
                &own["total"]
            };
            told.as_u64().unwrap_or_default()
        });
        let taken: u64 = taken.sum();
        Ok((200, json!({"cash_sales": taken, "sale_count": sales.len()})))
    }

    fn void(&mut self, id: &str) -> Done {
        let at = self.sale(id)?;
        if self.sales[at]["status"] == "voided" {
            return Err(no(409, "sale_voided"));
        }
        self.sales[at]["status"] = "voided".into();
        Ok((200, self.sales[at].clone()))
    }

    fn take_back(&mut self, id: &str, body: &Value) -> Done {
        let at = self.sale(id)?;
        is(has_only(body, &["lines"]))?;
        let lines = body["lines"].as_array().cloned().unwrap_or_default();
        is(!lines.is_empty())?;
        let mut asked = Vec::new();
        for line in &lines {
            is(has_only(line, &["line_no", "quantity"]))?;
            let number = whole(line, "line_no", (1, u64::MAX))?;
            asked.push((number, whole(line, "quantity", (1, u64::MAX))?));
        }
        if self.sales[at]["status"] == "voided" {
            return Err(no(409, "sale_voided"));
        }
        let before = self.back.clone();
        for (number, count) in asked {
            let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
            let sold = self.sales[at]["lines"][index]["quantity"].as_u64();
            let is_line = |own: &&(usize, u64, u64)| own.0 == at && own.1 == number;
            let back: u64 = self.back.iter().filter(is_line).map(|own| own.2).sum();
            let back = if self.is("back-again") { 0 } else { back };
            if back.saturating_add(count) > sold.unwrap_or(0) {
                if !self.is("half-back") {
                    self.back = before;
                }
                return Err(no(409, "too_many"));
            }
            self.back.push((at, number, count));
        }
        let made = json!({
            "id": format!("return_{}", self.returns.len() + 1),
            "sale_id": id,
            "lines": lines,
        });
        self.returns.push(made.clone());
        Ok((201, made))
    }
}
