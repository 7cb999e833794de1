//! What surrounds the operations: credentials, request ids, limits, and errors of one form.

mod authentication;
mod idle;
mod limits;
mod problem;
mod problems;
mod request_id;
mod server;

pub use authentication::Authentication;
pub use limits::BODY_LIMIT;
pub use problem::{PROBLEM, problem};
pub use request_id::RequestId;
pub use server::{IDLE, app, serve};
