//! Calculates the cashback of a purchase.

use merchant_payments::models::{
    CalculatedCashback, CalculatedCashbackValue, Cashback, CashbackCalculation,
    CashbackCalculationRequest, CashbackClient, CashbackValue, PurchaseCashback,
};
use merchant_payments::runtime::Decimal;
use merchant_payments::server::Context;

use super::{DEFAULT_CHANNEL, Operations};
use crate::domain::{amount, cashback};
use crate::service::Failure;
use crate::store::StoreError;

/// The only kind of cashback.
const PERCENT: &str = "PERCENT";

impl Operations {
    /// The cashback that a purchase would earn; stores nothing.
    pub(super) fn cashback(
        context: &Context,
        body: CashbackCalculationRequest,
    ) -> Result<CashbackCalculation, Failure> {
        Self::merchant(context)?;
        let money = amount::read(body.amount.as_str(), &body.currency)?;
        let channel = body.payment_channel.as_ref();
        let channel = channel.map_or(DEFAULT_CHANNEL, |channel| channel.as_str());
        let decimal = |money: crate::domain::money::Money| {
            Decimal::new(&money.to_string()).map_err(|_| StoreError::Corrupt("amount"))
        };
        let mut values = Vec::new();
        if let Some(reward) = cashback::calculate(money, channel) {
            let amount = decimal(reward.amount)?;
            values.push(CalculatedCashbackValue {
                amount,
                r#type: PERCENT.into(),
                value: reward.percent.to_owned(),
            });
        }
        let calculated = CalculatedCashback {
            client: client(body.cashback.as_ref()),
            ..CalculatedCashback::builder()
                .active(!values.is_empty())
                .values(values)
                .build()
        };
        Ok(CashbackCalculation {
            merchant_transaction_id: body.merchant_transaction_id,
            payment_channel: body.payment_channel,
            ..CashbackCalculation::builder()
                .amount(decimal(money)?)
                .cashback(calculated)
                .currency(money.currency().code())
                .build()
        })
    }
}

/// The cashback of a purchase that names its recipient.
pub(super) fn of_purchase(given: &PurchaseCashback, channel: &str) -> Cashback {
    let rate = cashback::rate(channel);
    let value = |percent: &str| CashbackValue {
        r#type: Some(PERCENT.into()),
        value: Some(percent.to_owned()),
    };
    Cashback {
        active: Some(rate.is_some()),
        values: Some(rate.map(value).into_iter().collect()),
        client: client(Some(given)),
    }
}

fn client(given: Option<&PurchaseCashback>) -> Option<CashbackClient> {
    let client = given?.client.as_ref()?;
    Some(CashbackClient {
        id: client.id.clone(),
        email: client.email.clone(),
        ..CashbackClient::default()
    })
}
