//! Adds stubs to a WireMock server, counts all of them, and shows the refusal of a flawed one.

use service::client::{Client, Settings};
use service::models::StubMapping;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).ok_or("expected an address")?;
    let stubs = Client::new(Settings::new(url))?.stub_mappings();
    for name in ["ada", "bob"] {
        let stub = StubMapping::default()
            .name(name)
            .request_with(|request| request.method("GET").url_path(format!("/people/{name}")))
            .response_with(|response| response.status(200).body("hello"));
        let added = stubs.create_new_stub_mapping(Some(&stub)).await?.body;
        let id = added.id.ok_or("a stub without an id")?;
        let known = stubs.get_stub_mapping_by_id(id).await?.body;
        println!("{}", known.name.unwrap_or_default());
    }
    let all = stubs.get_all_stub_mappings().limit(1).await?.body;
    println!("{} stubs", all.meta.map_or(0, |meta| meta.total));
    match stubs.get_stub_mapping_by_id("00000000-0000-0000-0000-000000000000").await {
        Ok(_) => println!("a stub that nobody made"),
        Err(error) => println!("{error}"),
    }
    Ok(())
}
