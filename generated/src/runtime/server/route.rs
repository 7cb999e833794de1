//! An operation with what answers it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{self, Poll};

use http::HeaderName;

use super::super::answer::Answer;
use super::super::operation::Operation;
use super::call::{Call, Captured};
use super::context::Context;
use super::eventually::Eventually;
use super::refusal::{Describe, Refusal};
use super::reply::Reply;
use super::template::Template;
use super::upload::Keep;

/// An operation and the function that answers it.
pub(super) struct Route {
    pub(super) operation: &'static Operation,
    pub(super) template: Template,
    /// The header that carries the request id.
    pub(super) request_id: Option<HeaderName>,
    pub(super) handler: Handler,
    /// The media types whose bodies are not read before the handler asks.
    pub(super) streamed: &'static [&'static str],
}

/// What holds for all operations of a router.
#[derive(Clone)]
pub(super) struct Rules {
    pub(super) guard: Option<Guard>,
    pub(super) keep: Option<Keep>,
    pub(super) body_limit: usize,
    pub(super) describe: Describe,
}

pub(super) type Handler = Box<dyn Fn(Call) -> Pin<Box<dyn Handling>> + Send + Sync>;
pub(super) type Guard = Arc<dyn Fn(Context) -> Eventually<Result<Context, Answer>> + Send + Sync>;

/// A request that is being answered: any future of what becomes a reply. A future around it would
/// hold it twice and copy it.
pub(super) trait Handling: Send {
    fn poll_reply(
        self: Pin<&mut Self>,
        task: &mut task::Context<'_>,
    ) -> Poll<Result<Reply, Refusal>>;
}

impl<F, A> Handling for F
where
    F: Future<Output = Result<A, Refusal>> + Send,
    A: Into<Reply>,
{
    fn poll_reply(
        self: Pin<&mut Self>,
        task: &mut task::Context<'_>,
    ) -> Poll<Result<Reply, Refusal>> {
        self.poll(task).map_ok(Into::into)
    }
}

impl Route {
    /// The places of the parameters in a path; `None` when the path does not match.
    pub(super) fn capture(&self, path: &str) -> Option<Captured> {
        let table = self.operation.parameters;
        let mut captured = Vec::new();
        self.template.capture(path, |name, place| {
            let known = table.iter().find(|parameter| parameter.name == name);
            captured.extend(known.map(|parameter| (parameter.name, place)));
        })?;
        Some(captured)
    }
}
