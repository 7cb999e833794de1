//! The client: how a request is put together, sent, repeated where that is safe, and its answer
//! read.

mod again;
mod arrival;
mod call;
mod client_credentials;
mod clock;
mod connection;
mod credential;
mod deviation;
mod endpoint;
mod error;
mod events;
mod incoming;
mod lenient;
mod link;
mod outgoing;
mod own_server;
mod pages;
mod paging;
mod pass;
mod query;
mod refusal;
mod request;
mod response;
mod retry;
mod retry_after;
mod settings;
mod streaming;
mod token;

pub use call::{Call, Seal};
pub use client_credentials::ClientCredentials;
pub use clock::{Clock, SystemClock, Wait};
pub use connection::Connection;
pub use credential::Credential;
pub use deviation::Deviation;
pub use endpoint::Streamed;
pub use endpoint::{Endpoint, Outcome};
pub use error::{
    Cause, DecodeError, Error, PagingError, RequestError, TransportError, UnexpectedError,
};
pub use events::{EventError, Events};
pub use incoming::Incoming;
pub use link::{Expression, Link, LinkError, Linked, Linking};
pub use pages::{Items, Pages, Paginated};
pub use paging::{End, Next, Paging};
pub use refusal::{Explain, Failed, FieldError, Problem, Text};
pub use request::Request;
pub use response::Response;
pub use retry::{RetryPolicy, Trouble};
pub use settings::Settings;
pub use streaming::Streaming;
pub use token::{Fetching, Token, TokenContext, TokenError, TokenSource, Tokens};
