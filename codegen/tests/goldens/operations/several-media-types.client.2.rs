/// The operation `note`.
#[derive(Clone, Copy, Debug)]
pub struct Note;

impl Endpoint for Note {
    type Parameters = ();
    type Success = ();
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::several_media_types::NOTE;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            204 => Outcome::Success(()),
            _ => Outcome::Undocumented,
        })
    }
}
