//! What happens by itself, when it is due on the tenant's clock.

use std::time::Duration;

use jiff::Timestamp;

use super::{Failure, Service, Work, charges, notifications, payment_links, reports, settle};
use crate::store::timers::{self, Timer};
use crate::store::{Merchant, StoreError};

/// How many timers fire in one database transaction at most.
const BATCH: usize = 256;
/// How long to wait after trouble with the database.
const PAUSE: Duration = Duration::from_secs(1);
/// How long to sleep at most: another program on the same database may have arranged something.
const LONGEST: Duration = Duration::from_secs(5);

/// What kind of thing something happens to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A subscription that is charged or ends; the subject is its id.
    Subscription,
    /// A payment link whose time runs out; the subject is its id.
    PaymentLink,
    /// A report whose file is made; the subject is its id.
    Report,
    /// A transaction whose ending comes; the subject is its id.
    Transaction,
    /// A notification that is to be sent; the subject is its id.
    Notification,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Subscription,
        Self::PaymentLink,
        Self::Report,
        Self::Transaction,
        Self::Notification,
    ];

    /// The name under which timers of the kind are stored.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Subscription => "subscription",
            Self::PaymentLink => "payment_link",
            Self::Report => "report",
            Self::Transaction => "transaction",
            Self::Notification => "notification",
        }
    }

    fn of(timer: &Timer) -> Result<Self, Failure> {
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == timer.kind);
        Ok(kind.ok_or(StoreError::Corrupt("timer"))?)
    }
}

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

/// Fires what is due until then, in the order it is due, as of the time it is due.
///
/// What the rules refuse now they will refuse for ever: it is told, and does not come again.
pub(super) fn fire_due(
    work: &Work<'_>,
    until: Timestamp,
    limit: usize,
) -> Result<Vec<Timer>, Failure> {
    let mut fired = Vec::new();
    while fired.len() < limit
        && let Some(timer) = timers::next(work.connection, work.tenant, until)?
    {
        if !timers::take(work.connection, work.tenant, &timer)? {
            return Err(StoreError::Stale.into());
        }
        let then = work.at(timer.due_at);
        match work.connection.attempt(|| fire(&then, &timer)) {
            Ok(()) => fired.push(timer),
            Err(Failure::Rejected(rejection)) => {
                tracing::error!(?timer, %rejection, "something was due that is not possible");
                fired.push(timer);
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(fired)
}

impl Service {
    /// Fires whatever is due, now and as it becomes due; does not end by itself.
    pub async fn keep_firing(&self) {
        loop {
            let wait = match self.fire_all().await {
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

    /// Fires everything that is due by now for anybody.
    pub async fn fire_all(&self) -> Result<(), Failure> {
        let machine = self.machine_time();
        let merchants: Vec<Merchant> = self
            .store
            .read(move |connection| timers::merchants(connection, machine))
            .await?;
        for merchant in merchants {
            while self.fire_some(merchant).await? == BATCH {}
        }
        Ok(())
    }

    async fn fire_some(&self, merchant: Merchant) -> Result<usize, Failure> {
        let fired = self.command(merchant, |work| fire_due(work, work.now, BATCH));
        let fired = fired.await?;
        self.count_fired(&fired);
        Ok(fired.len())
    }

    /// Counts what has happened, once it is kept.
    pub(super) fn count_fired(&self, fired: &[Timer]) {
        for timer in fired {
            self.metrics().fired(&timer.kind);
        }
    }

    async fn until_next(&self) -> Result<Duration, Failure> {
        let next: Option<Timestamp> = self.store.read(timers::next_due).await?;
        let Some(next) = next else { return Ok(LONGEST) };
        let until = next.duration_since(self.machine_time());
        // What lies in the past cannot be slept for: no time at all, then.
        Ok(Duration::try_from(until).unwrap_or(Duration::ZERO))
    }
}
