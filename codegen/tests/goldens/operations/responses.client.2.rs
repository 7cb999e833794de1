/// The documented refusals of `poll`.
#[derive(Clone, Debug, PartialEq)]
pub enum PollError {
    /// 404: There is none.
    NotFound(String),
    /// default: Something else.
    Default,
}

impl Endpoint for Poll {
    type Parameters = ();
    type Success = PollSuccess;
    type Error = PollError;
    const OPERATION: &'static Operation = &operations::responses::POLL;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(PollSuccess::Ok(answer.read_json()?)),
            202 => Outcome::Success(PollSuccess::Accepted),
            404 => Outcome::Refused(PollError::NotFound(answer.read_json()?)),
            _ => Outcome::Refused(PollError::Default),
        })
    }
}
