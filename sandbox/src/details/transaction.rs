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
        /// What the customer pays beyond the order.
        fee: Fee,
        /// The fee and the sum of both.
        subsidiary_data: SubsidiaryData,
        /// Fields for the merchant's checks against fraud.
        fraud_fields: BTreeMap<String, String>,
        /// Options of the request: addresses, the destination, an authentication made elsewhere.
        meta: Meta,
        /// Who pays or is paid.
        customer: Customer,
        /// The card, without its number.
        card_info: CardInfo,
        /// Where the card is billed to.
        billing_address: BillingAddress,
        /// Where things are sent to.
        shipping_address: Address,
        /// What is paid for.
        items: Vec<Item>,
        /// What the purchase gives back.
        cashback: Cashback,
        /// The software that sent the request.
        source: Software,
        /// What the card is to be checked for.
        checks: Checks,
        /// What stands for the card in later purchases.
        payment_token: Uuid,
        /// A secret that proves to the merchant that a returning customer comes from here.
        verify_returnmac: Uuid,
    }
}

/// What a card is to be checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checks {
    /// A security code was given. The code itself is not kept.
    pub security_code: bool,
    /// The billing address is to be that of the card.
    pub address: bool,
}

optional! {
    /// An authorized sum, the fee within it.
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
        /// Where notifications go.
        custom_ipn_url: String,
        /// Where the customer goes from the page.
        return_url: String,
        /// The same, with a secret that shows that the customer comes from there.
        return_verify_url: String,
        /// The currency that the recipient gets.
        destination_currency: String,
        /// Where the recipient gets it.
        destination_address: String,
        /// What the address needs beside it.
        destination_address_memo: String,
        /// An authentication of the customer that was made elsewhere.
        three_ds: ThreeDsResult,
        /// Who is paid, for rules that ask for it.
        travel_rule_data: TravelRule,
    }
}

optional! {
    /// How an authentication of the customer ended.
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
    /// Who is paid, for rules that ask for it.
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
    /// Who pays or is paid, as one transaction names them.
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
    /// One thing that is paid for.
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
    /// What a purchase gives back.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct Cashback in "camelCase" {
        active: bool,
        client: CashbackClient,
        values: Vec<CashbackValue>,
    }
}

optional! {
    /// To whom a purchase gives something back.
    #[expect(missing_docs, reason = "the names say what each part is")]
    pub struct CashbackClient in "camelCase" {
        email: String,
        id: String,
    }
}

optional! {
    /// How much a purchase gives back.
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
    /// Where notifications of the transaction go.
    pub fn receiver(&self) -> Option<&str> {
        self.meta.as_ref()?.custom_ipn_url.as_deref()
    }
}
