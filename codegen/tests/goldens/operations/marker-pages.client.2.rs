/// The operation `listWebhooks`.
#[derive(Clone, Copy, Debug)]
pub struct ListWebhooks;

impl Endpoint for ListWebhooks {
    type Parameters = operations::marker_pages::ListWebhooksParameters;
    type Success = models::WebhookPage;
    type Error = Infallible;

    const OPERATION: &'static Operation = &operations::marker_pages::LIST_WEBHOOKS;
    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            _ => Outcome::Undocumented,
        })
    }
}

impl Paginated for ListWebhooks {
    type Item = String;
    const PAGING: &'static Paging = &Paging {
        items: "/entries",
        next: Next::Cursor("marker", "/next_marker"),
        ends: &[],
    };
    fn items(page: Self::Success) -> Vec<Self::Item> {
        page.entries.unwrap_or_default()
    }
}
