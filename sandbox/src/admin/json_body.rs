//! Extracts the JSON body of a request.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use serde_path_to_error::{Path, Segment};

use super::refusal::Refused;
use crate::domain::{Code, Rejection};

/// The parsed body.
pub(super) struct Given<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Given<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        if !is_json(&request) {
            return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE.into_response());
        }
        let bytes = Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(IntoResponse::into_response)?;
        read(&bytes).map_err(|refusal| Refused::from(refusal).into_response())
    }
}

/// The parsed body, or the default value when there is no body.
pub(super) struct Optional<T>(pub(super) T);

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for Optional<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let bytes = Bytes::from_request(Request::new(body), state).await;
        let bytes = bytes.map_err(IntoResponse::into_response)?;
        if bytes.is_empty() {
            return Ok(Self(T::default()));
        }
        let request = Request::from_parts(parts, bytes.into());
        let Given(given) = Given::from_request(request, state).await?;
        Ok(Self(given))
    }
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<Given<T>, Rejection> {
    let unreadable = || Rejection::new(Code::Unreadable, "the body is not JSON");
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        match error.inner().classify() {
            Category::Data => {
                let detail = error.inner().to_string();
                let detail = detail.split(" at line ").next().unwrap_or_default();
                Rejection::at(Code::ContractViolation, &pointer(error.path()), detail)
            }
            _ => unreadable(),
        }
    })?;
    reader.end().map_err(|_| unreadable())?;
    Ok(Given(value))
}

fn pointer(path: &Path) -> String {
    let mut pointer = String::new();
    for segment in path {
        let name = match segment {
            Segment::Map { key } => key.replace('~', "~0").replace('/', "~1"),
            Segment::Seq { index } => index.to_string(),
            Segment::Enum { variant } => variant.clone(),
            Segment::Unknown => continue,
        };
        pointer.push('/');
        pointer.push_str(&name);
    }
    pointer
}

fn is_json(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        #[expect(dead_code, reason = "only its type matters")]
        inner: Option<Box<Outer>>,
        #[expect(dead_code, reason = "only its type matters")]
        number: Option<u8>,
    }

    #[test]
    fn mistakes_are_reported_with_a_pointer() {
        let table = [
            (r#"{"number": 1}"#, None),
            (
                r#"{"inner": {"number": "x"}}"#,
                Some(("E1001", "/inner/number")),
            ),
            (r#"{"number": 300}"#, Some(("E1001", "/number"))),
            (
                r#"{"inner": {"other/": 1}}"#,
                Some(("E1001", "/inner/other~1")),
            ),
            ("[]", Some(("E1001", ""))),
            (r#"{"number": 1"#, Some(("E1000", ""))),
            ("{} {}", Some(("E1000", ""))),
            ("", Some(("E1000", ""))),
        ];
        for (body, expected) in table {
            let refused = read::<Outer>(body.as_bytes()).err();
            let refused = refused.map(|refused| {
                let pointer = refused.pointer.unwrap_or_default();
                (refused.code.row().0, pointer)
            });
            let expected = expected.map(|(code, pointer)| (code, pointer.to_owned()));
            assert_eq!(refused, expected, "{body}");
        }
    }
}
