//! Leases notifications for sending and records the results.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::notifications::subject;
use super::timer_kind::Kind;
use super::{Failure, Service, Work};
use crate::domain::notification::{Faults, Reply, Status, Verdict, judge};
use crate::domain::signature::Secret;
use crate::store::{
    Attempt, Connection, Delivery, StoreError, deliveries, notification_faults, signing_secrets,
    tenants,
};

/// The duration of a lease: longer than an exchange can last. Notifications of a killed program are
/// sent again after it.
const LEASE: SignedDuration = SignedDuration::from_secs(20);

/// A notification that is leased for sending.
#[derive(Clone, Debug)]
pub struct LeasedDelivery {
    /// The notification with this attempt counted, and its merchant.
    pub delivery: Delivery,
    /// The secrets to sign it with.
    pub secrets: Vec<Secret>,
    /// The requested delivery faults.
    pub faults: Faults,
    lease: Uuid,
}

impl Service {
    /// Leases notifications that are ready, except those of busy receivers.
    pub async fn lease_deliveries(
        &self,
        busy: [String; deliveries::BUSY],
        limit: u32,
    ) -> Result<Vec<LeasedDelivery>, Failure> {
        let (machine, lease) = (self.machine_time(), Uuid::new_v4());
        let found: Vec<Delivery> = self
            .store
            .read(move |connection| deliveries::sendable(connection, machine, &busy, limit))
            .await?;
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let taken = self.store.write(move |connection| {
            let mut taken = Vec::new();
            for delivery in &found {
                taken.extend(lease_one(connection, delivery, lease, machine)?);
            }
            Ok::<_, StoreError>(taken)
        });
        Ok(taken.await?)
    }

    /// Records the result of an attempt and ends the lease.
    pub async fn record_reply(
        &self,
        leased: LeasedDelivery,
        reply: Reply,
        took: Duration,
    ) -> Result<(), Failure> {
        let milliseconds = i64::try_from(took.as_millis()).unwrap_or(i64::MAX);
        self.metrics().notified(result(&reply));
        self.command(leased.delivery.merchant, move |work| {
            // A reset or a restored snapshot has replaced the records since.
            if work.tenant != leased.delivery.tenant {
                return Ok(());
            }
            let attempt = Attempt {
                number: leased.delivery.notification.attempts,
                made_at: work.now,
                milliseconds,
                reply: reply.clone(),
            };
            record_attempt(work, &leased, &attempt)
        })
        .await
    }
}

fn lease_one(
    connection: &Connection,
    delivery: &Delivery,
    lease: Uuid,
    machine: Timestamp,
) -> Result<Option<LeasedDelivery>, StoreError> {
    let until = machine.checked_add(LEASE).unwrap_or(Timestamp::MAX);
    if !deliveries::take(connection, delivery, lease, machine, until)? {
        return Ok(None);
    }
    let mut delivery = delivery.clone();
    delivery.notification.attempts += 1;
    delivery.notification.tries += 1;
    let ahead = tenants::present(connection, delivery.merchant)?.ahead;
    let now = machine.checked_add(ahead).unwrap_or(Timestamp::MAX);
    Ok(Some(LeasedDelivery {
        secrets: signing_secrets::of(connection, delivery.merchant, now)?,
        faults: notification_faults::of(connection, delivery.tenant)?,
        delivery,
        lease,
    }))
}

fn record_attempt(
    work: &Work<'_>,
    leased: &LeasedDelivery,
    attempt: &Attempt,
) -> Result<(), Failure> {
    let (connection, tenant) = (work.connection, work.tenant);
    let notification = &leased.delivery.notification;
    let id = notification.id;
    deliveries::keep(connection, tenant, id, attempt)?;
    let verdict = judge(id, notification.tries, &attempt.reply, work.now);
    let again = verdict == Verdict::Delivered && leased.faults.duplicate(id, attempt.number);
    let (status, ready, due_at) = match verdict {
        Verdict::Delivered if again => (Status::Waiting, true, None),
        Verdict::Delivered => (Status::Delivered, false, None),
        Verdict::Gone => (Status::Gone, false, None),
        Verdict::Retry(at) => (Status::Waiting, false, Some(at)),
        Verdict::Exhausted => (Status::Exhausted, false, None),
    };
    let outcome = (status, ready, due_at);
    if !deliveries::give_back(connection, tenant, id, leased.lease, outcome)? {
        // The lease has expired and passed to another sender, which decides what follows.
        return Ok(());
    }
    if status == Status::Gone {
        deliveries::end_waiting(connection, tenant, notification.transaction)?;
    }
    if due_at.is_some() {
        work.schedule(Kind::Notification, &subject(id), due_at)?;
    }
    Ok(())
}

/// The class of the answer's status, or the reason for its absence, as a metric label.
const fn result(reply: &Reply) -> &'static str {
    match reply {
        Reply::Answered { status, .. } => match *status / 100 {
            2 => "2xx",
            3 => "3xx",
            4 => "4xx",
            5 => "5xx",
            _ => "other",
        },
        Reply::Failed(failure) => failure.word(),
    }
}
