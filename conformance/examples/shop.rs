//! A shop of the catalogue of broken servers as a program, for measurements: `shop [NUMBER]` opens it
//! with the fault of that row, or with none, and prints its address; `shop --rows` prints the rows, those that
//! nothing catches yet among them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    dead_code,
    reason = "it shares the tests' shop, and stops where it cannot go on"
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
    let asked = std::env::args().nth(1);
    if asked.as_deref() == Some("--rows") {
        for (number, (name, ..)) in rows.iter().enumerate() {
            println!("{number} {name}");
        }
        return;
    }
    let number = asked.map(|own| own.parse::<usize>().expect("the number of a row"));
    let fault = number.map_or(Fault::None, |number| rows[number].1);
    let address = shop::open(fault, Style::default()).await;
    println!("http://{address}");
    std::future::pending::<()>().await;
}
