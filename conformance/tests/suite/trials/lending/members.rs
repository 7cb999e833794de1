//! Members, who may be suspended.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Reply};

use super::books::put;
use super::rules::MEMBER;
use super::{Store, shown};

impl Store {
    pub(super) fn find_members(&self, ask: &Ask) -> Result<Reply, Reply> {
        let active = match ask.query("active") {
            None => None,
            Some("true") => Some(true),
            Some("false") => Some(false),
            Some(_) => return self.refuse(400, "active"),
        };
        let active = active.filter(|_| !self.is("active-ignored"));
        let fits = |value: &&Value| active.is_none_or(|active| value["active"] == active);
        let all: Vec<Value> = self.members.iter().filter(fits).cloned().collect();
        self.page(ask, &all)
    }

    pub(super) fn add_member(&mut self, ask: &Ask) -> Result<Reply, Reply> {
        self.check(&ask.body, MEMBER)?;
        let newsletter = self.is("newsletter-default");
        let mut member = json!({
            "id": self.id(), "newsletter": newsletter, "active": true, "joinedAt": self.now(),
        });
        put(&mut member, &ask.body);
        match self.fault {
            "newsletter-dropped" => member["newsletter"] = false.into(),
            "address-shortened" if member["address"].is_object() => {
                member["address"]["street"] = "1".into();
            }
            _ => {}
        }
        if !self.is("pin-told") {
            member.as_object_mut().unwrap().remove("pin");
        }
        self.members.push(member.clone());
        Ok(Reply::new(201, shown(&member)))
    }

    pub(super) fn get_member(&self, id: &str) -> Result<Reply, Reply> {
        let at = self.find(&self.members, id)?;
        Ok(Reply::new(200, shown(&self.members[at])))
    }

    pub(super) fn replace_member(&mut self, ask: &Ask, id: &str) -> Result<Reply, Reply> {
        let at = self.find(&self.members, id)?;
        self.check(&ask.body, MEMBER)?;
        let old = &self.members[at];
        let mut member = json!({
            "id": old["id"], "newsletter": false, "active": old["active"],
            "joinedAt": old["joinedAt"],
        });
        if self.is("put-keeps-email") && old["email"].is_string() {
            member["email"] = old["email"].clone();
        }
        put(&mut member, &ask.body);
        member.as_object_mut().unwrap().remove("pin");
        self.members[at] = member.clone();
        Ok(Reply::new(200, shown(&member)))
    }

    pub(super) fn suspend(&mut self, id: &str) -> Result<Reply, Reply> {
        let at = self.find(&self.members, id)?;
        if self.members[at]["active"] == false {
            return self.refuse(409, "suspended already");
        }
        if !self.is("suspend-nothing") {
            self.members[at]["active"] = false.into();
        }
        if self.is("suspend-clears-email") {
            self.members[at].as_object_mut().unwrap().remove("email");
        }
        Ok(Reply::new(200, shown(&self.members[at])))
    }
}
