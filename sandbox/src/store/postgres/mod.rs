//! PostgreSQL: several connections that write independently.

mod pool;

pub(super) use pool::Pool;
