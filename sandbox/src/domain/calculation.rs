//! Calculates what an amount costs with each payment method: the authorization fee, or a
//! conversion.

use jiff::Timestamp;
use uuid::Uuid;

use super::catalogue::{CardOrganization, Catalogue, ListedChannel, Method};
use super::currency::Currency;
use super::fee::Fee;
use super::money::Money;
use super::price::{Price, Terms, TooLarge};
use super::quote::Quote;
use super::rate::Rates;
use super::rejection::{Code, Rejection};
use super::state::Kind;

/// A request for a calculation.
#[derive(Clone, Debug)]
pub struct Request {
    /// The amount that the caller gives; the other one is calculated.
    pub given: Given,
    /// The kind of the planned transaction.
    pub kind: Kind,
    /// The merchant's id of the transaction.
    pub merchant_transaction_id: Option<String>,
    /// The payment methods and channels to price; all of them when empty.
    pub targets: Vec<Target>,
}

/// The amount that a calculation begins with.
#[derive(Clone, Copy, Debug)]
pub enum Given {
    /// The order amount; calculates what the customer authorizes in this currency.
    Order(Money, Currency),
    /// The authorized amount; calculates the largest order in this currency.
    Authorization(Money, Currency),
}

/// A filter for payment methods and cards; an absent field matches everything.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// The payment method.
    pub method: Option<String>,
    /// The channel.
    pub channel: Option<String>,
    /// The card scheme.
    pub organization: Option<String>,
    /// The first 6 to 8 digits of the card number.
    pub bin: Option<String>,
    /// A saved card and its scheme; the scheme is `None` when unknown.
    pub card: Option<(Uuid, Option<String>)>,
}

/// The price of an order with one payment method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodCost {
    /// The method.
    pub method: String,
    /// The highest fee among all its quotes.
    pub max_fee: Money,
    /// Its channels.
    pub channels: Vec<ChannelCost>,
}

/// The price of an order on one channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelCost {
    /// The price that does not depend on the card.
    pub quote: Quote,
    /// The prices for single cards and for card schemes.
    pub cards: Vec<CardCost>,
}

/// The price of an order with one card, or with any card of one scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardCost {
    /// The saved card; `None` when the price is for a scheme.
    pub card: Option<Uuid>,
    /// The price.
    pub quote: Quote,
}

impl MethodCost {
    /// Every quote of the method: those of its channels and of their cards.
    pub fn quotes(&self) -> impl Iterator<Item = &Quote> {
        self.channels.iter().flat_map(|channel| {
            let cards = channel.cards.iter().map(|card| &card.quote);
            std::iter::once(&channel.quote).chain(cards)
        })
    }
}

/// A channel to price, with the cards to price on it.
struct PricedChannel<'c> {
    method: &'c Method,
    channel: &'c ListedChannel,
    fee: &'c Fee,
    cards: Vec<Card<'c>>,
}

#[derive(PartialEq)]
struct Card<'c> {
    id: Option<Uuid>,
    organization: &'c str,
    fee: &'c Fee,
}

/// Prices the order on each selected channel. Each quote gets one of `ids`.
pub fn calculate(
    request: &Request,
    (catalogue, rates): (&Catalogue, &Rates),
    mut ids: impl FnMut() -> Uuid,
    now: Timestamp,
) -> Result<Vec<MethodCost>, Rejection> {
    let priced_channels = priced_channels(request, catalogue)?;
    let mut costs: Vec<MethodCost> = Vec::new();
    for priced in &priced_channels {
        let mut quote = |organization: Option<&str>, fee: &Fee| {
            let made = Quoted::new(request.given, fee, rates, now)?;
            Ok::<_, Rejection>(made.map(|made| made.quote(ids(), request, priced, organization)))
        };
        let Some(any_card) = quote(None, priced.fee)? else {
            continue;
        };
        let mut cards = Vec::new();
        for card in &priced.cards {
            if let Some(quote) = quote(Some(card.organization), card.fee)? {
                cards.push(CardCost {
                    card: card.id,
                    quote,
                });
            }
        }
        let channel = ChannelCost {
            quote: any_card,
            cards,
        };
        add(&mut costs, &priced.method.method, channel);
    }
    if costs.is_empty() {
        let detail = "no more than the fee, which leaves nothing for an order";
        return Err(Rejection::at(Code::AmountRule, "/amount", detail));
    }
    Ok(costs)
}

/// An order and its price.
struct Quoted {
    expires_at: Timestamp,
    order: Money,
    terms: Terms,
    price: Price,
}

