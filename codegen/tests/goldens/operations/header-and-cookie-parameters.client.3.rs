impl Endpoint for CountThings {
    type Parameters = operations::header_and_cookie_parameters::CountThingsParameters;
    type Success = ();
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::header_and_cookie_parameters::COUNT_THINGS;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            204 => Outcome::Success(()),
            _ => Outcome::Undocumented,
        })
    }
}
