impl Endpoint for Count {
    type Parameters = ();
    type Success = ();
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::retries::COUNT;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            204 => Outcome::Success(()),
            _ => Outcome::Undocumented,
        })
    }
}

impl Request<AddOnce> {
    /// Sets `Idempotency-Key`.
    pub fn idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.parameters.idempotency_key = Some(idempotency_key.into());
        self
    }
}

/// The operation `addOnce`.
#[derive(Clone, Copy, Debug)]
pub struct AddOnce;

impl Endpoint for AddOnce {
    type Parameters = operations::retries::AddOnceParameters;
    type Success = ();
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::retries::ADD_ONCE;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            204 => Outcome::Success(()),
            _ => Outcome::Undocumented,
        })
    }
}
