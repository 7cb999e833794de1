/// The answers of `listEntries`.
#[derive(Clone, Debug)]
pub enum ListEntriesResponse {
    /// 200: A page.
    Ok(models::EntryPage),
    /// Any other answer.
    Other(Answer),
}

impl From<ListEntriesResponse> for Answer {
    fn from(response: ListEntriesResponse) -> Self {
        match response {
            ListEntriesResponse::Ok(ref body) => Answer::json(200, "application/json", body),
            ListEntriesResponse::Other(answer) => answer,
        }
    }
}

async fn list_entries<T: NumberedPages>(
    implementation: Arc<T>,
    mut call: Call,
) -> Result<Answer, Refusal> {
    let parameters = call.parameters()?;
    let context = call.finish()?;
    Ok(implementation
        .list_entries(context, parameters)
        .await
        .into())
}
