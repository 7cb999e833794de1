//! Products. A removed product stays in the table for the plans that refer to it.

use jiff::Timestamp;
use uuid::Uuid;

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::page::{self, BY_CREATION};
use super::{Hold, Tenant};
use crate::domain::page::Page;
use crate::domain::product::Product;
use crate::values;

/// Adds a product.
pub fn insert(
    connection: &Connection,
    tenant: Tenant,
    product: &Product,
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO products (tenant_id, id, name, description, url, type, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        values![
            tenant,
            product.id,
            &product.name,
            &product.description,
            &product.url,
            &product.kind,
            product.created_at,
            product.updated_at
        ],
    )?;
    Ok(())
}

/// The product with that id.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
    hold: Hold,
) -> Result<Option<Product>, StoreError> {
    let sql = "SELECT * FROM products WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL";
    let sql = format!("{sql}{}", hold.sql());
    connection.find(&sql, values![tenant, id], read)
}

/// Writes the changeable columns.
pub fn update(
    connection: &Connection,
    tenant: Tenant,
    product: &Product,
) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE products SET url = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2",
        values![tenant, product.id, &product.url, product.updated_at],
    )?;
    Ok(())
}

/// Removes a product.
pub fn remove(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
    now: Timestamp,
) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE products SET deleted_at = $3 WHERE tenant_id = $1 AND id = $2",
        values![tenant, id, now],
    )?;
    Ok(())
}

/// A page of the products.
pub fn page(
    connection: &Connection,
    tenant: Tenant,
    page: &Page,
) -> Result<Vec<Product>, StoreError> {
    let query = "SELECT * FROM products WHERE tenant_id = $1 AND deleted_at IS NULL";
    let order = (page, BY_CREATION, "id");
    page::read(connection, query, values![tenant], order, read)
}

fn read(row: &Row<'_>) -> Result<Product, StoreError> {
    Ok(Product {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        url: row.get("url")?,
        kind: row.get("type")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
