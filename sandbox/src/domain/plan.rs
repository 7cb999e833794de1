//! Plans: the price of a subscription and the schedule of its charges.

use std::error::Error;
use std::ops::RangeInclusive;

use jiff::Timestamp;
use jiff::civil::Date;
use uuid::Uuid;

use super::amount;
use super::currency::Currency;
use super::interval::{self, Interval, Unit};
use super::money::Money;
use super::rejection::{Code, Rejection};

/// The JSON pointer at which a purchase names its plan.
const PLAN: &str = "/paymentSpecificData/subscription/planId";

/// A plan of one product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The service's id.
    pub id: Uuid,
    /// The product.
    pub product: Uuid,
    /// Whether it can be purchased.
    pub active: bool,
    /// The days before the first charge.
    pub trial_days: u16,
    /// The day of the month of each charge.
    pub charge_day: Option<i8>,
    /// The fee at the beginning of the subscription.
    pub setup_fee: Money,
    /// The amount of each charge.
    pub amount: Money,
    /// The time between two charges.
    pub interval: Interval,
    /// The number of charges; unlimited when `None`.
    pub total: Option<u32>,
    /// Whether declined charges are retried.
    pub retries: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A request to create a plan, as the caller wrote it.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the fields of Plan, before they are read")]
pub struct Create {
    pub trial_period_days: Option<i64>,
    pub charge_day: Option<i64>,
    pub setup_fee: Option<String>,
    pub amount: String,
    pub currency: String,
    pub interval_unit: String,
    pub interval_count: Option<i64>,
    pub total_count: Option<i64>,
    pub charge_retry: bool,
}

/// Creates an active plan; the rejection lists every mistake.
pub fn create(
    id: Uuid,
    product: Uuid,
    request: &Create,
    now: Timestamp,
) -> Result<Plan, Rejection> {
    let mut wrong = Vec::new();
    let trial_days = integer(request.trial_period_days, 0..=3650, "trialPeriodDays");
    let charge_day = integer(request.charge_day, 1..=31, "chargeDay");
    let count = integer(request.interval_count, 1..=1000, "intervalCount");
    let total = integer(request.total_count, 1..=i64::from(u32::MAX), "totalCount");
    let (trial_days, charge_day) = (
        collect(trial_days, &mut wrong),
        collect(charge_day, &mut wrong),
    );
    let (count, total) = (collect(count, &mut wrong), collect(total, &mut wrong));
    let unit = collect(unit(&request.interval_unit), &mut wrong);
    let prices = prices(request, &mut wrong);
    Rejection::collected(wrong)?;
    // An absent value was refused above.
    let (Some(unit), Some((setup_fee, amount))) = (unit, prices) else {
        return Err(Rejection::new(Code::ContractViolation, "not a plan"));
    };
    let plan = Plan {
        id,
        product,
        active: true,
        trial_days: trial_days.flatten().unwrap_or(0),
        charge_day: charge_day.flatten(),
        setup_fee,
        amount,
        interval: Interval {
            unit,
            count: count.flatten().unwrap_or(1),
        },
        total: total.flatten(),
        retries: request.charge_retry,
        created_at: now,
        updated_at: now,
    };
    if plan.first_payment().is_none() {
        let detail = "the setup fee and the amount are too large together";
        return Err(Rejection::at(Code::AmountRule, "/setupFee", detail));
    }
    Ok(plan)
}

impl Plan {
    /// The amount of the purchase that begins a subscription: the setup fee, plus the first charge
    /// when there is no trial period. `None` on overflow.
    pub fn first_payment(&self) -> Option<Money> {
        let amount = match self.trial_days {
            0 => self.amount.minor(),
            _ => 0,
        };
        let sum = self.setup_fee.minor().checked_add(amount)?;
        Some(Money::new(sum, self.amount.currency()))
    }

    /// The day from which charges are counted for a subscription that starts on `start`.
    pub fn anchor(&self, start: Date) -> Date {
        interval::days(start, i64::from(self.trial_days)).unwrap_or(Date::MAX)
    }

