//! Classifies IP addresses, in whatever notation they are written.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The kind of network that an address belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// This machine.
    Loopback,
    /// A private network.
    Private,
    /// The public internet.
    Public,
    /// An address that is never a valid receiver: metadata service, link-local, multicast,
    /// unspecified.
    Denied,
}

/// Metadata services of clouds in ranges that are otherwise private or public.
const METADATA_V4: [Ipv4Addr; 2] = [
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(168, 63, 129, 16),
];

/// IPv4 networks and their classes; the first match counts, and other addresses are public.
const V4: &[([u8; 4], u32, Class)] = &[
    ([0, 0, 0, 0], 8, Class::Denied),
    ([10, 0, 0, 0], 8, Class::Private),
    ([100, 64, 0, 0], 10, Class::Private),
    ([127, 0, 0, 0], 8, Class::Loopback),
    ([169, 254, 0, 0], 16, Class::Denied),
    ([172, 16, 0, 0], 12, Class::Private),
    ([192, 0, 0, 0], 24, Class::Denied),
    ([192, 0, 2, 0], 24, Class::Denied),
    ([192, 88, 99, 0], 24, Class::Denied),
    ([192, 168, 0, 0], 16, Class::Private),
    ([198, 18, 0, 0], 15, Class::Private),
    ([198, 51, 100, 0], 24, Class::Denied),
    ([203, 0, 113, 0], 24, Class::Denied),
    // Multicast, then reserved addresses with broadcast.
    ([224, 0, 0, 0], 4, Class::Denied),
    ([240, 0, 0, 0], 4, Class::Denied),
];

/// IPv6 networks and their classes; the first match counts, and other addresses are denied.
const V6: &[([u16; 4], u32, Class)] = &[
    // Metadata services in private ranges.
    ([0xfd00, 0x0ec2, 0, 0], 32, Class::Denied),
    ([0xfd20, 0x00ce, 0, 0], 32, Class::Denied),
    ([0xfc00, 0, 0, 0], 7, Class::Private),
    // Protocol assignments, with tunnels that embed an IPv4 address; documentation.
    ([0x2001, 0, 0, 0], 23, Class::Denied),
    ([0x2001, 0x0db8, 0, 0], 32, Class::Denied),
    ([0x3fff, 0, 0, 0], 20, Class::Denied),
    ([0x2000, 0, 0, 0], 3, Class::Public),
];

/// The class of an address. An address that embeds an IPv4 address has the class of that address.
pub(super) fn class(address: IpAddr) -> Class {
    match address {
        IpAddr::V4(address) => class_v4(address),
        IpAddr::V6(address) => class_v6(address),
    }
}

fn class_v4(address: Ipv4Addr) -> Class {
    if METADATA_V4.contains(&address) {
        return Class::Denied;
    }
    V4.iter()
        .find(|(network, length, _)| {
            let network = u32::from_be_bytes(*network);
            (network ^ address.to_bits()) >> (32 - length) == 0
        })
        .map_or(Class::Public, |(.., class)| *class)
}

fn class_v6(address: Ipv6Addr) -> Class {
    if address == Ipv6Addr::LOCALHOST {
        return Class::Loopback;
    }
    if let Some(inner) = embedded(address) {
        return class_v4(inner);
    }
    let bits = address.to_bits();
    V6.iter()
        .find(|([a, b, c, d], length, _)| {
            let network = Ipv6Addr::new(*a, *b, *c, *d, 0, 0, 0, 0).to_bits();
            (network ^ bits) >> (128 - length) == 0
        })
        .map_or(Class::Denied, |(.., class)| *class)
}

/// The embedded IPv4 address to which packets are routed: mapped, compatible, translated, or 6to4.
pub(super) fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let v4 = |high: u16, low: u16| {
        let [[a, b], [c, d]] = [high.to_be_bytes(), low.to_be_bytes()];
        Ipv4Addr::new(a, b, c, d)
    };
    match address.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x0064, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => Some(v4(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_classified() {
        let table = [
            (Class::Loopback, "127.0.0.1 127.255.255.254 ::1"),
            (
                Class::Loopback,
                "::ffff:127.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::",
            ),
            (
                Class::Private,
                "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1",
            ),
            (Class::Private, "100.64.0.1 198.19.0.1 fd12:3456::1 fc00::1"),
            (
                Class::Private,
                "::ffff:10.1.2.3 ::10.1.2.3 64:ff9b::a01:203 ::ffff:0:10.1.2.3",
            ),
            (
                Class::Public,
                "8.8.8.8 172.32.0.1 172.15.255.255 100.128.0.1 192.0.1.1",
            ),
            (
                Class::Public,
                "2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1",
            ),
            (
                Class::Denied,
                "0.0.0.0 0.1.2.3 169.254.169.254 169.254.0.1 255.255.255.255",
            ),
            (
                Class::Denied,
                "224.0.0.1 239.1.1.1 240.0.0.1 192.0.0.192 100.100.100.200",
            ),
            (
                Class::Denied,
                "168.63.129.16 192.0.2.1 198.51.100.1 203.0.113.1",
            ),
            (
                Class::Denied,
                ":: fe80::1 febf::1 fec0::1 ff02::1 fd00:ec2::254 fd20:ce::254",
            ),
            (
                Class::Denied,
                "::ffff:169.254.169.254 ::169.254.169.254 64:ff9b::a9fe:a9fe",
            ),
            (
                Class::Denied,
                "2002:a9fe:a9fe:: 64:ff9b:1::a9fe:a9fe 2001::1 2001:db8::1",
            ),
            (
                Class::Denied,
                "::ffff:0:169.254.169.254 ::ffff:0.0.0.0 4000::1 100::1",
            ),
        ];
        for (expected, addresses) in table {
            for address in addresses.split(' ') {
                assert_eq!(class(address.parse().unwrap()), expected, "{address}");
            }
        }
    }
}
