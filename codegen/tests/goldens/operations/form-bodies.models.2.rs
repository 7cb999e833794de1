/// The schema `Order`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// `address`
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub address: Option<BTreeMap<String, String>>,
    /// `amount`
    pub amount: Decimal,
    /// `card`
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub card: Option<BTreeMap<String, BTreeMap<String, String>>>,
    /// `notes`
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub notes: Option<Vec<String>>,
    /// `sizes`
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub sizes: Option<Vec<i64>>,
}