    /// The day of a charge, counted from 0; `None` after the end of the calendar.
    pub fn charge_date(&self, anchor: Date, number: u32) -> Option<Date> {
        self.interval.date(anchor, self.charge_day, number)
    }

    /// Checks that a purchase of this amount can begin a subscription.
    pub fn accepts(&self, money: Money, names_customer: bool) -> Result<(), Rejection> {
        if !self.active {
            return Err(Rejection::at(
                Code::IllegalState,
                PLAN,
                "the plan is not active",
            ));
        }
        let mut wrong = Vec::new();
        let first = self.first_payment().unwrap_or(self.amount);
        let currency = self.amount.currency();
        if money.currency() != currency {
            let detail = format!("the plan is in {currency}");
            wrong.push(Rejection::at(Code::AmountRule, "/currency", detail));
        } else if money != first {
            let detail = format!("a subscription to this plan begins with {first} {currency}");
            wrong.push(Rejection::at(Code::AmountRule, "/amount", detail));
        }
        if !names_customer {
            let detail = "a subscription needs a customer";
            wrong.push(Rejection::at(Code::ContractViolation, "/customer", detail));
        }
        Rejection::collected(wrong)
    }
}

/// Activates or deactivates a plan; nothing changes when it already has that state.
pub fn set_active(mut plan: Plan, active: bool, now: Timestamp) -> Plan {
    if plan.active != active {
        plan.active = active;
        plan.updated_at = now;
    }
    plan
}

/// The refusal of a purchase whose plan does not exist.
pub fn unknown() -> Rejection {
    Rejection::at(Code::UnknownRecord, PLAN, "no such plan")
}

fn collect<T>(result: Result<T, Rejection>, wrong: &mut Vec<Rejection>) -> Option<T> {
    result.map_err(|rejection| wrong.push(rejection)).ok()
}

fn integer<T: TryFrom<i64>>(
    given: Option<i64>,
    bounds: RangeInclusive<i64>,
    field: &str,
) -> Result<Option<T>, Rejection> {
    let Some(given) = given else {
        return Ok(None);
    };
    let fits = bounds.contains(&given).then(|| T::try_from(given).ok());
    fits.flatten().map(Some).ok_or_else(|| {
        let detail = format!("{field} has to be {} to {}", bounds.start(), bounds.end());
        Rejection::at(Code::ContractViolation, &format!("/{field}"), detail)
    })
}

fn unit(text: &str) -> Result<Unit, Rejection> {
    Unit::from_wire(text).ok_or_else(|| {
        let detail = "the unit of an interval has to be day, week, month or year";
        Rejection::at(Code::ContractViolation, "/intervalUnit", detail)
    })
}

