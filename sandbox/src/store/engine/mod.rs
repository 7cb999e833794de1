//! The drivers: run statements and read rows on SQLite and PostgreSQL.

mod postgres;
mod row;
mod session;
pub(super) mod sqlite;

pub use row::Row;
pub(super) use session::Session;
