//! Renders payout offers.

use std::collections::BTreeMap;

use merchant_payments::models;
use merchant_payments::runtime::Timestamp;

use crate::domain::catalogue::Catalogue;
use crate::domain::offer::{Offer, crypto_text};
use crate::store::StoreError;

/// An offer in the list of a refresh.
pub fn model(offer: &Offer) -> models::PayoutOffer {
    models::PayoutOffer {
        psp_id: Some(offer.provider_id.clone()),
        psp_name: offer.provider().map(|provider| provider.name.to_owned()),
        psp_logo: Some(address(offer, "logo.svg")),
        status: Some("PENDING".into()),
        terms_url: Some(address(offer, "terms")),
        terms_uuid: Some(offer.terms_uuid.into()),
        last_attempt: Some(models::OfferAttempt {
            attempt_id: Some(offer.attempt_id.into()),
            attempt_no: Some(offer.attempt_no.into()),
            expiration_date: Some(offer.expires_at.into()),
            psp_data: Some(BTreeMap::from([
                (
                    "amountToWithdraw".to_owned(),
                    offer.amount_to_withdraw.to_string(),
                ),
                ("cryptoAmount".to_owned(), crypto_text(offer.crypto_amount)),
                (
                    "cryptoNetworkFee".to_owned(),
                    crypto_text(offer.crypto_network_fee),
                ),
            ])),
        }),
    }
}

/// The list of offers as text.
pub fn text(offers: &[Offer]) -> Result<String, StoreError> {
    let offers: Vec<_> = offers.iter().map(model).collect();
    serde_json::to_string(&offers).map_err(|_| StoreError::Corrupt("answer"))
}

/// Parses a stored list.
pub fn again(text: &str) -> Result<Vec<models::PayoutOffer>, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Corrupt("answer"))
}

/// The selected offer of a payout.
pub(super) fn selected(offer: &Offer) -> models::SelectedOffer {
    models::SelectedOffer {
        psp_id: Some(offer.provider_id.clone()),
        expiration_date: Some(Timestamp::from(offer.expires_at).to_string()),
        amount_to_withdraw: Some(offer.amount_to_withdraw.to_string()),
        crypto_amount: Some(crypto_text(offer.crypto_amount)),
        crypto_network_fee: Some(crypto_text(offer.crypto_network_fee)),
        terms_url: Some(address(offer, "terms")),
    }
}

/// Adds the amount that the recipient got and the network to `meta`.
pub(super) fn paid(meta: &mut models::TransactionMeta, offer: &Offer, channel: Option<&str>) {
    meta.amount_to_withdraw = Some(offer.amount_to_withdraw.to_string());
    meta.crypto_amount = Some(crypto_text(offer.crypto_amount));
    meta.crypto_network_fee = Some(crypto_text(offer.crypto_network_fee));
    let channel = channel.and_then(|name| Catalogue::seeded().channel(name));
    let known = channel.map_or(&[][..], |channel| &channel.crypto_currencies);
    let wanted = meta.destination_currency.as_deref();
    let Some(currency) = known
        .iter()
        .find(|known| Some(known.code.as_str()) == wanted)
    else {
        return;
    };
    meta.wallet_currency = Some(currency.wallet_currency.clone());
    meta.currency_name = Some(currency.name.clone());
    meta.currency_code = Some(currency.code.clone());
    meta.network = Some(currency.network.clone());
    meta.network_code = Some(currency.network_code.clone());
    meta.network_logo_url = Some(currency.network_logo_url.clone());
}

fn address(offer: &Offer, page: &str) -> String {
    format!("https://{}.example/{page}", offer.provider_id)
}
