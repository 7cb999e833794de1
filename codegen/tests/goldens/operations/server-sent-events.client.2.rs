impl Endpoint for Ticks {
    type Parameters = ();
    type Success = Vec<Event<i64>>;
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::server_sent_events::TICKS;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_events()?),
            _ => Outcome::Undocumented,
        })
    }
}

impl Streamed for Ticks {
    type Stream = Events<i64>;
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
