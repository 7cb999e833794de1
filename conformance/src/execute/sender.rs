//! Sender: composes requests, sends them, and judges what comes. Each case that is tried beside others has a
//! sender of its own, which counts its requests alone.

use std::time::{Duration, Instant, SystemTime};

use futures_util::future::join_all;

use crate::case::Step;
use crate::change::Change;
use crate::compose::compose;
use crate::curl;
use crate::exchange::{Exchange, NoAnswer, Sent};
use crate::expression::Scope;
use crate::fresh::Fresh;
use crate::judge::{Difference, Judge};
use crate::plan::Policy;

use super::Wire;
use super::account::Account;
use super::crowd;
use super::health::Suspicion;
use super::ownership::Right;
use super::state::{State, scope};

/// How long a server that takes no connections may be away, such as for a restart.
const GRACE: Duration = Duration::from_secs(5);

/// How often it is tried in that time.
const INTERVAL: Duration = Duration::from_millis(250);

/// Sends requests.
pub(crate) struct Sender<'r, 'j, 'd> {
    pub(crate) judge: &'r Judge<'j, 'd>,
    pub(crate) wire: &'r Wire<'r>,
    pub(crate) policy: Policy,
    /// What all senders of a run share.
    pub(crate) account: &'r Account<'d>,
    /// How many requests were sent by it.
    pub(crate) requests: u64,
}

impl<'r, 'j, 'd> Sender<'r, 'j, 'd> {
    /// A sender that has sent nothing.
    pub(crate) fn new(
        judge: &'r Judge<'j, 'd>,
        wire: &'r Wire<'r>,
        policy: Policy,
        account: &'r Account<'d>,
    ) -> Self {
        Self {
            judge,
            wire,
            policy,
            account,
            requests: 0,
        }
    }

    /// Another one of the same run.
    pub(crate) fn another(&self) -> Self {
        Self::new(self.judge, self.wire, self.policy, self.account)
    }

    /// The request of a step.
    ///
    /// # Errors
    /// A value that it needs is not there.
    pub(crate) fn compose(
        &self,
        step: &Step<'d>,
        scope: &Scope<'_>,
        fresh: &mut Fresh,
    ) -> Result<Sent, String> {
        let document = self.judge.contract.document;
        compose(document, step, self.wire.target, scope, fresh).map_err(|error| error.to_string())
    }

    /// Sends a request.
    pub(crate) async fn send(&mut self, sent: Sent) -> Exchange {
        self.requests += 1;
        let exchange = match self.refusal(&sent).await {
            Some(reason) => withheld(sent, reason),
            // On the heap: this is a part of every future that sends.
            None => Box::pin(self.pass(sent)).await,
        };
        self.account.wait(&exchange);
        exchange
    }

    /// Sends requests at once.
    pub(crate) async fn send_together(&mut self, all: Vec<Sent>) -> Vec<Exchange> {
        self.requests += all.len() as u64;
        let race = |sent| async {
            match self.refusal(&sent).await {
                Some(reason) => withheld(sent, reason),
                None => self.pass_once(sent).await,
            }
        };
        let exchanges = join_all(all.into_iter().map(race)).await;
        for exchange in &exchanges {
            self.account.wait(exchange);
        }
        exchanges
    }

    /// Why a request is not sent, where it is not.
    async fn refusal(&self, sent: &Sent) -> Option<String> {
        if let Some(reason) = self.account.lost() {
            return Some(reason);
        }
        let may_send = match self.account.ownership.judge(sent) {
            Right::Free => true,
            Right::Foreign => false,
            Right::Unless(reading) => Box::pin(self.is_absent(*reading)).await,
        };
        let reason = "not sent: it would change a record that this run did not create; \
                      --allow-destructive sends it";
        (!may_send).then(|| reason.to_owned())
    }

    /// Whether no record is read by a request.
    async fn is_absent(&self, reading: Sent) -> bool {
        let target = self.wire.target;
        let shown = |name: &str| self.wire.secrets.header(name).map(str::to_owned);
        let reading = self.pass(reading.with_all(&target.headers, shown)).await;
        !self.account.ownership.decide(&reading)
    }

