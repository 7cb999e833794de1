//! Key: what tells one request from another, told by a header, a property, or the behaviour file.

use spec::document::Location;

use crate::exchange::Sent;
use crate::fresh::{is_natural_name, is_said_unique};
use crate::model::{Call, Role, names};
use crate::shape::Shape;

use super::world::{Ready, World};

/// What tells one request from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    /// A header whose name says so.
    Header(String),
    /// A property of the body.
    Property,
    /// Nothing that is known: a repeat may be refused.
    Unknown,
}

pub(super) fn key<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Key {
    if call.role != Role::Create {
        return Key::Unknown;
    }
    let is_header = |name: &str| {
        let words = names::words(name);
        words.ends_with(&["idempotency".to_owned(), "key".to_owned()])
    };
    let parameters = call.operation.parameters();
    let mut headers = parameters
        .iter()
        .filter(|own| own.location == Location::Header);
    if let Some(header) = headers.find(|own| is_header(own.name)) {
        return Key::Header(header.name.to_owned());
    }
    let label = call.operation.label();
    let mut told = world.model.behaviour.natural_keys.iter();
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let mut properties = shape.property_names().into_iter();
    let is_marked = |name| {
        let own = shape.property(document, name);
        let is_said = own.type_name() == Some("string") && is_said_unique(&own);
        own.flag("x-natural-key") || is_said
    };
    let is_told = told.any(|own| own.operation.text == label);
    if is_told || (call.response(409).is_some() && properties.any(is_marked)) {
        return Key::Property;
    }
    Key::Unknown
}

/// Whether the document says of a header that with it a request may be sent again, or documents no conflict
/// that a repeat could be.
pub(super) fn may_be_sent_again(call: &Call<'_>, name: &str) -> bool {
    const AGAIN: [&str; 9] = [
        "again", "retry", "retries", "retried", "repeat", "repeated", "replay", "before", "safely",
    ];
    let parameters = call.operation.parameters();
    let header = parameters.iter().find(|own| own.name == name);
    let text = header.and_then(|own| own.at.node.get("description")?.as_str());
    let words = names::words(text.unwrap_or_default());
    let says_so = words.iter().any(|own| AGAIN.contains(&own.as_str()));
    says_so || call.first_of(&[409, 422]).is_none()
}

pub(super) fn set_key(sent: &mut Sent, name: &str, key: String) {
    sent.headers
        .retain(|(own, _)| !own.eq_ignore_ascii_case(name));
    sent.headers.push((name.to_owned(), key));
}

/// The property of a body that is said to be unique, where a conflict is documented.
pub(super) fn told_unique<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<&'d str> {
    call.first_of(&[409, 422])?;
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let mut names = shape.property_names().into_iter();
    names.find(|name| {
        let own = shape.property(document, name);
        own.flag("x-natural-key") || (is_said_unique(&own) && is_natural_name(name))
    })
}

/// The request, with a key of its own in the header that is for it.
pub(super) fn compose<'d>(
    world: &World<'_, '_, '_, 'd>,
    ready: &Ready<'_, 'd>,
    key: &Key,
) -> Result<Sent, String> {
    let mut sent = world.compose(ready, "repetition")?;
    if let Key::Header(name) = key {
        let fresh = ready.state.fresh.fork("repetition").uuid();
        set_key(&mut sent, name, fresh);
    }
    Ok(sent)
}
