//! Products: create, list, read, update and remove.

use uuid::Uuid;

use super::{Failure, Owned, Service, Work};
use crate::domain::page::Page;
use crate::domain::product::{self, Product};
use crate::domain::{Code, Rejection};
use crate::store::{Hold, Merchant, plans, products};

impl Service {
    /// Adds a product.
    pub async fn create_product(
        &self,
        merchant: Merchant,
        command: product::Create,
    ) -> Result<Owned<Product>, Failure> {
        let id = Uuid::now_v7();
        self.command(merchant, move |work| {
            let product = product::create(id, command.clone(), work.now)?;
            products::insert(work.connection, work.tenant, &product)?;
            Owned::new(work, product)
        })
        .await
    }

    /// A page of the products.
    pub async fn products(
        &self,
        merchant: Merchant,
        page: Page,
    ) -> Result<Owned<Vec<Product>>, Failure> {
        self.read(merchant, move |work| {
            Owned::new(work, products::page(work.connection, work.tenant, &page)?)
        })
        .await
    }

    /// One product.
    pub async fn product(&self, merchant: Merchant, id: Uuid) -> Result<Owned<Product>, Failure> {
        self.read(merchant, move |work| {
            Owned::new(work, load(work, id, Hold::Nothing)?)
        })
        .await
    }

    /// Changes the address of a product's page.
    pub async fn update_product(
        &self,
        merchant: Merchant,
        id: Uuid,
        url: Option<String>,
    ) -> Result<Owned<Product>, Failure> {
        self.command(merchant, move |work| {
            let before = load(work, id, Hold::ToChange)?;
            let after = product::update(before, url.clone(), work.now)?;
            products::update(work.connection, work.tenant, &after)?;
            Owned::new(work, after)
        })
        .await
    }

    /// Removes a product; refused while it has plans.
    pub async fn remove_product(&self, merchant: Merchant, id: Uuid) -> Result<(), Failure> {
        self.command(merchant, move |work| {
            load(work, id, Hold::ToChange)?;
            if plans::exist_of(work.connection, work.tenant, id)? {
                return Err(Rejection::new(Code::IllegalState, "the product has plans").into());
            }
            Ok(products::remove(
                work.connection,
                work.tenant,
                id,
                work.now,
            )?)
        })
        .await
    }
}

fn load(work: &Work<'_>, id: Uuid, hold: Hold) -> Result<Product, Failure> {
    let found = products::find(work.connection, work.tenant, id, hold)?;
    found.ok_or_else(|| Rejection::unknown("product").into())
}
