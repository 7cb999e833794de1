//! Assembles and serves the sandbox.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::admin::{self, AdminKey, Control};
use crate::clock::{Clock, SystemClock};
use crate::dispatcher::Dispatcher;
use crate::domain::card::AcceptedCards;
use crate::domain::signature::Secret;
use crate::egress::{Client, Limits, Policy, SystemResolver};
use crate::http::{self, App, Authentication, Calls, Demand, Missing};
use crate::instruments::Instruments;
use crate::service::merchants::Account;
use crate::service::{Failure, Service};
use crate::store::{Database, Store, StoreSettings};
use crate::{pages, routes, seed};

/// The settings of a sandbox.
#[derive(Debug)]
pub struct Settings {
    /// The database.
    pub database: Database,
    /// The settings of the store.
    pub store: StoreSettings,
    /// The API key of the default merchant.
    pub api_key: String,
    /// The admin key.
    pub admin_key: String,
    /// The clock of the machine.
    pub clock: Arc<dyn Clock>,
    /// The permitted receivers of notifications.
    pub notify: Policy,
    /// The secret that signs the default merchant's notifications; random when `None`.
    pub signing_secret: Option<Secret>,
    /// Which cards are accepted.
    pub cards: AcceptedCards,
    /// Which operations require credentials.
    pub demand: Demand,
    /// How calls without a request id are handled.
    pub missing: Missing,
}

impl Settings {
    /// Default settings for a database.
    pub fn new(database: Database) -> Self {
        Self {
            database,
            store: StoreSettings::default(),
            api_key: seed::DEFAULT_KEY.to_owned(),
            admin_key: seed::DEFAULT_ADMIN_KEY.to_owned(),
            clock: Arc::new(SystemClock),
            notify: Policy::of_listener(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            signing_secret: None,
            cards: AcceptedCards::TestCards,
            demand: Demand::default(),
            missing: Missing::default(),
        }
    }
}

/// An assembled sandbox.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// Its commands.
    pub service: Arc<Service>,
    /// Its HTTP interface.
    pub app: Router,
    /// The sender of its notifications.
    pub dispatcher: Dispatcher,
}

impl Sandbox {
    /// Opens a database, creates it when missing, and sets up the default merchant.
    pub async fn open(settings: Settings) -> Result<Self, Failure> {
        let store = Store::open(&settings.database, settings.store)?;
        let policy = settings.notify;
        let service = Service::new(store, settings.clock, policy.clone()).await?;
        let service = Arc::new(service.accepting(settings.cards));
        // Remove what a program left when it ended in the middle of a reset.
        service.sweep().await?;
        let account = Account {
            name: seed::MERCHANT.to_owned(),
            key: settings.api_key,
        };
        let merchant = service.open_account(account).await?;
        if let Some(secret) = settings.signing_secret {
            service.sign_with(merchant, secret).await?;
        }
        let key = AdminKey::new(&settings.admin_key);
        let authentication = Authentication::new(Arc::clone(&service), settings.demand, merchant);
        let app = app(&service, authentication, settings.missing, key);
        let client = Client::new(policy, Arc::new(SystemResolver), Limits::default());
        let dispatcher = Dispatcher::new(Arc::clone(&service), client);
        Ok(Self {
            service,
            app,
            dispatcher,
        })
    }

    /// Serves until the signal completes; requests and notifications in progress then get more
    /// time.
    ///
    /// A connection that is idle for `idle_for` is closed, unless it waits for an answer.
    pub async fn serve(
        self,
        listener: TcpListener,
        idle_for: Duration,
        signal: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        let service = Arc::clone(&self.service);
        service.announce(&format!("http://{}", listener.local_addr()?));
        // The timers stop when this function ends or is dropped.
        let mut firing = JoinSet::new();
        firing.spawn(async move { service.keep_firing().await });
        let (stop, stopped) = oneshot::channel::<()>();
        let sending = tokio::spawn(self.dispatcher.run(async move {
            // The sender is dropped to stop the dispatcher; it never sends a value.
            let _ = stopped.await;
        }));
        let served = http::serve(listener, idle_for, self.app, signal).await;
        firing.abort_all();
        drop(stop);
        let _ = sending.await;
        served
    }
}

/// The HTTP interface of a service.
fn app(
    service: &Arc<Service>,
    authentication: Authentication,
    missing: Missing,
    key: AdminKey,
) -> Router {
    let operations = routes::operations(service);
    let instruments = Arc::new(Instruments::default());
    let control = Control {
        service: Arc::clone(service),
        calls: Calls::new(service, &instruments, operations.clone()),
        instruments: Arc::clone(&instruments),
        key,
    };
    http::app(App {
        service: Arc::clone(service),
        instruments,
        authentication,
        missing,
        operations,
        control: admin::router(control.clone()),
        pages: pages::router(control),
    })
}
