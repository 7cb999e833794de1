//! The frame around every developer page.

use axum::response::Response;

use super::closing_page;
use super::fields::Fields;
use super::session::Session;
use crate::admin::Control;
use crate::seed;
use crate::store::Merchant;

/// The tenant and the section of a page.
pub(super) struct Frame {
    pub(super) section: &'static str,
    pub(super) tenant: String,
    pub(super) tenants: Vec<String>,
    pub(super) nonce: String,
    pub(super) signed_in: bool,
    pub(super) merchant: Merchant,
}

impl Frame {
    /// The frame of a page about the tenant that the query names.
    pub(super) async fn of(
        control: &Control,
        session: &Session,
        fields: &Fields,
        section: &'static str,
    ) -> Result<Self, Response> {
        let tenant = fields.text("tenant").unwrap_or(seed::MERCHANT.to_owned());
        let merchant = control.service.merchant(&tenant).await;
        let merchant =
            merchant.map_err(|_| closing_page::nothing("There is no tenant of this name."))?;
        Ok(Self {
            section,
            tenant,
            tenants: control.service.merchants().await.unwrap_or_default(),
            nonce: session.nonce.clone(),
            signed_in: session.signed_in,
            merchant,
        })
    }
}
