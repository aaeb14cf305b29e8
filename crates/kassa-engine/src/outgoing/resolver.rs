//! Names, resolved anew for each connection: what comes back is checked before anybody connects to it, and nobody
//! resolves it a second time in between.

use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::Semaphore;

use super::OutgoingRules;
use super::target::Reach;

/// Names that are looked up at the same time: each takes a thread of the system's resolver.
const LOOKUPS_MAX: usize = 64;

/// Looks names up.
pub trait NameLookup: Send + Sync + 'static {
    /// The addresses of a name, in the order in which they are to be tried.
    fn lookup(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// As the system does.
#[derive(Debug)]
pub(super) struct SystemLookup {
    permits: Arc<Semaphore>,
}

impl Default for SystemLookup {
    fn default() -> Self {
        Self { permits: Arc::new(Semaphore::new(LOOKUPS_MAX)) }
    }
}

impl NameLookup for SystemLookup {
    fn lookup(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let (name, permits) = (name.to_owned(), Arc::clone(&self.permits));
        async move {
            let _permit = permits.acquire_owned().await.map_err(io::Error::other)?;
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        }
        .boxed()
    }
}

/// A name could not be resolved.
#[derive(Debug, thiserror::Error)]
#[error("the name does not resolve: {0}")]
pub(super) struct NameUnknown(#[from] io::Error);

/// A name resolves to an address that is not of the internet.
#[derive(Debug, thiserror::Error)]
#[error("the name resolves to an address that is not of the internet")]
pub(super) struct AddressForbidden;

/// What connections ask for addresses.
pub(super) struct CheckingResolver {
    pub(super) lookup: Arc<dyn NameLookup>,
    pub(super) rules: Arc<OutgoingRules>,
    pub(super) reach: Reach,
}

impl Resolve for CheckingResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.lookup.lookup(name.as_str());
        let (rules, reach) = (Arc::clone(&self.rules), self.reach);
        async move {
            let found = found.await.map_err(|error| Box::new(NameUnknown(error)) as Box<dyn Error + Send + Sync>)?;
            // One that is forbidden makes all of them suspect: whoever has the name has mixed them.
            if reach == Reach::Checked && !found.iter().all(|address| rules.permits(*address)) {
                return Err(AddressForbidden.into());
            }
            Ok(Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        }
        .boxed()
    }
}
