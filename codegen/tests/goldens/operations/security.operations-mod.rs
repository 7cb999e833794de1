use crate::runtime::Scheme;
use crate::runtime::operation::Carrier;

/// The security scheme `basic`.
pub const BASIC: Scheme = Scheme {
    name: "basic",
    carrier: Carrier::Basic,
    scopes: &[],
};

/// The security scheme `cookieKey`.
pub const COOKIE_KEY: Scheme = Scheme {
    name: "cookieKey",
    carrier: Carrier::Cookie("session"),
    scopes: &[],
};

/// The security scheme `headerKey`.
pub const HEADER_KEY: Scheme = Scheme {
    name: "headerKey",
    carrier: Carrier::Header("x-key"),
    scopes: &[],
};

/// The security scheme `oauth`.
pub const OAUTH: Scheme = Scheme {
    name: "oauth",
    carrier: Carrier::Bearer,
    scopes: &[],
};

/// The security scheme `queryKey`.
pub const QUERY_KEY: Scheme = Scheme {
    name: "queryKey",
    carrier: Carrier::Query("key"),
    scopes: &[],
};
