impl Endpoint for Either {
    type Parameters = ();
    type Success = ();
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::security::EITHER;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            204 => Outcome::Success(()),
            _ => Outcome::Undocumented,
        })
    }
}

/// The operation `change`.
#[derive(Clone, Copy, Debug)]
pub struct Change;

impl Endpoint for Change {
    type Parameters = ();
    type Success = ();
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::security::CHANGE;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            204 => Outcome::Success(()),
            _ => Outcome::Undocumented,
        })
    }
}
