//! Signs and verifies messages by the rules of Standard Webhooks 1.0.
//!
//! The signed text is `<webhook-id>.<webhook-timestamp>.<body>`, with the body byte for byte as it
//! is sent. The algorithm is HMAC-SHA256.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use http::HeaderMap;
use sha2::Sha256;

/// The header with the id of the message, which is the same in every attempt to send it.
pub const ID: &str = "webhook-id";
/// The header with the time of the attempt, in seconds since 1970.
pub const TIMESTAMP: &str = "webhook-timestamp";
/// The header with the signatures, separated by spaces; each is `v1,` and base64.
pub const SIGNATURE: &str = "webhook-signature";

/// The prefix of the text of a secret.
const PREFIX: &str = "whsec_";
/// The number of bytes that a secret may have.
const LENGTHS: std::ops::RangeInclusive<usize> = 24..=64;
/// The greatest difference between the time of a message and the clock of its receiver.
const TOLERANCE: Duration = Duration::from_mins(5);

/// The secrets that both sides know: one, or several during a rotation. `Debug` shows none of them.
#[derive(Clone)]
pub struct Secrets {
    keys: Vec<Hmac<Sha256>>,
    tolerance: Duration,
}

/// The error for a text that is not a secret. It does not contain the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretError;

/// Why a signature is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureError {
    /// The header of this name is missing, or cannot be read.
    Header(&'static str),
    /// The time differs from the clock by more than the tolerance.
    Time,
    /// No signature matches any of the secrets.
    Mismatch,
}

impl Secrets {
    /// Reads a secret: `whsec_` and the base64 of 24 to 64 bytes.
    pub fn new(text: &str) -> Result<Self, SecretError> {
        let none = Self {
            keys: Vec::new(),
            tolerance: TOLERANCE,
        };
        none.and(text)
    }

    /// Adds a secret. Every secret signs, and a signature under any of them is accepted.
    pub fn and(mut self, text: &str) -> Result<Self, SecretError> {
        let text = text.strip_prefix(PREFIX).ok_or(SecretError)?;
        let bytes = STANDARD.decode(text).ok();
        let bytes = bytes.filter(|bytes| LENGTHS.contains(&bytes.len()));
        let key = Hmac::new_from_slice(&bytes.ok_or(SecretError)?).map_err(|_| SecretError)?;
        self.keys.push(key);
        Ok(self)
    }

    /// Sets how far the time of a message may differ from the clock, in either direction. The
    /// default is five minutes.
    #[must_use]
    pub fn tolerance(mut self, tolerance: Duration) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Verifies that the headers sign the body under one of the secrets, within the tolerance.
    pub fn verify(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: SystemTime,
    ) -> Result<(), SignatureError> {
        let text = |name| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.ok_or(SignatureError::Header(name))
        };
        let (id, timestamp, signatures) = (text(ID)?, text(TIMESTAMP)?, text(SIGNATURE)?);
        let seconds = (timestamp.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| timestamp.parse::<u64>().ok())
            .flatten();
        let seconds = seconds.ok_or(SignatureError::Header(TIMESTAMP))?;
        if since_1970(now).abs_diff(seconds) > self.tolerance.as_secs() {
            return Err(SignatureError::Time);
        }
        let candidates: Vec<Vec<u8>> = signatures
            .split(' ')
            .filter_map(|signature| STANDARD.decode(signature.strip_prefix("v1,")?).ok())
            .collect();
        for key in &self.keys {
            let mac = over(key, id, timestamp, body);
            // The comparison takes constant time.
            if candidates
                .iter()
                .any(|candidate| mac.clone().verify_slice(candidate).is_ok())
            {
                return Ok(());
            }
        }
        Err(SignatureError::Mismatch)
    }

    /// The value of `webhook-signature`: one signature for each secret.
    pub fn sign(&self, id: &str, timestamp: u64, body: &[u8]) -> String {
        let timestamp = timestamp.to_string();
        let sign = |key| {
            let mac = over(key, id, &timestamp, body).finalize().into_bytes();
            format!("v1,{}", STANDARD.encode(mac))
        };
        let signatures: Vec<String> = self.keys.iter().map(sign).collect();
        signatures.join(" ")
    }

    /// Refuses a call without a valid signature, before its body is parsed.
    #[cfg(feature = "server")]
    pub fn check(&self, call: &super::server::Call) -> Result<(), super::server::Refusal> {
        use super::server::{Reason, Refusal};
        self.verify(call.headers(), call.raw(), SystemTime::now())
            .map_err(|error| Refusal::new(Reason::Signature, error.to_string()))
    }

    /// Signs a request as it is sent.
    #[cfg(feature = "client")]
    pub fn seal(&self) -> super::client::Seal {
        let secrets = self.clone();
        Box::new(move |headers, body| {
            let id = headers.get(ID).and_then(|id| id.to_str().ok());
            let now = since_1970(SystemTime::now());
            let signature = secrets.sign(id.unwrap_or_default(), now, body);
            vec![(TIMESTAMP, now.to_string()), (SIGNATURE, signature)]
        })
    }
}

fn over(key: &Hmac<Sha256>, id: &str, timestamp: &str, body: &[u8]) -> Hmac<Sha256> {
    let mut mac = key.clone();
    for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
        mac.update(part);
    }
    mac
}

/// The seconds since 1970; 0 for a clock before 1970.
fn since_1970(now: SystemTime) -> u64 {
    let since = now.duration_since(UNIX_EPOCH);
    since.map(|since| since.as_secs()).unwrap_or_default()
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets([{} redacted])", self.keys.len())
    }
}

impl fmt::Display for SecretError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a secret is `whsec_` and the base64 of 24 to 64 bytes")
    }
}

impl std::error::Error for SecretError {}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header(name) => write!(f, "the header `{name}` is missing or unreadable"),
            Self::Time => write!(f, "`{TIMESTAMP}` is too far from the clock of the receiver"),
            Self::Mismatch => write!(f, "no signature of `{SIGNATURE}` fits"),
        }
    }
}

impl std::error::Error for SignatureError {}
