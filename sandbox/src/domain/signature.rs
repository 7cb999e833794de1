//! Signs notifications as Standard Webhooks 1.0 defines.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

/// The prefix of a secret's text.
const PREFIX: &str = "whsec_";
/// The allowed lengths of a secret, in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 24..=64;

/// The key that signs a merchant's notifications.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// A secret of these bytes; `None` unless there are 24 to 64.
    pub fn new(bytes: Vec<u8>) -> Option<Self> {
        LENGTHS.contains(&bytes.len()).then_some(Self(bytes))
    }

    /// Parses `whsec_` and base64.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text.strip_prefix(PREFIX)?).ok()?;
        Self::new(bytes)
    }

    /// The text that the merchant configures: `whsec_` and base64.
    pub fn expose(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    /// The bytes, for storage.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn sign(&self, content: &[u8]) -> Option<String> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).ok()?;
        mac.update(content);
        Some(format!(
            "v1,{}",
            STANDARD.encode(mac.finalize().into_bytes())
        ))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

/// The value of `webhook-signature`: one signature for each secret, separated by spaces.
///
/// `timestamp` is the time of the attempt, in seconds since 1970.
pub fn sign(secrets: &[Secret], id: &str, timestamp: i64, body: &str) -> String {
    let content = format!("{id}.{timestamp}.{body}");
    let signatures: Vec<String> = secrets
        .iter()
        .filter_map(|secret| secret.sign(content.as_bytes()))
        .collect();
    signatures.join(" ")
}

/// The headers of a notification that is sent at `timestamp`, in seconds since 1970.
pub fn headers(
    secrets: &[Secret],
    notification: Uuid,
    timestamp: i64,
    body: &str,
) -> [(&'static str, String); 3] {
    let id = format!("msg_{notification}");
    let signature = sign(secrets, &id, timestamp, body);
    [
        ("webhook-id", id),
        ("webhook-timestamp", timestamp.to_string()),
        ("webhook-signature", signature),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    const BODY: &str = r#"{"test": 2432232314}"#;
    const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    #[test]
    fn the_published_test_vector_matches() {
        let secret = Secret::parse(TEXT).unwrap();
        assert_eq!(sign(&[secret], ID, 1_614_265_330, BODY), SIGNATURE);
    }

    #[test]
    fn during_a_rotation_each_secret_signs() {
        let secrets = [
            Secret::new(vec![7; 32]).unwrap(),
            Secret::parse(TEXT).unwrap(),
        ];
        let signed = sign(&secrets, ID, 1_614_265_330, BODY);
        let signatures: Vec<&str> = signed.split(' ').collect();
        assert_eq!(signatures.len(), 2);
        assert_ne!(signatures[0], SIGNATURE);
        assert_eq!(signatures[1], SIGNATURE);
    }

    #[test]
    fn a_secret_is_long_enough_and_never_shown() {
        for (length, allowed) in [(0, false), (23, false), (24, true), (64, true), (65, false)] {
            assert_eq!(Secret::new(vec![1; length]).is_some(), allowed, "{length}");
        }
        for text in [
            "",
            "whsec_",
            "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "whsec_AAAA",
            "whsec_*",
        ] {
            assert!(Secret::parse(text).is_none(), "{text}");
        }
        let secret = Secret::parse(TEXT).unwrap();
        assert_eq!(secret.expose(), TEXT);
        assert_eq!(format!("{secret:?}"), "Secret");
    }
}
