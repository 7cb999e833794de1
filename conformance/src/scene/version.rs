//! Version: passes the entity tag of an answer to the next request on the record.

use openapi_document::view::Location;

use crate::exchange::{Exchange, Sent};
use crate::model::Call;
use crate::names;

/// A tag that no version has.
pub(crate) const UNKNOWN_TAG: &str = "\"0-unknown\"";

/// The entity tag of an answer.
pub(crate) fn tag(exchange: &Exchange) -> Option<String> {
    exchange.outcome.as_ref().ok()?.header("etag")
}

/// Sets `If-Match` to the tag of an answer if the operation has that header or the request already sends it.
pub(crate) fn set_version_if_asked(call: &Call<'_>, sent: &mut Sent, answered: &Exchange) {
    match tag(answered) {
        Some(tag) if asks(call) => *sent = with_header(sent, "if-match", &tag),
        _ => set_version(sent, answered),
    }
}

/// Whether an operation has the header `If-Match`.
pub(crate) fn asks(call: &Call<'_>) -> bool {
    let parameters = call.operation.parameters();
    let mut headers = parameters
        .iter()
        .filter(|header| header.location == Location::Header);
    headers.any(|header| names::same(header.name, "if-match"))
}

/// Sets `If-Match` to the tag of an answer if the request already has that header.
pub(crate) fn set_version(sent: &mut Sent, answered: &Exchange) {
    if let (Some(tag), true) = (tag(answered), sent.header("if-match").is_some()) {
        *sent = with_header(sent, "if-match", &tag);
    }
}

/// A request with another value of a header.
pub(crate) fn with_header(sent: &Sent, name: &str, value: &str) -> Sent {
    let mut sent = sent.clone();
    sent.headers
        .retain(|(header, _)| !header.eq_ignore_ascii_case(name));
    sent.headers.push((name.to_owned(), value.to_owned()));
    sent
}
