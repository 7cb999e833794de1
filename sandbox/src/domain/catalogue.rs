//! The catalogue of payment methods: their groups, channels, currencies and capabilities.

use std::net::IpAddr;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::Error;

use super::channel::Channel;
use super::currency::Currency;
use super::fee::Fee;
use super::money::Money;
use super::scheme::Schemes;

/// The payment methods, and the networks that locate customers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// Groups in the order of their `sort`.
    pub groups: Vec<Group>,
    /// Networks whose country is known, to locate customers by IP address.
    pub networks: Vec<Network>,
}

/// Payment methods that are shown together.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Group {
    /// The key of the group.
    pub key: String,
    /// The name that customers see.
    pub name: String,
    /// The address of its logo.
    pub logo_url: String,
    /// Its place among the groups.
    pub sort: i64,
    /// Its methods.
    pub methods: Vec<Method>,
}

/// A payment method.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Method {
    /// The method, such as `PME_CARD`.
    pub method: String,
    /// The name that customers see.
    pub name: String,
    /// The address of its logo.
    pub logo_url: String,
    /// The countries in which it is offered; all countries when absent.
    #[serde(default)]
    pub countries: Option<Vec<String>>,
    /// Its channels.
    pub channels: Vec<ListedChannel>,
}

/// A channel of a payment method.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListedChannel {
    /// The channel, such as `PCL_CARD`.
    pub channel: String,
    /// The name that customers see.
    pub name: String,
    /// The address of its logo.
    pub logo_url: String,
    /// The merchant's account at the provider.
    pub submerchant: String,
    /// The types of transaction that it supports, as spelled in `type`.
    pub transaction_types: Vec<String>,
    /// What its transactions can do.
    pub capabilities: Channel,
    /// The currencies that it accepts, with their limits.
    pub currencies: Vec<Limits>,
    /// The crypto currencies in which it pays out.
    #[serde(default)]
    pub crypto_currencies: Vec<CryptoCurrency>,
    /// The card schemes that it accepts.
    #[serde(default)]
    pub card_organizations: Vec<CardOrganization>,
    /// The fee that the customer pays; `None` when the merchant has no authorization fee here.
    #[serde(default)]
    pub fee: Option<Fee>,
    /// Whether purchases earn cashback.
    pub cashback: bool,
}

/// A currency with the smallest and largest amount of one transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "WrittenLimits")]
pub struct Limits {
    /// The smallest amount.
    pub min: Money,
    /// The largest amount.
    pub max: Money,
}

/// A crypto currency on one network. Its limits are text, because they have the wallet's precision.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CryptoCurrency {
    /// The wallet's name for the currency.
    pub wallet_currency: String,
    /// Its name.
    pub name: String,
    /// Its code.
    pub code: String,
    /// The network's name.
    pub network: String,
    /// The network's code.
    pub network_code: String,
    /// The address of the network's logo.
    pub network_logo_url: String,
    /// The smallest amount that can be transferred.
    pub min: String,
    /// The largest amount that can be transferred.
    pub max: String,
}

/// A card scheme that a channel accepts.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CardOrganization {
    /// The scheme, of the form `COR_<name>`.
    pub organization: String,
    /// The fee for its cards; the channel's fee when absent.
    #[serde(default)]
    pub fee: Option<Fee>,
}

/// A range of IP addresses in one country.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    #[serde(deserialize_with = "network")]
    network: (IpAddr, u32),
    /// The country, two letters.
    pub country: String,
}

/// The capabilities of a channel that the catalogue does not list: clients may use other names.
const UNLISTED: Channel = Channel {
    two_step: true,
    partial_refund: true,
    offers: false,
};

/// The capabilities of the channel with that name.
pub fn capabilities(channel: Option<&str>) -> Channel {
    channel
        .and_then(|name| Catalogue::seeded().channel(name))
        .map_or(UNLISTED, |channel| channel.capabilities)
}

impl Catalogue {
    /// The seeded catalogue.
    pub fn seeded() -> &'static Self {
        static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
            serde_json::from_str(include_str!("../seed/payment_methods.json"))
                .expect("the catalogue is read by a test")
        });
        &CATALOGUE
    }

    /// Every method, in the order of its group.
    pub fn methods(&self) -> impl Iterator<Item = &Method> {
        self.groups.iter().flat_map(|group| &group.methods)
    }

    /// The channel with that name.
    pub fn channel(&self, name: &str) -> Option<&ListedChannel> {
        let mut channels = self.methods().flat_map(|method| &method.channels);
        channels.find(|channel| channel.channel == name)
    }

    /// The country of an IP address; `None` when no network contains it.
    pub fn country(&self, address: IpAddr) -> Option<&str> {
        let network = self.networks.iter().find(|one| one.contains(address))?;
        Some(&network.country)
    }
}

impl ListedChannel {
    /// The limits of a currency; `None` when the channel does not accept it.
    pub fn limits(&self, currency: Currency) -> Option<Limits> {
        let mut limits = self.currencies.iter().copied();
        limits.find(|limits| limits.currency() == currency)
    }

    /// The card scheme with that name.
    pub fn organization(&self, name: &str) -> Option<&CardOrganization> {
        let mut schemes = self.card_organizations.iter();
        schemes.find(|scheme| scheme.organization == name)
    }

