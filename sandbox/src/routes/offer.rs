//! A payout offer in the models of the contract.

use std::collections::BTreeMap;

use merchant_payments::models;
use merchant_payments::runtime::Timestamp;

use crate::domain::offer::{Offer, crypto_text};

/// The offer as a refresh lists it.
pub(super) fn model(offer: &Offer) -> models::PayoutOffer {
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

/// The offer as the payout shows it that took it.
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

fn address(offer: &Offer, page: &str) -> String {
    format!("https://{}.example/{page}", offer.provider_id)
}
