//! Status: the key of a documented response.

use std::fmt;

/// The key of a documented response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// One status code.
    Code(u16),
    /// A range such as `2XX`: its first digit.
    Range(u8),
    /// `default`
    Default,
}

impl Status {
    /// Parses the key of a response.
    pub fn parse(key: &str) -> Option<Self> {
        if !crate::grammar::is_status_key(key) {
            return None;
        }
        Some(match key.strip_suffix("XX") {
            Some(class) => Self::Range(class.parse().ok()?),
            None if key == "default" => Self::Default,
            None => Self::Code(key.parse().ok()?),
        })
    }

    /// Whether the key covers a status code; `default` covers all.
    pub fn covers(self, code: u16) -> bool {
        match self {
            Self::Code(exact) => exact == code,
            Self::Range(class) => u16::from(class) == code / 100,
            Self::Default => true,
        }
    }

    /// Whether the key is a success: a 2xx code or `2XX`.
    pub fn is_success(self) -> bool {
        matches!(self, Self::Code(200..=299) | Self::Range(2))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "{code}"),
            Self::Range(class) => write!(f, "{class}XX"),
            Self::Default => f.write_str("default"),
        }
    }
}
