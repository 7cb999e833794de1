/// `GET /offset`
pub static BY_OFFSET: Operation = Operation {
    id: "byOffset",
    method: "GET",
    path: "/offset",
    parameters: &[Parameter::query("offset")],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `byOffset`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByOffsetParameters {
    /// `offset`
    pub offset: Option<i64>,
}

crate::parameters! {
    ByOffsetParameters: Ignored {
        0 "offset" => offset optional,
    }
}

impl Validate for ByOffsetParameters {}

/// `GET /relation`
pub static BY_RELATION: Operation = Operation {
    id: "byRelation",
    method: "GET",
    path: "/relation",
    parameters: &[Parameter::query("from")],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};
