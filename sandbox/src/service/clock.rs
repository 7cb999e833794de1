//! Moves a merchant's clock forward and fires the timers that become due.

use jiff::{SignedDuration, Timestamp};

use super::timers::{BATCH, Undo, fire_due};
use super::{Failure, Service, Work};
use crate::domain::clock_goal::{ClockGoal, Remaining};
use crate::store::timers::Timer;
use crate::store::{Merchant, tenants};

/// The result of moving a clock.
#[derive(Clone, Debug)]
pub struct Advance {
    /// The time before the move.
    pub from: Timestamp,
    /// The time after the move.
    pub to: Timestamp,
    /// The fired timers, in order.
    pub fired: Vec<Timer>,
}

impl Service {
    /// The time on a merchant's clock.
    pub async fn clock(&self, merchant: Merchant) -> Result<Timestamp, Failure> {
        self.read(merchant, |work| Ok(work.now)).await
    }

    /// The time on a merchant's clock, and how far it is ahead of the machine's clock.
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

    /// Moves the clock forward to a time, and fires the timers that are due until then, in order.
    pub async fn advance(&self, merchant: Merchant, to: Timestamp) -> Result<Advance, Failure> {
        self.move_clock(merchant, ClockGoal::To(to)).await
    }

    /// Moves the clock forward and fires the timers on the way, in order.
    ///
    /// Returns when all timers have fired and their results are committed. A duration moves the
    /// clock by exactly this duration, even if another request moves it meanwhile.
    pub async fn move_clock(
        &self,
        merchant: Merchant,
        goal: ClockGoal,
    ) -> Result<Advance, Failure> {
        let _moving = self.advancing.begin(merchant);
        let mut remaining = None;
        let mut from = None;
        let mut fired = Vec::new();
        loop {
            let machine = self.machine_time();
            let step = move |work: &Work<'_>, undo| step(work, machine, (goal, remaining), undo);
            let (some, step) = self.fire_batch(merchant, step).await?;
            let last = some.len() < BATCH;
            fired.extend(some);
            let from = *from.get_or_insert(step.from);
            if last {
                let to = step.to;
                return Ok(Advance { from, to, fired });
            }
            remaining = Some(step.remaining);
        }
    }
}

/// The part of a move that one batch of timers completed.
struct Step {
    from: Timestamp,
    to: Timestamp,
    /// The remaining part of the move.
    remaining: Remaining,
}

/// Fires one batch of timers and moves the clock to the last of them.
///
/// The present time is read again under the lock, because another request may have moved the clock.
/// A refusal before the first timer fires is a refusal of the goal.
fn step(
    work: &Work<'_>,
    machine: Timestamp,
    (goal, remaining): (ClockGoal, Option<Remaining>),
    undo: Undo,
) -> Result<(Vec<Timer>, Step), Failure> {
    tenants::lock(work.connection, work.merchant)?;
    let present = tenants::present(work.connection, work.merchant)?;
    let work = work.again(present, machine)?;
    let remaining = remaining.map_or_else(|| goal.begin(work.now), Ok)?;
    let until = remaining.until(work.now);
    let fired = fire_due(&work, until, undo)?;
    let reached = fired.last().filter(|_| fired.len() == BATCH);
    // An overdue timer does not move the clock back.
    let to = reached.map_or(until, |timer| timer.due_at.max(work.now));
    let moved = to.duration_since(work.now);
    tenants::set_clock(work.connection, work.tenant, present.ahead + moved)?;
    let (from, remaining) = (work.now, remaining.after(moved));
    Ok((
        fired,
        Step {
            from,
            to,
            remaining,
        },
    ))
}
