//! Purchases, refunds and payouts.

use std::collections::BTreeMap;

use merchant_payments::runtime::{Date, Decimal, Sensitive, Timestamp, Uuid};
use serde::{Deserialize, Serialize};

use super::optional::optional;
use super::{Address, BillingAddress, CardHolder};

optional! {
    /// Descriptive fields of a transaction.
    pub struct TransactionDetails in "snake_case" {
        /// What the customer authorized.
        authorization: Authorization,
        /// The fee that the customer pays in addition to the order.
        fee: Fee,
        /// The fee and the sum of both.
        subsidiary_data: SubsidiaryData,
        /// Fields for the merchant's checks against fraud.
        fraud_fields: BTreeMap<String, String>,
        /// Options of the request, such as addresses, destination and external authentication.
        meta: Meta,
        /// The customer.
        customer: Customer,
        /// The card, without its number.
        card_info: CardInfo,
        /// The billing address of the card.
        billing_address: BillingAddress,
        /// The shipping address.
        shipping_address: Address,
        /// The items.
        items: Vec<Item>,
        /// The cashback of the purchase.
        cashback: Cashback,
        /// The software that sent the request.
        source: Software,
        /// The requested checks of the card.
        checks: Checks,
        /// The token for later purchases with the card.
        payment_token: Uuid,
        /// A secret that proves to the merchant that a returning customer comes from here.
        verify_returnmac: Uuid,
    }
}

/// The requested checks of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checks {
    /// Whether a security code was given. The code itself is not stored.
    pub security_code: bool,
    /// Whether the billing address is compared with that of the card.
    pub address: bool,
}

optional! {
    /// An authorized amount, including the fee.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct Authorization in "camelCase" {
        amount: Decimal,
        currency: String,
        fee: Decimal,
    }
}

optional! {
    /// A fee.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct Fee in "camelCase" {
        amount: Decimal,
        currency: String,
    }
}

optional! {
    /// A fee, and the sum of the order and the fee.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct SubsidiaryData in "camelCase" {
        fee_amount: Decimal,
        gross_amount: Decimal,
    }
}

optional! {
    /// Options that a request set for its transaction.
    pub struct Meta in "camelCase" {
        /// The address for notifications.
        custom_ipn_url: String,
        /// The address to which the customer returns.
        return_url: String,
        /// Like `return_url`, with a secret that proves where the customer comes from.
        return_verify_url: String,
        /// The currency that the recipient gets.
        destination_currency: String,
        /// The address of the recipient's wallet.
        destination_address: String,
        /// The memo that belongs to the address.
        destination_address_memo: String,
        /// The result of an authentication that the merchant performed.
        three_ds: ThreeDsResult,
        /// Details of the recipient for the travel rule.
        travel_rule_data: TravelRule,
    }
}

optional! {
    /// The result of an authentication of the customer.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct ThreeDsResult in "camelCase" {
        eci: String,
        #[serde(rename = "emv3DSFlow")]
        emv3_ds_flow: String,
        error_data: ThreeDsError,
        status: String,
        version: String,
    }
}

optional! {
    /// Why an authentication of the customer failed.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct ThreeDsError in "camelCase" {
        component: String,
        description: String,
        detail: String,
    }
}

optional! {
    /// Details of the recipient for the travel rule.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct TravelRule in "camelCase" {
        address: String,
        date_of_birth: Date,
        entity_type: String,
        first_name: String,
        last_name: String,
        vasp_name: String,
    }
}

optional! {
    /// The customer, as one transaction names them.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct Customer in "camelCase" {
        email: String,
        first_name: String,
        id: Uuid,
        information: String,
        ip: String,
        last_name: String,
        phone: String,
        segment: String,
    }
}

optional! {
    /// A card, without its number.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct CardInfo in "camelCase" {
        bank: String,
        bin: i64,
        card_holder: CardHolder,
        card_holder_name: String,
        commercial: bool,
        country: String,
        eea: bool,
        expiration_date: Timestamp,
        last_four_digits: i64,
        organization: String,
        organization_brand: String,
        token: Sensitive<Uuid>,
        r#type: String,
    }
}

optional! {
    /// An item of a transaction.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct Item in "camelCase" {
        category: String,
        code: String,
        line_amount_total: Decimal,
        name: String,
        price: Decimal,
        quantity: i64,
        r#type: String,
    }
}

optional! {
    /// The cashback of a purchase.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct Cashback in "camelCase" {
        active: bool,
        client: CashbackClient,
        values: Vec<CashbackValue>,
    }
}

optional! {
    /// The customer who gets the cashback.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct CashbackClient in "camelCase" {
        email: String,
        id: String,
    }
}

optional! {
    /// The amount of a cashback.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct CashbackValue in "camelCase" {
        r#type: String,
        value: String,
    }
}

optional! {
    /// The software that sent a request.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct Software in "camelCase" {
        platform_name: String,
        platform_version: String,
        plugin_name: String,
        plugin_version: String,
        process_id: String,
        process_name: String,
    }
}

impl TransactionDetails {
    /// The address for notifications of the transaction.
    pub fn receiver(&self) -> Option<&str> {
        self.meta.as_ref()?.custom_ipn_url.as_deref()
    }
}
