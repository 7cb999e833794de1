/// Receives `shipped` at a path of your own. What none of the secrets has signed by the rules
/// of Standard Webhooks is refused; that it came before is for you to tell, by its
/// `webhook-id`.
pub fn receive_shipped<T: Callbacks>(
    path: &str,
    implementation: &Arc<T>,
    secrets: Secrets,
) -> Routes {
    Routes::new()
        .operation(
            &operations::callbacks::SHIPPED,
            implementation,
            move |implementation, call| shipped(implementation, call, secrets.clone()),
        )
        .at(path)
}

/// The answers of `shipped`.
#[derive(Clone, Debug)]
pub enum ShippedResponse {
    /// 204: Taken.
    NoContent,
    /// Any other answer.
    Other(Answer),
}

impl From<ShippedResponse> for Answer {
    fn from(response: ShippedResponse) -> Self {
        match response {
            ShippedResponse::NoContent => Answer::empty(204),
            ShippedResponse::Other(answer) => answer,
        }
    }
}
