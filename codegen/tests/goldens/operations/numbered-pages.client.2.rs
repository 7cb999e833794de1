impl Request<ListEntries> {
    /// Sets `page`.
    pub fn page(mut self, page: i64) -> Self {
        self.parameters.page = Some(page);
        self
    }
}

/// The operation `listEntries`.
#[derive(Clone, Copy, Debug)]
pub struct ListEntries;

impl Endpoint for ListEntries {
    type Parameters = operations::numbered_pages::ListEntriesParameters;
    type Success = models::EntryPage;
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::numbered_pages::LIST_ENTRIES;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            _ => Outcome::Undocumented,
        })
    }
}

impl Paginated for ListEntries {
    type Item = i64;
    const PAGING: &'static Paging = &Paging {
        items: "/entries",
        next: Next::Page("page", 1),
        ends: &[End::Total("/total")],
    };
    fn items(page: Self::Success) -> Vec<Self::Item> {
        page.entries.unwrap_or_default()
    }
}
