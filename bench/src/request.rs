//! The requests of a load, as bytes.

use std::io::Write;

/// The key of the measured sandboxes.
pub(crate) const KEY: &str = "bench-key";
/// The key of their control interface.
pub(crate) const ADMIN_KEY: &str = "bench-admin-key";

/// The kind of request to repeat.
#[derive(Debug)]
pub(crate) enum Request {
    /// A new purchase each time.
    Create {
        /// The prefix of the merchant's ids.
        prefix: String,
        /// The number of purchases so far.
        number: u64,
    },
    /// These transactions, in turn.
    Read {
        /// The ids of the transactions.
        ids: Vec<String>,
        /// The index of the next id.
        next: usize,
    },
}

impl Request {
    /// New purchases. Each load on a database needs another prefix.
    pub(crate) fn create(prefix: impl Into<String>) -> Self {
        let (prefix, number) = (prefix.into(), 0);
        Self::Create { prefix, number }
    }

    /// The expected status of each answer.
    pub(crate) const fn expected(&self) -> u16 {
        match self {
            Self::Create { .. } => 201,
            Self::Read { .. } => 200,
        }
    }

    /// Appends the next request.
    pub(crate) fn write(&mut self, out: &mut Vec<u8>) {
        // Writing to memory does not fail.
        let _ = match self {
            Self::Create { prefix, number } => {
                *number += 1;
                let body = purchase(&format!("{prefix}-{number}"));
                write!(
                    out,
                    "POST /v1/transactions HTTP/1.1\r\nhost: bench\r\nauthorization: {KEY}\r\n\
                     content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                    body.len()
                )
            }
            Self::Read { ids, next } => {
                let id = &ids[*next];
                *next = (*next + 1) % ids.len();
                write!(
                    out,
                    "GET /v1/transactions/{id} HTTP/1.1\r\nhost: bench\r\nauthorization: {KEY}\r\n\r\n"
                )
            }
        };
    }
}

/// A purchase with a customer and two items.
fn purchase(key: &str) -> String {
    format!(
        r#"{{"merchantTransactionId":"{key}","paymentChannel":"PCL_CARD","amount":"12.50","currency":"EUR","comment":"a purchase","customer":{{"firstName":"Ada","lastName":"Example","email":"ada@example.com"}},"items":[{{"code":"A-1","name":"cup","type":"physical","price":"10.00","quantity":1,"lineAmountTotal":"10.00"}},{{"code":"B-2","name":"spoon","type":"physical","price":"1.25","quantity":2,"lineAmountTotal":"2.50"}}]}}"#
    )
}
