//! The name of a page on which a customer answers a challenge.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use crate::store::Merchant;

/// The path of the pages; the name of a page follows.
pub const PATH: &str = "/pay/";

/// The name of a page. Anyone who knows it can answer, once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The merchant of the purchase.
    pub merchant: Merchant,
    /// The random part, which cannot be guessed.
    pub nonce: Uuid,
}

/// The text is not the name of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not the name of a page")]
pub struct NoPage;

impl fmt::Display for Page {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Merchant(number) = self.merchant;
        write!(formatter, "{number}-{}", self.nonce.simple())
    }
}

impl FromStr for Page {
    type Err = NoPage;

    fn from_str(text: &str) -> Result<Self, NoPage> {
        let (number, nonce) = text.split_once('-').ok_or(NoPage)?;
        Ok(Self {
            merchant: Merchant(number.parse().map_err(|_| NoPage)?),
            nonce: Uuid::try_parse(nonce).map_err(|_| NoPage)?,
        })
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Page")
            .field("merchant", &self.merchant)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_name_reads_back_and_debug_hides_it() {
        let page = Page {
            merchant: Merchant(7),
            nonce: Uuid::from_u128(0x1234_5678_9abc),
        };
        assert_eq!(page.to_string().parse(), Ok(page));
        assert!(!format!("{page:?}").contains("123456789abc"));
        for text in [
            "",
            "7",
            "7-",
            "-7-x",
            "7-0000",
            "x-00000000000000000000123456789abc",
        ] {
            assert_eq!(text.parse::<Page>(), Err(NoPage), "{text}");
        }
    }
}
