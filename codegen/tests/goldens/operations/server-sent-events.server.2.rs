impl From<TicksResponse> for Reply {
    fn from(response: TicksResponse) -> Self {
        match response {
            TicksResponse::Ok(body) => Reply::events(200, body),
            TicksResponse::Other(answer) => answer.into(),
        }
    }
}

async fn ticks<T: ServerSentEvents>(implementation: Arc<T>, call: Call) -> Result<Reply, Refusal> {
    let context = call.finish()?;
    Ok(implementation.ticks(context).await.into())
}
