//! Where to things may be sent.

use std::net::IpAddr;
use std::str::FromStr;

use url::Host;

use super::address::{Class, class};

/// Which addresses may be sent to. What is [`Class::Denied`] never may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    classes: Vec<Class>,
    allowed: Vec<Allowed>,
}

/// An exception that somebody made.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Allowed {
    /// Whatever a name stands for.
    Name(String),
    /// The addresses that share their first bits with this one.
    Network(IpAddr, u32),
}

/// Text that is no policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is none of loopback, private, public, a host, an address or a network")]
pub struct PolicyError(String);

impl Policy {
    /// What a sandbox may do that can only be reached from where this address leads.
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

    /// What somebody may do who gives the address at their own command line.
    pub fn anywhere() -> Self {
        Self {
            classes: vec![Class::Loopback, Class::Private, Class::Public],
            allowed: Vec::new(),
        }
    }

    /// Whether an address that the host stands for may be sent to.
    pub fn permits(&self, host: &Host<&str>, address: IpAddr) -> bool {
        match class(address) {
            Class::Denied => false,
            class if self.classes.contains(&class) => true,
            _ => self.allowed.iter().any(|one| one.covers(host, address)),
        }
    }

    /// Whether the name may be asked for at all: `false` for one that means this machine wherever
    /// it is asked, when nothing may be sent there.
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

/// A name without the dot that says it is whole.
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

/// Whether it is a name that machines have: the reader of addresses takes more than that.
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
    fn what_is_no_policy_is_refused() {
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
