//! Renders the charged fee and the total amount of a purchase.

use merchant_payments::models;
use merchant_payments::runtime::Decimal;

use super::money::decimal;
use crate::details::TransactionDetails;
use crate::domain::currency::Currency;
use crate::domain::money::Money;
use crate::domain::price;

/// The fee and the total that the customer was charged. After a partial capture, both are in
/// proportion to the captured amount.
pub(super) fn of(
    details: &TransactionDetails,
    taken: Money,
    order: Money,
) -> (Option<models::Fee>, Option<models::SubsidiaryData>) {
    let part = authorized(details).filter(|_| taken != order);
    let part = part.and_then(|(fee, whole)| price::captured_part(fee, whole, taken, order));
    let Some((fee, whole)) = part else {
        let (fee, data) = (details.fee.clone(), details.subsidiary_data.clone());
        return (fee.map(Into::into), data.map(Into::into));
    };
    let fee_amount = decimal(fee);
    let charged = models::Fee {
        amount: fee_amount.clone(),
        currency: Some(fee.currency().code().to_owned()),
    };
    let subsidiary = models::SubsidiaryData {
        fee_amount,
        gross_amount: decimal(whole),
    };
    (Some(charged), Some(subsidiary))
}

/// The authorized fee and total.
fn authorized(details: &TransactionDetails) -> Option<(Money, Money)> {
    let fee = details.fee.as_ref()?;
    let currency = Currency::parse(fee.currency.as_deref()?).ok()?;
    let money = |amount: &Option<Decimal>| {
        let amount = amount.as_ref()?;
        Money::parse(amount.as_str(), currency).ok()
    };
    let whole = &details.subsidiary_data.as_ref()?.gross_amount;
    Some((money(&fee.amount)?, money(whole)?))
}
