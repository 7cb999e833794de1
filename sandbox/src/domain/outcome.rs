//! Outcomes on demand: the provider's answer that a caller of the sandbox requests.
//!
//! ```text
//! outcome  = final | "pending" [";after=" duration [";then=" final]]
//!          | "3ds" [";then=" final] | "frictionless"
//! final    = "accept" | reject | "expire"
//! reject   = "reject" [";code=" code]
//! code     = "E" digits
//! duration = "PT" [n "H"] [n "M"] [n ["." n] "S"]
//! ```

use std::fmt;
use std::str::FromStr;

use jiff::SignedDuration;

/// The code of a refusal when the caller requests no other.
pub const DEFAULT_REJECT_CODE: &str = "E1005";
/// The code of a purchase with an expired card.
pub const CARD_EXPIRED: &str = "E1007";
/// The code of a charge on a removed card.
pub const CARD_REMOVED: &str = "E1009";
/// The code of a purchase whose customer failed the authentication.
pub const AUTHENTICATION_FAILED: &str = "E1008";
/// The code of a payout that the merchant's balance does not cover.
pub const INSUFFICIENT_BALANCE: &str = "E2001";
/// The longest delay of a pending outcome.
const LONGEST: SignedDuration = SignedDuration::from_hours(24 * 366);

/// The code of a refusal by the provider: `E` and one to eight digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RejectCode(String);

/// The provider's final answer to an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Final {
    /// The provider accepts and the money moves.
    Accept,
    /// The provider refuses.
    Reject(RejectCode),
    /// The provider never answers.
    Expire,
}

/// The provider's answer to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The final answer follows at once.
    Now(Final),
    /// The transaction stays pending for ever.
    Pending,
    /// The transaction stays pending, and the final answer follows after a delay.
    Later {
        /// How long the transaction stays pending.
        after: SignedDuration,
        /// The final answer.
        then: Final,
    },
    /// The transaction stays pending until the customer answers a challenge.
    Challenge {
        /// The final answer if the customer approves.
        then: Final,
    },
    /// Accepted; the issuer recognizes the customer without a challenge.
    Frictionless,
}

/// Why the text of an outcome is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("outcome `{text}` is not understood: {reason}")]
pub struct OutcomeError {
    text: String,
    reason: &'static str,
}

impl RejectCode {
    /// Parses a code such as `E1005`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('E')?;
        let fits = (1..=8).contains(&digits.len());
        (fits && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| Self(text.to_owned()))
    }

    /// A code that is a constant of this file.
    pub(super) fn known(code: &'static str) -> Self {
        Self(code.to_owned())
    }

    /// The code as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The sentence that describes the code.
    pub fn reason(&self) -> &'static str {
        match self.as_str() {
            "E1005" => "declined by the issuer",
            "E1006" => "insufficient funds of the customer",
            CARD_EXPIRED => "the card has expired",
            CARD_REMOVED => "the card has been removed",
            AUTHENTICATION_FAILED => "the authentication of the customer failed",
            INSUFFICIENT_BALANCE => "the merchant's balance is insufficient",
            _ => "declined by the provider",
        }
    }
}

impl Default for RejectCode {
    fn default() -> Self {
        Self(DEFAULT_REJECT_CODE.to_owned())
    }
}

impl Outcome {
    /// The outcome when the caller requests no other.
    pub const ACCEPT: Self = Self::Now(Final::Accept);

    /// The outcome of a payment with an expired card.
    pub fn expired_card() -> Self {
        Self::Now(Final::Reject(RejectCode::known(CARD_EXPIRED)))
    }

    /// The outcome of a charge on a removed card.
    pub fn removed_card() -> Self {
        Self::Now(Final::Reject(RejectCode::known(CARD_REMOVED)))
    }

    /// Whether the outcome needs a present customer.
    pub const fn needs_customer(&self) -> bool {
        matches!(self, Self::Challenge { .. } | Self::Frictionless)
    }
}

impl FromStr for Outcome {
    type Err = OutcomeError;

    fn from_str(text: &str) -> Result<Self, OutcomeError> {
        let fail = |reason| OutcomeError {
            text: text.to_owned(),
            reason,
        };
        let mut parts = text.split(';').map(str::trim);
        let outcome = match parts.next().unwrap_or_default() {
            "pending" => pending(&mut parts),
            "3ds" => then(&mut parts).map(|then| Outcome::Challenge { then }),
            "frictionless" => Ok(Self::Frictionless),
            word => ending(word, &mut parts).map(Self::Now),
        };
        let outcome = outcome.map_err(fail)?;
        match parts.next() {
            Some(_) => Err(fail("there is something after its end")),
            None => Ok(outcome),
        }
    }
}

/// Formats the outcome as text that parses to the same outcome.
impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Now(ending) => write!(formatter, "{ending}"),
            Self::Pending => formatter.write_str("pending"),
            Self::Later { after, then } => {
                let (seconds, millis) = (after.as_secs(), after.subsec_millis());
                write!(
                    formatter,
                    "pending;after=PT{seconds}.{millis:03}S;then={then}"
                )
            }
            Self::Challenge { then } => write!(formatter, "3ds;then={then}"),
            Self::Frictionless => formatter.write_str("frictionless"),
        }
    }
}

