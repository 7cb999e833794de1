impl Endpoint for Shipped {
    type Parameters = operations::callbacks::ShippedParameters;
    type Success = ();
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::callbacks::SHIPPED;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            204 => Outcome::Success(()),
            _ => Outcome::Undocumented,
        })
    }
}
