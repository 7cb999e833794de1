//! Opens a shop of the catalogue of broken servers, for measurements. `shop [NUMBER]` opens it with
//! the fault of that row, or without a fault, and prints its address. `shop --rows` prints the rows,
//! including those that no check finds yet.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    dead_code,
    reason = "it shares the tests' shop, and panics on errors"
)]

#[path = "../tests/suite/catalogue/faults/mod.rs"]
mod faults;
#[path = "../tests/suite/support"]
mod support {
    pub(crate) mod shop;
}

use support::shop::{self, Fault, Style};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let rows = faults::caught();
    let argument = std::env::args().nth(1);
    if argument.as_deref() == Some("--rows") {
        for (number, (name, ..)) in rows.iter().enumerate() {
            println!("{number} {name}");
        }
        return;
    }
    let number = argument.map(|text| text.parse::<usize>().expect("the number of a row"));
    let fault = number.map_or(Fault::None, |number| rows[number].1);
    let address = shop::open(fault, Style::default()).await;
    println!("http://{address}");
    std::future::pending::<()>().await;
}
