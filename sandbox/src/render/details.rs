//! Converts descriptive fields to and from the models of the contract.

use merchant_payments::models;

use crate::details;

/// Conversions between a model and the type that rows hold.
///
/// `same` fields have one type on both sides. `nested` fields convert by [`Into`], `many` are lists of such values.
/// `words` are open enumerations of the contract, stored as text. Model fields that are not listed are computed
/// at rendering and are not stored.
macro_rules! convert {
    (
        $model:ident, $details:ident:
        same [$($same:ident),*] nested [$($nested:ident),*] many [$($many:ident),*] words [$($word:ident),*]
    ) => {
        impl From<details::$details> for models::$model {
            fn from(kept: details::$details) -> Self {
                #[allow(clippy::needless_update, reason = "some models have no other fields")]
                Self {
                    $($same: kept.$same,)*
                    $($nested: kept.$nested.map(Into::into),)*
                    $($many: kept.$many.map(|all| all.into_iter().map(Into::into).collect()),)*
                    $($word: kept.$word.as_deref().map(Into::into),)*
                    ..Self::default()
                }
            }
        }

        impl From<models::$model> for details::$details {
            fn from(given: models::$model) -> Self {
                #[allow(clippy::needless_update, reason = "some rows hold more than the model")]
                Self {
                    $($same: given.$same,)*
                    $($nested: given.$nested.map(Into::into),)*
                    $($many: given.$many.map(|all| all.into_iter().map(Into::into).collect()),)*
                    $($word: given.$word.map(|word| word.as_str().to_owned()),)*
                    ..Self::default()
                }
            }
        }
    };
}

convert!(Address, Address:
    same [building_number, city, company_name, country, country_state, first_name, id, last_name, phone,
        postcode, province, room_number, segment, street]
    nested [] many [] words []);
convert!(CardHolder, CardHolder:
    same [birth_date, first_name, last_name, middle_name] nested [] many [] words []);
convert!(TransactionAuthorization, Authorization:
    same [amount, currency, fee] nested [] many [] words []);
convert!(Fee, Fee: same [amount, currency] nested [] many [] words []);
convert!(SubsidiaryData, SubsidiaryData: same [fee_amount, gross_amount] nested [] many [] words []);
convert!(TransactionMeta, Meta:
    same [custom_ipn_url, return_url, return_verify_url, destination_currency, destination_address,
        destination_address_memo]
    nested [three_ds, travel_rule_data] many [] words []);
convert!(ThreeDsResult, ThreeDsResult:
    same [eci, emv3_ds_flow, status, version] nested [error_data] many [] words []);
convert!(ThreeDsResultErrorData, ThreeDsError:
    same [component, description, detail] nested [] many [] words []);
convert!(TravelRuleData, TravelRule:
    same [address, date_of_birth, first_name, last_name, vasp_name] nested [] many []
    words [entity_type]);
convert!(Customer, Customer:
    same [email, first_name, id, information, ip, last_name, phone] nested [] many []
    words [segment]);
convert!(CardInfo, CardInfo:
    same [bank, bin, card_holder_name, commercial, country, eea, expiration_date, last_four_digits,
        organization, organization_brand, token]
    nested [card_holder] many [] words [r#type]);
convert!(Item, Item:
    same [category, code, line_amount_total, name, price, quantity] nested [] many [] words [r#type]);
convert!(Cashback, Cashback: same [active] nested [client] many [values] words []);
convert!(CashbackClient, CashbackClient: same [email, id] nested [] many [] words []);
convert!(CashbackValue, CashbackValue: same [value] nested [] many [] words [r#type]);
convert!(Source, Software:
    same [platform_name, platform_version, plugin_name, plugin_version, process_id, process_name]
    nested [] many [] words []);
convert!(MerchantCustomerDetails, CustomerDetails:
    same [email, first_name, last_name, phone] nested [] many [addresses] words []);
convert!(PaymentLinkCustomer, LinkCustomer:
    same [email, first_name, last_name] nested [] many [] words []);
convert!(PaymentLinkItem, LinkItem: same [name, price, quantity] nested [] many [] words []);

impl From<details::BillingAddress> for models::BillingAddress {
    fn from(kept: details::BillingAddress) -> Self {
        let address = kept.address;
        Self {
            building_number: address.building_number,
            city: address.city,
            company_name: address.company_name,
            country: address.country,
            country_state: address.country_state,
            first_name: address.first_name,
            id: address.id,
            last_name: address.last_name,
            phone: address.phone,
            postcode: address.postcode,
            province: address.province,
            room_number: address.room_number,
            segment: address.segment,
            street: address.street,
            tax_id: kept.tax_id,
            additional_properties: kept.others,
        }
    }
}

impl From<models::BillingAddress> for details::BillingAddress {
    fn from(given: models::BillingAddress) -> Self {
        Self {
            address: details::Address {
                building_number: given.building_number,
                city: given.city,
                company_name: given.company_name,
                country: given.country,
                country_state: given.country_state,
                first_name: given.first_name,
                id: given.id,
                last_name: given.last_name,
                phone: given.phone,
                postcode: given.postcode,
                province: given.province,
                room_number: given.room_number,
                segment: given.segment,
                street: given.street,
            },
            tax_id: given.tax_id,
            others: given.additional_properties,
        }
    }
}
