//! The operations of the document: paths, parameters, security. Client and server share them.

pub mod files;
pub mod payment_links;
pub mod transactions;

use crate::runtime::Scheme;
use crate::runtime::operation::Carrier;

/// The API key.
pub const API_KEY: Scheme = Scheme {
    name: "apiKey",
    carrier: Carrier::Header("authorization"),
    scopes: &[],
};

/// User name and password.
pub const BASIC: Scheme = Scheme {
    name: "basic",
    carrier: Carrier::Basic,
    scopes: &[],
};

/// The cookie of a session.
pub const SESSION: Scheme = Scheme {
    name: "session",
    carrier: Carrier::Cookie("sid"),
    scopes: &[],
};