impl fmt::Display for Final {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accept => formatter.write_str("accept"),
            Self::Reject(code) => write!(formatter, "reject;code={}", code.as_str()),
            Self::Expire => formatter.write_str("expire"),
        }
    }
}

impl FromStr for Final {
    type Err = OutcomeError;

    fn from_str(text: &str) -> Result<Self, OutcomeError> {
        match text.parse()? {
            Outcome::Now(ending) => Ok(ending),
            _ => Err(OutcomeError {
                text: text.to_owned(),
                reason: "it is not final",
            }),
        }
    }
}

fn ending<'a>(
    word: &str,
    parts: &mut impl Iterator<Item = &'a str>,
) -> Result<Final, &'static str> {
    match word {
        "accept" => Ok(Final::Accept),
        "expire" => Ok(Final::Expire),
        "reject" => match parts.next() {
            None => Ok(Final::Reject(RejectCode::default())),
            Some(part) => part
                .strip_prefix("code=")
                .and_then(RejectCode::parse)
                .map(Final::Reject)
                .ok_or("`reject` is followed by `code=E` and digits"),
        },
        _ => Err("it begins with `accept`, `reject`, `expire`, `pending`, `3ds` or `frictionless`"),
    }
}

fn pending<'a>(parts: &mut impl Iterator<Item = &'a str>) -> Result<Outcome, &'static str> {
    let Some(part) = parts.next() else {
        return Ok(Outcome::Pending);
    };
    let after = part
        .strip_prefix("after=")
        .and_then(duration)
        .ok_or("`pending` is followed by `after=` and a duration such as `PT2S`")?;
    let then = then(parts)?;
    Ok(Outcome::Later { after, then })
}

fn then<'a>(parts: &mut impl Iterator<Item = &'a str>) -> Result<Final, &'static str> {
    let Some(part) = parts.next() else {
        return Ok(Final::Accept);
    };
    let word = part
        .strip_prefix("then=")
        .ok_or("what follows here is `then=`")?;
    ending(word, parts)
}

/// The time part of an ISO 8601 duration, up to a year; no sign, no days.
fn duration(text: &str) -> Option<SignedDuration> {
    // The library reads more than the standard's form, so its prefix is checked here.
    let duration = text
        .starts_with("PT")
        .then(|| text.parse::<SignedDuration>().ok())??;
    (SignedDuration::ZERO..=LONGEST)
        .contains(&duration)
        .then_some(duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reject(code: &str) -> Final {
        Final::Reject(RejectCode::parse(code).unwrap())
    }

    #[test]
    fn outcomes_are_parsed() {
        let seconds = SignedDuration::from_secs;
        let later = |after, then| Outcome::Later { after, then };
        let table = [
            ("accept", Outcome::ACCEPT),
            ("reject", Outcome::Now(reject("E1005"))),
            ("reject;code=E1006", Outcome::Now(reject("E1006"))),
            ("reject; code=E1006", Outcome::Now(reject("E1006"))),
            ("expire", Outcome::Now(Final::Expire)),
            ("pending", Outcome::Pending),
            ("pending;after=PT2S", later(seconds(2), Final::Accept)),
            (
                "pending;after=PT0.25S",
                later(SignedDuration::from_millis(250), Final::Accept),
            ),
            (
                "pending;after=PT1M;then=expire",
                later(seconds(60), Final::Expire),
            ),
            (
                "pending;after=PT2S;then=reject;code=E1006",
                later(seconds(2), reject("E1006")),
            ),
            (
                "3ds",
                Outcome::Challenge {
                    then: Final::Accept,
                },
            ),
            (
                "3ds;then=reject;code=E1006",
                Outcome::Challenge {
                    then: reject("E1006"),
                },
            ),
            ("frictionless", Outcome::Frictionless),
        ];
        for (text, expected) in table {
            assert_eq!(text.parse::<Outcome>().as_ref(), Ok(&expected), "{text}");
            assert_eq!(
                expected.to_string().parse::<Outcome>(),
                Ok(expected),
                "{text} again"
            );
        }
    }

    #[test]
    fn an_invalid_outcome_is_refused() {
        let texts = [
            "",
            "Accept",
            "accept;",
            "accept;code=E1",
            "reject;code=",
            "reject;code=1005",
            "reject;code=E12x",
            "reject;code=E123456789",
            "pending;after=2s",
            "pending;after=PT-2S",
            "pending;after=-PT2S",
            "pending;after=P1D",
            "pending;after=PT9999999H",
            "pending;then=accept",
            "pending;after=PT2S;then=pending",
            "pending;after=PT2S;accept",
            "3ds;accept",
            "3ds;after=PT2S",
            "3ds;then=pending",
            "frictionless;then=accept",
            "later",
        ];
        for text in texts {
            assert!(text.parse::<Outcome>().is_err(), "{text}");
        }
    }
}
