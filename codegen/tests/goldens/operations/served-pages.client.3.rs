impl Request<ByHeader> {
    /// Sets `from`.
    pub fn from(mut self, from: i64) -> Self {
        self.parameters.from = Some(from);
        self
    }
}

/// The operation `byHeader`.
#[derive(Clone, Copy, Debug)]
pub struct ByHeader;

impl Endpoint for ByHeader {
    type Parameters = operations::served_pages::ByHeaderParameters;
    type Success = Vec<i64>;
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::served_pages::BY_HEADER;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            _ => Outcome::Undocumented,
        })
    }
}

impl Paginated for ByHeader {
    type Item = i64;
    const PAGING: &'static Paging = &Paging {
        items: "",
        next: Next::LinkHeader,
        ends: &[],
    };
    fn items(page: Self::Success) -> Vec<Self::Item> {
        page
    }
}