impl Quoted {
    /// Prices the order; `None` when the authorized amount is less than the smallest order costs.
    fn new(
        given: Given,
        fee: &Fee,
        rates: &Rates,
        now: Timestamp,
    ) -> Result<Option<Self>, Rejection> {
        let (order, authorization) = match given {
            Given::Order(money, currency) => (money.currency(), currency),
            Given::Authorization(money, currency) => (currency, money.currency()),
        };
        let terms = Terms::new(fee, order, authorization, rates).map_err(|error| {
            Rejection::at(
                Code::AmountRule,
                "/authorizationCurrency",
                error.to_string(),
            )
        })?;
        let too_large =
            |error: TooLarge| Rejection::at(Code::AmountRule, "/amount", error.to_string());
        let order = match given {
            Given::Order(money, _) => Some(money),
            Given::Authorization(money, _) => terms.order_within(money).map_err(too_large)?,
        };
        let Some(order) = order else {
            return Ok(None);
        };
        let price = terms.price(order).map_err(too_large)?;
        Ok(Some(Self {
            expires_at: rates.expiry(now),
            order,
            terms,
            price,
        }))
    }

    fn quote(
        self,
        id: Uuid,
        request: &Request,
        priced: &PricedChannel<'_>,
        organization: Option<&str>,
    ) -> Quote {
        Quote {
            id,
            channel: priced.channel.channel.clone(),
            organization: organization.map(str::to_owned),
            kind: request.kind,
            merchant_transaction_id: request.merchant_transaction_id.clone(),
            order: self.order,
            base: self.price.base,
            fee: self.price.fee,
            amount: self.price.amount,
            rate: self.terms.rate().clone(),
            expires_at: self.expires_at,
        }
    }
}

fn add(costs: &mut Vec<MethodCost>, method: &str, channel: ChannelCost) {
    let fees = channel.cards.iter().map(|card| card.quote.fee);
    let fee = fees.fold(channel.quote.fee, |most, fee| {
        if fee.minor() > most.minor() {
            fee
        } else {
            most
        }
    });
    match costs.iter_mut().find(|cost| cost.method == method) {
        Some(cost) => {
            if fee.minor() > cost.max_fee.minor() {
                cost.max_fee = fee;
            }
            cost.channels.push(channel);
        }
        None => costs.push(MethodCost {
            method: method.to_owned(),
            max_fee: fee,
            channels: vec![channel],
        }),
    }
}

/// The channels that the request selects and that have a fee, in the order of the catalogue.
fn priced_channels<'c>(
    request: &'c Request,
    catalogue: &'c Catalogue,
) -> Result<Vec<PricedChannel<'c>>, Rejection> {
    let kind = request.kind.wire();
    let mut priced_channels = Vec::new();
    for method in catalogue.methods() {
        let channels = method.channels.iter();
        let carried =
            channels.filter(|channel| channel.transaction_types.iter().any(|one| one == kind));
        let priced = carried.filter_map(|channel| Some((channel, channel.fee.as_ref()?)));
        priced_channels.extend(priced.map(|(channel, fee)| PricedChannel {
            method,
            channel,
            fee,
            cards: Vec::new(),
        }));
    }
    if request.targets.is_empty() {
        for priced in &mut priced_channels {
            let schemes = priced.channel.card_organizations.iter();
            priced.cards = schemes
                .map(|scheme| Card::of(scheme, priced.fee, None))
                .collect();
        }
    } else {
        select(&mut priced_channels, &request.targets)?;
    }
    if priced_channels.is_empty() {
        let detail = "the authorization fee is not activated for what was asked";
        return Err(Rejection::new(Code::FeatureOff, detail));
    }
    Ok(priced_channels)
}

/// Keeps the channels that a target selects, and adds the cards that the targets name.
fn select<'c>(
    priced_channels: &mut Vec<PricedChannel<'c>>,
    targets: &'c [Target],
) -> Result<(), Rejection> {
    let mut found = Vec::new();
    for (index, target) in targets.iter().enumerate() {
        if target.method.is_none() && target.channel.is_none() {
            let pointer = format!("/data/{index}/paymentChannel");
            let detail = "neither a payment method nor a payment channel is named";
            found.push(Rejection::at(Code::ContractViolation, &pointer, detail));
        }
    }
    let mut selected = vec![false; priced_channels.len()];
    for (priced, selected) in priced_channels.iter_mut().zip(&mut selected) {
        for (index, target) in targets.iter().enumerate() {
            if !target.matches(priced) {
                continue;
            }
            *selected = true;
            match target.card_on(priced, index) {
                Ok(Some(card)) if !priced.cards.contains(&card) => priced.cards.push(card),
                Ok(_) => {}
                Err(rejection) => found.push(rejection),
            }
        }
    }
    Rejection::collected(found)?;
    let mut selected = selected.into_iter();
    priced_channels.retain(|_| selected.next().unwrap_or_default());
    Ok(())
}

