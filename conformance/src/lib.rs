//! Replays the documented examples and scenarios of an `OpenAPI` document against a live server and
//! reports differences.
//!
//! The phases, each one function in a file of its name:
//!
//! 1. [`collect::collect`]: examples and scenarios → cases.
//! 2. [`plan::plan`]: order and isolation.
//! 3. `execute::execute`: the only async loop; it emits events.
//! 4. [`judge`]: expectation and response → differences.
//! 5. [`report`]: consumers of events.
//!
//! Phases that decide do no I/O and take clock, randomness and ids as arguments.
//!
//! The crate uses no generated code, and talks to servers only over HTTP. Begin with [`run`], then
//! [`collect`].
//!
//! # Example
//!
//! ```no_run
//! use conformance::options::Options;
//! use conformance::report::Record;
//! use conformance::run::{RunError, run};
//! use conformance::source::Spec;
//!
//! async fn test() -> Result<(), RunError> {
//!     let spec = Spec::File("openapi.yaml".into());
//!     let mut options = Options::new(spec, "http://127.0.0.1:8080");
//!     options.headers = vec![("authorization".to_owned(), "KEY".to_owned())];
//!     let mut record = Record::default();
//!     run(&options, &mut [&mut record]).await?;
//!     for case in &record.cases {
//!         println!("{}: {}", case.id, case.verdict.as_str());
//!     }
//!     Ok(())
//! }
//! ```

mod amount;
mod answered;
mod base_path;
pub mod because;
pub mod case;
pub mod change;
mod check_digit;
pub mod checks;
pub mod client;
pub(crate) mod codes;
pub mod collect;
mod command;
pub mod compose;
pub mod condition;
pub mod config;
mod confirmed;
pub mod conflicts;
pub mod constants;
pub mod contract;
pub(crate) mod correction;
pub mod coverage;
pub mod curl;
pub mod deviations;
pub mod duration;
pub mod encoding;
mod envelopes;
pub mod event;
mod exceptions;
pub mod exchange;
pub mod execute;
pub mod explain;
pub mod expression;
pub mod facts;
pub mod fresh;
pub mod hooks;
pub mod judge;
pub mod laws;
pub mod level;
pub mod list_identity;
pub mod load;
pub mod model;
pub mod mutation;
pub mod names;
pub mod notifications;
pub mod options;
pub mod plan;
pub mod promise;
pub mod prose;
mod reached;
pub mod recipe;
pub mod reply;
pub mod report;
pub mod requirements;
pub mod run;
mod run_error;
pub mod sample;
pub mod scenario;
mod scene;
pub mod secrets;
pub mod seed;
pub mod setting;
pub mod shard;
pub mod source;
pub mod spelling;
pub mod spot;
pub mod style;
pub mod tool;
pub mod traffic;
mod trials;
pub mod value;
pub mod values;
pub mod withheld;

pub use openapi_document::shape;
