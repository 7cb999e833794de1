//! The support code of the generated crate: values, constraints, parameters, and the parts that
//! the client and the server stubs share.
//!
//! Nothing in here depends on the document the crate was generated from. Begin with [`parameter`], then
//! `server/routes.rs` and `client/request.rs`.

#[doc(hidden)]
pub mod choice;
pub mod date;
pub mod decimal;
pub mod nullable;
pub mod number;
pub mod sensitive;
pub mod timestamp;
pub mod union;
pub mod uuid;

mod canonical;
pub mod checked;
pub mod constraint;
mod ecma;
pub mod pattern;
pub mod rule;

pub mod answer;
pub mod builder;
pub mod byte_stream;
pub mod event;
#[doc(hidden)]
pub mod event_parser;
#[doc(hidden)]
pub mod form;
pub mod json;
pub mod json_text;
#[doc(hidden)]
pub mod loose;
#[doc(hidden)]
pub mod media_type;
pub mod multipart;
#[doc(hidden)]
pub mod object;
pub mod operation;
#[doc(hidden)]
pub mod parameter;
#[doc(hidden)]
pub mod percent;
pub mod problem;
mod texts;
mod whole;

#[cfg(feature = "callbacks")]
pub mod signature;

#[cfg(feature = "sources")]
#[path = "../sources.rs"]
pub mod sources;

#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "server")]
pub mod server;

pub use answer::Answer;
pub use byte_stream::{ByteStream, StreamError};
pub use bytes::Bytes;
pub use checked::{Broken, Checked};
pub use constraint::{Validate, Violation};
pub use date::Date;
pub use decimal::Decimal;
pub use event::Event;
pub use json_text::JsonText;
pub use nullable::Nullable;
pub use number::Number;
pub use operation::{Operation, Repeat, Scheme};
pub use parameter::Parameter;
pub use pattern::Pattern;
pub use problem::Problem;
pub use rule::Rule;
pub use sensitive::Sensitive;
pub use timestamp::Timestamp;
pub use uuid::Uuid;
