async fn shipped<T: Callbacks>(
    implementation: Arc<T>,
    mut call: Call,
    secrets: Secrets,
) -> Result<Answer, Refusal> {
    secrets.check(&call)?;
    let parameters = call.parameters()?;
    let body = call.json("application/json")?;
    let context = call.finish()?;
    Ok(implementation
        .shipped(context, parameters, body)
        .await
        .into())
}
