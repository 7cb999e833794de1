//! Five tasks with the client of `contract generate`.

use shop::client::customers::GetCustomerError;
use shop::client::{Client, Settings};
use shop::models::{CustomerChange, NewCustomer, NewProduct};

const CARD: &str = "0b0e1f52-7a7e-4d0c-9d41-5f2a3a1c9d10";

type Done = Result<(), Box<dyn std::error::Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Done {
    let arguments: Vec<String> = std::env::args().collect();
    let client = Client::new(Settings::new(&arguments[1]).key(&arguments[2]))?;
    add(&client).await?;
    find(&client).await?;
    refused(&client).await?;
    list(&client).await?;
    remove(&client).await
}

/// Adds a customer.
async fn add(client: &Client) -> Done {
    let ada = NewCustomer::builder()
        .merchant_customer_id("ada")
        .first_name("Ada")
        .build()
        .last_name("Byron");
    let added = client.customers().create_customer(&ada).await?.body;
    println!("add: {}", added.merchant_customer_id);
    Ok(())
}

/// Reads a customer who may not exist.
async fn find(client: &Client) -> Done {
    match client.customers().get_customer("bob").await {
        Ok(found) => println!("find: {}", found.body.id),
        Err(error) => match error.refusal() {
            Some(GetCustomerError::NotFound(_)) => println!("find: nobody"),
            _ => return Err(error.into()),
        },
    }
    Ok(())
}

/// Sends what the server refuses, and prints the error.
async fn refused(client: &Client) -> Done {
    let change = CustomerChange::default().email("nowhere");
    match client.customers().update_customer("ada", &change).await {
        Ok(_) => println!("refused: not"),
        Err(error) => println!("refused: {error}"),
    }
    Ok(())
}

/// Lists all products, two with each request.
async fn list(client: &Client) -> Done {
    let products = client.subscriptions();
    for name in ["Tea", "Coffee", "Cocoa"] {
        products.create_product(&NewProduct::new(name)).await?;
    }
    let pages = products.list_products().items_per_page(2).page(1);
    let mut items = pages.items();
    let mut names = Vec::new();
    while let Some(product) = items.next().await {
        names.push(product?.name);
    }
    println!("list: {}", names.join(", "));
    Ok(())
}

/// Removes a saved card, which is named by two texts.
async fn remove(client: &Client) -> Done {
    let card = client.customers().remove_payment_card("ada", CARD);
    match card.await {
        Ok(_) => println!("remove: done"),
        Err(error) => println!("remove: {:?}", error.status()),
    }
    Ok(())
}
