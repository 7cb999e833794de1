//! What purchases mean for the subscriptions that they begin or pay for.

use uuid::Uuid;

use super::subscriptions::keep;
use super::{Failure, Work};
use crate::domain::plan::Plan;
use crate::domain::subscription::{Charge, Payment};
use crate::domain::transaction::Transaction;
use crate::store::plans;
use crate::store::subscriptions::{self, Record};

/// A subscription that money is taken for, and its plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Charged<'a> {
    pub(super) record: &'a Record,
    pub(super) plan: &'a Plan,
}

/// Takes notice of a purchase that begins a subscription or pays for it.
pub(super) fn find_and_follow(
    work: &Work<'_>,
    subscription: Uuid,
    attempts_before: u32,
    after: &Transaction,
) -> Result<(), Failure> {
    let found = subscriptions::find(work.connection, work.tenant, subscription)?;
    let Some(record) = found else {
        // It was removed: nobody waits for the money any more.
        return Ok(());
    };
    let plan = plans::of_subscription(work.connection, work.tenant, record.subscription.plan)?;
    let charged = Charged {
        record: &record,
        plan: &plan,
    };
    follow(work, charged, attempts_before, after)
}

/// The same, when the subscription is at hand.
pub(super) fn follow(
    work: &Work<'_>,
    Charged { record, plan }: Charged<'_>,
    attempts_before: u32,
    after: &Transaction,
) -> Result<(), Failure> {
    let payment = Payment {
        purchase: after.id,
        attempted: after.attempts > attempts_before,
        result: Charge::of(after.status, after.decline.as_ref()),
    };
    let next = record.subscription.clone().follow(plan, payment, work.now);
    keep(work, record, &next)
}
