//! The policy for receivers of outgoing requests.

use std::net::IpAddr;
use std::str::FromStr;

use url::Host;

use super::address::{Class, class};

/// The permitted addresses. Addresses of the class [`Class::Denied`] are never permitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    classes: Vec<Class>,
    allowed: Vec<Allowed>,
}

/// An explicitly permitted receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Allowed {
    /// Every address of a host name.
    Name(String),
    /// The addresses that share this number of leading bits with the address.
    Network(IpAddr, u32),
}

/// The text is not a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is none of loopback, private, public, a host, an address or a network")]
pub struct PolicyError(String);

impl Policy {
    /// The default policy of a sandbox that listens on this address.
    pub fn of_listener(address: IpAddr) -> Self {
        let classes = match class(address) {
            Class::Loopback => vec![Class::Loopback, Class::Private],
            _ => vec![Class::Public],
        };
        Self {
            classes,
            allowed: Vec::new(),
        }
    }

    /// The policy for an address from the user's command line: everything but denied addresses.
    pub fn anywhere() -> Self {
        Self {
            classes: vec![Class::Loopback, Class::Private, Class::Public],
            allowed: Vec::new(),
        }
    }

    /// Whether requests to an address of the host are permitted.
    pub fn permits(&self, host: &Host<&str>, address: IpAddr) -> bool {
        match class(address) {
            Class::Denied => false,
            class if self.classes.contains(&class) => true,
            _ => self.allowed.iter().any(|one| one.covers(host, address)),
        }
    }

    /// Whether the name may be looked up; `false` for names of this machine when loopback is not
    /// permitted.
    pub(super) fn permits_name(&self, name: &str) -> bool {
        let local = name == "localhost" || name.ends_with(".localhost");
        !local || self.classes.contains(&Class::Loopback) || !self.allowed.is_empty()
    }
}

impl Allowed {
    fn covers(&self, host: &Host<&str>, address: IpAddr) -> bool {
        match (self, host) {
            (Self::Name(name), Host::Domain(host)) => *name == bare(host),
            (Self::Name(_), _) => false,
            (Self::Network(network, length), _) => match (network, address) {
                (IpAddr::V4(network), IpAddr::V4(address)) => {
                    let different = network.to_bits() ^ address.to_bits();
                    different.leading_zeros() >= *length
                }
                (IpAddr::V6(network), IpAddr::V6(address)) => {
                    let different = network.to_bits() ^ address.to_bits();
                    different.leading_zeros() >= *length
                }
                _ => false,
            },
        }
    }
}

/// A host name in lower case, without the trailing dot of a fully qualified name.
pub(super) fn bare(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

impl FromStr for Policy {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<Self, PolicyError> {
        let (mut classes, mut allowed) = (Vec::new(), Vec::new());
        for word in text.split(',').map(str::trim) {
            match word {
                "loopback" => classes.push(Class::Loopback),
                "private" => classes.push(Class::Private),
                "public" => classes.push(Class::Public),
                _ => {
                    let exception = exception(word).ok_or_else(|| PolicyError(word.to_owned()))?;
                    allowed.push(exception);
                }
            }
        }
        Ok(Self { classes, allowed })
    }
}

fn exception(word: &str) -> Option<Allowed> {
    let (address, length) = match word.split_once('/') {
        Some((address, length)) => (address, Some(length.parse::<u32>().ok()?)),
        None => (word, None),
    };
    if let Ok(address) = address.parse::<IpAddr>() {
        let most = if address.is_ipv4() { 32 } else { 128 };
        let length = length.unwrap_or(most);
        return (length <= most).then_some(Allowed::Network(address, length));
    }
    match (Host::parse(word).ok()?, length) {
        (Host::Domain(name), None) => Some(bare(&name))
            .filter(|name| is_host(name))
            .map(Allowed::Name),
        _ => None,
    }
}

/// Whether the text is a host name; the URL parser accepts more.
fn is_host(name: &str) -> bool {
    name.split('.').all(|label| {
        let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        !label.is_empty() && label.bytes().all(known)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(policy: &str, host: &str, address: &str) -> bool {
        let policy: Policy = policy.parse().unwrap();
        policy.permits(&Host::Domain(host), address.parse().unwrap())
    }

    #[test]
    fn a_listener_on_this_machine_reaches_this_machine_and_its_networks() {
        let here = Policy::of_listener("127.0.0.1".parse().unwrap());
        assert_eq!(Ok(here), "loopback,private".parse());
        for address in ["0.0.0.0", "10.0.0.1", "::", "8.8.8.8"] {
            let there = Policy::of_listener(address.parse().unwrap());
            assert_eq!(Ok(there), "public".parse(), "{address}");
        }
    }

    #[test]
    fn classes_and_exceptions_are_permitted() {
        assert!(permits("public", "a.example", "8.8.8.8"));
        assert!(!permits("public", "a.example", "10.0.0.1"));
        assert!(!permits("loopback,private", "a.example", "8.8.8.8"));
        assert!(permits("hooks.example", "hooks.example", "10.0.0.1"));
        assert!(permits("hooks.example", "HOOKS.example.", "10.0.0.1"));
        assert!(!permits("hooks.example", "not-hooks.example", "10.0.0.1"));
        assert!(permits("10.1.0.0/16", "a.example", "10.1.255.255"));
        assert!(!permits("10.1.0.0/16", "a.example", "10.2.0.0"));
        assert!(permits("10.1.0.1", "a.example", "10.1.0.1"));
        assert!(!permits("10.1.0.1", "a.example", "10.1.0.2"));
        assert!(permits("fd12::/16", "a.example", "fd12::1"));
        assert!(permits("0.0.0.0/0", "a.example", "10.1.0.1"));
        assert!(!permits("0.0.0.0/0", "a.example", "::1"));
    }

    #[test]
    fn no_exception_opens_what_is_denied() {
        for policy in ["loopback,private,public", "0.0.0.0/0,::/0", "meta.example"] {
            for address in [
                "169.254.169.254",
                "::ffff:169.254.169.254",
                "0.0.0.0",
                "fe80::1",
            ] {
                assert!(
                    !permits(policy, "meta.example", address),
                    "{policy} {address}"
                );
            }
        }
    }

    #[test]
    fn an_invalid_policy_is_refused() {
        for text in [
            "",
            "loopback,,public",
            "10.0.0.0/33",
            "a b",
            "a.example/8",
            "bogus!",
            "*.example",
            "a..example",
            "10.0.0.0/x",
        ] {
            assert!(text.parse::<Policy>().is_err(), "{text}");
        }
    }
}
