//! Extracts parameters of a request: the tenant, the query and a number in the path.

use std::collections::BTreeMap;
use std::str::FromStr;

use axum::extract::{FromRequestParts, Path, Query};
use http::request::Parts;

use super::Control;
use super::refusal::Refused;
use crate::domain::{Code, Rejection};
use crate::seed;
use crate::store::Merchant;

/// The default number of items.
const USUAL: u32 = 50;
/// The largest number of items.
const MOST: u32 = 200;

/// The tenant that the query names.
pub(super) struct Of(pub(super) Merchant);

/// The parameters of the query.
pub(super) struct Parameters(BTreeMap<String, String>);

/// The number at the end of the path.
pub(super) struct Number(pub(super) i64);

impl FromRequestParts<Control> for Of {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, control: &Control) -> Result<Self, Refused> {
        let parameters = Parameters::of(parts)?;
        let name = parameters
            .text("tenant")
            .unwrap_or(seed::MERCHANT.to_owned());
        Ok(Self(control.service.merchant(&name).await?))
    }
}

impl FromRequestParts<Control> for Parameters {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, _: &Control) -> Result<Self, Refused> {
        Ok(Self::of(parts)?)
    }
}

impl FromRequestParts<Control> for Number {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, state: &Control) -> Result<Self, Refused> {
        let number = Path::<i64>::from_request_parts(parts, state).await;
        let number = number.map_err(|_| unreadable("/path/number", "expected a number"))?;
        Ok(Self(number.0))
    }
}

impl Parameters {
    fn of(parts: &Parts) -> Result<Self, Rejection> {
        let read = Query::try_from_uri(&parts.uri);
        let read = read.map_err(|_| Rejection::new(Code::Unreadable, "the query cannot be read"));
        read.map(|Query(parameters)| Self(parameters))
    }

    /// The value of a parameter; `None` when it is absent or empty.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.0.get(name).filter(|text| !text.is_empty()).cloned()
    }

    /// The parsed value of a parameter; `None` when it is absent or empty.
    pub(super) fn parsed<T: FromStr>(
        &self,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, Rejection> {
        let parsed = self.text(name).map(|text| text.parse().ok());
        match parsed {
            None => Ok(None),
            Some(Some(value)) => Ok(Some(value)),
            Some(None) => Err(unreadable(&format!("/query/{name}"), expected)),
        }
    }

    /// The requested number of items.
    pub(super) fn limit(&self) -> Result<u32, Rejection> {
        let wanted: i64 = self
            .parsed("limit", "expected a number")?
            .unwrap_or(USUAL.into());
        let fit = u32::try_from(wanted).ok();
        fit.filter(|limit| (1..=MOST).contains(limit))
            .ok_or_else(|| {
                let detail = format!("the limit is 1 to {MOST}");
                Rejection::at(Code::ContractViolation, "/query/limit", detail)
            })
    }
}

fn unreadable(pointer: &str, detail: &str) -> Rejection {
    Rejection::at(Code::Unreadable, pointer, detail)
}
