//! From an HTTP request to an operation, and from its answer to an HTTP response.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::response::Response;
use axum::routing::MethodRouter;
use bytes::{Bytes, BytesMut};
use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, header};

use super::super::answer::Answer;
use super::super::byte_stream::ByteStream;
use super::super::media_type;
use super::super::operation::{Operation, Repeat};
use super::super::uuid::Uuid;
use super::call::{Call, Payload};
use super::context::Context;
use super::refusal::{Reason, Refusal};
use super::reply::Reply;
use super::routes::{Route, Rules};

/// The operations that one path of the router can mean, the more literal ones first.
pub(super) struct Group {
    pub(super) routes: Vec<Route>,
    pub(super) rules: Rules,
}

pub(super) fn service(group: Arc<Group>) -> MethodRouter {
    axum::routing::any(move |request: Request| {
        let group = Arc::clone(&group);
        async move { group.respond(request).await }
    })
}

/// Path parameters by name, not decoded.
type Captured<'t, 'p> = Vec<(&'t str, &'p str)>;

/// Stands in for the operation where none is found.
static NOTHING: Operation = Operation {
    id: "",
    method: "",
    path: "",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Never,
};

impl Group {
    async fn respond(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let uri = parts.uri.clone();
        let found = self.find(&parts.method, uri.path());
        let operation = found
            .as_ref()
            .map_or(&NOTHING, |(route, _)| route.operation);
        let name = found
            .as_ref()
            .ok()
            .and_then(|(route, _)| route.request_id.clone());
        let id = request_id(&parts, name.as_ref());
        let context = self.context(parts, operation, &id);
        let reply = match found {
            Ok((route, captured)) => self.ask(route, &captured, context, body).await,
            Err(allowed) => lost(&context, &allowed).into(),
        };
        reply.into_response(name.map(|name| (name, id)))
    }

    /// The operation and its path parameters, or else the methods that the path takes.
    fn find<'p>(
        &self,
        method: &Method,
        path: &'p str,
    ) -> Result<(&Route, Captured<'_, 'p>), BTreeSet<&'static str>> {
        let matching = || {
            self.routes
                .iter()
                .filter_map(|route| Some((route, route.template.capture(path)?)))
        };
        let of = |method: &str| matching().find(|(route, _)| route.operation.method == method);
        let found = of(method.as_str());
        let found = if *method == Method::HEAD {
            found.or_else(|| of("GET"))
        } else {
            found
        };
        found.ok_or_else(|| {
            matching()
                .map(|(route, _)| route.operation.method)
                .collect()
        })
    }

    fn context(&self, parts: Parts, operation: &'static Operation, id: &HeaderValue) -> Context {
        Context {
            operation,
            request_id: id.to_str().unwrap_or_default().to_owned(),
            uri: parts.uri,
            headers: parts.headers,
            extensions: parts.extensions,
            describe: self.rules.describe,
        }
    }

    /// A body that is no stream is read first, so that a connection stays usable after a refusal, but the guard has
    /// the first say.
    async fn ask(
        &self,
        route: &Route,
        captured: &Captured<'_, '_>,
        context: Context,
        body: Body,
    ) -> Reply {
        let mut streamed = route.streamed.iter();
        let streamed = streamed.any(|media_type| {
            let given = context.header(header::CONTENT_TYPE.as_str());
            given.is_some_and(|given| media_type::matches(given, media_type))
        });
        let payload = if streamed && !body.is_end_stream() {
            Ok(Payload::Stream(stream(body)))
        } else {
            let whole = read(body, &context, self.rules.body_limit).await;
            whole.map(Payload::Whole)
        };
        let context = match &self.rules.guard {
            Some(guard) => match guard(context).await {
                Ok(context) => context,
                Err(answer) => return answer.into(),
            },
            None => context,
        };
        let blank = context.bare();
        let result = match payload {
            Ok(payload) => (route.handler)(Call::new(context, captured, payload)).await,
            Err(refusal) => Err(refusal),
        };
        result.unwrap_or_else(|refusal| refused(&blank, refusal).into())
    }
}

/// The id that the request came with, or else a new one.
fn request_id(parts: &Parts, name: Option<&HeaderName>) -> HeaderValue {
    let given = name.and_then(|name| parts.headers.get(name));
    let given = given.filter(|id| id.to_str().is_ok_and(|text| !text.is_empty()));
    let new = || HeaderValue::try_from(Uuid::random().to_string()).ok();
    let id = given.cloned().or_else(new);
    id.unwrap_or(HeaderValue::from_static(""))
}

fn stream(body: Body) -> ByteStream {
    let size = body.size_hint().exact();
    let stream = ByteStream::new(body.into_data_stream());
    match size {
        Some(size) => stream.with_size(size),
        None => stream,
    }
}

async fn read(mut body: Body, context: &Context, limit: usize) -> Result<Bytes, Refusal> {
    let too_large = || Refusal::new(Reason::TooLarge, format!("a body may have {limit} bytes"));
    let announced = context.headers.get(header::CONTENT_LENGTH);
    if announced
        .and_then(|value| value.to_str().ok()?.parse::<usize>().ok())
        .is_some_and(|length| length > limit)
    {
        return Err(too_large());
    }
    let mut whole = BytesMut::new();
    while let Some(frame) = poll_fn(|task| Pin::new(&mut body).poll_frame(task)).await {
        let frame = frame.map_err(|_| Refusal::new(Reason::Unreadable, "the body broke off"))?;
        if let Ok(data) = frame.into_data() {
            if whole.len() + data.len() > limit {
                return Err(too_large());
            }
            whole.extend_from_slice(&data);
        }
    }
    Ok(whole.freeze())
}

fn refused(context: &Context, refusal: Refusal) -> Answer {
    let mut problem = context.problem(refusal.reason).detail(refusal.detail);
    problem.errors = refusal.faults;
    problem.into()
}

fn lost(context: &Context, allowed: &BTreeSet<&str>) -> Answer {
    if allowed.is_empty() {
        return refused(
            context,
            Refusal::new(Reason::UnknownPath, "no operation has this path"),
        );
    }
    let allowed = allowed.iter().copied().collect::<Vec<_>>().join(", ");
    refused(
        context,
        Refusal::new(Reason::UnknownMethod, format!("this path takes {allowed}")),
    )
    .header("allow", allowed)
}
