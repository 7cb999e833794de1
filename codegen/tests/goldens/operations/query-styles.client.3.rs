impl Endpoint for ListThings {
    type Parameters = operations::query_styles::ListThingsParameters;
    type Success = ();
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::query_styles::LIST_THINGS;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            204 => Outcome::Success(()),
            _ => Outcome::Undocumented,
        })
    }
}
