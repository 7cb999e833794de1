//! Verifies signatures by the rules of Standard Webhooks 1.0.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::receiver::Received;

/// The header with the message's id, which stays the same when the message is sent again.
pub(crate) const ID: &str = "webhook-id";
const TIMESTAMP: &str = "webhook-timestamp";
const SIGNATURE: &str = "webhook-signature";

/// An operation that declares all of these headers is signed.
pub(crate) const HEADERS: [&str; 3] = [ID, TIMESTAMP, SIGNATURE];

const PREFIX: &str = "whsec_";

/// The greatest allowed difference between a message's time and the local clock.
const TOLERANCE: Duration = Duration::from_mins(5);

/// The secret that signs messages; never shown.
#[derive(Clone)]
pub struct SigningSecret {
    text: String,
    key: Vec<u8>,
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret")
    }
}

impl SigningSecret {
    /// Parses a secret: Base64, with or without the prefix `whsec_`.
    ///
    /// # Errors
    /// The text is not a secret. The error does not quote it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let encoded = text.strip_prefix(PREFIX).unwrap_or(text);
        match STANDARD.decode(encoded) {
            Ok(key) if !key.is_empty() => Ok(Self {
                text: encoded.to_owned(),
                key,
            }),
            _ => Err("the signing secret is not `whsec_` and Base64".to_owned()),
        }
    }

    /// The text that outputs must not contain.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Why a message is not signed correctly. `None` when it is.
    pub(crate) fn fault(&self, message: &Received, now: SystemTime) -> Option<String> {
        let text = |name: &'static str| {
            let value = message.header(name);
            value.ok_or_else(|| format!("the header `{name}` is absent"))
        };
        let (id, time, signatures) = match (text(ID), text(TIMESTAMP), text(SIGNATURE)) {
            (Ok(id), Ok(time), Ok(signatures)) => (id, time, signatures),
            (Err(fault), ..) | (_, Err(fault), _) | (.., Err(fault)) => return Some(fault),
        };
        let Ok(seconds) = time.parse::<u64>() else {
            return Some(format!("`{TIMESTAMP}` is not a whole number of seconds"));
        };
        let here = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        if here.abs_diff(seconds) > TOLERANCE.as_secs() {
            let apart = here.abs_diff(seconds);
            return Some(format!(
                "`{TIMESTAMP}` is {apart} s away from the clock here"
            ));
        }
        let fits = |signature: &str| {
            let signature = signature.strip_prefix("v1,");
            let bytes = signature.and_then(|signature| STANDARD.decode(signature).ok());
            let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.key) else {
                return false;
            };
            mac.update(format!("{id}.{time}.").as_bytes());
            mac.update(&message.body);
            bytes.is_some_and(|bytes| mac.verify_slice(&bytes).is_ok())
        };
        let none = !signatures.split(' ').any(fits);
        none.then(|| format!("no signature in `{SIGNATURE}` fits the body, the id and the time"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message with the signature from the example in the specification.
    fn example() -> Received {
        let header = |name: &str, value: &str| (name.to_owned(), value.as_bytes().to_vec());
        Received {
            method: "POST".to_owned(),
            path: "/".to_owned(),
            headers: vec![
                header(ID, "msg_p5jXN8AQM9LWM0D4loKWxJek"),
                header(TIMESTAMP, "1614265330"),
                header(
                    SIGNATURE,
                    "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
                ),
            ],
            body: br#"{"test": 2432232314}"#.to_vec(),
            at: std::time::Instant::now(),
        }
    }

    fn fault(message: &Received, later: u64) -> Option<String> {
        let secret = SigningSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let now = UNIX_EPOCH + Duration::from_secs(1_614_265_330 + later);
        secret.fault(message, now)
    }

    #[test]
    fn one_valid_signature_is_enough() {
        assert_eq!(fault(&example(), 299), None);
    }

    #[test]
    fn altered_late_and_unsigned_messages_are_reported() {
        let mut altered = example();
        altered.body.push(b' ');
        assert!(fault(&altered, 0).unwrap().contains("no signature"));
        assert!(fault(&example(), 301).unwrap().contains("301 s away"));
        let mut lacking = example();
        lacking.headers.remove(2);
        assert!(fault(&lacking, 0).unwrap().contains("is absent"));
        let error = SigningSecret::parse("whsec_ä").unwrap_err();
        assert!(!error.contains('ä'), "{error}");
    }
}
