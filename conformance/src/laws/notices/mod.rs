//! Laws about messages that the server sends: callbacks and webhooks.

pub(crate) mod notifications;
pub(crate) mod webhooks;
