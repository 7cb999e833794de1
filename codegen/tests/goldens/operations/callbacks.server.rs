use std::future::ready;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::Answer;
use crate::runtime::server::{Call, Context, Refusal, Routes};
use crate::runtime::signature::Secrets;

/// What is sent about an operation later.
pub trait Callbacks: Send + Sync + 'static {
    /// The operation `shipped`.
    ///
    /// `POST {$request.body#/tell}`
    fn shipped(
        &self,
        context: Context,
        parameters: operations::callbacks::ShippedParameters,
        body: models::Shipment,
    ) -> impl Future<Output = ShippedResponse> + Send {
        let _ = parameters;
        let _ = body;
        ready(ShippedResponse::Other(context.not_implemented()))
    }
}
