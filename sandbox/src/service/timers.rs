//! Fires timers when they are due on the tenant's clock.

use std::time::Duration;

use jiff::Timestamp;

use super::timer_kind::Kind;
use super::{Failure, Service, Work, charges, notifications, payment_links, reports, settle};
use crate::domain::Rejection;
use crate::store::timers::{self, Timer};
use crate::store::{Merchant, StoreError};

/// The most timers that fire in one database transaction. PostgreSQL scans every earlier version of
/// a row in the same transaction, so larger batches make each timer slower.
pub(super) const BATCH: usize = 64;
/// How long to wait after a database error.
const PAUSE: Duration = Duration::from_secs(1);
/// How long to sleep while clocks are being moved.
const MEANWHILE: Duration = Duration::from_millis(100);
/// How long to sleep at most: another program on the same database may have set a timer.
const LONGEST: Duration = Duration::from_secs(5);

/// Runs the action of a timer; `work` has the time at which it is due.
fn fire(work: &Work<'_>, timer: &Timer) -> Result<(), Failure> {
    match Kind::of(timer)? {
        Kind::Subscription => charges::fire(work, &timer.subject),
        Kind::PaymentLink => payment_links::fire(work, &timer.subject),
        Kind::Report => reports::fire(work, &timer.subject),
        Kind::Transaction => settle::fire(work, &timer.subject),
        Kind::Notification => notifications::fire(work, &timer.subject),
    }
}

/// How much is rolled back when the rules refuse a timer's action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undo {
    /// The whole batch, which needs no savepoints.
    Batch,
    /// Only this timer; each timer has a savepoint.
    Each,
}

/// Fires the timers that are due by `until`, in order and each at its due time, up to one batch.
///
/// A refusal is final, so with [`Undo::Each`] it is logged and the timer is dropped. With
/// [`Undo::Batch`] the whole batch fails.
pub(super) fn fire_due(
    work: &Work<'_>,
    until: Timestamp,
    undo: Undo,
) -> Result<Vec<Timer>, Failure> {
    let mut fired = Vec::new();
    let mut from = Timestamp::MIN;
    while fired.len() < BATCH {
        let Some(timer) = timers::take(work.connection, work.tenant, (from, until))? else {
            if !timers::is_any_due(work.connection, work.tenant, until)? {
                break;
            }
            if from == Timestamp::MIN {
                return Err(StoreError::Stale.into());
            }
            // Another connection has set a timer meanwhile.
            from = Timestamp::MIN;
            continue;
        };
        let then = work.at(timer.due_at);
        match undo {
            Undo::Batch => fire(&then, &timer)?,
            Undo::Each => fire_apart(&then, &timer)?,
        }
        let earliest_timer = then.earliest_timer.get();
        from = earliest_timer.map_or(timer.due_at, |at| at.min(timer.due_at));
        fired.push(timer);
    }
    Ok(fired)
}

fn fire_apart(work: &Work<'_>, timer: &Timer) -> Result<(), Failure> {
    match work.connection.attempt(|| fire(work, timer)) {
        Err(Failure::Rejected(rejection)) => {
            // The rollback also releases the locks on the cached plans.
            work.plans.borrow_mut().clear();
            log_refusal(timer, &rejection);
            Ok(())
        }
        fired => fired,
    }
}

fn log_refusal(timer: &Timer, rejection: &Rejection) {
    tracing::error!(?timer, %rejection, "a timer's action was refused");
}

impl Service {
    /// Fires timers as they become due; never returns.
    pub async fn keep_firing(&self) {
        loop {
            let wait = match self.fire_all().await {
                // The request that moves a clock fires the timers of its merchant.
                Ok(()) if !self.advancing.is_empty() => Ok(MEANWHILE),
                Ok(()) => self.until_next().await,
                Err(error) => Err(error),
            };
            let wait = wait.unwrap_or_else(|error| {
                tracing::error!(%error, "timers could not be fired");
                PAUSE
            });
            tokio::select! {
                () = tokio::time::sleep(wait.min(LONGEST)) => {}
                () = self.alarm.notified() => {}
            }
        }
    }

    /// Fires all due timers of all merchants, except of those whose clocks are being moved.
    pub async fn fire_all(&self) -> Result<(), Failure> {
        let machine = self.machine_time();
        let merchants: Vec<Merchant> = self
            .store
            .read(move |connection| timers::merchants(connection, machine))
            .await?;
        for merchant in merchants {
            while self.fire_some(merchant).await?.len() == BATCH {}
        }
        Ok(())
    }

    async fn fire_some(&self, merchant: Merchant) -> Result<Vec<Timer>, Failure> {
        let advancing = self.advancing.clone();
        let fire = move |work: &Work<'_>, undo| {
            if advancing.has(work.merchant) {
                return Ok((Vec::new(), ()));
            }
            Ok((fire_due(work, work.now, undo)?, ()))
        };
        let (fired, ()) = self.fire_batch(merchant, fire).await?;
        Ok(fired)
    }

    /// Fires a batch in one transaction. If the rules refuse a timer, fires it again with a
    /// savepoint for each timer. Returns the fired timers and the second result of `fire`.
    pub(super) async fn fire_batch<T: Send + 'static>(
        &self,
        merchant: Merchant,
        fire: impl Fn(&Work<'_>, Undo) -> Result<(Vec<Timer>, T), Failure> + Clone + Send + 'static,
    ) -> Result<(Vec<Timer>, T), Failure> {
        let together = fire.clone();
        let together = move |work: &Work<'_>| together(work, Undo::Batch);
        let (fired, found) = match self.command(merchant, together).await {
            Err(Failure::Rejected(_)) => {
                let apart = move |work: &Work<'_>| fire(work, Undo::Each);
                self.command(merchant, apart).await?
            }
            fired => fired?,
        };
        for timer in &fired {
            self.metrics().fired(&timer.kind);
        }
        Ok((fired, found))
    }

    async fn until_next(&self) -> Result<Duration, Failure> {
        let next: Option<Timestamp> = self.store.read(timers::next_due).await?;
        let Some(next) = next else { return Ok(LONGEST) };
        let until = next.duration_since(self.machine_time());
        // An overdue timer needs no sleep.
        Ok(Duration::try_from(until).unwrap_or(Duration::ZERO))
    }
}
