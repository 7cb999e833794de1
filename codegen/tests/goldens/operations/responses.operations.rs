use crate::runtime::{Operation, Repeat};

/// `GET /jobs`
pub static POLL: Operation = Operation {
    id: "poll",
    method: "GET",
    path: "/jobs",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Headers of the answer 200 of `poll`.
#[derive(Clone, Debug, PartialEq)]
pub struct PollOkHeaders {
    /// `x-cost`
    pub x_cost: i64,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::headers! {
    PollOkHeaders: Ignored {
        0 "x-cost" => x_cost required,
    }
}
