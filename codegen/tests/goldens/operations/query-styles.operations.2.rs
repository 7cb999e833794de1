/// Parameters of `listThings`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

impl Validate for ListThingsParameters {}
