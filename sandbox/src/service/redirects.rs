//! Pages on which customers are asked whether they pay.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use super::apply::change;
use super::{Failure, Service, View, Work};
use crate::domain::authentication::Decision;
use crate::domain::{Rejection, purchase};
use crate::store::{self, Merchant, Record};

/// Where the pages are; the name of the page follows.
pub const PATH: &str = "/pay/";

/// The name of a page: whoever has it can answer, once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Whose purchase it is.
    pub merchant: Merchant,
    /// What cannot be guessed.
    pub nonce: Uuid,
}

/// The text names no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not the name of a page")]
pub struct NoPage;

impl Page {
    /// The purchase whose customer is asked on the page.
    fn load(self, work: &Work<'_>) -> Result<Record, Failure> {
        let record = store::by_page(work.connection, work.tenant, self.nonce)?;
        Ok(record.ok_or_else(|| Rejection::unknown("page, or it has been answered"))?)
    }
}

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

impl Service {
    /// The purchase whose customer is asked on a page that waits for them.
    pub async fn find_redirect(&self, page: Page) -> Result<View, Failure> {
        self.known(page.merchant).await?;
        self.read(page.merchant, move |work| {
            let record = page.load(work)?;
            View::load(work, record)
        })
        .await
    }

    /// Takes the answer of the customer on a page.
    pub async fn decide_redirect(&self, page: Page, decision: Decision) -> Result<View, Failure> {
        self.known(page.merchant).await?;
        self.command(page.merchant, move |work| {
            let before = page.load(work)?;
            let transaction = before.transaction.clone();
            let after = purchase::decide(transaction, page.nonce, decision, work.now)?;
            let record = change(work, &before, after)?;
            View::load(work, record)
        })
        .await
    }

    /// Makes sure of a merchant whose number came from outside.
    pub(super) async fn known(&self, merchant: Merchant) -> Result<(), Failure> {
        let known = self
            .store
            .read(move |connection| store::tenants::is_known(connection, merchant))
            .await?;
        if known {
            Ok(())
        } else {
            Err(Rejection::unknown("page").into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_page_reads_back_and_is_not_shown() {
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
