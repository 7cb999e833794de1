impl Request<Browse> {
    /// How many.
    ///
    /// Default: `10`.
    pub fn limit(mut self, limit: i64) -> Self {
        self.parameters.limit = Some(limit);
        self
    }
}

/// The operation `browse`.
#[derive(Clone, Copy, Debug)]
pub struct Browse;

impl Endpoint for Browse {
    type Parameters = operations::optional_parameters::BrowseParameters;
    type Success = ();
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::optional_parameters::BROWSE;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            204 => Outcome::Success(()),
            _ => Outcome::Undocumented,
        })
    }
}
