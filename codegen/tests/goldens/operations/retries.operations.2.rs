/// `POST /things/keyed`
pub static ADD_ONCE: Operation = Operation {
    id: "addOnce",
    method: "POST",
    path: "/things/keyed",
    parameters: &[Parameter::header("Idempotency-Key")],
    security: &[],
    request_id: None,
    repeat: Repeat::Keyed("idempotency-key"),
};

/// Parameters of `addOnce`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AddOnceParameters {
    /// `Idempotency-Key`
    pub idempotency_key: Option<String>,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::parameters! {
    AddOnceParameters: Ignored {
        0 "Idempotency-Key" => idempotency_key optional,
    }
}

impl Validate for AddOnceParameters {}
