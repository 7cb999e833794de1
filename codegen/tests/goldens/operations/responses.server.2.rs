/// The answers of `poll`.
#[derive(Clone, Debug)]
pub enum PollResponse {
    /// 200: Done.
    Ok(Vec<i64>, operations::responses::PollOkHeaders),
    /// 202: Not yet.
    Accepted,
    /// 404: There is none.
    NotFound(String),
    /// default: Something else.
    Default(u16),
    /// Any other answer.
    Other(Answer),
}

impl From<PollResponse> for Answer {
    fn from(response: PollResponse) -> Self {
        match response {
            PollResponse::Ok(ref body, headers) => {
                Answer::json(200, "application/json", body).with_headers(&headers)
            }
            PollResponse::Accepted => Answer::empty(202),
            PollResponse::NotFound(ref body) => Answer::json(404, "application/json", body),
            PollResponse::Default(status) => Answer::empty(status),
            PollResponse::Other(answer) => answer,
        }
    }
}

async fn poll<T: Responses>(implementation: Arc<T>, call: Call) -> Result<Answer, Refusal> {
    let context = call.finish()?;
    Ok(implementation.poll(context).await.into())
}
