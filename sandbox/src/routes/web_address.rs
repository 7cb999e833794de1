//! Checks the web addresses to which a page may send a customer.

use http::Uri;

use crate::domain::{Code, Rejection};

/// Refuses an address that is not an absolute `http` or `https` address.
pub(super) fn check(url: &str, pointer: &str) -> Option<Rejection> {
    let address = url.parse::<Uri>().ok();
    let of_the_web = address.is_some_and(|address| {
        let scheme = address.scheme_str();
        let host = address.authority();
        matches!(scheme, Some("http" | "https"))
            && host.is_some_and(|host| !host.as_str().contains('@'))
    });
    (!of_the_web).then(|| {
        let detail = "is not an address of the web";
        Rejection::at(Code::ContractViolation, pointer, detail)
    })
}

/// Like [`check`], for an optional address.
pub(super) fn check_given(url: Option<&String>, pointer: &str) -> Result<(), Rejection> {
    match url.and_then(|url| check(url, pointer)) {
        Some(refusal) => Err(refusal),
        None => Ok(()),
    }
}
