//! Subscriptions: recurring charges of a customer.
//!
//! The charges of a subscription are numbered from 0, one for each interval. Without a trial
//! period, the purchase that begins the subscription is the first charge. With one, the first
//! charge happens when the trial ends. Dates are days in UTC.

use jiff::Timestamp;
use jiff::civil::Date;
pub use merchant_payments::behaviour::subscription::{Event, Status, next};
use uuid::Uuid;

use super::dunning;
use super::interval::{begin_of, day_of, days};
use super::outcome::RejectCode;
use super::plan::Plan;
use super::rejection::Rejection;
use super::state;
use super::text::bounded;

/// The reason of a cancellation after a charge that is not retried any more.
pub const PAYMENT_FAILED: &str = "payment_failed";
/// The length limit of a cancellation's reason, in characters.
const LONGEST_REASON: usize = 255;

/// The state of a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// The service's id.
    pub id: Uuid,
    /// The plan.
    pub plan: Uuid,
    /// The subscriber.
    pub customer: Uuid,
    /// The purchase that begins it.
    pub first_transaction: Uuid,
    /// Its status.
    pub status: Status,
    /// Its first day.
    pub start: Date,
    /// The day on which it ends or ended.
    pub end: Option<Date>,
    /// The number of paid charges, which is also the number of the next charge.
    pub paid: u32,
    /// The number of charges left; `None` when unlimited.
    pub remaining: Option<u32>,
    /// The day of the next charge.
    pub next_charge: Option<Date>,
    /// The day of the next retry of a declined charge.
    pub next_attempt: Option<Date>,
    /// How often the next charge was declined.
    pub declines: u8,
    /// The number of all attempts to charge.
    pub attempts: u32,
    /// Whether a charge waits for its result.
    pub charging: bool,
    /// Why it ends.
    pub cancel_reason: Option<String>,
    /// When its first purchase was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The action that is due for a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Make the charge with this number.
    Charge(u32),
    /// Retry the charge with this number.
    Retry(u32),
    /// End the subscription.
    Expire,
}

/// A purchase that pays for a subscription, in its present state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payment<'r> {
    /// The purchase.
    pub purchase: Uuid,
    /// Whether an attempt has just been made, first or retry.
    pub attempted: bool,
    /// The result of the charge.
    pub result: Charge<'r>,
}

/// The result of a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge<'r> {
    /// There is no result yet.
    Pending,
    /// The money has arrived.
    Paid,
    /// The charge failed, with the code of the refusal where the provider gave one.
    Declined(Option<&'r RejectCode>),
}

impl<'r> Charge<'r> {
    /// The result that a purchase's status means for its subscription.
    pub const fn of(status: state::Status, decline: Option<&'r RejectCode>) -> Self {
        match status {
            state::Status::Accepted => Self::Paid,
            state::Status::Rejected | state::Status::Expired | state::Status::Cancelled => {
                Self::Declined(decline)
            }
            _ => Self::Pending,
        }
    }
}

impl Subscription {
    /// A subscription whose first purchase has just been created.
    pub fn ordered(plan: &Plan, customer: Uuid, first_transaction: Uuid, now: Timestamp) -> Self {
        Self {
            id: derived(first_transaction, "subscription"),
            plan: plan.id,
            customer,
            first_transaction,
            status: Status::Ordered,
            start: day_of(now),
            end: None,
            paid: 0,
            remaining: plan.total,
            next_charge: None,
            next_attempt: None,
            declines: 0,
            attempts: 0,
            charging: false,
            cancel_reason: None,
            created_at: now,
            updated_at: now,
        }
    }

    /// The id of the transaction for the charge with this number. It is derived, so that the same
    /// history always creates the same transactions.
    pub fn charge_id(&self, number: u32) -> Uuid {
        derived(self.id, &format!("charge-{number}"))
    }

    /// The id of the payment source when the first purchase named no card.
    pub fn source_id(&self) -> Uuid {
        derived(self.id, "payment-source")
    }

    /// When the next action is due; `None` when none is planned.
    pub fn due_at(&self) -> Option<Timestamp> {
        let day = match self.status {
            Status::Ordered | Status::Expired | Status::Removed => None,
            Status::Trial | Status::Active if self.charging => None,
            Status::Trial | Status::Active => self.next_attempt.or(self.next_charge).or(self.end),
        };
        day.map(begin_of)
    }

