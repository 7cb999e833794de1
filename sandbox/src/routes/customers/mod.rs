//! Customers with their saved cards, payment tokens and recipients.

mod customer;
mod instant_recipient;
mod payment_token;
mod payout_card;
mod recipient;
mod saved_card;

use merchant_payments::models;
use merchant_payments::operations::customers::{
    CreateInstantTransferRecipientParameters, CreatePayoutCardParameters, GetCustomerParameters,
    GetInstantTransferRecipientParameters, GetPaymentTokenParameters, GetSavedPayoutCardParameters,
    InitialisePayoutCardWidgetParameters, ListInstantTransferRecipientsParameters,
    ListPaymentCardsParameters, ListPaymentTokensParameters, ListPayoutCardsParameters,
    ListRecipientsParameters, ListSavedPayoutCardsParameters, RemoveCustomerParameters,
    RemoveInstantTransferRecipientParameters, RemovePaymentCardParameters,
    RemovePaymentTokenParameters, RemovePayoutCardParameters, RemoveRecipientCardParameters,
    RemoveRecipientParameters, RemoveSavedPayoutCardParameters, UpdateCustomerParameters,
    UpdatePaymentCardParameters, UpdatePayoutCardParameters, UpdateRecipientCardParameters,
    VerifyRecipientCardParameters,
};
use merchant_payments::server::customers::{
    CreateCustomerResponse, CreateInstantTransferRecipientResponse, CreatePayoutCardResponse,
    GetCustomerResponse, GetInstantTransferRecipientResponse, GetPaymentTokenResponse,
    GetSavedPayoutCardResponse, InitialisePayoutCardWidgetResponse,
    ListInstantTransferRecipientsResponse, ListPaymentCardsResponse, ListPaymentTokensResponse,
    ListPayoutCardsResponse, ListRecipientsResponse, ListSavedPayoutCardsResponse,
    RemoveCustomerResponse, RemoveInstantTransferRecipientResponse, RemovePaymentCardResponse,
    RemovePaymentTokenResponse, RemovePayoutCardResponse, RemoveRecipientCardResponse,
    RemoveRecipientResponse, RemoveSavedPayoutCardResponse, UpdateCustomerResponse,
    UpdatePaymentCardResponse, UpdatePayoutCardResponse, UpdateRecipientCardResponse,
    VerifyRecipientCardResponse,
};
use merchant_payments::server::{Context, Customers};

use super::Operations;

/// One line for each operation: its parameters, its successful response, and the method that
/// implements it.
macro_rules! operations {
    ($($name:ident($($argument:ident: $kind:ty),*) => $answer:ident::$success:ident $(($body:ident))?
        by $method:ident;)*) => {
        $(async fn $name(&self, context: Context, $($argument: $kind),*) -> $answer {
            match self.$method(&context, $($argument),*).await {
                Ok(operations!(@pattern $($body)?)) => $answer::$success $(($body))?,
                Err(failure) => failure.into(),
            }
        })*
    };
    (@pattern $body:ident) => { $body };
    (@pattern) => { () };
}

impl Customers for Operations {
    operations! {
        create_customer(body: models::MerchantCustomerRequest)
            => CreateCustomerResponse::Created(done) by add_customer;
        get_customer(parameters: GetCustomerParameters)
            => GetCustomerResponse::Ok(done) by show_customer;
        update_customer(parameters: UpdateCustomerParameters, body: models::MerchantCustomerDetails)
            => UpdateCustomerResponse::Ok(done) by change_customer;
        remove_customer(parameters: RemoveCustomerParameters)
            => RemoveCustomerResponse::NoContent by drop_customer;

        create_payout_card(parameters: CreatePayoutCardParameters, body: models::PayoutCardRequest)
            => CreatePayoutCardResponse::Ok(done) by save_payout_card;
        list_payout_cards(parameters: ListPayoutCardsParameters)
            => ListPayoutCardsResponse::Ok(done) by show_payout_cards;
        update_payout_card(parameters: UpdatePayoutCardParameters, body: models::PayoutCardUpdate)
            => UpdatePayoutCardResponse::Ok(done) by change_payout_card;
        remove_payout_card(parameters: RemovePayoutCardParameters)
            => RemovePayoutCardResponse::NoContent by drop_payout_card;
        initialise_payout_card_widget(
            parameters: InitialisePayoutCardWidgetParameters, body: models::PayoutCardWidgetRequest)
            => InitialisePayoutCardWidgetResponse::Ok(done) by begin_card_entry;

        list_recipients(parameters: ListRecipientsParameters)
            => ListRecipientsResponse::Ok(done) by show_recipients;
        remove_recipient(parameters: RemoveRecipientParameters)
            => RemoveRecipientResponse::NoContent by drop_recipient;
        verify_recipient_card(
            parameters: VerifyRecipientCardParameters, body: models::RecipientCardRequest)
            => VerifyRecipientCardResponse::Ok(done) by verify_card;
        update_recipient_card(
            parameters: UpdateRecipientCardParameters, body: models::RecipientCardUpdate)
            => UpdateRecipientCardResponse::Ok(done) by rename_recipient_card;
        remove_recipient_card(parameters: RemoveRecipientCardParameters)
            => RemoveRecipientCardResponse::NoContent by drop_recipient_card;

        create_instant_transfer_recipient(
            parameters: CreateInstantTransferRecipientParameters,
            body: models::InstantTransferRecipientRequest)
            => CreateInstantTransferRecipientResponse::Ok(done) by add_instant_recipient;
        list_instant_transfer_recipients(parameters: ListInstantTransferRecipientsParameters)
            => ListInstantTransferRecipientsResponse::Ok(done) by show_instant_recipients;
        get_instant_transfer_recipient(parameters: GetInstantTransferRecipientParameters)
            => GetInstantTransferRecipientResponse::Ok(done) by show_instant_recipient;
        remove_instant_transfer_recipient(parameters: RemoveInstantTransferRecipientParameters)
            => RemoveInstantTransferRecipientResponse::NoContent by drop_instant_recipient;

        list_payment_cards(parameters: ListPaymentCardsParameters)
            => ListPaymentCardsResponse::Ok(done) by show_payment_cards;
        update_payment_card(
            parameters: UpdatePaymentCardParameters, body: models::PaymentCardUpdate)
            => UpdatePaymentCardResponse::Ok(done) by change_payment_card;
        remove_payment_card(parameters: RemovePaymentCardParameters)
            => RemovePaymentCardResponse::NoContent by drop_payment_card;

        list_payment_tokens(parameters: ListPaymentTokensParameters)
            => ListPaymentTokensResponse::Ok(done) by show_payment_tokens;
        get_payment_token(parameters: GetPaymentTokenParameters)
            => GetPaymentTokenResponse::Ok(done) by show_payment_token;
        remove_payment_token(parameters: RemovePaymentTokenParameters)
            => RemovePaymentTokenResponse::NoContent by drop_payment_token;

        list_saved_payout_cards(parameters: ListSavedPayoutCardsParameters)
            => ListSavedPayoutCardsResponse::Ok(done) by show_saved_payout_cards;
        get_saved_payout_card(parameters: GetSavedPayoutCardParameters)
            => GetSavedPayoutCardResponse::Ok(done) by show_saved_payout_card;
        remove_saved_payout_card(parameters: RemoveSavedPayoutCardParameters)
            => RemoveSavedPayoutCardResponse::NoContent by drop_saved_payout_card;
    }
}
