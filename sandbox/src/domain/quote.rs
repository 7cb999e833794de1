//! Quotes: the amount that a customer authorizes for an order on one channel, and its expiry.

use jiff::Timestamp;
use uuid::Uuid;

use super::money::Money;
use super::rate::Rate;
use super::rejection::{Code, Rejection};
use super::state::Kind;

/// The price of an order for a customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Its id; an authorization refers to it as its session.
    pub id: Uuid,
    /// The channel.
    pub channel: String,
    /// The card scheme; any when absent.
    pub organization: Option<String>,
    /// The kind of the planned transaction.
    pub kind: Kind,
    /// The merchant's id of the transaction; `None` when the request had none.
    pub merchant_transaction_id: Option<String>,
    /// The amount of the order, in its currency.
    pub order: Money,
    /// The order converted to the currency of the authorization.
    pub base: Money,
    /// The fee, in the currency of the authorization.
    pub fee: Money,
    /// The sum of both.
    pub amount: Money,
    /// Units of the authorization's currency for one unit of the order's.
    pub rate: Rate,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// The `authorization` object of a request; every part may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Authorization {
    /// The id of the quote that it refers to.
    pub session: Option<String>,
    /// The amount that the customer authorizes.
    pub amount: Option<String>,
    /// Its currency.
    pub currency: Option<String>,
}

/// A transaction to compare with a quote.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// Its kind.
    pub kind: Kind,
    /// The merchant's id of it.
    pub merchant_transaction_id: Option<&'a str>,
    /// Its channel.
    pub channel: &'a str,
    /// The amount of the order.
    pub order: Money,
}

/// An authorization with the quote that it refers to; `None` when no such quote exists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Authorized {
    /// The authorization in the request.
    pub authorization: Authorization,
    /// The quote.
    pub quote: Option<Quote>,
}

impl Quote {
    /// Whether the quote is still valid.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        now < self.expires_at
    }

    /// Checks that a transaction matches the quote that its authorization refers to.
    pub fn bind(
        &self,
        candidate: &Candidate<'_>,
        authorization: &Authorization,
        now: Timestamp,
    ) -> Result<(), Rejection> {
        if !self.is_valid(now) {
            let detail = format!("the rate was good until {}", self.expires_at);
            let pointer = "/authorization/sessionId";
            return Err(Rejection::at(Code::RateExpired, pointer, detail));
        }
        let mut found = Vec::new();
        let mut differs = |pointer: &str, quoted: String| {
            let detail = format!("the authorization was calculated for {quoted}");
            found.push(Rejection::at(Code::AmountRule, pointer, detail));
        };
        if candidate.kind != self.kind {
            differs("/authorization/sessionId", self.kind.wire().to_owned());
        }
        let key = self.merchant_transaction_id.as_deref();
        if key.is_some() && key != candidate.merchant_transaction_id {
            differs("/merchantTransactionId", key.unwrap_or_default().to_owned());
        }
        if candidate.order.currency() != self.order.currency() {
            differs("/currency", self.order.currency().to_string());
        } else if candidate.order != self.order {
            differs("/amount", self.order.to_string());
        }
        if candidate.channel != self.channel {
            differs("/paymentChannel", self.channel.clone());
        }
        let amount = authorization.amount.as_deref();
        let given = amount.map(|amount| Money::parse(amount, self.amount.currency()));
        let currency = authorization.currency.as_deref();
        if currency.is_some_and(|given| given != self.amount.currency().code()) {
            differs(
                "/authorization/currency",
                self.amount.currency().to_string(),
            );
        } else if given.is_some_and(|given| given != Ok(self.amount)) {
            differs("/authorization/amount", self.amount.to_string());
        }
        Rejection::collected(found)
    }
}

impl Authorized {
    /// Checks that the customer authorizes the amount of the order, or the quoted amount.
    pub fn check(&self, candidate: &Candidate<'_>, now: Timestamp) -> Result<(), Rejection> {
        if let Some(quote) = &self.quote {
            return quote.bind(candidate, &self.authorization, now);
        }
        let Some(pointer) = self.authorization.difference_from(candidate.order) else {
            return Ok(());
        };
        if self.authorization.session.is_some() {
            return Err(Rejection {
                pointer: Some("/authorization/sessionId".to_owned()),
                ..Rejection::unknown("calculation")
            });
        }
        let detail = "only a calculation can differ from the order, and no sessionId names one";
        Err(Rejection::at(Code::AmountRule, pointer, detail))
    }
}

impl Authorization {
    /// The pointer of the field in which the authorization differs from the order; `None` when it
    /// does not.
    ///
    /// Only a quote allows a difference.
    pub fn difference_from(&self, order: Money) -> Option<&'static str> {
        let currency = self.currency.as_deref();
        if currency.is_some_and(|given| given != order.currency().code()) {
            return Some("/authorization/currency");
        }
        let amount = self.amount.as_deref();
        let given = amount.map(|amount| Money::parse(amount, order.currency()));
        given
            .is_some_and(|given| given != Ok(order))
            .then_some("/authorization/amount")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::currency::Currency;
    use crate::domain::fee::Fee;
    use crate::domain::price::Terms;
    use crate::domain::rate::Rates;
    use crate::domain::rational;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn money(text: &str, code: &str) -> Money {
        Money::parse(text, Currency::parse(code).unwrap()).unwrap()
    }

