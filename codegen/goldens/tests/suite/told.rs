//! Callbacks and webhooks: sent by the client of a golden, received by its server stubs.

use std::sync::{Arc, Mutex};

use super::recorder::{listen, plain_http};
use codegen_goldens::client;
use codegen_goldens::client::callbacks::Shipped;
use codegen_goldens::client::webhooks::NewPetError;
use codegen_goldens::models::{NewPet, Shipment};
use codegen_goldens::operations;
use codegen_goldens::runtime::client::{Error, Response, Settings};
use codegen_goldens::runtime::server::{Context, Occasion};
use codegen_goldens::runtime::signature::Secrets;
use codegen_goldens::server::callbacks::{Callbacks, ShippedResponse, receive_shipped};
use codegen_goldens::server::webhooks::{NewPetResponse, Webhooks, receive_new_pet};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

#[derive(Default)]
struct Reader {
    read: Mutex<Vec<String>>,
}

impl Callbacks for Reader {
    async fn shipped(
        &self,
        _context: Context,
        parameters: operations::callbacks::ShippedParameters,
        body: Shipment,
    ) -> ShippedResponse {
        let read = format!("{} {}", parameters.webhook_id, body.parcel);
        self.read.lock().unwrap().push(read);
        ShippedResponse::NoContent
    }
}

impl Webhooks for Reader {
    async fn new_pet(
        &self,
        context: Context,
        parameters: operations::webhooks::NewPetParameters,
        body: NewPet,
    ) -> NewPetResponse {
        let occasion = Occasion::new(&context).body(&body);
        let name = occasion.evaluate("$request.body#/name");
        let read = format!("{:?} {name:?}", parameters.attempt);
        self.read.lock().unwrap().push(read);
        match parameters.attempt {
            Some(2) => NewPetResponse::Gone,
            _ => NewPetResponse::NoContent,
        }
    }
}

fn anywhere() -> Settings {
    Settings::anywhere().http(plain_http())
}

#[tokio::test]
async fn a_webhook_comes_to_where_it_is_put() {
    let reader = Arc::new(Reader::default());
    let url = listen(receive_new_pet("/pets/new", &reader)).await + "/pets/new?from=zoo";
    let sender = client::webhooks::Webhooks::new(anywhere()).unwrap();
    let pet = NewPet::new("Rex");
    sender.new_pet(&url, &pet).await.unwrap();
    let gone = sender.new_pet(&url, &pet).attempt(2).await.unwrap_err();
    assert_eq!(gone.refusal(), Some(&NewPetError::Gone));
    let expected = [r#"None Some("Rex")"#, r#"Some(2) Some("Rex")"#];
    assert_eq!(*reader.read.lock().unwrap(), expected);
    // What breaks its schema does not arrive.
    let long = sender.new_pet(&url, &NewPet::new("Bucephalus")).await;
    assert_eq!(long.unwrap_err().status().unwrap(), 422);
    let early = sender.new_pet(&url, &pet).attempt(0).await;
    assert_eq!(early.unwrap_err().status().unwrap(), 422);
    let elsewhere = sender.new_pet(&url.replace("/new", "/old"), &pet).await;
    assert_eq!(elsewhere.unwrap_err().status().unwrap(), 404);
    assert_eq!(reader.read.lock().unwrap().len(), 2);
}

async fn ship(
    sender: &str,
    receiver: &Secrets,
) -> Result<Response<()>, Error<std::convert::Infallible>> {
    let reader = Arc::new(Reader::default());
    let url = listen(receive_shipped("/told", &reader, receiver.clone())).await + "/told";
    let sender = client::callbacks::Callbacks::new(anywhere(), Secrets::new(sender).unwrap());
    let told = sender
        .unwrap()
        .shipped(&url, "msg_1", &Shipment::new("p1"))
        .await;
    let expected: &[&str] = if told.is_ok() { &["msg_1 p1"] } else { &[] };
    assert_eq!(*reader.read.lock().unwrap(), expected);
    told
}

#[tokio::test]
async fn a_callback_is_signed_and_what_is_not_is_refused() {
    let known = Secrets::new(SECRET).unwrap();
    assert_eq!(ship(SECRET, &known).await.unwrap().status, 204);
    assert_eq!(
        ship(OTHER, &known).await.unwrap_err().status().unwrap(),
        403
    );
    let both = known.and(OTHER).unwrap();
    assert_eq!(ship(OTHER, &both).await.unwrap().status, 204);
    assert_eq!(
        <Shipped as codegen_goldens::runtime::client::Endpoint>::OPERATION.path,
        "{$request.body#/tell}"
    );
}
