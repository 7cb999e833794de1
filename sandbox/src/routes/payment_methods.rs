//! Lists the payment methods for an order, with and without their groups.

use std::net::IpAddr;

use merchant_payments::models;
use merchant_payments::operations::payment_methods::{
    ListPaymentMethodsParameters, ListTerminalsParameters,
};
use merchant_payments::runtime::Decimal;
use merchant_payments::server::payment_methods::{
    ListPaymentMethodsResponse, ListTerminalsResponse,
};
use merchant_payments::server::{Context, PaymentMethods};

use super::Operations;
use crate::domain::catalogue::{Catalogue, CryptoCurrency, ListedChannel, Method};
use crate::domain::listing::{self, Listed, Order};
use crate::domain::rate::Rates;
use crate::domain::scheme::Schemes;
use crate::domain::{Code, Rejection, amount};
use crate::service::Failure;
use crate::service::payment_methods::Named;

/// The parameters of both listings.
type Parameters = ListTerminalsParameters;

impl PaymentMethods for Operations {
    async fn list_terminals(
        &self,
        context: Context,
        parameters: ListTerminalsParameters,
    ) -> ListTerminalsResponse {
        match self.suitable(&context, parameters).await {
            Ok(found) => ListTerminalsResponse::Ok(models::PaymentMethodListing {
                data: Some(found.groups()),
            }),
            Err(failure) => failure.into(),
        }
    }

    async fn list_payment_methods(
        &self,
        context: Context,
        parameters: ListPaymentMethodsParameters,
    ) -> ListPaymentMethodsResponse {
        let parameters = Parameters {
            amount: parameters.amount,
            authorization_currency: parameters.authorization_currency,
            currency: parameters.currency,
            order_country: parameters.order_country,
            payment_channel: parameters.payment_channel,
            payment_method: parameters.payment_method,
            transaction_type: parameters.transaction_type,
            customer_id: parameters.customer_id,
            customer_ip: parameters.customer_ip,
            external_customer_id: parameters.external_customer_id,
        };
        match self.suitable(&context, parameters).await {
            Ok(found) => ListPaymentMethodsResponse::Ok(models::PaymentMethodList {
                data: Some(found.methods()),
            }),
            Err(failure) => failure.into(),
        }
    }
}

/// The payment methods for an order, and the data that their answer needs.
struct Suitable {
    listed: Vec<Listed<'static>>,
    country: Option<String>,
    last_used: Option<String>,
}

impl Operations {
    async fn suitable(
        &self,
        context: &Context,
        parameters: Parameters,
    ) -> Result<Suitable, Failure> {
        let merchant = Self::merchant(context)?;
        let order = order(&parameters)?;
        let located = located(parameters.customer_ip.as_deref())?;
        let named = Named {
            // A malformed id is treated as that of an unknown customer.
            id: parameters.customer_id.and_then(|id| id.parse().ok()),
            merchant_customer_id: parameters.external_customer_id,
        };
        let kind = order.transaction_type.clone();
        let last_used = self.service.last_used(merchant, named, kind).await?;
        let order = Order {
            country: order.country.or_else(|| located.clone()),
            ..order
        };
        Ok(Suitable {
            listed: listing::list(Catalogue::seeded(), Rates::seeded(), &order),
            country: located.or(order.country),
            last_used,
        })
    }
}

/// The country of an IP address.
fn located(address: Option<&str>) -> Result<Option<String>, Rejection> {
    let Some(address) = address else {
        return Ok(None);
    };
    let Ok(address) = address.trim().parse::<IpAddr>() else {
        let pointer = "/header/customer-ip";
        return Err(Rejection::at(
            Code::ContractViolation,
            pointer,
            "not an address",
        ));
    };
    Ok(Catalogue::seeded().country(address).map(str::to_owned))
}

