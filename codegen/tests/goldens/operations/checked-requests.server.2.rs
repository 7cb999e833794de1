/// The answers of `tag`.
#[derive(Clone, Debug)]
pub enum TagResponse {
    /// 200: Tagged.
    Ok(models::Tagged),
    /// Any other answer.
    Other(Answer),
}

impl From<TagResponse> for Answer {
    fn from(response: TagResponse) -> Self {
        match response {
            TagResponse::Ok(ref body) => Answer::json(200, "application/json", body),
            TagResponse::Other(answer) => answer,
        }
    }
}

async fn tag<T: CheckedRequests>(
    implementation: Arc<T>,
    mut call: Call,
) -> Result<Answer, Refusal> {
    let parameters = call.parameters()?;
    let body = {
        let body: Vec<String> = call.json("application/json")?;
        call.check_by(|found| operations::checked_requests::check_tag_body(&body, found));
        body
    };
    let context = call.finish()?;
    Ok(implementation.tag(context, parameters, body).await.into())
}
