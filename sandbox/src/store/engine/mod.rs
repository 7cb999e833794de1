//! What each of the two databases needs to run a statement and to read its rows.

mod postgres;
mod row;
mod session;
pub(super) mod sqlite;

pub use row::Row;
pub(super) use session::Session;
