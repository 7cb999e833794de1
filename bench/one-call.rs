//! A program with one call of OpenAPI's petstore, for `cargo xtask bench crates --call`.

use service::client::{Client, Settings};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::new(Settings::new("http://127.0.0.1:8080/v1"))?;
    let pet = client.pets().show_pet_by_id("1").await?;
    println!("{:?}", pet.body);
    Ok(())
}
