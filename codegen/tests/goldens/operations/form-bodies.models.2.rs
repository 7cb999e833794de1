impl Order {
    /// A value with its required properties.
    pub fn new(amount: Decimal) -> Self {
        Self {
            address: None,
            amount,
            card: None,
            notes: None,
            sizes: None,
        }
    }
}

impl Validate for Order {}
