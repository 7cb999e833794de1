//! The whole sandbox, put together.

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
use crate::domain::card::Taken;
use crate::domain::signature::Secret;
use crate::egress::{Client, Limits, Policy, SystemResolver};
use crate::http::{self, App, Authentication, Calls, Demand, Missing};
use crate::instruments::Instruments;
use crate::service::merchants::Account;
use crate::service::{Failure, Service};
use crate::store::{Database, Store, StoreSettings};
use crate::{pages, routes, seed};

/// What a sandbox is opened with.
#[derive(Debug)]
pub struct Settings {
    /// The database.
    pub database: Database,
    /// How it is worked with.
    pub store: StoreSettings,
    /// The key of the merchant that is always there.
    pub api_key: String,
    /// The key of whoever controls the sandbox.
    pub admin_key: String,
    /// Where the time comes from.
    pub clock: Arc<dyn Clock>,
    /// Where notifications may go.
    pub notify: Policy,
    /// What that merchant's notifications are signed with, unless it is drawn.
    pub signing_secret: Option<Secret>,
    /// Which cards are taken.
    pub cards: Taken,
    /// Which operations take credentials.
    pub demand: Demand,
    /// What becomes of calls without a request id.
    pub missing: Missing,
}

impl Settings {
    /// A database with the well-known key, at the machine's time.
    pub fn new(database: Database) -> Self {
        Self {
            database,
            store: StoreSettings::default(),
            api_key: seed::DEFAULT_KEY.to_owned(),
            admin_key: seed::DEFAULT_ADMIN_KEY.to_owned(),
            clock: Arc::new(SystemClock),
            notify: Policy::of_listener(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            signing_secret: None,
            cards: Taken::TestCards,
            demand: Demand::default(),
            missing: Missing::default(),
        }
    }
}

/// A sandbox that is ready to be served.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// Its commands.
    pub service: Arc<Service>,
    /// Its HTTP interface.
    pub app: Router,
    /// What sends its notifications.
    pub dispatcher: Dispatcher,
}

impl Sandbox {
    /// Opens a database, which is made when it is not there, and lets the holder of the key in.
    pub async fn open(settings: Settings) -> Result<Self, Failure> {
        let store = Store::open(&settings.database, settings.store)?;
        let policy = settings.notify;
        let service = Service::new(store, settings.clock, policy.clone()).await?;
        let service = Arc::new(service.taking(settings.cards));
        // What a program left that was ended in the middle of a reset.
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

    /// Serves until the signal comes; what is being answered or sent then gets a moment more.
    ///
    /// A connection on which nothing happens for as long as `idle_for` is closed, unless it waits for an
    /// answer.
    pub async fn serve(
        self,
        listener: TcpListener,
        idle_for: Duration,
        signal: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        let service = Arc::clone(&self.service);
        service.announce(&format!("http://{}", listener.local_addr()?));
        // Ends with this, even if that is not asked to the end.
        let mut firing = JoinSet::new();
        firing.spawn(async move { service.keep_firing().await });
        let (stop, stopped) = oneshot::channel::<()>();
        let sending = tokio::spawn(self.dispatcher.run(async move {
            // Its other half is dropped, never used.
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
