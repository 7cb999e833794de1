//! Whether a request may be sent again when nobody knows what became of the first one.

use openapi_document::node::Node;
use openapi_document::view::{Location, Operation as Source};

use super::Lowering;
use crate::ir::{Method, Parameter, Repeat, Type};

/// Says of an operation whether it may be repeated, whatever its method.
const OPERATION_MARK: &str = "x-idempotent";

/// Says of a header that it carries an idempotency key, whatever its name.
const HEADER_MARK: &str = "x-idempotency-key";

/// The length of a UUID, which is the key where the caller gives none.
const UUID_LENGTH: u64 = 36;

impl<'d> Lowering<'d> {
    /// Whether the document says that a repetition does no harm; where it says nothing, it may.
    pub(super) fn repeat(&self, source: &Source<'d>, parameters: &[Parameter]) -> Repeat {
        match source.at.node.get(OPERATION_MARK).and_then(Node::as_bool) {
            Some(true) => return Repeat::Idempotent,
            Some(false) => return Repeat::Never,
            None if is_idempotent(source.method) => return Repeat::Idempotent,
            None => {}
        }
        let key = parameters
            .iter()
            .find(|parameter| takes_uuid(parameter) && is_key(source, parameter));
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

/// RFC 9110, section 9.2.2.
fn is_idempotent(method: Method) -> bool {
    match method {
        Method::Get
        | Method::Head
        | Method::Put
        | Method::Delete
        | Method::Options
        | Method::Trace => true,
        Method::Post | Method::Patch => false,
    }
}

fn is_key(source: &Source<'_>, parameter: &Parameter) -> bool {
    let named = || openapi_facts::is_idempotency_key(&parameter.wire);
    let marked = || {
        let declared = source.parameters();
        let own = declared.iter().find(|one| {
            one.location == Location::Header && one.name.eq_ignore_ascii_case(&parameter.wire)
        });
        own.and_then(|one| one.at.node.get(HEADER_MARK)?.as_bool())
    };
    parameter.location == Location::Header && marked().unwrap_or_else(named)
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