    /// The action that is due at `now`.
    pub fn due(&self, now: Timestamp) -> Option<Due> {
        if self.due_at().is_none_or(|at| at > now) {
            return None;
        }
        Some(match (self.next_attempt, self.next_charge) {
            (Some(_), _) => Due::Retry(self.paid),
            (None, Some(_)) => Due::Charge(self.paid),
            (None, None) => Due::Expire,
        })
    }

    /// Applies the state of a purchase that pays for the subscription: the first one, or a charge.
    #[must_use]
    pub fn follow(mut self, plan: &Plan, payment: Payment<'_>, now: Timestamp) -> Self {
        let before = self.clone();
        if self.status == Status::Ordered {
            let is_first = payment.purchase == self.first_transaction;
            if is_first && payment.result == Charge::Paid {
                self.begin(plan, now);
            }
        } else if self.status != Status::Expired && payment.purchase == self.charge_id(self.paid) {
            if payment.attempted && self.step(Event::Charge) {
                self.attempts = self.attempts.saturating_add(1);
            }
            self.settle(plan, payment.result, now);
        }
        self.with_update_time(&before, now)
    }

    /// Cancels the subscription at the end of its billing period; a second cancellation does not
    /// move the end.
    ///
    /// The first given reason is kept.
    pub fn cancel(
        mut self,
        plan: &Plan,
        reason: Option<String>,
        now: Timestamp,
    ) -> Result<Self, Rejection> {
        if let Some(reason) = &reason {
            bounded(reason, 1..=LONGEST_REASON, "/cancelReason")?;
        }
        if self.status == Status::Expired {
            return Ok(self);
        }
        let before = self.clone();
        self.step(Event::Cancel);
        self.cancel_reason = self.cancel_reason.or(reason);
        if self.end.is_none() {
            self.end_with_period(plan, now);
        }
        Ok(self.with_update_time(&before, now))
    }

    /// Ends the subscription now.
    #[must_use]
    pub fn expire(self, now: Timestamp) -> Self {
        self.finish(Event::End, now)
    }

    fn finish(mut self, event: Event, now: Timestamp) -> Self {
        let before = self.clone();
        if self.step(event) {
            let today = day_of(now);
            self.end = Some(self.end.map_or(today, |end| end.min(today)));
            self.next_charge = None;
            self.next_attempt = None;
            self.charging = false;
        }
        self.with_update_time(&before, now)
    }

    /// Starts the subscription after its first purchase was accepted.
    fn begin(&mut self, plan: &Plan, now: Timestamp) {
        self.start = day_of(now);
        if plan.trial_days > 0 {
            self.step(Event::BeginTrial);
            self.next_charge = Some(plan.anchor(self.start));
        } else {
            self.step(Event::Begin);
            self.count_paid(plan);
        }
        if !plan.active {
            self.end_with_period(plan, now);
        }
    }

    fn settle(&mut self, plan: &Plan, charge: Charge<'_>, now: Timestamp) {
        self.charging = charge == Charge::Pending;
        match charge {
            Charge::Pending => {}
            Charge::Paid => {
                self.step(Event::Pay);
                self.count_paid(plan);
            }
            Charge::Declined(code) => self.decline(plan, code, now),
        }
    }

    /// Counts a paid charge and plans the next one.
    fn count_paid(&mut self, plan: &Plan) {
        self.paid = self.paid.saturating_add(1);
        self.remaining = self.remaining.map(|left| left.saturating_sub(1));
        self.declines = 0;
        self.next_attempt = None;
        let next = plan.charge_date(plan.anchor(self.start), self.paid);
        let continues = self.end.is_none() && self.remaining != Some(0);
        self.next_charge = next.filter(|_| continues);
        if self.remaining == Some(0) {
            self.end = self.end.or(next);
        }
    }

    /// Plans a retry after a declined charge, or ends the subscription.
    fn decline(&mut self, plan: &Plan, code: Option<&RejectCode>, now: Timestamp) {
        let pause =
            dunning::pause(self.declines, code).filter(|_| plan.retries && self.end.is_none());
        self.declines = self.declines.saturating_add(1);
        self.next_attempt = pause.and_then(|pause| days(day_of(now), pause));
        if self.next_attempt.is_some() {
            self.step(Event::Decline);
        } else {
            self.cancel_reason
                .get_or_insert_with(|| PAYMENT_FAILED.to_owned());
            self.end = None;
            *self = self.clone().finish(Event::Fail, now);
        }
    }

