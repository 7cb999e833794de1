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
use crate::service::{Parcel, Service};
use crate::store::deliveries::BUSY;

/// The most notifications in flight.
const AT_ONCE: usize = TO_ONE * BUSY;
/// The most notifications in flight to one receiver, so that a receiver that does not answer delays
/// no other.
const TO_ONE: usize = 16;
/// How often to check for notifications of other programs on the same database.
const POLL: Duration = Duration::from_secs(1);
/// How long notifications in flight may take after a stop signal.
const PATIENCE: Duration = Duration::from_secs(5);

/// Sends the notifications of every merchant.
#[derive(Clone, Debug)]
pub struct Dispatcher {
    service: Arc<Service>,
    client: Arc<Client>,
}

/// The notifications in flight, counted by receiver.
#[derive(Default)]
struct UnderWay {
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
        let mut under_way = UnderWay::default();
        tokio::pin!(signal);
        loop {
            while self.send_more(&mut under_way).await {}
            tokio::select! {
                () = &mut signal => break,
                () = self.service.announced() => {}
                () = under_way.landed() => {}
                () = sleep(POLL) => {}
            }
        }
        let _ = timeout(PATIENCE, under_way.tasks.join_all()).await;
    }

    /// Starts sending some notifications; returns whether there may be more.
    async fn send_more(&self, under_way: &mut UnderWay) -> bool {
        let few = TO_ONE.min(AT_ONCE - under_way.tasks.len());
        if few == 0 {
            return false;
        }
        let limit = u32::try_from(few).unwrap_or_default();
        let taken = self.service.take_deliveries(under_way.busy(), limit).await;
        let parcels = taken.unwrap_or_else(|error| {
            tracing::error!(%error, "cannot lease notifications");
            Vec::new()
        });
        let all = parcels.len() == few;
        for parcel in parcels {
            let origin = parcel.delivery.notification.origin.clone();
            *under_way.to.entry(origin.clone()).or_default() += 1;
            let sending = self.clone().send(parcel);
            under_way.tasks.spawn(async move {
                sending.await;
                origin
            });
        }
        all
    }

    async fn send(self, parcel: Parcel) {
        let begun = Instant::now();
        let notification = &parcel.delivery.notification;
        let (id, attempt) = (notification.id, notification.attempts);
        let reply = if parcel.faults.drop(id, attempt) {
            Reply::Failed(Failure::Dropped)
        } else {
            self.post(&parcel).await
        };
        let took = begun.elapsed();
        tracing::info!(%id, attempt, ?reply, ?took, "a notification was sent");
        if let Err(error) = self.service.keep_reply(parcel, reply, took).await {
            tracing::error!(%id, %error, "cannot store the result of a notification");
        }
    }

    async fn post(&self, parcel: &Parcel) -> Reply {
        let notification = &parcel.delivery.notification;
        // The receiver compares the timestamp with its clock, so it is the machine's time.
        let timestamp = self.service.machine_time().as_second();
        let mut headers = HeaderMap::new();
        for (name, value) in signature::headers(
            &parcel.secrets,
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

impl UnderWay {
    /// The receivers with the most notifications in flight.
    fn busy(&self) -> [String; BUSY] {
        let full = self.to.iter().filter(|(_, count)| **count >= TO_ONE);
        let mut full = full.map(|(origin, _)| origin.clone());
        std::array::from_fn(|_| full.next().unwrap_or_default())
    }

    /// Waits for a task to end, and uncounts all that have ended.
    async fn landed(&mut self) {
        match self.tasks.join_next().await {
            Some(landed) => self.count_off(landed),
            None => std::future::pending().await,
        }
        while let Some(landed) = self.tasks.try_join_next() {
            self.count_off(landed);
        }
    }

    fn count_off(&mut self, landed: Result<String, tokio::task::JoinError>) {
        // A task that panicked does not report its receiver, so its slot stays occupied.
        let Ok(origin) = landed else { return };
        if let Some(count) = self.to.get_mut(&origin) {
            *count -= 1;
            if *count == 0 {
                self.to.remove(&origin);
            }
        }
    }
}
