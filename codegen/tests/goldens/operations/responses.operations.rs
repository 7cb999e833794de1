use serde::{Deserialize, Serialize};

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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PollOkHeaders {
    /// `x-cost`
    #[serde(rename = "x-cost")]
    pub x_cost: i64,
}
