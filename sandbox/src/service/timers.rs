//! What happens by itself, when it is due on the tenant's clock.

use std::time::Duration;

use jiff::Timestamp;

use super::timer_kind::Kind;
use super::{Failure, Service, Work, charges, notifications, payment_links, reports, settle};
use crate::domain::Rejection;
use crate::store::timers::{self, Timer};
use crate::store::{Merchant, StoreError};

/// How many timers fire in one database transaction at most. PostgreSQL goes through all that a row
/// was in the same transaction before, so that more make each slower.
pub(super) const BATCH: usize = 64;
/// How long to wait after trouble with the database.
const PAUSE: Duration = Duration::from_secs(1);
/// How long to sleep while clocks are being moved.
const MEANWHILE: Duration = Duration::from_millis(100);
/// How long to sleep at most: another program on the same database may have arranged something.
const LONGEST: Duration = Duration::from_secs(5);

/// Lets happen what the timer stands for; `work` has the time at which it is due.
fn fire(work: &Work<'_>, timer: &Timer) -> Result<(), Failure> {
    match Kind::of(timer)? {
        Kind::Subscription => charges::fire(work, &timer.subject),
        Kind::PaymentLink => payment_links::fire(work, &timer.subject),
        Kind::Report => reports::fire(work, &timer.subject),
        Kind::Transaction => settle::fire(work, &timer.subject),
        Kind::Notification => notifications::fire(work, &timer.subject),
    }
}

/// Whether what one timer wrote can be undone without the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undo {
    /// All of a batch or nothing, which costs least.
    Batch,
    /// Each by itself.
    Each,
}

/// Fires what is due until then, in the order it is due, as of the time it is due, and no more than a
/// batch of it.
///
/// What the rules refuse now they will refuse for ever: where each can be undone by itself, it is told,
/// and does not come again. Else nothing of the batch is kept.
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
            // Somebody else has arranged it meanwhile.
            from = Timestamp::MIN;
            continue;
        };
        let then = work.at(timer.due_at);
        match undo {
            Undo::Batch => fire(&then, &timer)?,
            Undo::Each => fire_apart(&then, &timer)?,
        }
        let arranged = then.arranged.get();
        from = arranged.map_or(timer.due_at, |at| at.min(timer.due_at));
        fired.push(timer);
    }
    Ok(fired)
}

fn fire_apart(work: &Work<'_>, timer: &Timer) -> Result<(), Failure> {
    match work.connection.attempt(|| fire(work, timer)) {
        Err(Failure::Rejected(rejection)) => {
            // With it goes the hold on the plans that were looked at.
            work.plans.borrow_mut().clear();
            tell(timer, &rejection);
            Ok(())
        }
        fired => fired,
    }
}

fn tell(timer: &Timer, rejection: &Rejection) {
    tracing::error!(?timer, %rejection, "something was due that is not possible");
}

impl Service {
    /// Fires whatever is due, now and as it becomes due; does not end by itself.
    pub async fn keep_firing(&self) {
        loop {
            let wait = match self.fire_all().await {
                // What is due on the way of a clock that is being moved is left to others.
                Ok(()) if !self.advancing.is_empty() => Ok(MEANWHILE),
                Ok(()) => self.until_next().await,
                Err(error) => Err(error),
            };
            let wait = wait.unwrap_or_else(|error| {
                tracing::error!(%error, "cannot do what is due");
                PAUSE
            });
            tokio::select! {
                () = tokio::time::sleep(wait.min(LONGEST)) => {}
                () = self.alarm.notified() => {}
            }
        }
    }

    /// Fires everything that is due by now for anybody, but for those whose clocks are being moved.
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

    /// Fires a batch in a transaction, and once more with each by itself if the rules refuse any. Gives
    /// what has fired, and what else `fire` found out.
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
        // What lies in the past cannot be slept for: no time at all, then.
        Ok(Duration::try_from(until).unwrap_or(Duration::ZERO))
    }
}
