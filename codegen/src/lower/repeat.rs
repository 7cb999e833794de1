//! Decides whether a client may repeat a request when it does not know the result of the first one.

use openapi_document::view::{Location, Operation as Source};

use super::Lowering;
use crate::ir::{Method, Parameter, Repeat, Type};

/// The length of a UUID, which is the key where the caller gives none.
const UUID_LENGTH: u64 = 36;

impl<'d> Lowering<'d> {
    /// Whether the document says that a repetition does no harm; where it says nothing, it may.
    pub(super) fn repeat(&self, source: &Source<'d>, parameters: &[Parameter]) -> Repeat {
        let said = self.said.of(self.document, source);
        match said.is_idempotent() {
            Some(true) => return Repeat::Idempotent,
            Some(false) => return Repeat::Never,
            None if is_idempotent(source.method) => return Repeat::Idempotent,
            None => {}
        }
        let mut headers = parameters
            .iter()
            .filter(|one| one.location == Location::Header);
        let key = headers.find(|header| takes_uuid(header) && said.is_key(&header.wire));
        if let Some(key) = key {
            return Repeat::Keyed(key.wire.clone());
        }
        match self.natural_key(source) {
            Some(property) => Repeat::NaturalKey(property.to_owned()),
            None => Repeat::Never,
        }
    }

    fn natural_key(&self, source: &Source<'_>) -> Option<&'d str> {
        let keys = &self.behaviour?.natural_keys;
        let key = keys
            .iter()
            .find(|key| Some(key.operation.text.as_str()) == source.id())?;
        Some(&key.property.text)
    }
}

/// Whether a method is idempotent (RFC 9110, section 9.2.2). Safe methods are.
fn is_idempotent(method: Method) -> bool {
    match method {
        Method::Get
        | Method::Head
        | Method::Put
        | Method::Delete
        | Method::Options
        | Method::Trace
        | Method::Query => true,
        Method::Post | Method::Patch | Method::Other(_) => false,
    }
}

/// A key of another form has to come from the caller, who may not know that it is one.
fn takes_uuid(parameter: &Parameter) -> bool {
    let constraints = &parameter.usage.constraints;
    matches!(parameter.usage.ty, Type::Text | Type::Uuid)
        && constraints.patterns.is_empty()
        && constraints
            .max_length
            .is_none_or(|length| length >= UUID_LENGTH)
}
