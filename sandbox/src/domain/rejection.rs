//! Rejections: why a command is refused, with a stable code, a sentence and a place.

/// The kind of refusal. Each has one code and one HTTP status, which never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The request cannot be parsed.
    Unreadable,
    /// The request breaks the contract.
    ContractViolation,
    /// The natural key was used before with another body.
    KeyReused,
    /// The amount or currency breaks a money rule.
    AmountRule,
    /// The credentials are missing or wrong.
    Credentials,
    /// The addressed record does not exist.
    UnknownRecord,
    /// The present state does not allow the command.
    IllegalState,
    /// Another refund of the same transaction is active.
    RefundActive,
    /// Every offer has expired.
    OfferExpired,
    /// The rate of the quote has expired.
    RateExpired,
    /// The merchant does not have the feature.
    FeatureOff,
    /// The issuer refuses to let its card be saved.
    CardDeclined,
    /// A record with this natural key exists already.
    AlreadyThere,
}

impl Code {
    /// Every code, for tables and their tests.
    pub const ALL: [Self; 13] = [
        Self::Unreadable,
        Self::ContractViolation,
        Self::KeyReused,
        Self::AmountRule,
        Self::Credentials,
        Self::UnknownRecord,
        Self::IllegalState,
        Self::RefundActive,
        Self::OfferExpired,
        Self::RateExpired,
        Self::FeatureOff,
        Self::CardDeclined,
        Self::AlreadyThere,
    ];

    /// The code as it appears in a problem, and its HTTP status.
    pub const fn row(self) -> (&'static str, u16) {
        match self {
            Self::Unreadable => ("E1000", 400),
            Self::ContractViolation => ("E1001", 422),
            Self::KeyReused => ("E1002", 422),
            Self::AmountRule => ("E1004", 422),
            Self::Credentials => ("E1401", 401),
            Self::UnknownRecord => ("E1404", 404),
            Self::IllegalState => ("E1409", 409),
            Self::RefundActive => ("E1410", 409),
            Self::OfferExpired => ("E1411", 409),
            Self::RateExpired => ("E1414", 409),
            Self::FeatureOff => ("E1403", 403),
            Self::CardDeclined => ("E1005", 422),
            Self::AlreadyThere => ("E1412", 409),
        }
    }
}

/// A refused command; it changed nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct Rejection {
    /// The kind of refusal.
    pub code: Code,
    /// One sentence for a human.
    pub detail: String,
    /// JSON pointer into the request body when one value caused the refusal.
    pub pointer: Option<String>,
    /// Further mistakes of the same request.
    pub also: Vec<Self>,
}

impl Rejection {
    /// A refusal of the request as a whole.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            pointer: None,
            also: Vec::new(),
        }
    }

    /// A refusal of the value at `pointer` in the request body.
    pub fn at(code: Code, pointer: &str, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            pointer: Some(pointer.to_owned()),
            also: Vec::new(),
        }
    }

    /// Merges all refusals into one with the code and sentence of the first; `Ok` when there are
    /// none.
    pub fn collected(found: Vec<Self>) -> Result<(), Self> {
        let mut found = found.into_iter();
        let Some(first) = found.next() else {
            return Ok(());
        };
        let also = found.collect();
        Err(Self { also, ..first })
    }

    /// The refusal for a record that does not exist or belongs to another merchant.
    pub fn unknown(what: &str) -> Self {
        Self::new(Code::UnknownRecord, format!("no such {what}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_well_formed() {
        let mut seen = std::collections::BTreeSet::new();
        for code in Code::ALL {
            let (text, status) = code.row();
            assert!(seen.insert(text), "{text} twice");
            assert!(text.len() == 5 && text.starts_with('E'), "{text}");
            assert!((400..500).contains(&status), "{text} {status}");
        }
    }
}