    /// Ends the subscription after its paid period, or now when a charge is overdue.
    fn end_with_period(&mut self, plan: &Plan, now: Timestamp) {
        let overdue = self.next_attempt.is_some();
        let running = self.paid.saturating_add(u32::from(self.charging));
        let end = plan.charge_date(plan.anchor(self.start), running);
        self.next_charge = None;
        self.next_attempt = None;
        self.end = end.filter(|_| !overdue);
        if self.end.is_none_or(|end| end <= day_of(now)) {
            *self = self.clone().expire(now);
        }
    }

    /// Applies an event of the state table; returns whether the table allows it.
    fn step(&mut self, event: Event) -> bool {
        let next = next(self.status, event);
        self.status = next.unwrap_or(self.status);
        next.is_some()
    }

    fn with_update_time(mut self, before: &Self, now: Timestamp) -> Self {
        if self != *before {
            self.updated_at = now;
        }
        self
    }
}

fn derived(from: Uuid, name: &str) -> Uuid {
    Uuid::new_v5(&from, name.as_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::plan;

    fn at(text: &str) -> Timestamp {
        let text = if text.len() == 10 {
            format!("{text}T00:00:00Z")
        } else {
            text.to_owned()
        };
        text.parse().unwrap()
    }

    fn monthly() -> plan::Create {
        plan::Create {
            amount: "9.90".to_owned(),
            currency: "EUR".to_owned(),
            interval_unit: "month".to_owned(),
            charge_retry: true,
            ..plan::Create::default()
        }
    }

    fn planned(request: &plan::Create) -> Plan {
        plan::create(Uuid::nil(), Uuid::nil(), request, Timestamp::UNIX_EPOCH).unwrap()
    }

    fn begun(plan: &Plan, start: &str) -> Subscription {
        let now = at(start);
        let first = Uuid::from_u128(1);
        let ordered = Subscription::ordered(plan, Uuid::nil(), first, now);
        ordered.follow(plan, settled(first, Charge::Paid), now)
    }

    fn settled(purchase: Uuid, result: Charge<'_>) -> Payment<'_> {
        Payment {
            purchase,
            attempted: false,
            result,
        }
    }

    fn attempted(purchase: Uuid, result: Charge<'_>) -> Payment<'_> {
        Payment {
            attempted: true,
            ..settled(purchase, result)
        }
    }

    fn day(date: Option<Date>) -> String {
        date.map_or_else(String::new, |date| date.to_string())
    }

    /// Makes the due charge with this result.
    fn charged(subscription: Subscription, plan: &Plan, result: Charge<'_>) -> Subscription {
        let now = subscription.due_at().unwrap();
        let purchase = subscription.charge_id(subscription.paid);
        subscription.follow(plan, attempted(purchase, result), now)
    }

    fn declined(code: &str) -> RejectCode {
        RejectCode::parse(code).unwrap()
    }

    #[test]
    fn a_subscription_begins_when_its_first_purchase_is_accepted() {
        let (plan, now) = (planned(&monthly()), at("2027-01-31T10:00:00Z"));
        let first = Uuid::from_u128(1);
        let ordered = Subscription::ordered(&plan, Uuid::nil(), first, now);
        assert_eq!((ordered.status, ordered.due_at()), (Status::Ordered, None));
        for charge in [Charge::Pending, Charge::Declined(None)] {
            let still = ordered.clone().follow(&plan, settled(first, charge), now);
            assert_eq!(still, ordered);
        }
        let other = ordered
            .clone()
            .follow(&plan, settled(Uuid::from_u128(2), Charge::Paid), now);
        assert_eq!(other, ordered);
        let later = at("2027-02-01T10:00:00Z");
        let active = ordered.follow(&plan, settled(first, Charge::Paid), later);
        assert_eq!((active.status, active.paid), (Status::Active, 1));
        assert_eq!(
            (active.start.to_string(), day(active.next_charge)),
            ("2027-02-01".to_owned(), "2027-03-01".to_owned())
        );
        assert_eq!(active.due_at(), Some(at("2027-03-01")));
    }

    #[test]
    fn a_trial_ends_with_the_first_charge() {
        let plan = planned(&plan::Create {
            trial_period_days: Some(14),
            total_count: Some(2),
            ..monthly()
        });
        let trial = begun(&plan, "2027-01-17");
        assert_eq!(
            (trial.status, trial.paid, trial.remaining),
            (Status::Trial, 0, Some(2))
        );
        assert_eq!(trial.due(at("2027-01-30T23:59:59.999Z")), None);
        assert_eq!(trial.due(at("2027-01-31")), Some(Due::Charge(0)));
        let active = charged(trial, &plan, Charge::Paid);
        assert_eq!((active.status, active.remaining), (Status::Active, Some(1)));
        assert_eq!(day(active.next_charge), "2027-02-28");
        let last = charged(active, &plan, Charge::Paid);
        assert_eq!(
            (last.remaining, last.next_charge, day(last.end)),
            (Some(0), None, "2027-03-31".to_owned())
        );
        assert_eq!(last.due(at("2027-03-31")), Some(Due::Expire));
        assert_eq!(last.expire(at("2027-03-31")).status, Status::Expired);
    }

    #[test]
    fn a_declined_charge_is_retried_after_one_three_five_and_seven_days() {
        let plan = planned(&monthly());
        let code = declined("E1006");
        let mut subscription = begun(&plan, "2027-01-31");
        for attempt in ["2027-03-01", "2027-03-03", "2027-03-05", "2027-03-07"] {
            subscription = charged(subscription, &plan, Charge::Declined(Some(&code)));
            assert_eq!(
                (
                    day(subscription.next_charge).as_str(),
                    day(subscription.next_attempt).as_str()
                ),
                ("2027-02-28", attempt)
            );
            assert_eq!(subscription.due(at(attempt)), Some(Due::Retry(1)));
        }
        let paid = charged(subscription.clone(), &plan, Charge::Paid);
        assert_eq!(
            (day(paid.next_charge), paid.next_attempt, paid.declines),
            ("2027-03-31".to_owned(), None, 0)
        );
        let failed = charged(subscription, &plan, Charge::Declined(Some(&code)));
        assert_eq!(
            (failed.status, day(failed.end)),
            (Status::Expired, "2027-03-07".to_owned())
        );
        assert_eq!(failed.cancel_reason.as_deref(), Some(PAYMENT_FAILED));
        assert_eq!(failed.due_at(), None);
    }

    #[test]
    fn without_retries_or_after_a_hard_decline_a_subscription_ends_at_once() {
        let table = [(false, "E1006"), (true, "E1007"), (true, "E1008")];
        for (charge_retry, code) in table {
            let plan = planned(&plan::Create {
                charge_retry,
                ..monthly()
            });
            let code = declined(code);
            let ended = charged(
                begun(&plan, "2027-01-31"),
                &plan,
                Charge::Declined(Some(&code)),
            );
            assert_eq!(
                (ended.status, day(ended.end)),
                (Status::Expired, "2027-02-28".to_owned())
            );
            assert_eq!(ended.cancel_reason.as_deref(), Some(PAYMENT_FAILED));
        }
    }

    #[test]
    fn a_pending_charge_blocks_the_next_one() {
        let plan = planned(&monthly());
        let waiting = charged(begun(&plan, "2027-01-31"), &plan, Charge::Pending);
        assert_eq!((waiting.charging, waiting.due_at()), (true, None));
        let purchase = waiting.charge_id(1);
        let paid = waiting
            .clone()
            .follow(&plan, settled(purchase, Charge::Paid), at("2027-03-02"));
        assert_eq!(
            (paid.paid, day(paid.next_charge)),
            (2, "2027-03-31".to_owned())
        );
        let cancelled = waiting.cancel(&plan, None, at("2027-03-01")).unwrap();
        assert_eq!(
            (cancelled.status, day(cancelled.end)),
            (Status::Active, "2027-03-31".to_owned())
        );
        let paid =
            cancelled
                .clone()
                .follow(&plan, settled(purchase, Charge::Paid), at("2027-03-02"));
        assert_eq!(
            (paid.next_charge, day(paid.end)),
            (None, "2027-03-31".to_owned())
        );
        let unpaid = cancelled.follow(
            &plan,
            settled(purchase, Charge::Declined(None)),
            at("2027-03-02"),
        );
        assert_eq!(
            (unpaid.status, day(unpaid.end)),
            (Status::Expired, "2027-03-02".to_owned())
        );
    }

    #[test]
    fn a_cancelled_subscription_stays_active_until_its_period_ends() {
        let plan = planned(&monthly());
        let active = begun(&plan, "2027-01-31");
        let reason = || Some("moved away".to_owned());
        let cancelled = active.cancel(&plan, reason(), at("2027-02-10")).unwrap();
        assert_eq!(
            (cancelled.status, day(cancelled.end)),
            (Status::Active, "2027-02-28".to_owned())
        );
        assert_eq!(
            (cancelled.next_charge, cancelled.cancel_reason.clone()),
            (None, reason())
        );
        let again = cancelled
            .clone()
            .cancel(&plan, Some("other".to_owned()), at("2027-02-11"));
        assert_eq!(again.as_ref(), Ok(&cancelled));
        assert_eq!(cancelled.due(at("2027-02-28")), Some(Due::Expire));
        let expired = cancelled.expire(at("2027-02-28"));
        let late = expired
            .clone()
            .cancel(&plan, Some("other".to_owned()), at("2027-03-11"));
        assert_eq!(late, Ok(expired));
    }

    #[test]
    fn a_cancellation_with_an_overdue_charge_ends_it_at_once() {
        let plan = planned(&monthly());
        let overdue = charged(begun(&plan, "2027-01-31"), &plan, Charge::Declined(None));
        let ended = overdue
            .cancel(&plan, None, at("2027-03-01T08:00:00Z"))
            .unwrap();
        assert_eq!(
            (ended.status, day(ended.end)),
            (Status::Expired, "2027-03-01".to_owned())
        );
    }

    #[test]
    fn reasons_have_bounds() {
        let plan = planned(&monthly());
        for (reason, fine) in [
            ("x".repeat(255), true),
            ("x".repeat(256), false),
            (String::new(), false),
        ] {
            let cancelled =
                begun(&plan, "2027-01-31").cancel(&plan, Some(reason), at("2027-02-01"));
            assert_eq!(cancelled.is_ok(), fine);
        }
    }

    #[test]
    fn ids_of_charges_follow_from_the_first_purchase() {
        let plan = planned(&monthly());
        let (one, two) = (begun(&plan, "2027-01-31"), begun(&plan, "2027-02-01"));
        assert_eq!((one.id, one.charge_id(7)), (two.id, two.charge_id(7)));
        assert_ne!(one.charge_id(7), one.charge_id(8));
    }

    proptest! {
        /// For any pattern of declines, the paid charges follow the calendar in order, and the plan
        /// limits their number.
        #[test]
        fn charges_are_made_in_order_and_none_is_lost(
            start in 0_i64..20_000, trial in 0_i64..40, total in 1_i64..20, unit in 0..4_usize,
            charge_day in proptest::option::of(1_i64..=31), results in proptest::collection::vec(0..3_u8, 200),
        ) {
            let plan = planned(&plan::Create {
                trial_period_days: Some(trial),
                charge_day,
                total_count: Some(total),
                interval_unit: super::super::interval::Unit::ALL[unit].wire().to_owned(),
                ..monthly()
            });
            let start = at("1990-01-01") + jiff::SignedDuration::from_hours(24 * start);
            let mut subscription = begun(&plan, &start.to_string());
            let anchor = plan.anchor(subscription.start);
            let mut last = start;
            for result in results {
                let Some(due) = subscription.due_at() else { break };
                // The charge for a day may be paid after later days have passed.
                let now = due.max(last);
                last = now;
                match subscription.due(now) {
                    Some(Due::Expire) => {
                        prop_assert_eq!(subscription.end, plan.charge_date(anchor, subscription.paid));
                        subscription = subscription.expire(now);
                    }
                    Some(Due::Charge(number) | Due::Retry(number)) => {
                        prop_assert_eq!(number, subscription.paid);
                        prop_assert_eq!(subscription.next_charge, plan.charge_date(anchor, number));
                        let result = if result == 0 { Charge::Declined(None) } else { Charge::Paid };
                        let purchase = subscription.charge_id(number);
                        subscription = subscription.follow(&plan, attempted(purchase, result), now);
                    }
                    None => prop_assert!(false, "due and nothing to do"),
                }
                let paid = i64::from(subscription.paid);
                prop_assert_eq!(paid + i64::from(subscription.remaining.unwrap()), total);
            }
            prop_assert_eq!(subscription.status, Status::Expired);
            prop_assert_eq!(subscription.next_charge.or(subscription.next_attempt), None);
            let failed = subscription.cancel_reason.is_some();
            prop_assert_eq!(failed, subscription.remaining != Some(0));
        }
    }
}