fn order(parameters: &Parameters) -> Result<Order, Rejection> {
    let read = |code: &Option<String>, pointer| {
        let code = code.as_deref();
        code.map(|code| amount::currency(code, pointer)).transpose()
    };
    let currency = read(&parameters.currency, "/query/currency")?;
    let authorization_currency = read(
        &parameters.authorization_currency,
        "/query/authorizationCurrency",
    )?;
    let money = match (parameters.amount.as_ref().map(Decimal::as_str), currency) {
        (None, _) => None,
        (Some(text), Some(currency)) => Some(amount::positive(text, currency, "/query/amount")?),
        (Some(_), None) => {
            let detail = "an amount needs its currency";
            return Err(Rejection::at(Code::AmountRule, "/query/currency", detail));
        }
    };
    let text = |name: Option<&str>| name.map(str::to_owned);
    Ok(Order {
        transaction_type: text(
            parameters
                .transaction_type
                .as_ref()
                .map(models::TransactionType::as_str),
        ),
        currency,
        money,
        authorization_currency,
        country: parameters
            .order_country
            .as_ref()
            .map(|code| code.to_uppercase()),
        method: text(
            parameters
                .payment_method
                .as_ref()
                .map(models::PaymentMethod::as_str),
        ),
        channel: text(
            parameters
                .payment_channel
                .as_ref()
                .map(models::PaymentChannel::as_str),
        ),
    })
}

impl Suitable {
    fn groups(&self) -> Vec<models::PaymentGroup> {
        let group = |listed: &Listed<'_>| models::PaymentGroup {
            payment_group_key: Some(listed.group.key.clone()),
            payment_group_name: Some(listed.group.name.clone()),
            payment_group_logo_url: Some(listed.group.logo_url.clone()),
            payment_group_sort: Some(listed.group.sort),
            payment_methods: Some(self.methods_of(listed)),
        };
        self.listed.iter().map(group).collect()
    }

    fn methods(&self) -> Vec<models::ListedPaymentMethod> {
        let methods = self.listed.iter().map(|listed| self.methods_of(listed));
        methods.flatten().collect()
    }

    fn methods_of(&self, listed: &Listed<'_>) -> Vec<models::ListedPaymentMethod> {
        let methods = listed.methods.iter();
        methods
            .map(|(method, channels)| self.method(method, channels))
            .collect()
    }

    fn method(&self, method: &Method, channels: &[&ListedChannel]) -> models::ListedPaymentMethod {
        let channels = channels.iter().map(|channel| self.channel(channel));
        models::ListedPaymentMethod {
            payment_method: Some(method.method.as_str().into()),
            payment_method_name: Some(method.name.clone()),
            method_logo_url: Some(method.logo_url.clone()),
            customer_country: self.country.clone(),
            payment_channels: Some(channels.collect()),
        }
    }

    fn channel(&self, channel: &ListedChannel) -> models::ListedPaymentChannel {
        let currencies = channel.currencies.iter();
        let currencies = currencies.map(|limits| limits.currency().code().to_owned());
        let crypto: Vec<_> = channel.crypto_currencies.iter().map(crypto).collect();
        let schemes = channel.card_organizations.iter();
        let schemes: Vec<_> = schemes.map(|taken| scheme(&taken.organization)).collect();
        models::ListedPaymentChannel {
            payment_channel: Some(channel.channel.as_str().into()),
            payment_channel_name: Some(channel.name.clone()),
            channel_logo_url: Some(channel.logo_url.clone()),
            external_submerchant_id: Some(channel.submerchant.clone()),
            currencies: Some(currencies.collect()),
            crypto_currencies: (!crypto.is_empty()).then_some(crypto),
            card_organizations: (!schemes.is_empty()).then_some(schemes),
            last_used: Some(self.last_used.as_ref() == Some(&channel.channel)),
            has_authorization_fee: Some(channel.fee.is_some()),
            has_cashback: Some(channel.cashback),
        }
    }
}

fn scheme(organization: &str) -> models::ListedCardOrganization {
    let scheme = Schemes::seeded().named(organization);
    models::ListedCardOrganization {
        organization: Some(organization.into()),
        logo_url: scheme.map(|scheme| scheme.logo_url.clone()),
    }
}

fn crypto(currency: &CryptoCurrency) -> models::CryptoCurrency {
    models::CryptoCurrency {
        wallet_currency: Some(currency.wallet_currency.clone()),
        currency_name: Some(currency.name.clone()),
        currency_code: Some(currency.code.clone()),
        network: Some(currency.network.clone()),
        network_logo_url: Some(currency.network_logo_url.clone()),
        network_code: Some(currency.network_code.clone()),
        min_amount: Decimal::new(&currency.min).ok(),
        max_amount: Decimal::new(&currency.max).ok(),
    }
}
