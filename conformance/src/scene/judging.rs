//! Judging: an answer beside a documented response.

use std::collections::BTreeMap;

use openapi_document::view::Response;

use super::Scene;
use super::draft::Draft;
use super::step::{no_request, plain_step};
use crate::answered::status;
use crate::case::Expected;
use crate::collect::documented;
use crate::exchange::Exchange;
use crate::execute::{State, scope};
use crate::fresh::Fresh;
use crate::judge::History;
use crate::model::Call;
use crate::seed::Seed;

impl<'d> Scene<'_, '_, '_, 'd> {
    /// Judges an answer against a documented response of an operation, its example included.
    pub(crate) fn judge(
        &self,
        draft: &mut Draft,
        call: &Call<'d>,
        response: &Response<'d>,
        exchange: &Exchange,
    ) {
        let other = response
            .status
            .is_success()
            .then(|| other_success(call, exchange))
            .flatten();
        let response = other.as_ref().unwrap_or(response);
        self.judge_as(draft, call, expected(call, response), exchange);
    }

    /// Judges an answer against the schema of a documented response: its examples may be of
    /// another cause than the one at hand.
    pub(crate) fn judge_form(
        &self,
        draft: &mut Draft,
        call: &Call<'d>,
        response: &Response<'d>,
        exchange: &Exchange,
    ) {
        let other = response
            .status
            .is_success()
            .then(|| other_success(call, exchange))
            .flatten();
        let mut expected = expected(call, other.as_ref().unwrap_or(response));
        expected.example = None;
        self.judge_as(draft, call, expected, exchange);
    }

    /// Judges the refusal of a broken request against the documented one.
    pub(crate) fn judge_refusal(&self, draft: &mut Draft, call: &Call<'d>, exchange: &Exchange) {
        let code = status(exchange);
        let refused = code.filter(|code| matches!(code, 400 | 422));
        let documented = refused
            .and_then(|code| call.response(code))
            .or_else(|| call.first_of(&[422, 400]));
        let Some(response) = documented else { return };
        self.judge(draft, call, &response, exchange);
        if let Some(code) = code {
            self.reach(call, code, draft);
        }
    }

    /// Judges an answer whose status is one of these and documented by its schema, and notes it as seen; that status.
    pub(crate) fn judge_seen(
        &self,
        draft: &mut Draft,
        call: &Call<'d>,
        exchange: &Exchange,
        is_one: impl Fn(&u16) -> bool,
    ) -> Option<u16> {
        let code = status(exchange).filter(is_one)?;
        self.judge_form(draft, call, &call.response(code)?, exchange);
        self.reach(call, code, draft);
        Some(code)
    }

    fn judge_as(
        &self,
        draft: &mut Draft,
        call: &Call<'d>,
        expected: Expected<'d>,
        exchange: &Exchange,
    ) {
        let mut step = plain_step(call, no_request());
        step.expected = expected;
        let inputs = BTreeMap::new();
        let state = State::new(&inputs, Fresh::new(Seed::default(), ""));
        let scope = scope(&state.values, Some(exchange));
        let judge = self.sender.judge;
        let found = judge.judge(&step, exchange, &scope, &History::default());
        self.add(draft, found, &exchange.sent);
    }
}

/// The documented success that an answer has: which of several it is may depend on what the server has.
fn other_success<'d>(call: &Call<'d>, exchange: &Exchange) -> Option<Response<'d>> {
    let response = call.response(status(exchange)?)?;
    response.status.is_success().then_some(response)
}

/// What is documented for a response: its media type and first example.
fn expected<'d>(call: &Call<'d>, response: &Response<'d>) -> Expected<'d> {
    let answers = documented::answers(&call.operation);
    let of = |own: &documented::Answer<'d>| own.response.status == response.status;
    let answer = answers.into_iter().find(of);
    let example = answer.as_ref().and_then(|own| own.example.as_ref());
    Expected {
        // Another record's success has other values; its shape is in its schema.
        example: example
            .filter(|_| !response.status.is_success())
            .map(|own| own.value.node),
        media: answer.as_ref().and_then(|own| own.media.clone()),
        response: Some(response.clone()),
        ..Expected::default()
    }
}
