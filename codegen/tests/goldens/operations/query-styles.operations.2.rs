/// Parameters of `listThings`.
#[derive(Clone, Debug, PartialEq)]
pub struct ListThingsParameters {
    /// `colours`
    pub colours: Vec<String>,
    /// `near`
    pub near: BTreeMap<String, i64>,
    /// `raw`
    pub raw: String,
    /// `sizes`
    pub sizes: Vec<String>,
    /// `tags`
    pub tags: Vec<String>,
    /// `units`
    pub units: Vec<String>,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::parameters! {
    ListThingsParameters: Ignored {
        0 "colours" => colours required,
        1 "near" => near required,
        2 "raw" => raw required,
        3 "sizes" => sizes required,
        4 "tags" => tags required,
        5 "units" => units required,
    }
}

impl Validate for ListThingsParameters {}
