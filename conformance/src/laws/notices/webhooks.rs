//! Webhooks: compares all messages that came during the run with the contract's `webhooks`.
//!
//! No operation triggers a webhook, so a webhook that never came is a skip.

use std::time::{Duration, Instant};

use openapi_document::view::Callback;

use super::notifications::{QUIET, is_signed, repeated};
use crate::case::CaseName;
use crate::checks;
use crate::collect::area;
use crate::event::CaseReport;
use crate::exceptions;
use crate::execute::Runner;
use crate::judge::Difference;
use crate::level::Verdict;
use crate::notifications::WEBHOOKS;
use crate::notifications::message::{self, Fault};
use crate::notifications::receiver::Received;
use crate::notifications::signature::ID;
use crate::scene::basis::Basis;
use crate::scene::draft::Claim;
use crate::setting::Setting;

/// A webhook with its messages and their faults.
struct Webhook<'d> {
    name: CaseName,
    /// Its operations, one per method.
    callbacks: Vec<Callback<'d>>,
    received: Vec<Received>,
    faults: Vec<Fault>,
}

/// Reports a case for each webhook of the contract.
pub(crate) async fn hold<'d>(runner: &mut Runner<'_, 'd>, laws: &Setting<'_, 'd>) {
    let started = Instant::now();
    let mut webhooks = in_scope(laws);
    if webhooks.is_empty() {
        return;
    }
    let notifications = runner.sender.wire.notifications;
    let nothing = match &notifications.receiver {
        Ok(receiver) => {
            let path = format!("/{WEBHOOKS}");
            let end = started + notifications.settings.window;
            for message in receiver.settle(&path, QUIET, end).await {
                take(runner, &mut webhooks, &message);
            }
            format!(
                "none came at {}{path}: configure the server to send there (--notify-listen sets a fixed address; \
                 the command of --before reads it from CONFORMANCE_WEBHOOKS)",
                receiver.address
            )
        }
        Err(reason) => reason.clone(),
    };
    for webhook in webhooks {
        let report = settle(runner, webhook, &nothing, started.elapsed());
        runner.report(report);
    }
}

fn in_scope<'d>(laws: &Setting<'_, 'd>) -> Vec<Webhook<'d>> {
    let mut all: Vec<Webhook<'d>> = Vec::new();
    for callback in laws.model.document.webhooks() {
        let label = callback.label();
        let id = format!("laws/notifications/{label}");
        let is_requested = laws.selection.covers(&callback.operation) && laws.selection.wants(&id);
        if !is_requested || exceptions::omit(&laws.model.behaviour, "notifications", &label) {
            continue;
        }
        let same = |webhook: &&mut Webhook<'d>| webhook.callbacks[0].name == callback.name;
        if let Some(webhook) = all.iter_mut().find(same) {
            webhook.callbacks.push(callback);
            continue;
        }
        all.push(Webhook {
            name: CaseName {
                id,
                area: area(&callback.operation),
                operation: label,
            },
            callbacks: vec![callback],
            received: Vec::new(),
            faults: Vec::new(),
        });
    }
    all
}

/// Assigns a message to the webhooks that it matches; if none, to the one with the fewest faults.
fn take<'d>(runner: &Runner<'_, 'd>, webhooks: &mut [Webhook<'d>], message: &Received) {
    let contract = runner.sender.judge.contract;
    let below = message.path.trim_start_matches('/');
    let below = below.split(['/', '?']).nth(1).unwrap_or_default();
    let is_named = webhooks.iter().any(|item| item.callbacks[0].name == below);
    let mut nearest: Option<(usize, Vec<Fault>)> = None;
    let mut is_one = false;
    for (index, webhook) in webhooks.iter_mut().enumerate() {
        if is_named && webhook.callbacks[0].name != below {
            continue;
        }
        let faults = webhook.callbacks.iter();
        let faults = faults.map(|item| message::faults(contract, item, message));
        let fewest = faults.min_by_key(Vec::len).unwrap_or_default();
        if fewest.is_empty() {
            is_one = true;
            webhook.received.push(message.clone());
        } else if nearest
            .as_ref()
            .is_none_or(|(_, faults)| fewest.len() < faults.len())
        {
            nearest = Some((index, fewest));
        }
    }
    if let (false, Some((index, faults))) = (is_one, nearest) {
        webhooks[index].received.push(message.clone());
        webhooks[index].faults.extend(faults);
    }
}

fn settle<'d>(
    runner: &Runner<'_, 'd>,
    webhook: Webhook<'d>,
    nothing: &str,
    took: Duration,
) -> CaseReport {
    let mut report = CaseReport::unsent(&webhook.name, Verdict::Skip, nothing);
    report.duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    if webhook.received.is_empty() {
        return report;
    }
    let operation = &webhook.callbacks[0].operation;
    let mut claims: Vec<Claim> = webhook.faults.into_iter().map(Claim::from).collect();
    let mut claim = |check, expected: &str, actual| {
        claims.push(Claim::new(
            check,
            Basis::Keyword(operation.at.node.span),
            expected,
            actual,
        ));
    };
    // Two events may have the same body, so only ids identify repeats.
    let has_id = |message: &&Received| message.header(ID).is_some();
    let named: Vec<Received> = webhook.received.iter().filter(has_id).cloned().collect();
    if let Some(twice) = repeated(&named) {
        let expected = "each notification once after the answer 204";
        claim(&checks::NOTIFICATION_REPEATED, expected, twice);
    }
    let secret = &runner.sender.wire.notifications.settings.secret;
    let is_signed = is_signed(&webhook.callbacks[0]);
    let now = std::time::SystemTime::now();
    if let (true, Some(secret)) = (is_signed, secret) {
        for fault in webhook
            .received
            .iter()
            .filter_map(|item| secret.fault(item, now))
        {
            let expected = "a signature with the shared secret";
            claim(&checks::NOTIFICATION_SIGNATURE, expected, fault);
        }
    }
    let contract = runner.sender.judge.contract;
    for claim in claims {
        let found = runner.sender.judge.difference(
            operation,
            claim.check,
            &claim.pointer,
            (claim.expected, claim.actual),
            claim.basis.locate(contract, operation),
        );
        let same = |difference: &Difference| {
            difference.check == found.check && difference.pointer == found.pointer
        };
        if !report.differences.iter().any(same) {
            report.differences.push(found);
        }
    }
    runner.sender.conceal(&mut report.differences);
    let is_unseen = is_signed && secret.is_none() && report.differences.is_empty();
    report.reason = is_unseen.then(|| super::notifications::UNSEEN.to_owned());
    if !is_unseen {
        report.verdict = Verdict::of(report.differences.iter().map(|difference| difference.level));
    }
    report
}
