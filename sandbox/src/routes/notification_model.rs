//! A notification in the models of the contract.

use merchant_payments::models;
use serde::Deserialize;

use super::{Operations, transaction_model};
use crate::domain::{Code, Rejection};
use crate::egress::Destination;
use crate::service::{Announcing, Notice};
use crate::store::StoreError;

/// How transactions are told of.
pub const ANNOUNCING: Announcing = Announcing { receiver, body };

/// What the descriptive fields say of the receiver.
#[derive(Deserialize)]
struct Described {
    meta: Option<DescribedMeta>,
}

#[derive(Deserialize)]
struct DescribedMeta {
    #[serde(rename = "customIpnUrl")]
    custom_ipn_url: Option<String>,
}

fn receiver(details: &str) -> Result<Option<String>, StoreError> {
    // Most transactions name none, and need not be read for it.
    if !details.contains("customIpnUrl") {
        return Ok(None);
    }
    let described: Described =
        serde_json::from_str(details).map_err(|_| StoreError::Corrupt("details"))?;
    Ok(described.meta.and_then(|meta| meta.custom_ipn_url))
}

fn body(notice: &Notice<'_>) -> Result<String, StoreError> {
    let told = models::Notification {
        r#type: notice.event.into(),
        timestamp: notice.at.into(),
        sequence: notice.sequence,
        data: transaction_model::model(notice.view)?,
    };
    serde_json::to_string(&told).map_err(|_| StoreError::Corrupt("notification"))
}

impl Operations {
    /// Refuses a receiver of notifications that nothing may be sent to, as far as its text tells.
    pub(super) fn check_receiver(&self, url: Option<&str>) -> Result<(), Rejection> {
        let Some(url) = url else { return Ok(()) };
        let checked = Destination::parse(url, self.service.policy());
        checked.map(drop).map_err(|refusal| {
            let detail = format!("no notification can be sent to this address: {refusal}");
            Rejection::at(Code::ContractViolation, "/customIpnUrl", detail)
        })
    }
}
