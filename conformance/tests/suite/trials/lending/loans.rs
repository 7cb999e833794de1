//! Loans of copies of a book.

use jiff::ToSpan;
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Reply};

use super::rules::LOAN;
use super::{Store, shown};

impl Store {
    pub(super) fn find_loans(&self, ask: &Ask, member: &str) -> Result<Reply, Reply> {
        self.find(&self.members, member)?;
        let status = ask.query("status");
        if status.is_some_and(|statu| !["LENT", "RETURNED"].contains(&statu)) {
            return self.refuse(400, "status");
        }
        let status = status.filter(|_| !self.is("status-ignored"));
        let fits = |value: &&Value| {
            let by_member =
                value["memberId"].as_u64() == member.parse().ok() || self.is("loans-of-all");
            let hidden = self.is("returned-unlisted") && value["status"] == "RETURNED";
            by_member && !hidden && status.is_none_or(|status| value["status"] == status)
        };
        let all: Vec<Value> = self.loans.iter().filter(fits).map(shown).collect();
        Ok(Reply::new(200, all.into()))
    }

    pub(super) fn lend(&mut self, ask: &Ask, member: &str) -> Result<Reply, Reply> {
        let at = self.find(&self.members, member)?;
        self.check(&ask.body, LOAN)?;
        let book = ask.body["bookId"].to_string();
        let known = |value: &Value| value["id"] == ask.body["bookId"];
        let found = match self.fault {
            "lend-removed" => self.books.iter().position(known),
            "lend-unknown" => self.books.iter().position(known).or(Some(0)),
            _ => None,
        };
        let found = found.map_or_else(|| self.find(&self.books, &book), Ok)?;
        if self.members[at]["active"] == false && !self.is("lend-suspended") {
            return self.refuse(409, "the member is suspended");
        }
        let left = self.books[found]["copiesAvailable"].as_u64().unwrap();
        if left == 0 && !self.is("lend-too-many") {
            return self.refuse(409, "all copies are lent");
        }
        if !self.is("lend-uncounted") {
            self.books[found]["copiesAvailable"] = left.saturating_sub(1).into();
        }
        let days = ask.body["days"].as_i64().unwrap_or(21);
        let days = if self.is("due-too-early") {
            days - 1
        } else {
            days
        };
        let today = jiff::Zoned::now()
            .with_time_zone(jiff::tz::TimeZone::UTC)
            .date();
        let due = today.saturating_add(days.days());
        let mut loan = json!({
            "id": self.id(), "memberId": self.members[at]["id"], "bookId": ask.body["bookId"],
            "status": "LENT", "lentOn": today.to_string(), "dueOn": due.to_string(),
            "returnedAt": null,
        });
        if self.is("loan-of-other-book") {
            loan["bookId"] = self.books[0]["id"].clone();
        }
        self.loans.push(loan.clone());
        Ok(Reply::new(201, shown(&loan)))
    }

    pub(super) fn get_loan(&self, id: &str) -> Result<Reply, Reply> {
        let at = self.find(&self.loans, id)?;
        Ok(Reply::new(200, shown(&self.loans[at])))
    }

    pub(super) fn give_back(&mut self, id: &str) -> Result<Reply, Reply> {
        let at = self.find(&self.loans, id)?;
        if self.loans[at]["status"] != "LENT" {
            return self.refuse(409, "it was returned");
        }
        if !self.is("return-nothing") {
            self.loans[at]["status"] = "RETURNED".into();
        }
        if !self.is("return-untimed") {
            self.loans[at]["returnedAt"] = self.now().into();
        }
        let book = &self.loans[at]["bookId"];
        let found = self.books.iter().position(|item| item["id"] == *book);
        if let (Some(found), false) = (found, self.is("return-uncounted")) {
            let left = self.books[found]["copiesAvailable"].as_u64().unwrap();
            self.books[found]["copiesAvailable"] = (left + 1).into();
        }
        Ok(Reply::new(200, shown(&self.loans[at])))
    }
}
