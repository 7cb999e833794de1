//! Calls through the generated client and server, and the same by hand on reqwest and axum.
//! `cargo xtask bench calls` counts the instructions of each.

mod client;
mod example;
mod server;

use clap::{Parser, ValueEnum};

/// One side of a call, in one of two ways.
#[derive(Parser)]
enum Command {
    /// Calls an operation again and again, one call after the other.
    Call {
        way: Way,
        operation: Operation,
        /// How many calls.
        count: u32,
        /// The base address of the server.
        url: String,
    },
    /// Serves all operations until standard input is closed. Prints the base address.
    Serve { way: Way },
}

/// How it is written.
#[derive(Clone, Copy, ValueEnum)]
enum Way {
    /// On the generated client or server stubs.
    Generated,
    /// On reqwest or axum, with the generated models.
    ByHand,
}

/// What is called.
#[derive(Clone, Copy, ValueEnum)]
enum Operation {
    /// A large body there and back.
    CreatePurchase,
    /// A path parameter, and a body back.
    GetTransaction,
    /// Query parameters, and a list back.
    ListPaymentLinks,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    match Command::parse() {
        Command::Call {
            way,
            operation,
            count,
            url,
        } => match way {
            Way::Generated => client::generated::call(operation, count, url).await,
            Way::ByHand => client::by_hand::call(operation, count, url).await,
        },
        Command::Serve { way } => match way {
            Way::Generated => server::serve(server::generated::router()?).await,
            Way::ByHand => server::serve(server::by_hand::router()?).await,
        },
    }
}
