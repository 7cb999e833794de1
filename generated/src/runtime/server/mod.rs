//! The server: routes, what is checked before an implementation is asked, and problems.

mod answer;
mod call;
mod context;
mod dispatch;
mod event_stream;
mod eventually;
mod faults;
mod index;
mod occasion;
mod refusal;
mod reply;
mod route;
mod routes;
mod template;
mod upload;

pub use call::Call;
pub use context::Context;
pub use event_stream::{EventSender, EventStream, SendError};
pub use index::Index;
pub use occasion::Occasion;
pub use refusal::{Reason, Refusal};
pub use reply::Reply;
pub use routes::Routes;
pub use upload::Upload;
