impl Endpoint for Tag {
    type Parameters = operations::checked_requests::TagParameters;
    type Success = models::Tagged;
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::checked_requests::TAG;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            _ => Outcome::Undocumented,
        })
    }
}