/// Parses the setup fee and the amount.
fn prices(request: &Create, wrong: &mut Vec<Rejection>) -> Option<(Money, Money)> {
    let refuse =
        |pointer, error: &dyn Error| Rejection::at(Code::AmountRule, pointer, error.to_string());
    let currency = Currency::parse(&request.currency).map_err(|error| refuse("/currency", &error));
    let currency = collect(currency, wrong)?;
    let fee = request.setup_fee.as_deref().unwrap_or("0");
    let fee = Money::parse(fee, currency).map_err(|error| refuse("/setupFee", &error));
    let amount = amount::read(&request.amount, &request.currency);
    let (fee, amount) = (collect(fee, wrong), collect(amount, wrong));
    fee.zip(amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn request() -> Create {
        Create {
            amount: "9.90".to_owned(),
            currency: "EUR".to_owned(),
            interval_unit: "month".to_owned(),
            ..Create::default()
        }
    }

    fn created(request: &Create) -> Result<Plan, Rejection> {
        create(Uuid::nil(), Uuid::nil(), request, NOW)
    }

    fn eur(minor: i64) -> Money {
        Money::new(minor, Currency::parse("EUR").unwrap())
    }

    fn places(refused: &Rejection) -> Vec<&str> {
        let all = std::iter::once(refused).chain(&refused.also);
        all.filter_map(|one| one.pointer.as_deref()).collect()
    }

    #[test]
    fn absent_fields_have_defaults() {
        let plan = created(&request()).unwrap();
        assert!(plan.active && !plan.retries);
        assert_eq!(
            (plan.trial_days, plan.charge_day, plan.total),
            (0, None, None)
        );
        assert_eq!((plan.setup_fee, plan.interval.count), (eur(0), 1));
    }

    #[test]
    fn every_mistake_is_reported() {
        let refused = created(&Create {
            trial_period_days: Some(-1),
            charge_day: Some(32),
            setup_fee: Some("-1".to_owned()),
            amount: "0.00".to_owned(),
            interval_unit: "fortnight".to_owned(),
            interval_count: Some(0),
            total_count: Some(i64::from(u32::MAX) + 1),
            ..request()
        });
        let refused = refused.unwrap_err();
        let pointers = places(&refused);
        let all = "/trialPeriodDays /chargeDay /intervalCount /totalCount /intervalUnit /setupFee /amount";
        assert_eq!(pointers.join(" "), all);
    }

    #[test]
    fn invalid_amounts_are_refused_at_their_place() {
        let table = [
            ("9.901", "EUR", None, "/amount"),
            ("9.90", "XXX", None, "/currency"),
            ("9.90", "EUR", Some("0.001"), "/setupFee"),
            ("92233720368547758.07", "EUR", Some("0.01"), "/setupFee"),
        ];
        for (amount, currency, fee, pointer) in table {
            let refused = created(&Create {
                amount: amount.to_owned(),
                currency: currency.to_owned(),
                setup_fee: fee.map(str::to_owned),
                ..request()
            });
            let refused = refused.unwrap_err();
            let found = (refused.code, refused.pointer.as_deref());
            assert_eq!(
                found,
                (Code::AmountRule, Some(pointer)),
                "{amount} {currency}"
            );
        }
    }

    #[test]
    fn the_first_payment_is_the_setup_fee_and_the_first_charge() {
        let first = |trial, fee: &str| {
            let plan = created(&Create {
                trial_period_days: Some(trial),
                setup_fee: Some(fee.to_owned()),
                ..request()
            });
            plan.unwrap().first_payment()
        };
        assert_eq!(first(0, "0"), Some(eur(990)));
        assert_eq!(first(0, "5.00"), Some(eur(1490)));
        assert_eq!(first(14, "5.00"), Some(eur(500)));
        assert_eq!(first(14, "0"), Some(eur(0)));
    }

    #[test]
    fn a_purchase_has_to_match_the_plan() {
        let plan = created(&request()).unwrap();
        assert_eq!(plan.accepts(eur(990), true), Ok(()));
        let usd = Money::new(990, Currency::parse("USD").unwrap());
        let table = [
            (eur(989), true, vec!["/amount"]),
            (usd, true, vec!["/currency"]),
            (eur(1), false, vec!["/amount", "/customer"]),
        ];
        for (money, named, expected) in table {
            let refused = plan.accepts(money, named).unwrap_err();
            let pointers = places(&refused);
            assert_eq!(pointers, expected);
        }
        let inactive = set_active(plan, false, NOW);
        let refused = inactive.accepts(eur(990), true).unwrap_err();
        assert_eq!(
            (refused.code, refused.pointer.as_deref()),
            (Code::IllegalState, Some(PLAN))
        );
    }

    #[test]
    fn setting_the_present_state_changes_nothing() {
        let plan = created(&request()).unwrap();
        let later = NOW + jiff::SignedDuration::from_secs(1);
        assert_eq!(set_active(plan.clone(), true, later), plan);
        let inactive = set_active(plan, false, later);
        assert_eq!((inactive.active, inactive.updated_at), (false, later));
    }
}
