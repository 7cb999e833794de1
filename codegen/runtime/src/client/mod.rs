//! The client: how a request is put together, sent, repeated where that is safe, and its answer
//! read.

#[cfg(feature = "streams")]
mod again;
#[cfg(feature = "streams")]
mod arrival;
mod call;
#[cfg(feature = "credentials")]
mod client_credentials;
mod clock;
mod connection;
#[cfg(feature = "credentials")]
mod credential;
mod deviation;
mod endpoint;
mod error;
#[cfg(feature = "streams")]
mod events;
#[cfg(feature = "streams")]
mod incoming;
mod lenient;
#[cfg(feature = "links")]
mod link;
mod outgoing;
mod own_server;
#[cfg(feature = "paging")]
mod pages;
#[cfg(feature = "paging")]
mod paging;
#[cfg(feature = "credentials")]
mod pass;
mod query;
mod refusal;
mod request;
mod response;
mod retry;
mod retry_after;
mod settings;
#[cfg(feature = "streams")]
mod streaming;
#[cfg(feature = "credentials")]
mod token;
#[cfg(feature = "tracing")]
mod trace;
mod types;

pub use call::Call;
#[cfg(feature = "seals")]
pub use call::Seal;
#[cfg(feature = "credentials")]
pub use client_credentials::ClientCredentials;
pub use clock::{Clock, SystemClock, Wait};
pub use connection::Connection;
#[cfg(feature = "credentials")]
pub use credential::Credential;
pub use deviation::Deviation;
#[cfg(feature = "streams")]
pub use endpoint::Streamed;
pub use endpoint::{Endpoint, Outcome};
pub use error::{
    Cause, DecodeError, Error, PagingError, RequestError, TransportError, UnexpectedError,
};
#[cfg(feature = "streams")]
pub use events::{EventError, Events};
#[cfg(feature = "streams")]
pub use incoming::Incoming;
#[cfg(feature = "links")]
pub use link::{Expression, Link, LinkError, Linked, Linking, Origin};
#[cfg(feature = "paging")]
pub use pages::{Items, Pages, Paginated};
#[cfg(feature = "paging")]
pub use paging::{End, Next, Paging};
#[cfg(feature = "fields")]
pub use refusal::FieldError;
pub use refusal::{Explain, Failed, Problem, Text};
pub use request::Request;
/// The HTTP client that [`Settings::http`] takes.
pub use reqwest::Client as HttpClient;
pub use response::Response;
pub use retry::{RetryPolicy, Trouble};
pub use settings::Settings;
#[cfg(feature = "streams")]
pub use streaming::Streaming;
#[cfg(feature = "credentials")]
pub use token::{Fetching, Token, TokenContext, TokenError, TokenSource, Tokens};
