//! Writes the notifications of changes to the outbox, and reads them for the control interface.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::timer_kind::Kind;
use super::{Failure, Service, Work};
use crate::domain::notification::{self, Faults, HELD_BACK, Status};
use crate::domain::signature::Secret;
use crate::domain::subscription::Subscription;
use crate::domain::subscription_news::News;
use crate::domain::{Code, Rejection};
use crate::egress;
use crate::render::notification::Notice;
use crate::render::{self, View};
use crate::store::{
    self, Attempt, Collection, Merchant, Notification, Record, StoreError, deliveries,
    notification_faults, notifications, signing_secrets, subscriptions, tenants,
};

/// How long a secret keeps signing after it was replaced.
const OVERLAP: SignedDuration = SignedDuration::from_hours(24);

/// A notification with its attempts.
#[derive(Clone, Debug)]
pub struct NotificationHistory {
    /// The notification.
    pub notification: Notification,
    /// The attempts, in order.
    pub attempts: Vec<Attempt>,
}

/// Adds a notification of a new or changed transaction, if its merchant named a receiver.
pub(super) fn announce(
    work: &Work<'_>,
    before: Option<&Record>,
    after: &Record,
) -> Result<(), Failure> {
    if before.is_some_and(|before| is_unchanged(before, after)) {
        return Ok(());
    }
    let Some(url) = receiver(work, after)? else {
        return Ok(());
    };
    let transaction = &after.transaction;
    let event = notification::event(transaction.kind, transaction.status);
    add_notification(work, after, url, &event, None)
}

/// Adds a notification of a changed subscription, if there is a receiver. It shows the transaction
/// and goes to the same address as the transaction's notifications.
pub(super) fn announce_subscription(
    work: &Work<'_>,
    about: &Record,
    news: News,
    (record, after): (&subscriptions::Record, &Subscription),
) -> Result<(), Failure> {
    let Some(url) = receiver(work, about)? else {
        return Ok(());
    };
    add_notification(work, about, url, news.event(), Some(&record.with(after)))
}

fn add_notification(
    work: &Work<'_>,
    about: &Record,
    url: String,
    event: &str,
    subscription: Option<&subscriptions::Record>,
) -> Result<(), Failure> {
    let transaction = about.transaction.id;
    let sequence = notifications::next_sequence(work.connection, work.tenant, transaction)?;
    let body = body(work, about, (event, sequence), subscription)?;
    let id = notification::id(transaction, sequence, event, work.now);
    let gone = notifications::is_gone(work.connection, work.tenant, transaction)?;
    let faults = notification_faults::of(work.connection, work.tenant)?;
    let held_back = faults.hold_back(id, sequence).then_some(HELD_BACK);
    let due_at = held_back.and_then(|by| work.now.checked_add(by).ok());
    let written = Notification {
        id,
        transaction,
        sequence,
        event: event.to_owned(),
        origin: egress::origin(&url),
        url,
        body,
        status: if gone { Status::Gone } else { Status::Waiting },
        attempts: 0,
        tries: 0,
        ready: !gone && due_at.is_none(),
        due_at: due_at.filter(|_| !gone),
        created_at: work.now,
    };
    notifications::insert(work.connection, work.tenant, &written)?;
    schedule_sending(work, &written)
}

/// The signed body.
fn body(
    work: &Work<'_>,
    about: &Record,
    (event, sequence): (&str, i64),
    subscription: Option<&subscriptions::Record>,
) -> Result<String, Failure> {
    let view = View::load(work, about.clone())?;
    let merchant = match subscription {
        Some(_) => tenants::name(work.connection, work.merchant)?,
        None => String::new(),
    };
    let text = render::notification::text(&Notice {
        event,
        at: work.now,
        sequence,
        view: &view,
        subscription: subscription.map(|record| (record, merchant.as_str())),
    })?;
    Ok(text)
}

/// Whether neither the status nor the number of attempts changed.
fn is_unchanged(before: &Record, after: &Record) -> bool {
    let (before, after) = (&before.transaction, &after.transaction);
    before.status == after.status && before.attempts == after.attempts
}

/// The receiver of a transaction's notifications; a refund uses the receiver of its purchase.
fn receiver(work: &Work<'_>, record: &Record) -> Result<Option<String>, Failure> {
    let receiver = |record: &Record| record.details.receiver().map(str::to_owned);
    let Some(parent) = record.transaction.parent else {
        return Ok(receiver(record));
    };
    let collection = Collection::Transactions;
    let parent = store::find(work.connection, work.tenant, collection, parent)?;
    let parent = parent.ok_or(StoreError::Corrupt("refund"))?;
    Ok(receiver(&parent))
}

