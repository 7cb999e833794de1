impl From<ByHeaderResponse> for Answer {
    fn from(response: ByHeaderResponse) -> Self {
        match response {
            ByHeaderResponse::Ok(ref body, headers) => {
                Answer::json(200, "application/json", body).with_headers(&headers)
            }
            ByHeaderResponse::Other(answer) => answer,
        }
    }
}

async fn by_header<T: ServedPages>(
    implementation: Arc<T>,
    mut call: Call,
) -> Result<Answer, Refusal> {
    let parameters = call.parameters()?;
    let context = call.finish()?;
    Ok(implementation.by_header(context, parameters).await.into())
}

/// The answers of `byOffset`.
#[derive(Clone, Debug)]
pub enum ByOffsetResponse {
    /// 200: A page.
    Ok(Vec<i64>, operations::NumbersHeaders),
    /// Any other answer.
    Other(Answer),
}

impl From<ByOffsetResponse> for Answer {
    fn from(response: ByOffsetResponse) -> Self {
        match response {
            ByOffsetResponse::Ok(ref body, headers) => {
                Answer::json(200, "application/json", body).with_headers(&headers)
            }
            ByOffsetResponse::Other(answer) => answer,
        }
    }
}
