//! One command at work: whose records, at what time, on which connection.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use jiff::Timestamp;

use super::Failure;
use crate::domain::plan::Plan;
use crate::store::tenants::Present;
use crate::store::timers::{self, Timer};
use crate::store::{Connection, Merchant, StoreError, Tenant};

/// What a command works with.
#[derive(Debug)]
pub struct Work<'a> {
    /// The connection, inside a transaction.
    pub connection: &'a Connection,
    /// Who asks.
    pub merchant: Merchant,
    /// Whose rows are read and written.
    pub tenant: Tenant,
    /// Whether there may be something in the tenant's script of outcomes.
    pub(super) scripted: bool,
    /// Whether orders that the payment methods do not take are refused.
    pub(super) catalogue_binds: bool,
    /// The time on the tenant's clock.
    pub now: Timestamp,
    /// Where the sandbox can be reached by customers.
    pub address: &'a str,
    /// The earliest that something was arranged to happen by itself.
    pub(super) arranged: Cell<Option<Timestamp>>,
    /// Whether a card was kept until a transaction is accepted.
    pub(super) presented: Cell<bool>,
    /// The plans of the subscriptions that were charged, which are held as they are.
    pub(super) plans: Rc<RefCell<Vec<Plan>>>,
    /// Whether there is something to send that was not there before.
    pub(super) announced: Rc<Cell<bool>>,
}

impl<'a> Work<'a> {
    /// Begins a command of a merchant at a time of the machine.
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
            arranged: Cell::default(),
            presented: Cell::default(),
            plans: Rc::default(),
            announced: Rc::default(),
        })
    }

    /// The same work at another time.
    pub(super) fn at(&self, now: Timestamp) -> Self {
        Self {
            now,
            arranged: Cell::default(),
            presented: Cell::default(),
            plans: Rc::clone(&self.plans),
            announced: Rc::clone(&self.announced),
            ..*self
        }
    }

    /// The same work on what the merchant has by now.
    pub(super) fn again(&self, present: Present, machine: Timestamp) -> Result<Self, StoreError> {
        Ok(Self {
            tenant: present.tenant,
            scripted: present.scripted,
            catalogue_binds: present.catalogue_binds,
            ..self.at(shown(present, machine)?)
        })
    }

    /// Says that there is something to send once all this is kept.
    pub(super) fn announced(&self) {
        self.announced.set(true);
    }

    /// Arranges for something to happen by itself, or calls it off.
    pub fn arrange(
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
        let earliest = self.arranged.get();
        let earliest = earliest.map_or(due_at, |earliest| earliest.min(due_at));
        self.arranged.set(Some(earliest));
        Ok(())
    }
}

/// What the merchant's clock shows at a time of the machine.
fn shown(present: Present, machine: Timestamp) -> Result<Timestamp, StoreError> {
    let now = machine.checked_add(present.ahead);
    now.map_err(|_| StoreError::Corrupt("clock"))
}
