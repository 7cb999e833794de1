//! Resolves host names to addresses.

use std::io;
use std::net::IpAddr;

use futures_util::future::BoxFuture;

/// Resolves host names.
pub trait Resolve: Send + Sync + std::fmt::Debug {
    /// Every address of the name, in the order of attempts.
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// The resolver of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}
