//! Sender: composes requests, sends them, and judges the answers. Each case that runs in parallel
//! has its sender, which counts the case's requests.

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
use super::concurrency;
use super::health::Suspicion;
use super::ownership::Right;
use super::state::{State, scope};

/// How long a server may refuse connections, such as during a restart.
const GRACE: Duration = Duration::from_secs(5);

/// Fewer than one record in so many may be found on a server that has forgotten the others.
const FEW: usize = 4;

/// The pause between two attempts to connect.
const INTERVAL: Duration = Duration::from_millis(250);

/// Sends requests.
pub(crate) struct Sender<'r, 'd> {
    pub(crate) judge: &'r Judge<'r, 'd>,
    pub(crate) wire: &'r Wire<'r>,
    pub(crate) policy: Policy,
    /// The state that all senders of a run share.
    pub(crate) account: &'r Account<'d>,
    /// The number of requests of this sender.
    pub(crate) requests: u64,
}

impl<'r, 'd> Sender<'r, 'd> {
    /// Creates a sender.
    pub(crate) fn new(
        judge: &'r Judge<'r, 'd>,
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

    /// Creates another sender for the same run.
    pub(crate) fn another(&self) -> Self {
        Self::new(self.judge, self.wire, self.policy, self.account)
    }

    /// Composes the request of a step.
    ///
    /// # Errors
    /// A value that the request needs is missing.
    pub(crate) fn compose(
        &self,
        step: &Step<'d>,
        scope: &Scope<'_>,
        fresh: &mut Fresh,
    ) -> Result<Sent, String> {
        let document = self.judge.contract.document;
        compose(document, step, self.wire.target, scope, fresh).map_err(|error| error.to_string())
    }

    /// Sends a request, unless the run must withhold it.
    pub(crate) async fn send(&mut self, sent: Sent) -> Exchange {
        self.requests += 1;
        let exchange = match self.refusal(&sent).await {
            Some(reason) => withheld(sent, reason),
            // Boxed, because every future that sends contains this one.
            None => Box::pin(self.pass(sent)).await,
        };
        self.account.wait(&exchange);
        exchange
    }

    /// Sends requests at the same time.
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

    /// Why a request must not be sent. `None` when it may.
    async fn refusal(&self, sent: &Sent) -> Option<String> {
        if let Some(reason) = self.account.lost() {
            return Some(reason);
        }
        if self.account.records.is_of_another_case(sent) {
            let operation = &sent.operation;
            return Some(format!(
                "{operation} was not sent: the server gave the key of the deleted record to a new one"
            ));
        }
        let may_send = match self.account.ownership.judge(sent) {
            Right::Free => true,
            Right::Foreign => false,
            Right::Unless(reading) => Box::pin(self.is_absent(*reading)).await,
        };
        (!may_send).then(|| {
            format!(
                "{} was not sent: it would change a record that this run did not create; \
                 --allow-destructive sends it",
                sent.operation
            )
        })
    }

    /// Whether a reading finds no record.
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
            Suspicion::Refusal(Some(mut accepted)) => match client.send(&mut accepted).await {
                Ok(answer) if answer.status == 401 => health.refuse(),
                _ => health.accept(),
            },
            Suspicion::Silence => {
                let started = Instant::now();
                while let Err(error) = client.reach(self.wire.entry, GRACE).await {
                    if started.elapsed() >= GRACE {
                        return health.lose_connection(&error.to_string());
                    }
                    tokio::time::sleep(INTERVAL).await;
                }
                health.recover();
            }
            Suspicion::Failure => {
                let reads = self.account.records.reads();
                // A key may name another record after a restart, so few records prove nothing.
                let few = reads.len() / FEW;
                let (mut found, mut missing) = (0, Vec::new());
                for read in reads {
                    let answer = client.send(&mut self.plain(read.clone())).await;
                    if answer.is_ok_and(|answer| matches!(answer.status, 404 | 410)) {
                        missing.push(read);
                    } else {
                        found += 1;
                    }
                    if found > few {
                        return health.remember();
                    }
                }
                if missing.is_empty() {
                    health.remember();
                } else {
                    health.forget(&missing);
                }
            }
        }
    }

    /// When a case failed, finds out whether the server still has the records of the run.
    pub(super) async fn check_memory(&self) {
        if let Some(suspicion @ Suspicion::Failure) = self.account.health.suspicion() {
            self.examine(suspicion).await;
        }
    }

    /// Sends a request in parallel with others, and repeats it alone when it failed beside them, was
    /// not answered in time, or met a server that was unavailable.
    async fn pass(&self, sent: Sent) -> Exchange {
        let concurrency = &self.account.concurrency;
        let turn = concurrency.enter().await;
        let repeat = sent.clone();
        let first = self.pass_once(sent).await;
        let had_company = turn.had_company();
        drop(turn);
        let is_late = matches!(first.outcome, Err(NoAnswer::Timeout(_)));
        let is_busy = concurrency::is_unavailable(&first.outcome)
            && concurrency.is_patient()
            && !self.account.forms().is_documented(&first);
        let may_differ =
            is_late || is_busy || (had_company && concurrency::is_failure(&first.outcome));
        if !may_differ {
            return first;
        }
        let _alone = concurrency.enter_alone().await;
        let mut again = self.pass_once(repeat.clone()).await;
        if is_busy && concurrency::is_unavailable(&again.outcome) {
            for pause in concurrency::PAUSES {
                tokio::time::sleep(pause).await;
                again = self.pass_once(repeat.clone()).await;
                if !concurrency::is_unavailable(&again.outcome) {
                    break;
                }
            }
            if concurrency::is_unavailable(&again.outcome) {
                concurrency.note_unavailable();
            }
        }
        if !concurrency::is_failure(&again.outcome) {
            concurrency.strain(&again.sent.operation);
        }
        concurrency::reconcile(first, again)
    }

    async fn pass_once(&self, mut sent: Sent) -> Exchange {
        let (wall, started) = (SystemTime::now(), Instant::now());
        let outcome = self.wire.client.send(&mut sent).await;
        let exchange = Exchange { sent, outcome };
        self.account.add(&exchange, wall, started.elapsed());
        self.account.validate(self.judge, &exchange);
        self.account.ownership.learn(&exchange);
        self.account.observed.note(&exchange);
        let ownership = &self.account.ownership;
        let is_own = |key: &str| ownership.owns(key);
        self.account.records.note(&exchange, is_own);
        self.account.health.note(&exchange, self.wire.target);
        if let Some(suspicion) = self.account.health.suspicion() {
            // Boxed, because it is rare.
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
        if !differences.is_empty() && expects_success(step) {
            let reply = self.account.reply(exchange);
            for difference in &mut differences {
                difference.answer.clone_from(&reply);
            }
        }
        self.account.judged(step, exchange, !differences.is_empty());
        differences
    }

    /// Removes secrets from the texts and adds the `curl` command.
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

    /// Removes secrets from the texts of differences without a request.
    pub(crate) fn conceal(&self, differences: &mut [Difference]) {
        self.account.with_secrets(|secrets| {
            for difference in differences {
                difference.expected = secrets.redact(&difference.expected);
                difference.actual = secrets.redact(&difference.actual);
            }
        });
    }

    /// The values of the contract's example that a request replaced, without secrets.
    pub(super) fn changes(&self, sent: &Sent) -> Vec<Change> {
        self.account.with_secrets(|secrets| {
            let changes = sent.changes.iter();
            changes.map(|change| change.concealed(secrets)).collect()
        })
    }

    /// The `curl` command that repeats a request.
    pub(crate) fn curl(&self, sent: &Sent) -> String {
        self.account
            .with_secrets(|secrets| curl::command(sent, secrets))
    }
}

/// The exchange of a withheld request.
fn withheld(sent: Sent, reason: String) -> Exchange {
    let outcome = Err(NoAnswer::Withheld(reason));
    Exchange { sent, outcome }
}

/// Whether a step expects a success.
fn expects_success(step: &Step<'_>) -> bool {
    match &step.expected.response {
        Some(response) => response.status.is_success(),
        None => !step.flow.rejection,
    }
}
