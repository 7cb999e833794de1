//! The script of outcomes for the next calls.

use super::{Failure, Service, Work};
use crate::contract::Contract;
use crate::domain::outcome::Outcome;
use crate::domain::{Code, Rejection};
use crate::store::scenarios::{self, Line};
use crate::store::{Merchant, tenants};

/// The script's name for charges, which are not an operation of the interface.
pub(super) const CHARGE: &str = "chargeSubscription";

/// The most lines of a script.
pub const LONGEST: usize = 1_000;

/// Takes the scripted outcome for this call, in the same commit as the call's result.
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
    /// Adds a line at the end of the script and returns its number.
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

    /// The remaining lines of the script.
    pub async fn scenarios(&self, merchant: Merchant) -> Result<Vec<(i64, Line)>, Failure> {
        self.read(merchant, |work| {
            Ok(scenarios::all(work.connection, work.tenant)?)
        })
        .await
    }

    /// Removes all lines of the script.
    pub async fn clear_scenarios(&self, merchant: Merchant) -> Result<(), Failure> {
        self.command(merchant, |work| {
            Ok(scenarios::clear(work.connection, work.tenant)?)
        })
        .await
    }
}
