impl From<ChangesResponse> for Reply {
    fn from(response: ChangesResponse) -> Self {
        match response {
            ChangesResponse::Ok(body) => Reply::events(200, body),
            ChangesResponse::Other(answer) => answer.into(),
        }
    }
}

async fn changes<T: NamedEvents>(implementation: Arc<T>, call: Call) -> Result<Reply, Refusal> {
    let context = call.finish()?;
    Ok(implementation.changes(context).await.into())
}
