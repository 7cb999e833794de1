//! Parses the receiver's address that a merchant gave.

use std::net::IpAddr;

use url::{Host, Url};

use super::policy::{Policy, bare};

/// The length limit of an address, in bytes.
const LONGEST: usize = 2048;

/// An address whose text passes the policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    url: Url,
}

/// Why an address is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is not a URL.
    #[error("it is not an absolute URL of at most 2048 bytes")]
    Unreadable,
    /// Its scheme is neither `http` nor `https`.
    #[error("it has to begin with http:// or https://")]
    Scheme,
    /// It contains credentials.
    #[error("it must not contain a user or a password")]
    Credentials,
    /// The policy denies its host.
    #[error("this sandbox sends nothing to this address")]
    Denied,
}

impl Destination {
    /// Parses an address and applies all checks of the policy that need no name lookup.
    pub fn parse(text: &str, policy: &Policy) -> Result<Self, Refusal> {
        // The URL parser drops some blanks and control characters, and other parsers treat them
        // differently.
        let plain = text.bytes().all(|byte| byte > b' ' && byte != 0x7f);
        if !plain || text.len() > LONGEST {
            return Err(Refusal::Unreadable);
        }
        let url = Url::parse(text).map_err(|_| Refusal::Unreadable)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refusal::Scheme);
        }
        if names_a_user(text) {
            return Err(Refusal::Credentials);
        }
        let destination = Self { url };
        let permitted = match destination.host() {
            Host::Domain(name) => policy.permits_name(&bare(name)),
            Host::Ipv4(address) => policy.permits(&destination.host(), IpAddr::V4(address)),
            Host::Ipv6(address) => policy.permits(&destination.host(), IpAddr::V6(address)),
        };
        permitted.then_some(destination).ok_or(Refusal::Denied)
    }

    /// Its host.
    pub fn host(&self) -> Host<&str> {
        // URLs with `http` and `https` always have a host.
        self.url.host().unwrap_or(Host::Domain(""))
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or_default()
    }

    /// Whether the connection uses TLS.
    pub fn is_secure(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// The value of `host`.
    pub(super) fn authority(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        match self.url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// The target of the request: path and query.
    pub(super) fn target(&self) -> String {
        match self.url.query() {
            Some(query) => format!("{}?{query}", self.url.path()),
            None => self.url.path().to_owned(),
        }
    }
}

/// The origin of an address, which is the same for addresses of one receiver; empty when the text
/// is not a URL.
pub fn origin(text: &str) -> String {
    let url = Url::parse(text).ok();
    url.map_or_else(String::new, |url| url.origin().ascii_serialization())
}

/// Whether the text has user information before the host. The URL parser hides an empty one.
fn names_a_user(text: &str) -> bool {
    let behind_scheme = text.split_once(':').map_or(text, |(_, rest)| rest);
    let authority = behind_scheme.trim_start_matches(['/', '\\']);
    let end = authority.find(['/', '\\', '?', '#']);
    authority[..end.unwrap_or(authority.len())].contains('@')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, policy: &str) -> Result<Destination, Refusal> {
        Destination::parse(text, &policy.parse().unwrap())
    }

    #[test]
    fn an_address_is_split_into_its_parts() {
        let plain = parse("http://Hooks.example", "public").unwrap();
        assert_eq!((plain.port(), plain.is_secure()), (80, false));
        assert_eq!(
            (plain.authority(), plain.target()),
            ("hooks.example".into(), "/".into())
        );
        let full = parse("https://127.0.0.1:8443/a%20b/@c?d=@e#f", "loopback").unwrap();
        assert_eq!((full.port(), full.is_secure()), (8443, true));
        assert_eq!(full.target(), "/a%20b/@c?d=@e");
        assert_eq!(
            origin("https://127.0.0.1:8443/a?b"),
            "https://127.0.0.1:8443"
        );
    }

    #[test]
    fn every_spelling_of_a_forbidden_address_is_refused() {
        let spellings = [
            "http://169.254.169.254/latest/meta-data",
            "http://169.254.169.254./",
            "http://2852039166/",
            "http://0xa9fea9fe/",
            "http://0251.0376.0251.0376/",
            "http://169.254.43518/",
            "http://%31%36%39.254.169.254/",
            "http://①⑥⑨.254.169.254/",
            "http://[::ffff:169.254.169.254]/",
            "http://[::ffff:a9fe:a9fe]/",
            "http://[::169.254.169.254]/",
            "http://[64:ff9b::169.254.169.254]/",
            "http://[2002:a9fe:a9fe::]/",
            "http://[fd00:ec2::254]/",
            "http://[fe80::1]/",
            "http://[::]/",
            "http://0/",
            "http://0.0.0.0:8080/",
            "http://224.0.0.1/",
            "http://255.255.255.255/",
            "http:169.254.169.254",
            "http:\\\\169.254.169.254\\",
        ];
        for text in spellings {
            let refused = parse(text, "loopback,private,public,0.0.0.0/0,::/0");
            assert_eq!(refused, Err(Refusal::Denied), "{text}");
        }
    }

    #[test]
    fn loopback_is_refused_when_only_public_addresses_are_allowed() {
        for text in [
            "http://127.0.0.1/",
            "http://127.1/",
            "http://2130706433/",
            "http://0177.0.0.1/",
            "http://0x7f.1/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://localhost/",
            "http://LOCALHOST./",
            "http://a.localhost/",
            "http://10.0.0.1/",
        ] {
            assert_eq!(parse(text, "public"), Err(Refusal::Denied), "{text}");
            assert!(parse(text, "loopback,private").is_ok(), "{text}");
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        let table = [
            ("", Refusal::Unreadable),
            ("hooks.example", Refusal::Unreadable),
            ("/a", Refusal::Unreadable),
            ("http://", Refusal::Unreadable),
            ("http://hooks.example:99999/", Refusal::Unreadable),
            ("http://1.2.3.4.5/", Refusal::Unreadable),
            ("http://[fe80::1%25eth0]/", Refusal::Unreadable),
            (" http://hooks.example/", Refusal::Unreadable),
            ("http://hooks.example/\r\nX: y", Refusal::Unreadable),
            ("ht\ttp://hooks.example/", Refusal::Unreadable),
            ("ftp://hooks.example/", Refusal::Scheme),
            ("file:///etc/passwd", Refusal::Scheme),
            ("gopher://hooks.example/", Refusal::Scheme),
            ("javascript:alert(1)", Refusal::Scheme),
            ("http://user@hooks.example/", Refusal::Credentials),
            ("http://user:password@hooks.example/", Refusal::Credentials),
            ("http://:password@hooks.example/", Refusal::Credentials),
            ("http://@hooks.example/", Refusal::Credentials),
            ("http://hooks.example@127.0.0.1/", Refusal::Credentials),
        ];
        for (text, expected) in table {
            assert_eq!(parse(text, "public,loopback"), Err(expected), "{text:?}");
        }
        let long = format!("http://hooks.example/{}", "a".repeat(LONGEST));
        assert_eq!(parse(&long, "public"), Err(Refusal::Unreadable));
    }
}
