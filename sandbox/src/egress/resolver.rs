//! The addresses that a name stands for.

use std::io;
use std::net::IpAddr;

use futures_util::future::BoxFuture;

/// Tells the addresses of a name.
pub trait Resolve: Send + Sync + std::fmt::Debug {
    /// Every address of the name, in the order they are to be tried.
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// The machine's own.
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
