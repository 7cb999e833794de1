//! The whole sandbox, put together.

use std::path::Path;
use std::sync::Arc;

use axum::Router;

use crate::clock::Clock;
use crate::http::{self, Authentication};
use crate::seed;
use crate::service::{self, Service};
use crate::store::{self, Store, StoreError};

/// A sandbox that is ready to be served.
#[derive(Debug)]
pub struct Sandbox {
    /// Its commands.
    pub service: Arc<Service>,
    /// Its HTTP interface.
    pub app: Router,
}

impl Sandbox {
    /// Opens a database, which is made when it is not there, and lets the holder of the key in.
    pub async fn open(
        database: &Path,
        api_key: &str,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, StoreError> {
        let store = Store::open(database)?;
        let (key, now, fresh) = (api_key.to_owned(), clock.now(), service::random());
        let secret = store
            .write(move |connection| {
                let secret = store::load_secret(connection, "credentials", &fresh)?;
                seed::development(connection, &secret, &key, now)?;
                Ok::<_, StoreError>(secret)
            })
            .await?;
        let authentication = Authentication::load(&store, secret)?;
        let service = Arc::new(Service::new(store, clock).await?);
        let operations = crate::routes::operations(&service);
        let app = http::app(Arc::clone(&service), authentication, operations);
        Ok(Self { service, app })
    }
}
