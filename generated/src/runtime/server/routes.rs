//! Builds a router from operations and their implementations.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use http::HeaderName;

use super::super::answer::Answer;
use super::super::multipart::Content;
use super::super::operation::Operation;
use super::super::problem::Problem;
use super::call::Call;
use super::context::Context;
use super::dispatch::{self, Group};
use super::refusal::{Reason, Refusal};
use super::reply::Reply;
use super::route::{Handler, Route, Rules};
use super::template::Template;
use super::upload::Upload;

/// Operations and their implementations.
pub struct Routes {
    routes: Vec<Route>,
    rules: Rules,
}

impl Routes {
    /// No operations; bodies of up to 2 MiB.
    pub fn new() -> Self {
        let rules = Rules {
            guard: None,
            keep: None,
            body_limit: 2 << 20,
            describe: |_, _| {},
        };
        Self {
            routes: Vec::new(),
            rules,
        }
    }

    /// Adds an operation: `handle` reads the request and calls the implementation.
    #[must_use]
    pub fn operation<T, F, R, A>(
        self,
        operation: &'static Operation,
        implementation: &Arc<T>,
        handle: F,
    ) -> Self
    where
        T: Send + Sync + 'static,
        F: Fn(Arc<T>, Call) -> R + Send + Sync + 'static,
        R: Future<Output = Result<A, Refusal>> + Send + 'static,
        A: Into<Reply>,
    {
        self.streaming(&[], operation, implementation, handle)
    }

    /// Adds an operation that reads bodies of some media types as streams. The size limit does not
    /// apply to them.
    #[must_use]
    pub fn streaming<T, F, R, A>(
        mut self,
        media_types: &'static [&'static str],
        operation: &'static Operation,
        implementation: &Arc<T>,
        handle: F,
    ) -> Self
    where
        T: Send + Sync + 'static,
        F: Fn(Arc<T>, Call) -> R + Send + Sync + 'static,
        R: Future<Output = Result<A, Refusal>> + Send + 'static,
        A: Into<Reply>,
    {
        let implementation = Arc::clone(implementation);
        let handler: Handler =
            Box::new(move |call| Box::pin(handle(Arc::clone(&implementation), call)));
        self.routes.push(Route {
            operation,
            template: Template::new(operation.path, operation.parameters),
            request_id: operation
                .request_id
                .and_then(|name| HeaderName::try_from(name).ok()),
            handler,
            streamed: media_types,
        });
        self
    }

    /// Serves all the operations at `path`. Use it for operations without a path in the document.
    #[must_use]
    pub fn at(mut self, path: &str) -> Self {
        for route in &mut self.routes {
            route.template = Template::new(path, route.operation.parameters);
        }
        self
    }

    /// Adds the operations of another area; the rules of `self` apply to them.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.routes.extend(other.routes);
        self
    }

    /// Asks `guard` before anything of a request is judged. It may leave something in the
    /// extensions of the context, such as who is calling, or give the answer itself. The address
    /// stays the one that the request came with.
    #[must_use]
    pub fn guard<G, R>(mut self, guard: G) -> Self
    where
        G: Fn(Context) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Context, Answer>> + Send + 'static,
    {
        self.rules.guard = Some(Arc::new(move |context| Box::pin(guard(context))));
        self
    }

    /// Hands each file of a body in parts to `keep` as it comes, instead of having it in memory:
    /// what has a file name is a file. The implementation gets what `keep` makes of it, such as
    /// the stream of a file on disk. The limit of the size does not hold for what `keep` reads.
    #[must_use]
    pub fn files<K, R>(mut self, keep: K) -> Self
    where
        K: Fn(Upload) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Content, Refusal>> + Send + 'static,
    {
        self.rules.keep = Some(Arc::new(move |upload| Box::pin(keep(upload))));
        self
    }

    /// The size in bytes that a body may have which is not taken as a stream.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.rules.body_limit = bytes;
        self
    }

    /// Completes the problems that the server itself answers with.
    #[must_use]
    pub fn describe(mut self, describe: fn(Reason, &mut Problem)) -> Self {
        self.rules.describe = describe;
        self
    }

    /// The operations as a router.
    pub fn into_router(self) -> axum::Router {
        let mut groups: BTreeMap<String, Vec<Route>> = BTreeMap::new();
        for route in self.routes {
            groups
                .entry(route.template.route())
                .or_default()
                .push(route);
        }
        let mut router = axum::Router::new().without_v07_checks();
        for (path, mut routes) in groups {
            routes.sort_by_key(|route| std::cmp::Reverse(route.template.literals()));
            let group = Group {
                routes,
                rules: self.rules.clone(),
            };
            router = router.route(&path, dispatch::service(Arc::new(group)));
        }
        let nothing = Group {
            routes: Vec::new(),
            rules: self.rules,
        };
        router.fallback_service(dispatch::service(Arc::new(nothing)))
    }
}

impl Default for Routes {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Routes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.routes.iter().map(|route| route.operation.id);
        f.debug_list().entries(ids).finish()
    }
}
