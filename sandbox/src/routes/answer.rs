//! Failures as answers of the generated server.

use merchant_payments::runtime::Answer;

use crate::http::{PROBLEM, problem};
use crate::service::Failure;

/// The answer to a request that failed.
pub(super) fn failed(failure: Failure) -> Answer {
    let problem = problem(failure);
    let status = u16::try_from(problem.status).unwrap_or(500);
    Answer::json(status, PROBLEM, &problem)
}
