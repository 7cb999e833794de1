//! Merchants: their accounts and keys, and operations on all their records.

use super::{Failure, Service, random};
use crate::domain::signature::Secret;
use crate::domain::{Code, Rejection};
use crate::seed;
use crate::store::{
    self, Connection, Credential, Merchant, StoreError, Tenant, signing_secrets, tenants,
};

/// A merchant's name and API key.
#[derive(Clone)]
pub struct Account {
    /// The name, which is also the user name for HTTP Basic.
    pub name: String,
    /// The API key.
    pub key: String,
}

impl std::fmt::Debug for Account {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Account({})", self.name)
    }
}

impl Service {
    /// Creates the merchant unless it exists, and sets its key. A new merchant gets its initial
    /// records.
    pub async fn open_account(&self, account: Account) -> Result<Merchant, Failure> {
        let key_hash = self.hash_key(account.key.as_bytes())?.to_vec();
        let now = self.machine_time();
        let secret = Secret::new(random()).ok_or(StoreError::Corrupt("signing secret"))?;
        self.store
            .write(move |connection| {
                let merchant = if let Some(known) = tenants::merchant(connection, &account.name)? {
                    known
                } else {
                    let (merchant, tenant) = tenants::add(connection, &account.name, now)?;
                    seed::tenant(connection, tenant, now)?;
                    signing_secrets::add(connection, merchant, &secret, now)?;
                    merchant
                };
                let credential = Credential {
                    merchant,
                    username: account.name.clone(),
                    key_hash: key_hash.clone(),
                };
                store::set_credential(connection, &credential)?;
                Ok::<_, Failure>(merchant)
            })
            .await
    }

    /// Creates a merchant; refused when the name or the key is already used.
    pub async fn add_merchant(&self, account: Account) -> Result<Merchant, Failure> {
        let key_hash = self.hash_key(account.key.as_bytes())?.to_vec();
        let name = account.name.clone();
        let taken = self.store.read(move |connection| {
            let mut taken = Vec::new();
            let mut refuse = |is: bool, pointer, detail| {
                taken.extend(is.then(|| Rejection::at(Code::IllegalState, pointer, detail)));
            };
            let merchant = tenants::merchant(connection, &name)?;
            refuse(
                merchant.is_some(),
                "/name",
                "a tenant of this name is there already",
            );
            let credential = store::find_credential(connection, &key_hash)?;
            refuse(
                credential.is_some(),
                "/apiKey",
                "another tenant has this key",
            );
            Ok::<_, Failure>(taken)
        });
        Rejection::collected(taken.await?)?;
        self.open_account(account).await
    }

    /// The names of all merchants.
    pub async fn merchants(&self) -> Result<Vec<String>, Failure> {
        {
            self.store
                .read(|connection| Ok(tenants::names(connection)?))
        }
        .await
    }

    /// The name of a merchant.
    pub async fn merchant_name(&self, merchant: Merchant) -> Result<String, Failure> {
        self.store
            .read(move |connection| Ok(tenants::name(connection, merchant)?))
            .await
    }

    /// The merchant of this name.
    pub async fn merchant(&self, name: &str) -> Result<Merchant, Failure> {
        let name = name.to_owned();
        let find = move |connection: &Connection| tenants::merchant(connection, &name);
        let found = self.store.read(find).await?;
        found.ok_or_else(|| {
            Rejection::new(Code::UnknownRecord, "there is no tenant of this name").into()
        })
    }

    /// The merchant whose key has this hash.
    pub async fn merchant_of_key(&self, hash: [u8; 32]) -> Result<Option<Merchant>, Failure> {
        let find = move |connection: &Connection| store::find_credential(connection, &hash);
        let found = self.store.read(find).await?;
        Ok(found.map(|credential| credential.merchant))
    }

    /// The keyed hash of a key, as stored.
    pub fn hash_key(&self, key: &[u8]) -> Result<[u8; 32], StoreError> {
        self.credentials.hash(&[key])
    }

    /// Resets a merchant to its initial records.
    pub async fn reset(&self, merchant: Merchant) -> Result<(), Failure> {
        let now = self.machine_time();
        self.whole(merchant, move |connection| {
            let tenant = tenants::empty(connection, merchant, now)?;
            seed::tenant(connection, tenant, now)?;
            Ok(())
        })
        .await?;
        self.sweep_or_tell().await;
        Ok(())
    }

    /// Removes retired tenants. Does nothing while a copy is running, because the copy belongs to
    /// no merchant yet.
    pub async fn sweep(&self) -> Result<(), Failure> {
        let Ok(_alone) = self.copies.try_write() else {
            return Ok(());
        };
        let retired: Vec<Tenant> = self.store.read(tenants::retired).await?;
        for tenant in retired {
            self.store.remove(tenant).await?;
        }
        Ok(())
    }

    /// Like [`Self::sweep`], but only logs errors: the next call tries again, and no merchant sees
    /// the records.
    pub(super) async fn sweep_or_tell(&self) {
        if let Err(error) = self.sweep().await {
            tracing::error!(%error, "cannot remove records that nobody has any more");
        }
    }

    /// Runs a command on all records of a merchant, under a lock against other such commands.
    pub(super) async fn whole<T: Send + 'static>(
        &self,
        merchant: Merchant,
        work: impl Fn(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        self.store
            .write(move |connection| {
                tenants::begin_whole(connection, merchant)?;
                work(connection)
            })
            .await
    }
}