impl Target {
    fn matches(&self, priced: &PricedChannel<'_>) -> bool {
        let same = |wanted: Option<&String>, actual: &str| wanted.is_none_or(|one| one == actual);
        let named = self.method.is_some() || self.channel.is_some();
        named
            && same(self.method.as_ref(), &priced.method.method)
            && same(self.channel.as_ref(), &priced.channel.channel)
    }

    /// The card that the target names on a channel, by its scheme, its first digits or a saved
    /// card.
    ///
    /// `None` when it names no card or when no scheme has these digits: then the channel's price
    /// applies.
    fn card_on<'c>(
        &self,
        priced: &PricedChannel<'c>,
        index: usize,
    ) -> Result<Option<Card<'c>>, Rejection> {
        let refused = |field: &str, detail: &str| {
            let pointer = format!("/data/{index}/{field}");
            Rejection::at(Code::ContractViolation, &pointer, detail)
        };
        let digits = |bin: &&str| bin.bytes().all(|byte| byte.is_ascii_digit());
        let bin = self.bin.as_deref();
        if bin.is_some_and(|bin| !digits(&bin) || !(6..=8).contains(&bin.len())) {
            return Err(refused(
                "cardBin",
                "the beginning of a card number has 6 to 8 digits",
            ));
        }
        let of_bin = bin.and_then(|bin| priced.channel.organization_of(bin));
        let saved = self
            .card
            .as_ref()
            .and_then(|(_, organization)| organization.as_deref());
        let Some(name) = self.organization.as_deref().or(saved) else {
            return Ok(of_bin.map(|scheme| Card::of(scheme, priced.fee, self.id())));
        };
        let Some(scheme) = priced.channel.organization(name) else {
            return Err(refused(
                "cardOrganization",
                "the channel does not take cards of this scheme",
            ));
        };
        if of_bin.is_some_and(|other| other.organization != scheme.organization) {
            return Err(refused("cardBin", "belongs to a card of another scheme"));
        }
        if saved.is_some_and(|saved| saved != name) {
            return Err(refused("cardId", "is a card of another scheme"));
        }
        Ok(Some(Card::of(scheme, priced.fee, self.id())))
    }

    fn id(&self) -> Option<Uuid> {
        self.card.as_ref().map(|(id, _)| *id)
    }
}

