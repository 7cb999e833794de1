//! Shows the ledger of a tenant.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use uuid::Uuid;

use super::Control;
use super::parameters::{Of, Parameters};
use super::refusal::Refused;
use crate::domain::money::Money;
use crate::store::Posted;

#[derive(Serialize)]
pub(super) struct Ledger {
    balances: Vec<Balance>,
    entries: Vec<Entry>,
}

#[derive(Serialize)]
struct Balance {
    account: String,
    currency: String,
    amount: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_id: Option<Uuid>,
    from: String,
    to: String,
    currency: String,
    amount: String,
}

pub(super) async fn show(
    State(control): State<Control>,
    Of(merchant): Of,
    parameters: Parameters,
) -> Result<Json<Ledger>, Refused> {
    let transaction = parameters.parsed("transactionId", "expected a UUID")?;
    let limit = parameters.limit()?;
    let books = control.service.books(merchant, transaction, limit).await?;
    Ok(Json(Ledger {
        balances: books.balances.into_iter().map(balance).collect(),
        entries: books.entries.into_iter().map(entry).collect(),
    }))
}

fn balance((account, money): (String, Money)) -> Balance {
    Balance {
        account,
        currency: money.currency().to_string(),
        amount: money.to_string(),
    }
}

fn entry(posted: Posted) -> Entry {
    Entry {
        at: format!("{:.3}", posted.at),
        transaction_id: posted.transaction,
        from: posted.from,
        to: posted.to,
        currency: posted.money.currency().to_string(),
        amount: posted.money.to_string(),
    }
}
