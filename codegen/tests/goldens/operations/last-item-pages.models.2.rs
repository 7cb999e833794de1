impl ChargePage {
    /// A value with its required properties.
    pub fn new(data: Vec<Charge>, has_more: bool) -> Self {
        Self { data, has_more }
    }
}
