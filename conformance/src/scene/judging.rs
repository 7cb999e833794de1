//! Judging: compares an answer with a documented response.

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

impl<'d> Scene<'_, 'd> {
    /// Compares an answer with a documented response of an operation, including its example.
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

    /// Compares an answer with the schema of a documented response only: its examples may show another cause.
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

    /// Compares the refusal of an invalid request with the documented one.
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

    /// Compares an answer with the schema of its documented status if `is_one` selects the status, and records it as
    /// seen.
    /// Returns the status. `None` for any other status.
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

/// The documented success with the status of the answer: which success it is can depend on the server's data.
fn other_success<'d>(call: &Call<'d>, exchange: &Exchange) -> Option<Response<'d>> {
    let response = call.response(status(exchange)?)?;
    response.status.is_success().then_some(response)
}

/// The expected answer for a documented response: its media type and, for a refusal, its example.
fn expected<'d>(call: &Call<'d>, response: &Response<'d>) -> Expected<'d> {
    let answers = documented::answers(&call.operation);
    let has_status = |answer: &documented::Answer<'d>| answer.response.status == response.status;
    let answer = answers.into_iter().find(has_status);
    let example = answer.as_ref().and_then(|answer| answer.example.as_ref());
    Expected {
        // A success example shows another record's values; only its schema applies.
        example: example
            .filter(|_| !response.status.is_success())
            .map(|example| example.value.node),
        media: answer.as_ref().and_then(|success| success.media.clone()),
        response: Some(response.clone()),
        ..Expected::default()
    }
}
