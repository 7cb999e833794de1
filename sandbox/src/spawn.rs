//! A sandbox inside another program, such as a test.

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::http::IDLE;
use crate::service::Failure;
use crate::store::Database;
use crate::{Sandbox, Settings, seed};

/// A sandbox that serves on a free port of this machine until it is dropped.
#[derive(Debug)]
pub struct Spawned {
    /// Its base address, such as `http://127.0.0.1:40123`.
    pub url: String,
    /// The key of its merchant.
    pub api_key: &'static str,
    /// The sandbox itself, for access to its commands and its clock without HTTP.
    pub sandbox: Sandbox,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<std::io::Result<()>>,
}

/// Why no sandbox could be spawned.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// Listening on a port failed.
    #[error("cannot listen on 127.0.0.1: {0}")]
    Listen(#[from] std::io::Error),
    /// Creating the in-memory database failed.
    #[error("cannot open a database in memory: {0}")]
    Open(#[from] Failure),
}

impl Sandbox {
    /// Starts an in-memory sandbox on the present runtime.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
    /// let sandbox = sandbox::Sandbox::spawn().await.unwrap();
    /// assert!(sandbox.url.starts_with("http://127.0.0.1:"));
    /// # });
    /// ```
    pub async fn spawn() -> Result<Spawned, SpawnError> {
        let sandbox = Self::open(Settings::new(Database::Memory)).await?;
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = format!("http://{}", listener.local_addr()?);
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(sandbox.clone().serve(listener, IDLE, async {
            // A sent value and a dropped sender both stop the sandbox.
            let _ = stopped.await;
        }));
        Ok(Spawned {
            url,
            api_key: seed::DEFAULT_KEY,
            sandbox,
            stop: Some(stop),
            serving,
        })
    }
}

impl Spawned {
    /// Stops the sandbox after the running requests.
    pub async fn stop(mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        let _ = (&mut self.serving).await;
    }
}

impl Drop for Spawned {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
