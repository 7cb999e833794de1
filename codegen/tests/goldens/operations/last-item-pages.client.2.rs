impl Request<ListCharges> {
    /// Sets `starting_after`.
    pub fn starting_after(mut self, starting_after: impl Into<String>) -> Self {
        self.parameters.starting_after = Some(starting_after.into());
        self
    }
}

/// The operation `listCharges`.
#[derive(Clone, Copy, Debug)]
pub struct ListCharges;

impl Endpoint for ListCharges {
    type Parameters = operations::last_item_pages::ListChargesParameters;
    type Success = models::ChargePage;
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::last_item_pages::LIST_CHARGES;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            _ => Outcome::Undocumented,
        })
    }
}

impl Paginated for ListCharges {
    type Item = models::Charge;
    const PAGING: &'static Paging = &Paging {
        items: "/data",
        next: Next::LastItem("starting_after", "id"),
        ends: &[End::More("/has_more")],
    };
    fn items(page: Self::Success) -> Vec<Self::Item> {
        page.data
    }
}