fn schedule_sending(work: &Work<'_>, notification: &Notification) -> Result<(), Failure> {
    if notification.ready {
        work.announced();
    }
    match notification.due_at {
        Some(due_at) => work.schedule(Kind::Notification, &subject(notification.id), Some(due_at)),
        None => Ok(()),
    }
}

/// The subject of a notification's timer.
pub(super) fn subject(id: Uuid) -> String {
    id.hyphenated().to_string()
}

/// Handles the timer of a notification: makes it ready to send.
pub(super) fn fire(work: &Work<'_>, subject: &str) -> Result<(), Failure> {
    let id: Uuid = subject.parse().map_err(|_| StoreError::Corrupt("timer"))?;
    if notifications::make_ready(work.connection, work.tenant, id)? {
        work.announced();
    }
    Ok(())
}

impl Service {
    /// The latest notifications of a merchant or of one transaction, latest first.
    pub async fn notifications(
        &self,
        merchant: Merchant,
        transaction: Option<Uuid>,
        limit: u32,
    ) -> Result<Vec<NotificationHistory>, Failure> {
        self.read(merchant, move |work| {
            let (connection, tenant) = (work.connection, work.tenant);
            let latest = notifications::latest(connection, tenant, transaction, limit)?;
            let history = latest.into_iter().map(|one| with_attempts(work, one));
            history.collect()
        })
        .await
    }

    /// One notification of a merchant.
    pub async fn notification(
        &self,
        merchant: Merchant,
        id: Uuid,
    ) -> Result<NotificationHistory, Failure> {
        self.read(merchant, move |work| {
            let found = notifications::find(work.connection, work.tenant, id)?;
            with_attempts(work, found.ok_or_else(unknown)?)
        })
        .await
    }

    /// Sends a notification in any state again, from the beginning of its schedule.
    pub async fn replay(&self, merchant: Merchant, id: Uuid) -> Result<(), Failure> {
        let machine = self.machine_time();
        self.command(merchant, move |work| {
            let (connection, tenant) = (work.connection, work.tenant);
            notifications::find(connection, tenant, id)?.ok_or_else(unknown)?;
            if !notifications::begin_anew(connection, tenant, id, machine)? {
                let detail = "the notification is being sent at this moment";
                return Err(Rejection::new(Code::IllegalState, detail).into());
            }
            work.schedule(Kind::Notification, &subject(id), None)?;
            work.announced();
            Ok(())
        })
        .await
    }

    /// The delivery faults that a merchant requested.
    pub async fn notification_faults(&self, merchant: Merchant) -> Result<Faults, Failure> {
        self.read(merchant, |work| {
            Ok(notification_faults::of(work.connection, work.tenant)?)
        })
        .await
    }

    /// Sets a merchant's delivery faults, each as a percentage of notifications.
    pub async fn ask_for_faults(&self, merchant: Merchant, faults: Faults) -> Result<(), Failure> {
        for (pointer, percent) in [
            ("/duplicated", faults.duplicated),
            ("/reordered", faults.reordered),
            ("/dropped", faults.dropped),
        ] {
            if percent > 100 {
                let detail = "a fault strikes 0 to 100 of a hundred notifications";
                return Err(Rejection::at(Code::ContractViolation, pointer, detail).into());
            }
        }
        self.command(merchant, move |work| {
            Ok(notification_faults::set(
                work.connection,
                work.tenant,
                faults,
            )?)
        })
        .await
    }

    /// The secrets that sign a merchant's notifications, newest first.
    pub async fn signing_secrets(&self, merchant: Merchant) -> Result<Vec<Secret>, Failure> {
        self.read(merchant, |work| {
            Ok(signing_secrets::of(
                work.connection,
                work.merchant,
                work.now,
            )?)
        })
        .await
    }

    /// Signs with this secret from now on; earlier secrets keep signing for a day. Does nothing
    /// when it is already the newest.
    pub async fn sign_with(&self, merchant: Merchant, secret: Secret) -> Result<(), Failure> {
        self.command(merchant, move |work| {
            let (connection, merchant) = (work.connection, work.merchant);
            let present = signing_secrets::of(connection, merchant, work.now)?;
            if present.first() == Some(&secret) {
                return Ok(());
            }
            let until = work.now.checked_add(OVERLAP).unwrap_or(Timestamp::MAX);
            Ok(signing_secrets::add(connection, merchant, &secret, until)?)
        })
        .await
    }
}

pub(super) fn with_attempts(
    work: &Work<'_>,
    notification: Notification,
) -> Result<NotificationHistory, Failure> {
    let attempts = deliveries::attempts(work.connection, work.tenant, notification.id)?;
    Ok(NotificationHistory {
        notification,
        attempts,
    })
}

fn unknown() -> Rejection {
    Rejection::unknown("notification")
}
