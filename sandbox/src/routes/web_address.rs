//! Addresses of the web, which a page may lead a customer to.

use http::Uri;

use crate::domain::{Code, Rejection};

/// Refuses an address that no browser can be sent to.
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

/// The same of an address that may be absent.
pub(super) fn check_given(url: Option<&String>, pointer: &str) -> Result<(), Rejection> {
    match url.and_then(|url| check(url, pointer)) {
        Some(refusal) => Err(refusal),
        None => Ok(()),
    }
}
