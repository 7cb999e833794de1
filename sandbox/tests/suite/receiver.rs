//! A receiver of notifications on this machine.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde_json::Value;
use tokio::sync::{Notify, Semaphore};

use crate::process::DEADLINE;

/// A received notification.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

/// A receiver that keeps all notifications.
#[derive(Clone, Debug)]
pub(crate) struct Receiver {
    pub(crate) url: String,
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    received: Mutex<Vec<Received>>,
    /// The statuses of its answers; 204 after the last.
    answers: Mutex<VecDeque<u16>>,
    /// The number of further answers.
    patience: Semaphore,
    news: Notify,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

impl Receiver {
    /// A receiver with these statuses, then 204.
    pub(crate) async fn answering(answers: &[u16]) -> Self {
        Self::with_patience(answers, Semaphore::MAX_PERMITS).await
    }

    /// A receiver that answers `patience` requests, and each further one after
    /// [`Self::answer_one`].
    pub(crate) async fn with_patience(answers: &[u16], patience: usize) -> Self {
        let inner = Arc::new(Inner {
            received: Mutex::default(),
            answers: Mutex::new(answers.iter().copied().collect()),
            patience: Semaphore::new(patience),
            news: Notify::new(),
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/told", listener.local_addr().unwrap());
        let app = Router::new()
            .fallback(receive)
            .with_state(Arc::clone(&inner));
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { url, inner }
    }

    pub(crate) fn answer_one(&self) {
        self.inner.patience.add_permits(1);
    }

    /// The received notifications, once the condition holds.
    pub(crate) async fn until(&self, condition: impl Fn(&[Received]) -> bool) -> Vec<Received> {
        let come = async {
            loop {
                let received = self.inner.received.lock().unwrap().clone();
                if condition(&received) {
                    return received;
                }
                self.inner.news.notified().await;
            }
        };
        let come: Result<_, tokio::time::error::Elapsed> =
            tokio::time::timeout(DEADLINE, come).await;
        come.expect("the condition did not hold in time")
    }
}

async fn receive(State(inner): State<Arc<Inner>>, headers: HeaderMap, body: String) -> StatusCode {
    inner
        .received
        .lock()
        .unwrap()
        .push(Received { headers, body });
    inner.news.notify_one();
    inner.patience.acquire().await.unwrap().forget();
    let answer = inner.answers.lock().unwrap().pop_front();
    StatusCode::from_u16(answer.unwrap_or(204)).unwrap()
}
