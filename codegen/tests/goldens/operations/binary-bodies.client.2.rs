impl Endpoint for Shrink {
    type Parameters = ();
    type Success = Bytes;
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::binary_bodies::SHRINK;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.body.clone()),
            _ => Outcome::Undocumented,
        })
    }
}

impl Streamed for Shrink {
    type Stream = ByteStream;
    fn open(answer: &Answer, body: Incoming) -> Result<Self::Stream, Incoming> {
        Ok(match answer.status.as_u16() {
            200 => body.bytes(),
            _ => return Err(body),
        })
    }

    fn whole(success: Self::Success) -> Self::Stream {
        success.into()
    }
}
