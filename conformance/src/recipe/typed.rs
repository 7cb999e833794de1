//! Typed requests: sends a call that documents no body with an empty one, if the server requires a content type.

use openapi_document::view::Method;
use openapi_document::{Mapping, Value};

use super::growth::Grower;
use super::plan::Plan;
use crate::case::{Body, BodyValue};
use crate::encoding::Encoding;
use crate::model::Call;
use crate::value;

impl<'d> Grower<'_, 'd> {
    /// The first plan with an empty body, if the call is a POST that documents none.
    pub(super) fn typed(call: &Call<'d>, first: Option<&Plan<'d>>) -> Vec<Plan<'d>> {
        let is_bare = call.operation.request_body().is_none();
        let posts = call.operation.method == Method::Post && is_bare;
        let typed = first.filter(|_| posts).map(|item| Plan {
            is_typed: true,
            naming: Vec::new(),
            ..item.clone()
        });
        typed.into_iter().collect()
    }

    /// An empty JSON object as body.
    pub(super) fn empty_body(&self, call: &Call<'d>) -> Body<'d> {
        Body {
            media_type: "application/json".to_owned(),
            encoding: Encoding::Json,
            schema: None,
            value: BodyValue::Sample(value::node(Value::Mapping(Mapping::default()))),
            conflicts: self.contract.conflicts(&call.operation),
        }
    }
}
