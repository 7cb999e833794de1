//! The rows of the start page.

use jiff::Timestamp;
use uuid::Uuid;

use crate::domain::plan::Plan;
use crate::domain::state::Kind;
use crate::domain::subscription::{self, Status};
use crate::exchanges::Message;
use crate::pages::tone::Tone;
use crate::render::View;
use crate::service::NotificationHistory;
use crate::store::snapshots;
use crate::store::subscriptions::Record;

pub(super) struct Payment {
    pub(super) kind: &'static str,
    pub(super) key: String,
    pub(super) status: &'static str,
    pub(super) tone: Tone,
    pub(super) amount: String,
    pub(super) currency: String,
    /// The code and the sentence of a refusal.
    pub(super) decline: Option<(String, &'static str)>,
    /// The page on which the customer decides.
    pub(super) page: Option<String>,
    pub(super) at: String,
    pub(super) text: String,
}

pub(super) struct Subscription {
    pub(super) id: Uuid,
    pub(super) status: &'static str,
    pub(super) tone: Tone,
    pub(super) price: Option<String>,
    pub(super) paid: u32,
    pub(super) declines: u8,
    /// The next event, in words.
    pub(super) next: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) can_be_cancelled: bool,
}

pub(super) struct Notification {
    pub(super) id: Uuid,
    pub(super) event: String,
    pub(super) url: String,
    pub(super) status: &'static str,
    pub(super) tone: Tone,
    pub(super) attempts: u32,
}

pub(super) struct Snapshot {
    pub(super) number: i64,
    pub(super) name: Option<String>,
    pub(super) at: String,
    pub(super) text: String,
}

impl Payment {
    pub(super) fn of(view: &View) -> Self {
        let transaction = &view.record.transaction;
        let decline = transaction.decline.as_ref();
        Self {
            kind: match transaction.kind {
                Kind::Purchase => "Purchase",
                Kind::Refund => "Refund",
                Kind::Payout => "Payout",
            },
            key: Message::text(&transaction.merchant_transaction_id),
            status: transaction.status.wire(),
            tone: Tone::of_payment(transaction.status),
            amount: transaction.money.to_string(),
            currency: transaction.money.currency().code().to_owned(),
            decline: decline.map(|code| (code.as_str().to_owned(), code.reason())),
            page: view.redirect.clone(),
            at: timestamp(transaction.created_at),
            text: moment(transaction.created_at),
        }
    }
}

impl Subscription {
    pub(super) fn of(record: &Record, plan: Option<&Plan>) -> Self {
        let subscription = &record.subscription;
        let live = matches!(subscription.status, Status::Trial | Status::Active);
        Self {
            id: subscription.id,
            status: subscription.status.name(),
            tone: match (live, subscription.declines) {
                (true, 0) => Tone::Good,
                (true, _) => Tone::Wait,
                (false, _) => Tone::Bad,
            },
            price: plan.map(price),
            paid: subscription.paid,
            declines: subscription.declines,
            next: next(subscription, live),
            reason: subscription.cancel_reason.as_deref().map(Message::text),
            can_be_cancelled: live && subscription.end.is_none(),
        }
    }
}

/// The price and the interval of a plan.
fn price(plan: &Plan) -> String {
    let (unit, every) = (plan.interval.unit.wire(), plan.interval.count);
    let currency = plan.amount.currency();
    let (amount, code) = (plan.amount, currency.code());
    match every {
        1 => format!("{amount} {code} a {unit}"),
        _ => format!("{amount} {code} every {every} {unit}s"),
    }
}

/// The next event of a subscription, or its end.
fn next(subscription: &subscription::Subscription, live: bool) -> Option<String> {
    if let Some(day) = subscription.end {
        return Some(format!("{} {day}", if live { "ends" } else { "ended" }));
    }
    let again = subscription
        .next_attempt
        .map(|day| format!("tries again {day}"));
    again.or_else(|| Some(format!("next charge {}", subscription.next_charge?)))
}

impl Notification {
    pub(super) fn of(history: &NotificationHistory) -> Self {
        let sent = &history.notification;
        Self {
            id: sent.id,
            event: sent.event.clone(),
            url: Message::text(&sent.url),
            status: sent.status.wire(),
            tone: Tone::of_notification(sent.status),
            attempts: sent.attempts,
        }
    }
}

impl Snapshot {
    pub(super) fn of(snapshot: &snapshots::Snapshot) -> Self {
        Self {
            number: snapshot.number,
            name: snapshot.name.clone(),
            at: timestamp(snapshot.taken_at),
            text: moment(snapshot.taken_at),
        }
    }
}

/// A time in machine-readable form.
pub(super) fn timestamp(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// A time in readable form, in UTC.
pub(super) fn moment(at: Timestamp) -> String {
    at.strftime("%-d %b %Y, %H:%M").to_string()
}
