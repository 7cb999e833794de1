//! Checks requests for wallet sessions, in which a wallet validates the merchant's page.

use jiff::SignedDuration;

use super::catalogue::Catalogue;
use super::rejection::{Code, Rejection};

/// How long a session is valid.
pub const LIFETIME: SignedDuration = SignedDuration::from_mins(5);
/// The length limit of a display name, in characters.
const LONGEST_NAME: usize = 64;
/// The length limits of a domain name and of its labels.
const LONGEST_DOMAIN: usize = 253;
const LONGEST_LABEL: usize = 63;
/// The payment method whose channels have sessions.
const METHOD: &str = "PME_WALLET";

/// A request for a session.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The payment method, which has to be the wallet.
    pub method: Option<&'a str>,
    /// The payment channel, which has to belong to the wallet.
    pub channel: Option<&'a str>,
    /// The address from which the wallet expects the session. The sandbox sends nothing there.
    pub validation_url: &'a str,
    /// The domain of the merchant's page.
    pub domain: &'a str,
    /// The name that the customer sees.
    pub display_name: Option<&'a str>,
}

/// Checks a request; refuses the first mistake.
pub fn check(request: &Request<'_>) -> Result<(), Rejection> {
    let wrong = |pointer, detail: &str| Rejection::at(Code::ContractViolation, pointer, detail);
    if request.method.is_some_and(|method| method != METHOD) {
        let detail = "the payment method is no wallet";
        return Err(wrong("/paymentMethod", detail));
    }
    if !request.channel.is_none_or(is_of_wallet) {
        let detail = "the payment channel does not belong to a wallet";
        return Err(wrong("/paymentChannel", detail));
    }
    if !request.validation_url.starts_with("https://") {
        let detail = "the validationUrl has to be an https address";
        return Err(wrong("/validationUrl", detail));
    }
    if !is_domain(request.domain) {
        let detail = "the domainName is not the name of a domain";
        return Err(wrong("/domainName", detail));
    }
    let length = request.display_name.map_or(1, |name| name.chars().count());
    if !(1..=LONGEST_NAME).contains(&length) {
        let detail = format!("a displayName has 1 to {LONGEST_NAME} characters");
        return Err(wrong("/displayName", &detail));
    }
    Ok(())
}

fn is_of_wallet(channel: &str) -> bool {
    let mut methods = Catalogue::seeded().methods();
    let wallet = methods.find(|method| method.method == METHOD);
    wallet.is_some_and(|wallet| wallet.channels.iter().any(|one| one.channel == channel))
}

/// Whether the name has at least two labels of letters, digits and hyphens.
fn is_domain(name: &str) -> bool {
    let label = |label: &str| {
        let fits = (1..=LONGEST_LABEL).contains(&label.len());
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        fits && label.bytes().all(plain) && !label.starts_with('-') && !label.ends_with('-')
    };
    name.len() <= LONGEST_DOMAIN && name.contains('.') && name.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: Request<'_> = Request {
        method: Some("PME_WALLET"),
        channel: Some("PCL_WALLET"),
        validation_url: "https://wallet.example/session",
        domain: "shop.merchant.example",
        display_name: Some("Sample Shop"),
    };

    #[test]
    fn a_session_is_for_a_wallet_over_tls_at_a_domain() {
        assert_eq!(check(&GOOD), Ok(()));
        let bare = Request {
            method: None,
            channel: None,
            display_name: None,
            ..GOOD
        };
        assert_eq!(check(&bare), Ok(()));
    }

    #[test]
    fn mistakes_are_reported_with_their_place() {
        let name = "x".repeat(65);
        let table = [
            (
                Request {
                    method: Some("PME_CARD"),
                    ..GOOD
                },
                "/paymentMethod",
            ),
            (
                Request {
                    channel: Some("PCL_CARD"),
                    ..GOOD
                },
                "/paymentChannel",
            ),
            (
                Request {
                    validation_url: "http://wallet.example",
                    ..GOOD
                },
                "/validationUrl",
            ),
            (
                Request {
                    domain: "https://shop.example",
                    ..GOOD
                },
                "/domainName",
            ),
            (
                Request {
                    domain: "localhost",
                    ..GOOD
                },
                "/domainName",
            ),
            (
                Request {
                    domain: "-a.example",
                    ..GOOD
                },
                "/domainName",
            ),
            (
                Request {
                    domain: "a..example",
                    ..GOOD
                },
                "/domainName",
            ),
            (
                Request {
                    display_name: Some(""),
                    ..GOOD
                },
                "/displayName",
            ),
            (
                Request {
                    display_name: Some(&name),
                    ..GOOD
                },
                "/displayName",
            ),
        ];
        for (request, pointer) in table {
            let refused = check(&request).unwrap_err();
            assert_eq!(refused.pointer.as_deref(), Some(pointer), "{request:?}");
        }
    }
}
