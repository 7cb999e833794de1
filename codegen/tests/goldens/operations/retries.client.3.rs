/// The operation `replace`.
#[derive(Clone, Copy, Debug)]
pub struct Replace;

impl Endpoint for Replace {
    type Parameters = ();
    type Success = ();
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::retries::REPLACE;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            204 => Outcome::Success(()),
            _ => Outcome::Undocumented,
        })
    }
}

/// The operation `add`.
#[derive(Clone, Copy, Debug)]
pub struct Add;

impl Endpoint for Add {
    type Parameters = ();
    type Success = ();
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::retries::ADD;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            204 => Outcome::Success(()),
            _ => Outcome::Undocumented,
        })
    }
}

/// The operation `count`.
#[derive(Clone, Copy, Debug)]
pub struct Count;
