//! Calculates the authorization fee from the order, or the order from the authorized amount.

use merchant_payments::models::{
    AuthorizationAmount, AuthorizationCalculation, AuthorizationCalculationCard,
    AuthorizationCalculationChannel, AuthorizationCalculationRequest,
    AuthorizationCalculationTarget, TransactionType,
};
use merchant_payments::runtime::Decimal;
use merchant_payments::server::authorization::{
    CalculateAuthorizationResponse, CalculateReversedAuthorizationResponse,
};
use merchant_payments::server::{Authorization, Context};

use super::Operations;
use crate::domain::calculation::{CardCost, ChannelCost, Given, MethodCost, Request, Target};
use crate::domain::quote::{self, Authorized, Quote};
use crate::domain::state::Kind;
use crate::domain::{Code, Rejection, amount};
use crate::render::decimal;
use crate::service::Failure;

/// The direction of a calculation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// From the order to the amount that the customer authorizes.
    Forwards,
    /// From the amount that the customer authorizes to the order.
    Backwards,
}

impl Authorization for Operations {
    async fn calculate_authorization(
        &self,
        context: Context,
        body: AuthorizationCalculationRequest,
    ) -> CalculateAuthorizationResponse {
        match self.calculated(&context, body, Direction::Forwards).await {
            Ok(costs) => CalculateAuthorizationResponse::Ok(costs),
            Err(failure) => failure.into(),
        }
    }

    async fn calculate_reversed_authorization(
        &self,
        context: Context,
        body: AuthorizationCalculationRequest,
    ) -> CalculateReversedAuthorizationResponse {
        match self.calculated(&context, body, Direction::Backwards).await {
            Ok(costs) => CalculateReversedAuthorizationResponse::Ok(costs),
            Err(failure) => failure.into(),
        }
    }
}

impl Operations {
    async fn calculated(
        &self,
        context: &Context,
        body: AuthorizationCalculationRequest,
        direction: Direction,
    ) -> Result<Vec<AuthorizationCalculation>, Failure> {
        let merchant = Self::merchant(context)?;
        let costs = self
            .service
            .calculate(merchant, request(body, direction)?)
            .await?;
        Ok(costs.iter().map(method).collect())
    }
}

/// The parts of an authorization: its session, its amount and its currency.
type Parts<'a> = (&'a Option<String>, &'a Option<Decimal>, &'a Option<String>);

impl Operations {
    /// Parses an authorization and finds the quote of its session.
    pub(super) async fn authorized(
        &self,
        context: &Context,
        (session, amount, currency): Parts<'_>,
    ) -> Result<Authorized, Failure> {
        let merchant = Self::merchant(context)?;
        let quote = self.service.quote(merchant, session.as_deref()).await?;
        let amount = amount.as_ref().map(|amount| amount.as_str().to_owned());
        Ok(Authorized {
            authorization: quote::Authorization {
                session: session.clone(),
                amount,
                currency: currency.clone(),
            },
            quote,
        })
    }
}

fn request(
    body: AuthorizationCalculationRequest,
    direction: Direction,
) -> Result<Request, Rejection> {
    let currency = amount::currency(&body.currency, "/currency")?;
    let wanted = body.authorization_currency.as_deref();
    let authorization = wanted.map_or(Ok(currency), |code| {
        amount::currency(code, "/authorizationCurrency")
    })?;
    let positive = |currency| amount::positive(body.amount.as_str(), currency, "/amount");
    let given = match direction {
        Direction::Forwards => Given::Order(positive(currency)?, authorization),
        Direction::Backwards => Given::Authorization(positive(authorization)?, currency),
    };
    if body
        .ip
        .is_some_and(|ip| ip.parse::<std::net::IpAddr>().is_err())
    {
        let detail = "not an address";
        return Err(Rejection::at(Code::ContractViolation, "/ip", detail));
    }
    let kind = body.transaction_type.as_ref().map(TransactionType::as_str);
    let kind = kind.map_or(Some(Kind::Purchase), Kind::from_wire);
    Ok(Request {
        given,
        kind: kind.ok_or_else(|| {
            let detail = "the authorization fee is not activated for this type of transaction";
            Rejection::at(Code::FeatureOff, "/transactionType", detail)
        })?,
        merchant_transaction_id: body.merchant_transaction_id,
        targets: body.data.unwrap_or_default().iter().map(target).collect(),
    })
}

fn target(given: &AuthorizationCalculationTarget) -> Target {
    Target {
        method: given
            .payment_method
            .as_ref()
            .map(|name| name.as_str().to_owned()),
        channel: given
            .payment_channel
            .as_ref()
            .map(|name| name.as_str().to_owned()),
        organization: given
            .card_organization
            .as_ref()
            .map(|name| name.as_str().to_owned()),
        bin: given.card_bin.clone(),
        card: given.card_id.map(|id| (id.into(), None)),
    }
}

fn method(cost: &MethodCost) -> AuthorizationCalculation {
    AuthorizationCalculation {
        payment_method: Some(cost.method.as_str().into()),
        max_fee: decimal(cost.max_fee),
        channels: Some(cost.channels.iter().map(channel).collect()),
    }
}

fn channel(cost: &ChannelCost) -> AuthorizationCalculationChannel {
    let cards: Vec<_> = cost.cards.iter().map(card).collect();
    AuthorizationCalculationChannel {
        payment_channel: Some(cost.quote.channel.as_str().into()),
        authorization: Some(amount(&cost.quote)),
        card_organizations: (!cards.is_empty()).then_some(cards),
    }
}

fn card(cost: &CardCost) -> AuthorizationCalculationCard {
    AuthorizationCalculationCard {
        card_id: cost.card.map(Into::into),
        organization: cost.quote.organization.as_deref().map(Into::into),
        authorization: Some(amount(&cost.quote)),
    }
}

fn amount(quote: &Quote) -> AuthorizationAmount {
    AuthorizationAmount {
        fee: decimal(quote.fee),
        amount: decimal(quote.amount),
        base_amount: decimal(quote.base),
        currency: Some(quote.amount.currency().code().to_owned()),
        rate: Some(quote.rate.as_str().to_owned()),
        rate_expire_at: Some(format!("{:.3}", quote.expires_at)),
        session_id: Some(quote.id.hyphenated().to_string()),
        order_amount: decimal(quote.order),
        order_currency: Some(quote.order.currency().code().to_owned()),
    }
}
