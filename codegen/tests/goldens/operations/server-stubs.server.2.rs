/// The answers of `keep`.
#[derive(Clone, Debug)]
pub enum KeepResponse {
    /// 204: Kept.
    NoContent,
    /// Any other answer.
    Other(Answer),
}

impl From<KeepResponse> for Answer {
    fn from(response: KeepResponse) -> Self {
        match response {
            KeepResponse::NoContent => Answer::empty(204),
            KeepResponse::Other(answer) => answer,
        }
    }
}

async fn keep<T: ServerStubs>(implementation: Arc<T>, mut call: Call) -> Result<Answer, Refusal> {
    let parameters = call.parameters()?;
    let body = call.json("application/json")?;
    let context = call.finish()?;
    Ok(implementation.keep(context, parameters, body).await.into())
}
