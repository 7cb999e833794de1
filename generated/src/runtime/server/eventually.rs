//! A future whose type is not known.

use std::pin::Pin;

/// What a function of the user gives, some time later.
pub(super) type Eventually<T> = Pin<Box<dyn Future<Output = T> + Send>>;
