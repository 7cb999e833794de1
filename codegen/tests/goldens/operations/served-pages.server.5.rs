async fn by_offset<T: ServedPages>(
    implementation: Arc<T>,
    mut call: Call,
) -> Result<Answer, Refusal> {
    let parameters = call.parameters()?;
    let context = call.finish()?;
    Ok(implementation.by_offset(context, parameters).await.into())
}

/// The answers of `byRelation`.
#[derive(Clone, Debug)]
pub enum ByRelationResponse {
    /// 200: A page.
    Ok(models::RelatedPage),
    /// Any other answer.
    Other(Answer),
}

impl From<ByRelationResponse> for Answer {
    fn from(response: ByRelationResponse) -> Self {
        match response {
            ByRelationResponse::Ok(ref body) => Answer::json(200, "application/json", body),
            ByRelationResponse::Other(answer) => answer,
        }
    }
}

async fn by_relation<T: ServedPages>(
    implementation: Arc<T>,
    mut call: Call,
) -> Result<Answer, Refusal> {
    let parameters = call.parameters()?;
    let context = call.finish()?;
    Ok(implementation.by_relation(context, parameters).await.into())
}
