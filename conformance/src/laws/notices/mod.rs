//! Laws of what a server sends by itself.

pub(crate) mod notifications;
pub(crate) mod webhooks;
