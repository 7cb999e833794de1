/// Parameters of `byRelation`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByRelationParameters {
    /// `from`
    pub from: Option<i64>,
}

crate::parameters! {
    ByRelationParameters: Ignored {
        0 "from" => from optional,
    }
}

impl Validate for ByRelationParameters {}
