//! A merchant's clock: forward only, and whatever becomes due on the way happens.

use jiff::{SignedDuration, Timestamp};

use super::timers::{BATCH, fire_due};
use super::{Failure, Service};
use crate::domain::{Code, Rejection};
use crate::store::timers::Timer;
use crate::store::{Merchant, tenants};

/// What moving the clock has done.
#[derive(Clone, Debug)]
pub struct Advance {
    /// The time before.
    pub from: Timestamp,
    /// The time after.
    pub to: Timestamp,
    /// What has happened, in order.
    pub fired: Vec<Timer>,
}

impl Service {
    /// The time on a merchant's clock.
    pub async fn clock(&self, merchant: Merchant) -> Result<Timestamp, Failure> {
        self.read(merchant, |work| Ok(work.now)).await
    }

    /// The time on a merchant's clock, and how far it is ahead of the machine's.
    pub async fn clock_and_lead(
        &self,
        merchant: Merchant,
    ) -> Result<(Timestamp, SignedDuration), Failure> {
        self.read(merchant, |work| {
            let present = tenants::present(work.connection, work.merchant)?;
            Ok((work.now, present.ahead))
        })
        .await
    }

    /// Moves the clock forward to a time, and fires what is due until then, in order.
    pub async fn advance(&self, merchant: Merchant, to: Timestamp) -> Result<Advance, Failure> {
        self.advance_from(merchant, |_| Ok(to)).await
    }

    /// Moves the clock forward to the time that `to` finds from the present one, and fires what is
    /// due until then, in order.
    ///
    /// Answers when everything has happened and is kept. However long that takes, the clock has
    /// been moved by exactly what was asked.
    pub async fn advance_from(
        &self,
        merchant: Merchant,
        to: impl FnOnce(Timestamp) -> Result<Timestamp, Rejection>,
    ) -> Result<Advance, Failure> {
        let (from, lead) = self.clock_and_lead(merchant).await?;
        let to = to(from)?;
        if to < from {
            let detail = "a clock does not go back";
            return Err(Rejection::at(Code::ContractViolation, "/to", detail).into());
        }
        let _moving = self.advancing.begin(merchant);
        let mut fired = Vec::new();
        loop {
            let some = self
                .fire_batch(merchant, move |work, undo| {
                    tenants::lock(work.connection, work.merchant)?;
                    let some = fire_due(work, to, undo)?;
                    let reached = some.last().filter(|_| some.len() == BATCH);
                    let reached = reached.map_or(to, |timer| timer.due_at);
                    let ahead = lead + reached.duration_since(from);
                    tenants::set_clock(work.connection, work.tenant, ahead)?;
                    Ok(some)
                })
                .await?;
            let last = some.len() < BATCH;
            fired.extend(some);
            if last {
                return Ok(Advance { from, to, fired });
            }
        }
    }
}
