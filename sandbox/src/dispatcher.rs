//! Sends notifications as soon as they are in the outbox.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::domain::notification::{Failure, Reply};
use crate::domain::signature;
use crate::egress::Client;
use crate::service::{LeasedDelivery, Service};
use crate::store::deliveries::BUSY;

/// The most notifications in flight.
const MOST_IN_FLIGHT: usize = PER_RECEIVER * BUSY;
/// The most notifications in flight to one receiver, so that a receiver that does not answer delays
/// no other.
const PER_RECEIVER: usize = 16;
/// How often to check for notifications of other programs on the same database.
const POLL: Duration = Duration::from_secs(1);
/// How long notifications in flight may take after a stop signal.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Sends the notifications of every merchant.
#[derive(Clone, Debug)]
pub struct Dispatcher {
    service: Arc<Service>,
    client: Arc<Client>,
}

/// The notifications in flight, counted by receiver.
#[derive(Default)]
struct InFlight {
    tasks: JoinSet<String>,
    to: BTreeMap<String, usize>,
}

impl Dispatcher {
    /// Creates a dispatcher that sends through this client.
    pub fn new(service: Arc<Service>, client: Client) -> Self {
        let client = Arc::new(client);
        Self { service, client }
    }

    /// Sends until the signal completes. Notifications in flight then get more time; the next
    /// program sends the unfinished ones again.
    pub async fn run(self, signal: impl Future<Output = ()>) {
        let mut in_flight = InFlight::default();
        tokio::pin!(signal);
        loop {
            while self.send_more(&mut in_flight).await {}
            tokio::select! {
                () = &mut signal => break,
                () = self.service.announced() => {}
                () = in_flight.ended() => {}
                () = sleep(POLL) => {}
            }
        }
        let _ = timeout(TIMEOUT, in_flight.tasks.join_all()).await;
    }

    /// Starts sending some notifications; returns whether there may be more.
    async fn send_more(&self, in_flight: &mut InFlight) -> bool {
        let limit = PER_RECEIVER.min(MOST_IN_FLIGHT - in_flight.tasks.len());
        if limit == 0 {
            return false;
        }
        let most = u32::try_from(limit).unwrap_or_default();
        let leased = self.service.lease_deliveries(in_flight.busy(), most).await;
        let leased = leased.unwrap_or_else(|error| {
            tracing::error!(%error, "cannot lease notifications");
            Vec::new()
        });
        let all = leased.len() == limit;
        for delivery in leased {
            let origin = delivery.delivery.notification.origin.clone();
            *in_flight.to.entry(origin.clone()).or_default() += 1;
            let sending = self.clone().send(delivery);
            in_flight.tasks.spawn(async move {
                sending.await;
                origin
            });
        }
        all
    }

    async fn send(self, delivery: LeasedDelivery) {
        let begun = Instant::now();
        let notification = &delivery.delivery.notification;
        let (id, attempt) = (notification.id, notification.attempts);
        let reply = if delivery.faults.drop(id, attempt) {
            Reply::Failed(Failure::Dropped)
        } else {
            self.post(&delivery).await
        };
        let took = begun.elapsed();
        tracing::info!(%id, attempt, ?reply, ?took, "a notification was sent");
        if let Err(error) = self.service.record_reply(delivery, reply, took).await {
            tracing::error!(%id, %error, "cannot store the result of a notification");
        }
    }

    async fn post(&self, delivery: &LeasedDelivery) -> Reply {
        let notification = &delivery.delivery.notification;
        // The receiver compares the timestamp with its clock, so it is the machine's time.
        let timestamp = self.service.machine_time().as_second();
        let mut headers = HeaderMap::new();
        for (name, value) in signature::headers(
            &delivery.secrets,
            notification.id,
            timestamp,
            &notification.body,
        ) {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        let body = notification.body.clone().into();
        self.client.post(&notification.url, headers, body).await
    }
}

impl InFlight {
    /// The receivers with the most notifications in flight.
    fn busy(&self) -> [String; BUSY] {
        let full = self.to.iter().filter(|(_, count)| **count >= PER_RECEIVER);
        let mut full = full.map(|(origin, _)| origin.clone());
        std::array::from_fn(|_| full.next().unwrap_or_default())
    }

    /// Waits for a task to end, and uncounts all that have ended.
    async fn ended(&mut self) {
        match self.tasks.join_next().await {
            Some(ended) => self.uncount(ended),
            None => std::future::pending().await,
        }
        while let Some(ended) = self.tasks.try_join_next() {
            self.uncount(ended);
        }
    }

    fn uncount(&mut self, ended: Result<String, tokio::task::JoinError>) {
        // A task that panicked does not report its receiver, so its slot stays occupied.
        let Ok(origin) = ended else { return };
        if let Some(count) = self.to.get_mut(&origin) {
            *count -= 1;
            if *count == 0 {
                self.to.remove(&origin);
            }
        }
    }
}
