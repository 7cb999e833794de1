//! Makes a collection in a Chroma server, adds records, reads them back, and shows a refusal.

use service::client::{Client, Settings};
use service::models::{
    AddCollectionRecordsPayload, CreateCollectionPayload, EmbeddingsPayload, GetRequestPayload,
};
use service::runtime::Number;

const AT: [&str; 2] = ["default_tenant", "default_database"];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).ok_or("expected an address")?;
    let client = Client::new(Settings::new(url))?;
    let [tenant, database] = AT;
    let words = CreateCollectionPayload::new("words");
    let made = client.collection().create_collection(tenant, database, &words).await?.body;
    let id = made.id.to_string();
    let vector = |first: i32, second: i32| vec![Number::from(first), Number::from(second)];
    let records = AddCollectionRecordsPayload::builder()
        .ids(vec!["a".to_owned(), "b".to_owned()])
        .embeddings(EmbeddingsPayload::Array(vec![vector(1, 2), vector(3, 4)]))
        .build()
        .documents(vec![Some("apple".to_owned()), Some("bee".to_owned())]);
    client.record().collection_add(tenant, database, &id, &records).await?;
    let all = GetRequestPayload::default();
    let all = client.record().collection_get(tenant, database, &id, &all).await?.body;
    let documents = all.documents.value().into_iter().flatten().flatten();
    println!("{}", documents.cloned().collect::<Vec<_>>().join(", "));
    match client.collection().create_collection(tenant, database, &words).await {
        Ok(_) => println!("one name was given twice"),
        Err(error) => println!("{error}"),
    }
    Ok(())
}
