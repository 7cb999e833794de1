//! The script of outcomes: what the next calls of a kind are answered with.

use super::{Failure, Service, Work};
use crate::contract::Contract;
use crate::domain::outcome::Outcome;
use crate::domain::{Code, Rejection};
use crate::store::scenarios::{self, Line};
use crate::store::{Merchant, tenants};

/// The name by which the script of outcomes knows charges, which are no operation of the interface.
pub(super) const CHARGE: &str = "chargeSubscription";

/// How many lines a script may have.
pub const LONGEST: usize = 1_000;

/// What the script has for this call, of which a line is used up: in the same commit as whatever
/// the outcome leads to.
pub fn next(
    work: &Work<'_>,
    operation: &str,
    payment_channel: Option<&str>,
) -> Result<Option<Outcome>, Failure> {
    if !work.scripted {
        return Ok(None);
    }
    let taken = scenarios::take(work.connection, work.tenant, operation, payment_channel);
    Ok(taken?)
}

impl Service {
    /// Adds a line at the end of the script, and gives its number.
    pub async fn add_scenario(&self, merchant: Merchant, line: Line) -> Result<i64, Failure> {
        let known =
            |id: &String| id == CHARGE || Contract::bundled().operations().by_id(id).is_some();
        if line.operation.as_ref().is_some_and(|id| !known(id)) {
            let detail = "the interface has no operation of this id";
            return Err(Rejection::at(Code::ContractViolation, "/operation", detail).into());
        }
        self.command(merchant, move |work| {
            tenants::lock(work.connection, work.merchant)?;
            if scenarios::all(work.connection, work.tenant)?.len() >= LONGEST {
                let detail = format!("a script has {LONGEST} lines at most");
                return Err(Rejection::new(Code::IllegalState, detail).into());
            }
            Ok(scenarios::add(work.connection, work.tenant, &line)?)
        })
        .await
    }

    /// What is left of the script.
    pub async fn scenarios(&self, merchant: Merchant) -> Result<Vec<(i64, Line)>, Failure> {
        self.read(merchant, |work| {
            Ok(scenarios::all(work.connection, work.tenant)?)
        })
        .await
    }

    /// Throws the script away.
    pub async fn clear_scenarios(&self, merchant: Merchant) -> Result<(), Failure> {
        self.command(merchant, |work| {
            Ok(scenarios::clear(work.connection, work.tenant)?)
        })
        .await
    }
}
