use crate::runtime::{Operation, Repeat};

/// `GET /either`
pub static EITHER: Operation = Operation {
    id: "either",
    method: "GET",
    path: "/either",
    parameters: &[],
    security: &[
        &[super::HEADER_KEY, super::QUERY_KEY],
        &[super::COOKIE_KEY],
        &[super::OAUTH.scopes(&["read", "write"])],
        &[super::BASIC],
    ],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// `POST /either`
pub static CHANGE: Operation = Operation {
    id: "change",
    method: "POST",
    path: "/either",
    parameters: &[],
    security: &[&[super::OAUTH.scopes(&["read"])]],
    request_id: None,
    repeat: Repeat::Never,
};