impl<'c> Card<'c> {
    fn of(scheme: &'c CardOrganization, otherwise: &'c Fee, id: Option<Uuid>) -> Self {
        Self {
            id,
            organization: &scheme.organization,
            fee: scheme.fee.as_ref().unwrap_or(otherwise),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn money(text: &str, code: &str) -> Money {
        Money::parse(text, currency(code)).unwrap()
    }

    fn currency(code: &str) -> Currency {
        Currency::parse(code).unwrap()
    }

    fn on(channel: &str, organization: Option<&str>, bin: Option<&str>) -> Target {
        Target {
            channel: Some(channel.to_owned()),
            organization: organization.map(str::to_owned),
            bin: bin.map(str::to_owned),
            ..Target::default()
        }
    }

    fn run(given: Given, targets: Vec<Target>) -> Result<Vec<MethodCost>, Rejection> {
        let request = Request {
            given,
            kind: Kind::Purchase,
            merchant_transaction_id: None,
            targets,
        };
        let mut count = 0_u128;
        let ids = || {
            count += 1;
            Uuid::from_u128(count)
        };
        calculate(&request, (Catalogue::seeded(), Rates::seeded()), ids, NOW)
    }

    fn order(targets: Vec<Target>) -> Result<Vec<MethodCost>, Rejection> {
        run(
            Given::Order(money("100.00", "EUR"), currency("USD")),
            targets,
        )
    }

    #[test]
    fn without_targets_every_channel_with_the_feature_is_priced_with_all_its_schemes() {
        let costs = order(Vec::new()).unwrap();
        let methods: Vec<_> = costs.iter().map(|cost| cost.method.as_str()).collect();
        assert_eq!(methods, ["PME_CARD", "PME_BANK", "PME_WALLET"]);
        let cards = &costs[0].channels[0].cards;
        let schemes: Vec<_> = cards
            .iter()
            .map(|card| card.quote.organization.clone().unwrap())
            .collect();
        assert_eq!(schemes, ["COR_VISA", "COR_MASTERCARD", "COR_AMEX"]);
        let fees = cards.iter().map(|card| card.quote.fee.minor());
        assert_eq!(Some(costs[0].max_fee.minor()), fees.max());
    }

    #[test]
    fn every_quote_has_a_different_id() {
        let costs = order(Vec::new()).unwrap();
        let quotes = costs.iter().flat_map(MethodCost::quotes);
        let ids: Vec<_> = quotes.map(|quote| quote.id).collect();
        let different: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!((ids.len(), different.len()), (6, 6));
    }

    #[test]
    fn a_card_is_named_by_its_scheme_its_number_or_a_saved_card() {
        let saved = Target {
            card: Some((Uuid::from_u128(7), Some("COR_AMEX".to_owned()))),
            ..on("PCL_CARD", None, None)
        };
        let table = [
            (on("PCL_CARD", Some("COR_VISA"), None), Some("COR_VISA")),
            (on("PCL_CARD", None, Some("555555")), Some("COR_MASTERCARD")),
            (
                on("PCL_CARD", Some("COR_VISA"), Some("411111")),
                Some("COR_VISA"),
            ),
            (on("PCL_CARD", None, Some("999999")), None),
            (on("PCL_CARD", None, None), None),
            (saved, Some("COR_AMEX")),
        ];
        for (target, expected) in table {
            let label = format!("{target:?}");
            let costs = order(vec![target]).unwrap();
            let cards = &costs[0].channels[0].cards;
            let schemes: Vec<_> = cards
                .iter()
                .map(|card| card.quote.organization.as_deref())
                .collect();
            assert_eq!(schemes, Vec::from_iter(expected.map(Some)), "{label}");
        }
    }

    #[test]
    fn targets_that_contradict_themselves_are_refused_together() {
        let targets = vec![
            on("PCL_CARD", Some("COR_VISA"), Some("555555")),
            on("PCL_CARD", Some("COR_ELSE"), None),
            Target::default(),
            on("PCL_CARD", None, Some("41")),
        ];
        let refused = order(targets).unwrap_err();
        let mut pointers: Vec<_> = refused
            .also
            .iter()
            .map(|one| one.pointer.clone().unwrap())
            .collect();
        pointers.push(refused.pointer.unwrap());
        pointers.sort();
        let expected = [
            "/data/0/cardBin",
            "/data/1/cardOrganization",
            "/data/2/paymentChannel",
            "/data/3/cardBin",
        ];
        assert_eq!(pointers, expected);
    }

    #[test]
    fn a_calculation_is_forbidden_while_the_feature_is_off() {
        for target in [on("PCL_CRYPTO", None, None), on("PCL_ELSE", None, None)] {
            assert_eq!(order(vec![target]).unwrap_err().code, Code::FeatureOff);
        }
        let both = vec![on("PCL_CRYPTO", None, None), on("PCL_WALLET", None, None)];
        assert_eq!(order(both).unwrap().len(), 1);
    }

    #[test]
    fn an_authorized_amount_gives_the_largest_order_it_pays_for() {
        let given = Given::Authorization(money("110.83", "USD"), currency("EUR"));
        let costs = run(given, vec![on("PCL_CARD", Some("COR_VISA"), None)]).unwrap();
        let quote = &costs[0].channels[0].cards[0].quote;
        assert_eq!(quote.order, money("100.00", "EUR"));
        assert_eq!(quote.amount, money("110.83", "USD"));
    }

    #[test]
    fn an_amount_that_only_covers_the_fee_is_refused() {
        let given = Given::Authorization(money("0.25", "EUR"), currency("EUR"));
        let refused = run(given, vec![on("PCL_CARD", None, None)]).unwrap_err();
        assert_eq!(refused.pointer.as_deref(), Some("/amount"));
        // A wallet charges a percentage only.
        assert_eq!(run(given, Vec::new()).unwrap().len(), 1);
    }

    #[test]
    fn a_currency_without_a_rate_is_refused_at_its_place() {
        let given = Given::Order(money("1.00", "EUR"), currency("XPF"));
        let refused = run(given, Vec::new()).unwrap_err();
        assert_eq!(refused.pointer.as_deref(), Some("/authorizationCurrency"));
    }
}
