//! Selects the payment methods that suit an order.

use super::catalogue::{Catalogue, Group, ListedChannel, Method};
use super::currency::Currency;
use super::money::Money;
use super::rate::Rates;

/// The known properties of an order; an absent property matches everything.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// The type of the transaction, as spelled in `type`.
    pub transaction_type: Option<String>,
    /// The currency of the order.
    pub currency: Option<Currency>,
    /// The amount.
    pub money: Option<Money>,
    /// The currency in which the customer authorizes.
    pub authorization_currency: Option<Currency>,
    /// The country of the order, or else of the customer.
    pub country: Option<String>,
    /// The payment method.
    pub method: Option<String>,
    /// The channel.
    pub channel: Option<String>,
}

/// A group with its matching methods.
#[derive(Debug)]
pub struct Listed<'c> {
    /// The group.
    pub group: &'c Group,
    /// Its methods, each with its matching channels.
    pub methods: Vec<(&'c Method, Vec<&'c ListedChannel>)>,
}

/// The groups, methods and channels that suit the order, in catalogue order, without empty ones.
pub fn list<'c>(catalogue: &'c Catalogue, rates: &Rates, order: &Order) -> Vec<Listed<'c>> {
    let groups = catalogue.groups.iter().map(|group| {
        let methods = group.methods.iter().filter(|method| order.suits(method));
        let methods = methods.map(|method| {
            let channels = method.channels.iter();
            let channels = channels.filter(|channel| order.suits_channel(channel, rates));
            (method, channels.collect::<Vec<_>>())
        });
        let methods = methods
            .filter(|(_, channels)| !channels.is_empty())
            .collect();
        Listed { group, methods }
    });
    groups.filter(|listed| !listed.methods.is_empty()).collect()
}

impl Order {
    fn suits(&self, method: &Method) -> bool {
        let named = self
            .method
            .as_ref()
            .is_none_or(|name| *name == method.method);
        let offered = match (&self.country, &method.countries) {
            (Some(country), Some(countries)) => countries.contains(country),
            _ => true,
        };
        named && offered
    }

    fn suits_channel(&self, channel: &ListedChannel, rates: &Rates) -> bool {
        let named = self
            .channel
            .as_ref()
            .is_none_or(|name| *name == channel.channel);
        let kind = self.transaction_type.as_ref();
        let carried = kind.is_none_or(|kind| channel.transaction_types.contains(kind));
        let limits = self.currency.map(|currency| channel.limits(currency));
        let taken = limits.is_none_or(|limits| {
            limits.is_some_and(|limits| self.money.is_none_or(|money| limits.hold(money)))
        });
        named && carried && taken && self.can_authorize(channel, rates)
    }

    /// Whether the channel can authorize in the requested currency: it is the order's, or the
    /// channel accepts it and has a fee to calculate the price with.
    fn can_authorize(&self, channel: &ListedChannel, rates: &Rates) -> bool {
        let Some(wanted) = self.authorization_currency else {
            return true;
        };
        let same = self.currency == Some(wanted);
        let rate = self
            .currency
            .is_none_or(|order_currency| rates.between(order_currency, wanted).is_ok());
        same || (channel.fee.is_some() && channel.limits(wanted).is_some() && rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channels(order: &Order) -> Vec<&'static str> {
        let listed = list(Catalogue::seeded(), Rates::seeded(), order);
        let methods = listed.iter().flat_map(|listed| &listed.methods);
        let channels = methods.flat_map(|(_, channels)| channels);
        channels.map(|channel| channel.channel.as_str()).collect()
    }

    fn currency(code: &str) -> Option<Currency> {
        Currency::parse(code).ok()
    }

    fn of(amount: &str, code: &str) -> Order {
        let currency = currency(code);
        Order {
            currency,
            money: currency.map(|currency| Money::parse(amount, currency).unwrap()),
            ..Order::default()
        }
    }

    const ALL: [&str; 4] = ["PCL_CARD", "PCL_BANK_TRANSFER", "PCL_WALLET", "PCL_CRYPTO"];

    #[test]
    fn each_parameter_keeps_only_matching_channels() {
        let table: [(Order, &[&str]); 14] = [
            (Order::default(), &ALL),
            (of("100.00", "EUR"), &ALL),
            (of("0.99", "EUR"), &["PCL_CARD", "PCL_WALLET"]),
            (
                of("1.00", "EUR"),
                &["PCL_CARD", "PCL_BANK_TRANSFER", "PCL_WALLET"],
            ),
            (
                of("10000.01", "EUR"),
                &["PCL_CARD", "PCL_BANK_TRANSFER", "PCL_CRYPTO"],
            ),
            (of("1", "JPY"), &["PCL_CARD"]),
            (of("1", "XPF"), &[]),
            (
                Order {
                    transaction_type: Some("TRT_PAYOUT".into()),
                    ..Order::default()
                },
                &["PCL_CARD", "PCL_BANK_TRANSFER", "PCL_CRYPTO"],
            ),
            (
                Order {
                    transaction_type: Some("TRT_ELSE".into()),
                    ..Order::default()
                },
                &[],
            ),
            (
                Order {
                    country: Some("US".into()),
                    ..Order::default()
                },
                &["PCL_CARD", "PCL_WALLET", "PCL_CRYPTO"],
            ),
            (
                Order {
                    country: Some("DE".into()),
                    ..Order::default()
                },
                &ALL,
            ),
            (
                Order {
                    method: Some("PME_BANK".into()),
                    ..Order::default()
                },
                &["PCL_BANK_TRANSFER"],
            ),
            (
                Order {
                    method: Some("PME_BANK".into()),
                    channel: Some("PCL_CARD".into()),
                    ..Order::default()
                },
                &[],
            ),
            (
                Order {
                    channel: Some("PCL_CARD".into()),
                    ..Order::default()
                },
                &["PCL_CARD"],
            ),
        ];
        for (order, expected) in table {
            assert_eq!(channels(&order), expected, "{order:?}");
        }
    }

    #[test]
    fn another_currency_is_authorized_where_the_fee_is_calculated() {
        let table: [(&str, &str, &[&str]); 4] = [
            ("EUR", "EUR", &ALL),
            ("EUR", "USD", &["PCL_CARD", "PCL_WALLET"]),
            ("EUR", "PLN", &["PCL_CARD", "PCL_BANK_TRANSFER"]),
            ("EUR", "XPF", &[]),
        ];
        for (order_currency, wanted, expected) in table {
            let order = Order {
                currency: currency(order_currency),
                authorization_currency: currency(wanted),
                ..Order::default()
            };
            assert_eq!(channels(&order), expected, "{order_currency} {wanted}");
        }
    }
}
