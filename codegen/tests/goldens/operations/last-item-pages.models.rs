use crate::runtime::object;

/// The schema `Charge`.
#[derive(Clone, Debug, PartialEq)]
pub struct Charge {
    /// `id`
    pub id: String,
}

crate::object! {
    Charge: Ignored {
        0 "id" => id required,
    }
}

impl Charge {
    /// A value with its required properties.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into() }
    }
}

/// The schema `ChargePage`.
#[derive(Clone, Debug, PartialEq)]
pub struct ChargePage {
    /// `data`
    pub data: Vec<Charge>,
    /// `has_more`
    pub has_more: bool,
}

crate::object! {
    ChargePage: Ignored {
        0 "data" => data required,
        1 "has_more" => has_more required,
    }
}
