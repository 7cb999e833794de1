/// The operation `shelf`.
#[derive(Clone, Copy, Debug)]
pub struct Shelf;

impl Endpoint for Shelf {
    type Parameters = operations::links::ShelfParameters;
    type Success = Value;
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::links::SHELF;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            _ => Outcome::Undocumented,
        })
    }
}

impl Linked<Shelf> {
    /// The request of `shelf` that the link `next` is for.
    pub fn next(&self) -> Result<Request<super::links::Shelf>, LinkError> {
        let link = self.follow("next", 200..=200)?;
        Ok(link.request(operations::links::ShelfParameters {
            shelf: link.value(Expression::ResponseBody("/books/0"))?,
        }))
    }
}