    fn quote() -> Quote {
        let order = money("100.00", "EUR");
        let fee = Fee::new(rational::parse("2").unwrap(), None);
        let dollars = Currency::parse("USD").unwrap();
        let terms = Terms::new(&fee, order.currency(), dollars, Rates::seeded()).unwrap();
        let price = terms.price(order).unwrap();
        Quote {
            id: Uuid::nil(),
            channel: "PCL_CARD".to_owned(),
            organization: None,
            kind: Kind::Purchase,
            merchant_transaction_id: None,
            order,
            base: price.base,
            fee: price.fee,
            amount: price.amount,
            rate: Rate::parse("1.08500000").unwrap(),
            expires_at: Rates::seeded().expiry(NOW),
        }
    }

    fn candidate(channel: &str, order: Money) -> Candidate<'_> {
        Candidate {
            kind: Kind::Purchase,
            merchant_transaction_id: Some("order-1"),
            channel,
            order,
        }
    }

    #[test]
    fn a_quote_is_for_one_transaction() {
        let quote = Quote {
            merchant_transaction_id: Some("order-1".to_owned()),
            ..quote()
        };
        let fits = candidate("PCL_CARD", quote.order);
        let others = [
            Candidate {
                merchant_transaction_id: Some("order-2"),
                ..fits
            },
            Candidate {
                merchant_transaction_id: None,
                ..fits
            },
            Candidate {
                kind: Kind::Payout,
                ..fits
            },
        ];
        let bind = |candidate| quote.bind(&candidate, &Authorization::default(), NOW);
        assert_eq!(bind(fits), Ok(()));
        let pointers = others.map(|other| bind(other).unwrap_err().pointer.unwrap());
        let expected = [
            "/merchantTransactionId",
            "/merchantTransactionId",
            "/authorization/sessionId",
        ];
        assert_eq!(pointers, expected);
    }

    #[test]
    fn a_transaction_has_to_match_its_quote() {
        let order = ("100.00", "EUR", "PCL_CARD");
        let table: [(_, Option<&str>, Option<&str>, &[&str]); 7] = [
            (order, Some("110.67"), Some("USD"), &[]),
            (order, Some("110.670"), None, &[]),
            (order, None, None, &[]),
            (
                order,
                Some("110.66"),
                Some("USD"),
                &["/authorization/amount"],
            ),
            (
                order,
                Some("110.67"),
                Some("EUR"),
                &["/authorization/currency"],
            ),
            (
                ("99.99", "EUR", "PCL_WALLET"),
                Some("x"),
                None,
                &["/amount", "/paymentChannel", "/authorization/amount"],
            ),
            (("100.00", "USD", "PCL_CARD"), None, None, &["/currency"]),
        ];
        for ((amount, currency, channel), authorized, of, expected) in table {
            let authorization = Authorization {
                session: None,
                amount: authorized.map(str::to_owned),
                currency: of.map(str::to_owned),
            };
            let candidate = candidate(channel, money(amount, currency));
            let bound = quote().bind(&candidate, &authorization, NOW);
            let pointers: Vec<_> = match bound {
                Ok(()) => Vec::new(),
                Err(first) => std::iter::once(first.pointer.clone())
                    .chain(first.also.into_iter().map(|one| one.pointer))
                    .collect(),
            };
            let pointers: Vec<_> = pointers.iter().flatten().collect();
            assert_eq!(
                pointers, expected,
                "{amount} {currency} {channel} {authorized:?}"
            );
        }
    }

    #[test]
    fn an_expired_rate_is_reported_first() {
        let quote = quote();
        let candidate = candidate("x", money("1", "EUR"));
        let refused = quote.bind(&candidate, &Authorization::default(), quote.expires_at);
        let refused = refused.unwrap_err();
        assert_eq!((refused.code, refused.also.len()), (Code::RateExpired, 0));
    }

    #[test]
    fn an_authorization_that_differs_from_the_order_is_noticed() {
        let order = money("5.00", "EUR");
        let table = [
            (None, None, None),
            (Some("5"), Some("EUR"), None),
            (Some("5.01"), None, Some("/authorization/amount")),
            (Some("5"), Some("USD"), Some("/authorization/currency")),
            (None, Some("USD"), Some("/authorization/currency")),
        ];
        for (amount, currency, expected) in table {
            let authorization = Authorization {
                session: None,
                amount: amount.map(str::to_owned),
                currency: currency.map(str::to_owned),
            };
            assert_eq!(
                authorization.difference_from(order),
                expected,
                "{amount:?} {currency:?}"
            );
        }
    }

    #[test]
    fn without_a_quote_only_the_order_itself_is_authorized() {
        let check = |session: Option<&str>, currency: Option<&str>| {
            let authorized = Authorized {
                authorization: Authorization {
                    session: session.map(str::to_owned),
                    amount: None,
                    currency: currency.map(str::to_owned),
                },
                quote: None,
            };
            let order = money("5.00", "EUR");
            let checked = authorized.check(&candidate("PCL_CARD", order), NOW);
            checked.map_err(|refused| (refused.code, refused.pointer.unwrap()))
        };
        // An unknown session has no effect while the authorization equals the order.
        for session in [None, Some("s-1")] {
            assert_eq!(check(session, None), Ok(()));
            assert_eq!(check(session, Some("EUR")), Ok(()));
        }
        let unknown = (Code::UnknownRecord, "/authorization/sessionId".to_owned());
        assert_eq!(check(Some("s-1"), Some("USD")), Err(unknown));
        let unquoted = (Code::AmountRule, "/authorization/currency".to_owned());
        assert_eq!(check(None, Some("USD")), Err(unquoted));
    }
}
