//! A required property that is read-only is asked of answers, one that is write-only of requests.

use std::sync::Arc;

use super::recorder::{listen, plain_http};
use codegen_goldens::client;
use codegen_goldens::models::{Account, AccountRequest, Holder};
use codegen_goldens::runtime::client::{Connection, Settings};
use codegen_goldens::runtime::server::Context;
use codegen_goldens::server::directions::{Directions, OpenAccountResponse};

struct Accounts;

impl Directions for Accounts {
    async fn open_account(&self, _: Context, body: AccountRequest) -> OpenAccountResponse {
        let id = format!("{}-{}", body.pin, body.id.unwrap_or_default());
        OpenAccountResponse::Ok(Account::builder().id(id).owner(body.owner).build())
    }
}

async fn connection() -> Arc<Connection> {
    let address = listen(codegen_goldens::server::directions::routes(&Arc::new(
        Accounts,
    )))
    .await;
    let settings = Settings::new(address).http(plain_http());
    Arc::new(settings.connect().unwrap())
}

#[tokio::test]
async fn a_request_has_no_id_and_an_answer_no_pin() {
    let connection = connection().await;
    let asked = AccountRequest::builder()
        .owner_with(|holder| holder.name("Ada").build())
        .pin("1234")
        .build();
    assert!(!serde_json::to_string(&asked).unwrap().contains("id"));
    let answer = client::directions(&connection).open_account(&asked).await;
    let account = answer.unwrap().body;
    assert_eq!((account.id.as_str(), account.pin), ("1234-", None));
    assert_eq!(account.owner, Holder::new("Ada"));
}
