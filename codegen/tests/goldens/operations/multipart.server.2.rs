/// The answers of `upload`.
#[derive(Clone, Debug)]
pub enum UploadResponse {
    /// 204: Stored.
    NoContent,
    /// Any other answer.
    Other(Answer),
}

impl From<UploadResponse> for Answer {
    fn from(response: UploadResponse) -> Self {
        match response {
            UploadResponse::NoContent => Answer::empty(204),
            UploadResponse::Other(answer) => answer,
        }
    }
}

async fn upload<T: Multipart>(implementation: Arc<T>, mut call: Call) -> Result<Answer, Refusal> {
    let body = {
        let parts = call.multipart().await?;
        let body = models::UploadParts::from_parts(parts).map_err(|error| call.refuse(error))?;
        call.check(&body);
        body
    };
    let context = call.finish()?;
    Ok(implementation.upload(context, body).await.into())
}
