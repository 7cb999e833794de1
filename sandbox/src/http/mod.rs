//! The layers around the operations: credentials, request ids, limits and errors.

mod authentication;
mod calls;
mod framing;
mod idle;
mod inject;
mod limits;
mod problem;
mod problems;
mod record;
mod refusal;
mod request_id;
mod server;

pub(crate) use authentication::basic;
pub use authentication::{Authentication, Demand};
pub use calls::Calls;
pub use limits::BODY_LIMIT;
pub(crate) use limits::bound;
pub(crate) use problem::respond;
pub use problem::{PROBLEM, SCHEMES, problem};
pub use request_id::{Missing, RequestId};
pub use server::{App, IDLE, app, serve};
