//! The client: how a request is put together, sent, repeated where that is safe, and its answer
//! read.

mod call;
mod connection;
mod credential;
mod endpoint;
mod error;
mod request;
mod response;
mod retry;
mod settings;

pub use call::Call;
pub use connection::Connection;
pub use credential::Credential;
pub use endpoint::{Endpoint, Outcome};
pub use error::{DecodeError, Error, RequestError, TransportError};
pub use request::Request;
pub use response::Response;
pub use settings::Settings;
