//! Five tasks with the client of progenitor.

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use shop::types::{CustomerChange, NewCustomer, NewProduct};
use shop::{Client, Error};

const CARD: &str = "0b0e1f52-7a7e-4d0c-9d41-5f2a3a1c9d10";

type Done = Result<(), Box<dyn std::error::Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Done {
    let arguments: Vec<String> = std::env::args().collect();
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, HeaderValue::from_str(&arguments[2])?);
    let http = reqwest::Client::builder()
        .default_headers(headers)
        .build()?;
    let client = Client::new_with_client(&arguments[1], http);
    add(&client).await?;
    find(&client).await?;
    refused(&client).await?;
    list(&client).await?;
    remove(&client).await
}

/// Adds a customer.
async fn add(client: &Client) -> Done {
    let ada = NewCustomer {
        merchant_customer_id: "ada".into(),
        first_name: "Ada".into(),
        last_name: Some("Byron".into()),
        email: None,
    };
    let added = client.create_customer(&ada).await?;
    println!("add: {}", added.merchant_customer_id);
    Ok(())
}

/// Reads a customer who may not exist.
async fn find(client: &Client) -> Done {
    match client.get_customer("bob").await {
        Ok(found) => println!("find: {}", found.id),
        Err(Error::ErrorResponse(answer)) if answer.status() == 404 => println!("find: nobody"),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

/// Sends what the server refuses, and prints the error.
async fn refused(client: &Client) -> Done {
    let change = CustomerChange {
        email: Some("nowhere".into()),
        ..CustomerChange::default()
    };
    match client.update_customer("ada", &change).await {
        Ok(_) => println!("refused: not"),
        Err(error) => println!("refused: {error}"),
    }
    Ok(())
}

/// Lists all products, two with each request.
async fn list(client: &Client) -> Done {
    for name in ["Tea", "Coffee", "Cocoa"] {
        let product = NewProduct {
            name: name.into(),
            description: None,
        };
        client.create_product(&product).await?;
    }
    let mut names = Vec::new();
    for page in 1.. {
        let products = client
            .list_products(Some(2), Some(page))
            .await?
            .into_inner();
        if products.data.is_empty() {
            break;
        }
        names.extend(products.data.into_iter().map(|product| product.name));
    }
    println!("list: {}", names.join(", "));
    Ok(())
}

/// Removes a saved card, which is named by two texts.
async fn remove(client: &Client) -> Done {
    match client.remove_payment_card("ada", CARD).await {
        Ok(_) => println!("remove: done"),
        Err(error) => println!("remove: {:?}", error.status()),
    }
    Ok(())
}
