//! Refuses orders that the catalogue of payment methods does not accept.

use super::catalogue::Catalogue;
use super::quote::Candidate;
use super::{Code, Rejection};

/// Where a request names the channel, currency and amount of its order, as JSON pointers.
#[derive(Clone, Copy, Debug)]
pub struct Pointers {
    /// The channel.
    pub channel: &'static str,
    /// The currency.
    pub currency: &'static str,
    /// The amount.
    pub amount: &'static str,
}

impl Pointers {
    /// Of a purchase, a capture and a payout.
    pub const TRANSACTION: Self = Self {
        channel: "/paymentChannel",
        currency: "/currency",
        amount: "/amount",
    };
    /// Of a payment link, whose channel follows from its page.
    pub const LINK: Self = Self {
        channel: "/amount",
        currency: "/amount/currency",
        amount: "/amount/value",
    };
}

/// Refuses what the catalogue does not list: a channel, its kind of transaction, its currencies, its limits.
///
/// A subscription may begin with nothing to pay, which is within all limits.
pub fn check(
    catalogue: &Catalogue,
    candidate: &Candidate<'_>,
    pointers: Pointers,
) -> Result<(), Rejection> {
    let (name, money) = (candidate.channel, candidate.order);
    let Some(channel) = catalogue.channel(name) else {
        let detail = "the merchant has no such payment channel; GET /v4/terminals lists them";
        return Err(Rejection::at(
            Code::ContractViolation,
            pointers.channel,
            detail,
        ));
    };
    let kind = candidate.kind.wire();
    if !channel
        .transaction_types
        .iter()
        .any(|carried| carried == kind)
    {
        let detail = format!("the payment channel {name} carries no {kind}");
        return Err(Rejection::at(
            Code::ContractViolation,
            pointers.channel,
            detail,
        ));
    }
    let currency = money.currency();
    let Some(limits) = channel.limits(currency) else {
        let detail = format!("the payment channel {name} takes no {currency}");
        return Err(Rejection::at(Code::AmountRule, pointers.currency, detail));
    };
    if money.minor() != 0 && !limits.hold(money) {
        let (min, max) = (limits.min, limits.max);
        let detail = format!("the payment channel {name} takes {min} to {max} {currency}");
        return Err(Rejection::at(Code::AmountRule, pointers.amount, detail));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::currency::Currency;
    use crate::domain::money::Money;
    use crate::domain::state::Kind;

    #[test]
    fn unlisted_values_are_refused_at_their_place() {
        let (wrong, rule) = (Code::ContractViolation, Code::AmountRule);
        let table = [
            (Kind::Purchase, "PCL_CARD", "100000.00", "EUR", None),
            (Kind::Purchase, "PCL_CARD", "0.01", "EUR", None),
            (Kind::Purchase, "PCL_CARD", "0", "EUR", None),
            (Kind::Payout, "PCL_BANK_TRANSFER", "1.00", "PLN", None),
            (
                Kind::Purchase,
                "PCL_NOPE",
                "1",
                "EUR",
                Some((wrong, "/paymentChannel")),
            ),
            (
                Kind::Purchase,
                "pcl_card",
                "1",
                "EUR",
                Some((wrong, "/paymentChannel")),
            ),
            (
                Kind::Payout,
                "PCL_WALLET",
                "1",
                "EUR",
                Some((wrong, "/paymentChannel")),
            ),
            (
                Kind::Purchase,
                "PCL_BANK_TRANSFER",
                "1",
                "JPY",
                Some((rule, "/currency")),
            ),
            (
                Kind::Purchase,
                "PCL_CARD",
                "100000.01",
                "EUR",
                Some((rule, "/amount")),
            ),
            (
                Kind::Purchase,
                "PCL_BANK_TRANSFER",
                "0.99",
                "EUR",
                Some((rule, "/amount")),
            ),
        ];
        for (kind, channel, amount, currency, expected) in table {
            let currency = Currency::parse(currency).unwrap();
            let money = Money::parse(amount, currency).unwrap();
            let candidate = Candidate {
                kind,
                merchant_transaction_id: None,
                channel,
                order: money,
            };
            let refused = check(Catalogue::seeded(), &candidate, Pointers::TRANSACTION).err();
            let found = refused.map(|refused| (refused.code, refused.pointer.unwrap()));
            let expected = expected.map(|(code, pointer)| (code, pointer.to_owned()));
            assert_eq!(found, expected, "{kind:?} {channel} {amount} {currency}");
        }
    }
}
