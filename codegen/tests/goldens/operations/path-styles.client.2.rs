/// The operation `findThings`.
#[derive(Clone, Copy, Debug)]
pub struct FindThings;

impl Endpoint for FindThings {
    type Parameters = operations::path_styles::FindThingsParameters;
    type Success = ();
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::path_styles::FIND_THINGS;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            204 => Outcome::Success(()),
            _ => Outcome::Undocumented,
        })
    }
}
