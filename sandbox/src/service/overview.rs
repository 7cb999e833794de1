//! Loads a merchant's latest records for the start page.

use jiff::{SignedDuration, Timestamp};

use super::notifications::with_attempts;
use super::{Failure, NotificationHistory, Service};
use crate::domain::page::Page;
use crate::domain::plan::Plan;
use crate::render::View;
use crate::store::snapshots::{self, Snapshot};
use crate::store::subscriptions::{self, Filter};
use crate::store::{self, Hold, Merchant, notifications, plans, tenants};

/// The number of latest payments.
pub const PAYMENTS: u32 = 10;
/// The number of latest subscriptions and of latest notifications.
pub const OTHERS: u32 = 5;

/// The latest records of each kind, latest first.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The time on the merchant's clock.
    pub now: Timestamp,
    /// How far the clock is ahead of the machine's clock.
    pub ahead: SignedDuration,
    /// Purchases, refunds and payouts.
    pub payments: Vec<View>,
    /// Started subscriptions, each with its plan unless the plan was removed.
    pub subscriptions: Vec<(subscriptions::Record, Option<Plan>)>,
    /// Notifications.
    pub notifications: Vec<NotificationHistory>,
    /// Every snapshot, oldest first.
    pub snapshots: Vec<Snapshot>,
}

impl Service {
    /// The latest records of a merchant, from a consistent snapshot.
    pub async fn overview(&self, merchant: Merchant) -> Result<Overview, Failure> {
        let page = Page {
            items: OTHERS.into(),
            number: 1,
            descending: true,
            sort_by: "createdAt",
        };
        self.read(merchant, move |work| {
            let (connection, tenant) = (work.connection, work.tenant);
            let latest = store::latest_transactions(connection, tenant, PAYMENTS)?;
            let begun = subscriptions::page(connection, tenant, &Filter::default(), &page)?;
            let begun = begun.into_iter().map(|record| {
                let plan = record.subscription.plan;
                let plan = plans::find(connection, tenant, plan, Hold::Nothing)?;
                Ok::<_, Failure>((record, plan))
            });
            let history = notifications::latest(connection, tenant, None, OTHERS)?;
            let history = history.into_iter().map(|one| with_attempts(work, one));
            Ok(Overview {
                now: work.now,
                ahead: tenants::present(connection, work.merchant)?.ahead,
                payments: { latest.into_iter() }
                    .map(|record| View::fresh(work, record))
                    .collect(),
                subscriptions: begun.collect::<Result<_, _>>()?,
                notifications: history.collect::<Result<_, _>>()?,
                snapshots: snapshots::of(connection, work.merchant)?,
            })
        })
        .await
    }
}
