//! Five tasks with the client of openapi-to-rust.

use shop::generated::{CustomerChange, GetCustomerApiError, HttpClient, NewCustomer, NewProduct};

const CARD: &str = "0b0e1f52-7a7e-4d0c-9d41-5f2a3a1c9d10";

type Done = Result<(), Box<dyn std::error::Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Done {
    let arguments: Vec<String> = std::env::args().collect();
    // `with_api_key` would send a bearer token, which is not what the document says.
    let client = HttpClient::new()
        .with_base_url(&arguments[1])
        .with_header("Authorization", &arguments[2]);
    add(&client).await?;
    find(&client).await?;
    refused(&client).await?;
    list(&client).await?;
    remove(&client).await
}

/// Adds a customer.
async fn add(client: &HttpClient) -> Done {
    let ada = NewCustomer::builder("Ada".into(), "ada".into())
        .last_name("Byron".into())
        .build();
    let added = client.create_customer(ada).await?;
    println!("add: {}", added.merchant_customer_id);
    Ok(())
}

/// Reads a customer who may not exist.
async fn find(client: &HttpClient) -> Done {
    match client.get_customer("bob").await {
        Ok(found) => println!("find: {}", found.id),
        Err(error) => match error.api().and_then(|answer| answer.typed.as_ref()) {
            Some(GetCustomerApiError::Status404(_)) => println!("find: nobody"),
            _ => return Err(error.into()),
        },
    }
    Ok(())
}

/// Sends what the server refuses, and prints the error.
async fn refused(client: &HttpClient) -> Done {
    let change = CustomerChange {
        email: Some("nowhere".into()),
        ..CustomerChange::default()
    };
    match client.update_customer("ada", change).await {
        Ok(_) => println!("refused: not"),
        Err(error) => println!("refused: {error}"),
    }
    Ok(())
}

/// Lists all products, two with each request.
async fn list(client: &HttpClient) -> Done {
    for name in ["Tea", "Coffee", "Cocoa"] {
        client.create_product(NewProduct::new(name.into())).await?;
    }
    let mut names = Vec::new();
    for page in 1.. {
        let products = client.list_products(Some(2), Some(page)).await?;
        if products.data.is_empty() {
            break;
        }
        names.extend(products.data.into_iter().map(|product| product.name));
    }
    println!("list: {}", names.join(", "));
    Ok(())
}

/// Removes a saved card, which is named by two texts.
async fn remove(client: &HttpClient) -> Done {
    match client.remove_payment_card("ada", CARD).await {
        Ok(()) => println!("remove: done"),
        Err(error) => println!("remove: {:?}", error.api().map(|answer| answer.status)),
    }
    Ok(())
}
