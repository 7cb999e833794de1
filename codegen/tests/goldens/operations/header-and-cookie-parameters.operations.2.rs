/// Parameters of `countThings`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountThingsParameters {
    /// `X-Filter`
    #[serde(rename = "X-Filter")]
    pub x_filter: JsonText<BTreeMap<String, i64>>,
    /// `X-Place`
    #[serde(rename = "X-Place")]
    pub x_place: BTreeMap<String, i64>,
    /// `X-Tags`
    #[serde(rename = "X-Tags")]
    pub x_tags: Vec<String>,
    /// `session`
    pub session: String,
}

impl Validate for CountThingsParameters {}
