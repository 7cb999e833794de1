impl Request<ByRelation> {
    /// Sets `from`.
    pub fn from(mut self, from: i64) -> Self {
        self.parameters.from = Some(from);
        self
    }
}

/// The operation `byRelation`.
#[derive(Clone, Copy, Debug)]
pub struct ByRelation;

impl Endpoint for ByRelation {
    type Parameters = operations::served_pages::ByRelationParameters;
    type Success = models::RelatedPage;
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::served_pages::BY_RELATION;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            _ => Outcome::Undocumented,
        })
    }
}

impl Paginated for ByRelation {
    type Item = i64;
    const PAGING: &'static Paging = &Paging {
        items: "/items",
        next: Next::Relation("/links"),
        ends: &[],
    };
    fn items(page: Self::Success) -> Vec<Self::Item> {
        page.items.unwrap_or_default()
    }
}
