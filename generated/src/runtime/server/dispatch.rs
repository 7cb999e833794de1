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
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};

use super::super::answer::Answer;
use super::super::byte_stream::ByteStream;
use super::super::media_type;
use super::super::multipart;
use super::super::uuid::Uuid;
use super::call::{Call, Captured, Payload};
use super::context::Context;
use super::refusal::{Reason, Refusal};
use super::reply::Reply;
use super::route::{Route, Rules};
use super::upload::Uploads;

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

/// What a refusal tells of its request, which has gone to the handler by then.
struct Origin<'r> {
    uri: Uri,
    id: &'r HeaderValue,
    rules: &'r Rules,
}

impl Group {
    async fn respond(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let (route, path) = match self.find(&parts.method, parts.uri.path()) {
            Ok(found) => found,
            Err(allowed) => return self.lost(parts, &allowed),
        };
        let name = route.request_id.as_ref();
        let (id, request_id) = request_id(&parts.headers, name);
        let origin = Origin {
            uri: parts.uri.clone(),
            id: &id,
            rules: &self.rules,
        };
        let context = Context {
            operation: route.operation,
            request_id,
            uri: parts.uri,
            headers: parts.headers,
            extensions: parts.extensions,
            describe: self.rules.describe,
        };
        let reply = ask(route, path, context, body, &origin).await;
        reply.into_response(name.map(|name| (name, id)))
    }

    /// The operation and its path parameters, or else the methods of the path.
    fn find(
        &self,
        method: &Method,
        path: &str,
    ) -> Result<(&Route, Captured), BTreeSet<&'static str>> {
        let of = |method: &str| {
            let routes = self.routes.iter();
            let mut routes = routes.filter(|route| route.operation.method == method);
            routes.find_map(|route| Some((route, route.capture(path)?)))
        };
        let found = of(method.as_str());
        let found = if *method == Method::HEAD {
            found.or_else(|| of("GET"))
        } else {
            found
        };
        found.ok_or_else(|| {
            let routes = self.routes.iter();
            let matching = routes.filter(|route| route.capture(path).is_some());
            matching.map(|route| route.operation.method).collect()
        })
    }

    fn lost(&self, parts: Parts, allowed: &BTreeSet<&str>) -> Response {
        let (id, _) = request_id(&parts.headers, None);
        let origin = Origin {
            uri: parts.uri,
            id: &id,
            rules: &self.rules,
        };
        let answer = if allowed.is_empty() {
            let refusal = Refusal::new(Reason::UnknownPath, "no operation has this path");
            origin.refused(refusal)
        } else {
            let allowed = allowed.iter().copied().collect::<Vec<_>>().join(", ");
            let detail = format!("this path takes {allowed}");
            let answer = origin.refused(Refusal::new(Reason::UnknownMethod, detail));
            answer.header("allow", allowed)
        };
        Reply::from(answer).into_response(None)
    }
}

impl Origin<'_> {
    fn refused(&self, refusal: Refusal) -> Answer {
        let id = self.id.to_str().unwrap_or_default();
        let problem = refusal.reason.problem(&self.uri, id, self.rules.describe);
        let mut problem = problem.detail(refusal.detail);
        problem.errors = refusal.faults;
        problem.into()
    }
}

/// Reads a body that is not a stream before it calls the guard, so that the connection stays usable
/// after a refusal. The answer of the guard takes precedence over a fault of the body.
async fn ask(
    route: &Route,
    path: Captured,
    context: Context,
    body: Body,
    origin: &Origin<'_>,
) -> Reply {
    let is = |media_type: &str| {
        let given = context.header(header::CONTENT_TYPE.as_str());
        given.is_some_and(|given| media_type::matches(given, media_type))
    };
    let keep = origin.rules.keep.as_ref();
    let keep = keep.filter(|_| is(multipart::MEDIA_TYPE));
    let payload = if body.is_end_stream() {
        Ok(Payload::Whole(Bytes::new()))
    } else if route.streamed.iter().any(|media_type| is(media_type)) {
        Ok(Payload::Stream(stream(body)))
    } else if let Some(keep) = keep {
        let limit = origin.rules.body_limit;
        Ok(Payload::Uploads(Uploads::new(stream(body), keep, limit)))
    } else {
        let whole = read(body, &context.headers, origin.rules.body_limit).await;
        whole.map(Payload::Whole)
    };
    let context = match &origin.rules.guard {
        Some(guard) => match guard(context).await {
            // In this address the parameters have been found.
            Ok(context) => Context {
                uri: origin.uri.clone(),
                ..context
            },
            Err(answer) => return answer.into(),
        },
        None => context,
    };
    let result = match payload {
        Ok(payload) => {
            let mut handling = (route.handler)(Call::new(context, path, payload));
            poll_fn(|task| handling.as_mut().poll_reply(task)).await
        }
        Err(refusal) => Err(refusal),
    };
    result.unwrap_or_else(|refusal| origin.refused(refusal).into())
}

/// The id that the request came with, or else a new one; and its text.
fn request_id(headers: &HeaderMap, name: Option<&HeaderName>) -> (HeaderValue, String) {
    let given = name.and_then(|name| headers.get(name));
    let text = given.and_then(|id| id.to_str().ok());
    if let (Some(given), Some(text)) = (given, text.filter(|text| !text.is_empty())) {
        return (given.clone(), text.to_owned());
    }
    let text = Uuid::random().to_string();
    let id = HeaderValue::try_from(&text).unwrap_or(HeaderValue::from_static(""));
    (id, text)
}

fn stream(body: Body) -> ByteStream {
    let size = body.size_hint().exact();
    let stream = ByteStream::new(body.into_data_stream());
    match size {
        Some(size) => stream.with_size(size),
        None => stream,
    }
}

async fn read(mut body: Body, headers: &HeaderMap, limit: usize) -> Result<Bytes, Refusal> {
    let too_large = || Refusal::too_large(limit);
    let announced = headers.get(header::CONTENT_LENGTH);
    if announced
        .and_then(|value| value.to_str().ok()?.parse::<usize>().ok())
        .is_some_and(|length| length > limit)
    {
        return Err(too_large());
    }
    // Most bodies come in one piece, which needs no copy.
    let (mut first, mut whole) = (Bytes::new(), BytesMut::new());
    while let Some(frame) = poll_fn(|task| Pin::new(&mut body).poll_frame(task)).await {
        let frame = frame.map_err(|_| Refusal::new(Reason::Unreadable, "the body broke off"))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        if first.len() + whole.len() + data.len() > limit {
            return Err(too_large());
        }
        if first.is_empty() && whole.is_empty() {
            first = data;
        } else {
            whole.extend_from_slice(&std::mem::take(&mut first));
            whole.extend_from_slice(&data);
        }
    }
    Ok(if whole.is_empty() {
        first
    } else {
        whole.freeze()
    })
}