    /// Finds out whether a suspect server is lost.
    async fn examine(&self, suspicion: Suspicion) {
        let health = &self.account.health;
        let client = self.wire.client;
        match suspicion {
            Suspicion::Refusal(None) => health.refuse(),
            Suspicion::Refusal(Some(mut granted)) => match client.send(&mut granted).await {
                Ok(answer) if answer.status == 401 => health.refuse(),
                _ => health.accept(),
            },
            Suspicion::Silence => {
                let started = Instant::now();
                while let Err(error) = client.reach(self.wire.entry, GRACE).await {
                    if started.elapsed() >= GRACE {
                        return health.vanish(&error.to_string());
                    }
                    tokio::time::sleep(INTERVAL).await;
                }
                health.recover();
            }
        }
    }

    /// Sends a request beside others, and once more alone where it failed so.
    async fn pass(&self, sent: Sent) -> Exchange {
        let crowd = &self.account.crowd;
        let turn = crowd.enter().await;
        let repeat = sent.clone();
        let first = self.pass_once(sent).await;
        let was_crowded = turn.was_crowded();
        drop(turn);
        if !was_crowded || !crowd::is_failure(&first.outcome) {
            return first;
        }
        let _alone = crowd.enter_alone().await;
        let again = self.pass_once(repeat).await;
        if !crowd::is_failure(&again.outcome) {
            crowd.strain(&again.sent.operation);
        }
        crowd::reconcile(first, again)
    }

    async fn pass_once(&self, mut sent: Sent) -> Exchange {
        let (wall, started) = (SystemTime::now(), Instant::now());
        let outcome = self.wire.client.send(&mut sent).await;
        let exchange = Exchange { sent, outcome };
        self.account.add(&exchange, wall, started.elapsed());
        self.account.hold(self.judge, &exchange);
        self.account.ownership.learn(&exchange);
        self.account.cleanup.note(&exchange);
        self.account.health.note(&exchange, self.wire.target);
        if let Some(suspicion) = self.account.health.suspicion() {
            // On the heap, as few requests come to that.
            Box::pin(self.examine(suspicion)).await;
        }
        exchange
    }

    /// Judges the answer to a step.
    pub(super) fn differences(
        &self,
        step: &Step<'d>,
        exchange: &Exchange,
        state: &State<'_>,
    ) -> Vec<Difference> {
        let scope = scope(&state.values, Some(exchange));
        let mut differences = self
            .judge
            .judge(step, exchange, &scope, &state.values.history);
        self.finish(&mut differences, &exchange.sent);
        if !differences.is_empty() && asks_for_success(step) {
            let reply = self.account.reply(exchange);
            for difference in &mut differences {
                difference.answer.clone_from(&reply);
            }
        }
        self.account.judged(step, exchange, !differences.is_empty());
        differences
    }

    /// Takes secrets out of the texts and adds the command that repeats the request.
    pub(crate) fn finish(&self, differences: &mut [Difference], sent: &Sent) {
        if differences.is_empty() {
            return;
        }
        let curl = self.curl(sent);
        for difference in &mut *differences {
            difference.curl.clone_from(&curl);
        }
        self.conceal(differences);
    }

    /// Takes secrets out of the texts of what no request has led to.
    pub(crate) fn conceal(&self, differences: &mut [Difference]) {
        self.account.with_secrets(|secrets| {
            for difference in differences {
                difference.expected = secrets.redact(&difference.expected);
                difference.actual = secrets.redact(&difference.actual);
            }
        });
    }

    /// Which values of the contract's example a request replaced, as they may be shown.
    pub(super) fn changes(&self, sent: &Sent) -> Vec<Change> {
        self.account.with_secrets(|secrets| {
            let changes = sent.changes.iter();
            changes.map(|change| change.concealed(secrets)).collect()
        })
    }

    /// The command that repeats a request.
    pub(crate) fn curl(&self, sent: &Sent) -> String {
        self.account
            .with_secrets(|secrets| curl::command(sent, secrets))
    }
}

/// A request that was not sent.
fn withheld(sent: Sent, reason: String) -> Exchange {
    let outcome = Err(NoAnswer::Withheld(reason));
    Exchange { sent, outcome }
}

/// Whether a step is to be granted.
fn asks_for_success(step: &Step<'_>) -> bool {
    match &step.expected.response {
        Some(response) => response.status.is_success(),
        None => !step.flow.rejection,
    }
}
