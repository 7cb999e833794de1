//! Step: builds a step of an operation without documented values.

use crate::case::{CaseName, Documented, Expected, Flow, Request, Step};
use crate::collect::area;
use crate::model::Call;

/// An empty request.
pub(crate) fn no_request<'d>() -> Request<'d> {
    Request {
        arguments: Vec::new(),
        body: None,
        replacements: Vec::new(),
        spoil: None,
        documented: Documented::default(),
    }
}

/// A step with this request and no expectation.
pub(crate) fn plain_step<'d>(call: &Call<'d>, request: Request<'d>) -> Step<'d> {
    let operation = call.operation.label();
    Step {
        id: "call".to_owned(),
        name: CaseName {
            id: operation.clone(),
            area: area(&call.operation),
            operation,
        },
        reported: false,
        blocked: None,
        operation: call.operation.clone(),
        request,
        expected: Expected::default(),
        flow: Flow::default(),
    }
}
