//! PostgreSQL: several connections, each of which writes for itself.

mod pool;

pub(super) use pool::Pool;
