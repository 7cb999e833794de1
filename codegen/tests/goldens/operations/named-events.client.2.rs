impl Endpoint for Changes {
    type Parameters = ();
    type Success = Vec<Event<models::ChangesEvent>>;
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::named_events::CHANGES;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_events()?),
            _ => Outcome::Undocumented,
        })
    }
}

impl Streamed for Changes {
    type Stream = Events<models::ChangesEvent>;
    fn open(answer: &Answer, body: Incoming) -> Result<Self::Stream, Incoming> {
        Ok(match answer.status.as_u16() {
            200 => body.events(),
            _ => return Err(body),
        })
    }

    fn whole(success: Self::Success) -> Self::Stream {
        success.into()
    }
}
