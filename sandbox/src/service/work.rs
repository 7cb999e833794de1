//! The context of a running command: connection, merchant, records and time.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use jiff::Timestamp;

use super::Failure;
use crate::domain::plan::Plan;
use crate::store::tenants::Present;
use crate::store::timers::{self, Timer};
use crate::store::{Connection, Merchant, StoreError, Tenant};

/// The context of a command.
#[derive(Debug)]
pub struct Work<'a> {
    /// The connection, inside a transaction.
    pub connection: &'a Connection,
    /// The calling merchant.
    pub merchant: Merchant,
    /// The tenant whose rows are read and written.
    pub tenant: Tenant,
    /// Whether the tenant's script of outcomes may have lines.
    pub(super) scripted: bool,
    /// Whether orders that the catalogue does not accept are refused.
    pub(super) catalogue_binds: bool,
    /// The time on the tenant's clock.
    pub now: Timestamp,
    /// The address at which customers can reach the sandbox.
    pub address: &'a str,
    /// The earliest due time of the timers that the command set.
    pub(super) earliest_timer: Cell<Option<Timestamp>>,
    /// Whether the command stored a card until its transaction is accepted.
    pub(super) presented: Cell<bool>,
    /// Cached plans of charged subscriptions, locked until the end of the transaction.
    pub(super) plans: Rc<RefCell<Vec<Plan>>>,
    /// Whether the command made a notification ready to send.
    pub(super) announced: Rc<Cell<bool>>,
}

impl<'a> Work<'a> {
    /// Creates the context of a merchant's command at a time of the machine.
    pub(super) fn begin(
        connection: &'a Connection,
        merchant: Merchant,
        present: Present,
        machine: Timestamp,
        address: &'a str,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            connection,
            merchant,
            tenant: present.tenant,
            scripted: present.scripted,
            catalogue_binds: present.catalogue_binds,
            now: shown(present, machine)?,
            address,
            earliest_timer: Cell::default(),
            presented: Cell::default(),
            plans: Rc::default(),
            announced: Rc::default(),
        })
    }

    /// The same context at another time.
    pub(super) fn at(&self, now: Timestamp) -> Self {
        Self {
            now,
            earliest_timer: Cell::default(),
            presented: Cell::default(),
            plans: Rc::clone(&self.plans),
            announced: Rc::clone(&self.announced),
            ..*self
        }
    }

    /// The same context with the merchant's present records.
    pub(super) fn again(&self, present: Present, machine: Timestamp) -> Result<Self, StoreError> {
        Ok(Self {
            tenant: present.tenant,
            scripted: present.scripted,
            catalogue_binds: present.catalogue_binds,
            ..self.at(shown(present, machine)?)
        })
    }

    /// Records that a notification is ready to send after the commit.
    pub(super) fn announced(&self) {
        self.announced.set(true);
    }

    /// Sets a timer, or removes it when `due_at` is `None`.
    pub fn schedule(
        &self,
        kind: super::timer_kind::Kind,
        subject: &str,
        due_at: Option<Timestamp>,
    ) -> Result<(), Failure> {
        let Some(due_at) = due_at else {
            timers::clear(self.connection, self.tenant, kind.name(), subject)?;
            return Ok(());
        };
        let timer = Timer {
            kind: kind.name().to_owned(),
            subject: subject.to_owned(),
            due_at,
        };
        timers::set(self.connection, self.tenant, &timer)?;
        let earliest = self.earliest_timer.get();
        let earliest = earliest.map_or(due_at, |earliest| earliest.min(due_at));
        self.earliest_timer.set(Some(earliest));
        Ok(())
    }
}

/// The time on the merchant's clock at a time of the machine.
fn shown(present: Present, machine: Timestamp) -> Result<Timestamp, StoreError> {
    let now = machine.checked_add(present.ahead);
    now.map_err(|_| StoreError::Corrupt("clock"))
}
