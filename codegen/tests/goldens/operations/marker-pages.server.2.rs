/// The answers of `listWebhooks`.
#[derive(Clone, Debug)]
pub enum ListWebhooksResponse {
    /// 200: A page.
    Ok(models::WebhookPage),
    /// Any other answer.
    Other(Answer),
}

impl From<ListWebhooksResponse> for Answer {
    fn from(response: ListWebhooksResponse) -> Self {
        match response {
            ListWebhooksResponse::Ok(ref body) => Answer::json(200, "application/json", body),
            ListWebhooksResponse::Other(answer) => answer,
        }
    }
}

async fn list_webhooks<T: MarkerPages>(
    implementation: Arc<T>,
    mut call: Call,
) -> Result<Answer, Refusal> {
    let parameters = call.parameters()?;
    let context = call.finish()?;
    Ok(implementation
        .list_webhooks(context, parameters)
        .await
        .into())
}
