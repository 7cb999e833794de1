impl Request<ByOffset> {
    /// Sets `offset`.
    pub fn offset(mut self, offset: i64) -> Self {
        self.parameters.offset = Some(offset);
        self
    }
}

/// The operation `byOffset`.
#[derive(Clone, Copy, Debug)]
pub struct ByOffset;

impl Endpoint for ByOffset {
    type Parameters = operations::served_pages::ByOffsetParameters;
    type Success = Vec<i64>;
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::served_pages::BY_OFFSET;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            _ => Outcome::Undocumented,
        })
    }
}

impl Paginated for ByOffset {
    type Item = i64;
    const PAGING: &'static Paging = &Paging {
        items: "",
        next: Next::Offset("offset", None),
        ends: &[],
    };
    fn items(page: Self::Success) -> Vec<Self::Item> {
        page
    }
}