    /// The card scheme that `bin` belongs to; `None` when the channel does not accept it.
    pub fn organization_of(&self, bin: &str) -> Option<&CardOrganization> {
        self.organization(&Schemes::seeded().of_bin(bin)?.organization)
    }
}

impl Limits {
    /// The currency.
    pub const fn currency(self) -> Currency {
        self.min.currency()
    }

    /// Whether the amount is within the limits.
    pub const fn hold(self, money: Money) -> bool {
        self.min.minor() <= money.minor() && money.minor() <= self.max.minor()
    }
}

impl Network {
    fn contains(&self, address: IpAddr) -> bool {
        let (network, prefix) = self.network;
        let bits = |address| match address {
            IpAddr::V4(address) => u128::from(u32::from(address)) << 96,
            IpAddr::V6(address) => u128::from(address),
        };
        let beyond = u32::BITS * 4 - prefix;
        let start = |address| bits(address).checked_shr(beyond).unwrap_or_default();
        network.is_ipv4() == address.is_ipv4() && start(network) == start(address)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLimits {
    code: String,
    min: String,
    max: String,
}

impl TryFrom<WrittenLimits> for Limits {
    type Error = String;

    fn try_from(written: WrittenLimits) -> Result<Self, String> {
        let currency = Currency::parse(&written.code).map_err(|error| error.to_string())?;
        let read = |text| Money::parse(text, currency).map_err(|error| error.to_string());
        let (min, max) = (read(&written.min)?, read(&written.max)?);
        Ok(Self { min, max })
    }
}

fn network<'de, D: serde::Deserializer<'de>>(source: D) -> Result<(IpAddr, u32), D::Error> {
    let text = String::deserialize(source)?;
    let (address, prefix) = text
        .split_once('/')
        .ok_or_else(|| D::Error::custom("a network has a prefix"))?;
    let address = address.parse().map_err(D::Error::custom)?;
    let prefix = prefix.parse().map_err(D::Error::custom)?;
    Ok((address, prefix))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::domain::money::Money;
    use crate::domain::rate::Rates;
    use crate::domain::state::Kind;

    fn channels() -> impl Iterator<Item = &'static ListedChannel> {
        let methods = Catalogue::seeded().methods();
        methods.flat_map(|method| &method.channels)
    }

    #[test]
    fn names_are_unique_and_groups_are_sorted() {
        let catalogue = Catalogue::seeded();
        let names: Vec<_> = channels().map(|channel| &channel.channel).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        let methods: Vec<_> = catalogue.methods().map(|method| &method.method).collect();
        assert_eq!(methods.iter().collect::<BTreeSet<_>>().len(), methods.len());
        assert!(catalogue.groups.is_sorted_by_key(|group| group.sort));
    }

    #[test]
    fn every_channel_supports_known_types_and_currencies_with_rates() {
        for channel in channels() {
            let types = &channel.transaction_types;
            assert!(!types.is_empty() && types.iter().all(|name| Kind::from_wire(name).is_some()));
            let first = channel.currencies[0].currency();
            for limits in &channel.currencies {
                assert!(
                    limits.min.minor() > 0 && limits.hold(limits.max),
                    "{limits:?}"
                );
                assert!(Rates::seeded().between(first, limits.currency()).is_ok());
            }
            let taken = &channel.card_organizations;
            let known = |name: &str| Schemes::seeded().named(name).is_some();
            assert!(taken.iter().all(|scheme| known(&scheme.organization)));
            let fees = taken.iter().filter(|scheme| scheme.fee.is_some()).count();
            assert!(channel.fee.is_some() || fees == 0, "{}", channel.channel);
        }
    }

    #[test]
    fn a_card_number_belongs_to_a_scheme() {
        let cards = Catalogue::seeded().channel("PCL_CARD").unwrap();
        let table = [
            ("411111", Some("COR_VISA")),
            ("4", Some("COR_VISA")),
            ("555555", Some("COR_MASTERCARD")),
            ("222099", None),
            ("222100", Some("COR_MASTERCARD")),
            ("272099", Some("COR_MASTERCARD")),
            ("272100", None),
            ("371449", Some("COR_AMEX")),
            ("3", None),
            ("", None),
            ("é1", None),
        ];
        for (bin, expected) in table {
            let found = cards.organization_of(bin);
            assert_eq!(
                found.map(|scheme| scheme.organization.as_str()),
                expected,
                "{bin}"
            );
        }
    }

    #[test]
    fn an_address_belongs_to_a_country() {
        let table = [
            ("192.0.2.0", Some("DE")),
            ("192.0.2.255", Some("DE")),
            ("192.0.3.0", None),
            ("2001:db8::1", Some("PL")),
            ("2001:db9::1", None),
            ("::c000:201", None),
        ];
        for (address, expected) in table {
            let address = address.parse().unwrap();
            assert_eq!(Catalogue::seeded().country(address), expected, "{address}");
        }
    }

    #[test]
    fn limits_include_both_ends() {
        let cards = Catalogue::seeded().channel("PCL_CARD").unwrap();
        let eur = Currency::parse("EUR").unwrap();
        let limits = cards.limits(eur).unwrap();
        let holds = |minor| limits.hold(Money::new(minor, eur));
        assert_eq!(
            [0, 1, 10_000_000, 10_000_001].map(holds),
            [false, true, true, false]
        );
    }
}
