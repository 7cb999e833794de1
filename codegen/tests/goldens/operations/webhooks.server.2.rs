/// The answers of `newPet`.
#[derive(Clone, Debug)]
pub enum NewPetResponse {
    /// 204: Seen.
    NoContent,
    /// 410: Nobody looks.
    Gone,
    /// Any other answer.
    Other(Answer),
}

impl From<NewPetResponse> for Answer {
    fn from(response: NewPetResponse) -> Self {
        match response {
            NewPetResponse::NoContent => Answer::empty(204),
            NewPetResponse::Gone => Answer::empty(410),
            NewPetResponse::Other(answer) => answer,
        }
    }
}

async fn new_pet<T: Webhooks>(implementation: Arc<T>, mut call: Call) -> Result<Answer, Refusal> {
    let parameters = call.parameters()?;
    let body = call.json("application/json")?;
    let context = call.finish()?;
    Ok(implementation
        .new_pet(context, parameters, body)
        .await
        .into())
}
