/// The answers of `shrink`.
#[derive(Debug)]
pub enum ShrinkResponse {
    /// 200: The picture.
    Ok(ByteStream),
    /// Any other answer.
    Other(Answer),
}

impl From<ShrinkResponse> for Reply {
    fn from(response: ShrinkResponse) -> Self {
        match response {
            ShrinkResponse::Ok(body) => Reply::stream(200, "image/png", body),
            ShrinkResponse::Other(answer) => answer.into(),
        }
    }
}

async fn shrink<T: BinaryBodies>(implementation: Arc<T>, mut call: Call) -> Result<Reply, Refusal> {
    let body = call.stream("application/octet-stream")?;
    let context = call.finish()?;
    Ok(implementation.shrink(context, body).await.into())
}
