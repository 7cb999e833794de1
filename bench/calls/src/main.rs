//! Calls operations through the generated client and server, and through handwritten code on
//! reqwest and axum. `cargo xtask bench calls` counts the instructions of each.

mod client;
mod example;
mod server;

use clap::{Parser, ValueEnum};

/// One side of a call, generated or handwritten.
#[derive(Parser)]
enum Command {
    /// Call an operation many times in sequence.
    Call {
        code: Code,
        operation: Operation,
        /// The number of calls.
        count: u32,
        /// The base address of the server.
        url: String,
    },
    /// Serve all operations until standard input is closed. Prints the base address.
    Serve { code: Code },
}

/// Generated or handwritten code.
#[derive(Clone, Copy, ValueEnum)]
enum Code {
    /// The generated client or server stubs.
    Generated,
    /// reqwest or axum, with the generated models.
    ByHand,
}

/// The operation.
#[derive(Clone, Copy, ValueEnum)]
enum Operation {
    /// A large body in both directions.
    CreatePurchase,
    /// A path parameter, and a body in the answer.
    GetTransaction,
    /// Query parameters, and a list in the answer.
    ListPaymentLinks,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    match Command::parse() {
        Command::Call {
            code,
            operation,
            count,
            url,
        } => match code {
            Code::Generated => client::generated::call(operation, count, url).await,
            Code::ByHand => client::by_hand::call(operation, count, url).await,
        },
        Command::Serve { code } => match code {
            Code::Generated => server::serve(server::generated::router()?).await,
            Code::ByHand => server::serve(server::by_hand::router()?).await,
        },
    }
}
