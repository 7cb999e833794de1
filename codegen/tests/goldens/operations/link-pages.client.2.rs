impl Endpoint for ListDroplets {
    type Parameters = ();
    type Success = models::DropletPage;
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::link_pages::LIST_DROPLETS;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            _ => Outcome::Undocumented,
        })
    }
}

impl Paginated for ListDroplets {
    type Item = String;
    const PAGING: &'static Paging = &Paging {
        items: "/droplets",
        next: Next::Link("/links/pages/next"),
        ends: &[],
    };
    fn items(page: Self::Success) -> Vec<Self::Item> {
        page.droplets.unwrap_or_default()
    }
}
