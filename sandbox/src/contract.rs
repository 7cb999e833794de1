//! The bundled contract, for code outside the generated router.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::io::Read;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use merchant_payments::server::{self, Index};
use serde_json::Value;

/// The bundled document, compressed at build time.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));

/// Names that always hold a secret, although the contract does not use them.
const ALWAYS: &[&str] = &[
    "accessToken",
    "apiKey",
    "clientSecret",
    "cvc",
    "pan",
    "password",
    "refreshToken",
    "secret",
];

/// The contract's note that an operation's sample shows no credentials.
const NO_CREDENTIALS: &str = "the sample shows no Authorization header";

/// The longest name that is folded on the stack, in bytes.
const LONGEST_SHORT: usize = 64;

static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::read(&document()));

/// The operations and the names of secrets.
#[derive(Debug)]
pub struct Contract {
    operations: Index,
    /// The operations with a secret in the path: few, because every path is searched for here.
    hiding: Index,
    /// The folded names of secrets.
    sensitive: HashSet<String>,
    /// The ids of operations whose samples show no credentials.
    sampled_open: BTreeSet<String>,
}

/// The text of the bundled document.
pub fn document() -> String {
    let mut text = String::new();
    // The build compressed it, so decompression cannot fail.
    let _ = GzDecoder::new(PACKED).read_to_string(&mut text);
    text
}

impl Contract {
    /// The contract that this program was built with.
    pub fn bundled() -> &'static Self {
        &CONTRACT
    }

    fn read(text: &str) -> Self {
        let document: Value = serde_json::from_str(text).unwrap_or_default();
        let mut sensitive: HashSet<_> = ALWAYS.iter().copied().map(folded).collect();
        collect_sensitive(&document, &mut sensitive);
        let mut contract = Self {
            operations: server::index(),
            hiding: Index::new(&[]),
            sensitive,
            sampled_open: sampled_open(&document).map(str::to_owned).collect(),
        };
        let paths = members(&document["paths"]).map(|(path, _)| path);
        let paths = paths.filter(|path| path.split('/').any(|segment| contract.hides(segment)));
        let hiding = paths.flat_map(|path| {
            let matching = contract.operations.at(path);
            matching.filter(move |operation| operation.path == path)
        });
        contract.hiding = Index::new(&hiding.collect::<Vec<_>>());
        contract
    }

    /// Whether the sample of an operation shows no credentials.
    pub fn is_sampled_open(&self, operation: &str) -> bool {
        self.sampled_open.contains(operation)
    }

    /// The operations, matched like in the generated router.
    pub const fn operations(&self) -> &Index {
        &self.operations
    }

    /// A path with the values of secret parameters removed.
    pub fn shown<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let Some(operation) = self.hiding.at(path).next() else {
            return Cow::Borrowed(path);
        };
        let segments = operation.path.split('/').zip(path.split('/'));
        let shown = segments.map(|(segment, part)| {
            if self.hides(segment) {
                "[redacted]"
            } else {
                part
            }
        });
        Cow::Owned(shown.collect::<Vec<_>>().join("/"))
    }

    fn hides(&self, segment: &str) -> bool {
        let name = segment
            .strip_prefix('{')
            .and_then(|name| name.strip_suffix('}'));
        name.is_some_and(|name| self.is_sensitive(name))
    }

    /// Whether a member or parameter with this name holds a secret, ignoring case and separators.
    pub fn is_sensitive(&self, name: &str) -> bool {
        // This runs for every name of every body, so short names are folded without an allocation.
        let mut short = [0; LONGEST_SHORT];
        if name.len() > short.len() || !name.is_ascii() {
            return self.sensitive.contains(&folded(name));
        }
        let mut length = 0;
        for byte in folded_ascii(name) {
            short[length] = byte;
            length += 1;
        }
        std::str::from_utf8(&short[..length]).is_ok_and(|folded| self.sensitive.contains(folded))
    }
}

/// A name without case and separators, so that `card_number` equals `cardNumber`.
fn folded(name: &str) -> String {
    if name.is_ascii() {
        return folded_ascii(name).map(char::from).collect();
    }
    let kept = name.chars().filter(|letter| letter.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

fn folded_ascii(name: &str) -> impl Iterator<Item = u8> {
    let kept = name.bytes().filter(u8::is_ascii_alphanumeric);
    kept.map(|byte| byte.to_ascii_lowercase())
}

/// The ids of operations whose samples show no credentials.
fn sampled_open(document: &Value) -> impl Iterator<Item = &str> {
    let operations = members(&document["paths"]).flat_map(|(_, item)| members(item));
    let open =
        operations.filter(|(_, operation)| operation["x-provenance"]["note"] == NO_CREDENTIALS);
    open.filter_map(|(_, operation)| operation["operationId"].as_str())
}

/// Collects the names of the properties and parameters that are marked as secret.
fn collect_sensitive(value: &Value, names: &mut HashSet<String>) {
    let is_marked = |value: &Value| value["x-sensitive"] == true;
    for (name, member) in members(value) {
        if is_marked(member) {
            names.insert(folded(name));
        }
        collect_sensitive(member, names);
    }
    for item in value.as_array().into_iter().flatten() {
        if let Some(name) = item["name"].as_str().filter(|_| is_marked(item)) {
            names.insert(folded(name));
        }
        collect_sensitive(item, names);
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_literal_path_matches() {
        let contract = Contract::bundled();
        let table = [
            ("POST", "/v1/transactions", Some("createPurchase")),
            ("GET", "/v1/transactions/x", Some("getTransaction")),
            ("HEAD", "/v1/transactions/x", Some("getTransaction")),
            (
                "POST",
                "/v1/transactions/capture",
                Some("captureTransaction"),
            ),
            ("DELETE", "/v1/transactions", None),
            ("GET", "/v1/transactions/x/y", None),
            ("GET", "/v1/transactions/", None),
            ("GET", "/", None),
        ];
        for (method, path, expected) in table {
            let found = contract.operations().find(method, path);
            let found = found.map(|operation| operation.id);
            assert_eq!(found, expected, "{method} {path}");
        }
    }

    #[test]
    fn a_secret_in_a_path_is_hidden() {
        let contract = Contract::bundled();
        for (path, shown) in [
            (
                "/v3/customers/a/payments/tokens/b",
                "/v3/customers/a/payments/tokens/[redacted]",
            ),
            (
                "/v3/customers/a/payments/tokens",
                "/v3/customers/a/payments/tokens",
            ),
            (
                "/v3/customers/a/payments/card/b",
                "/v3/customers/a/payments/card/b",
            ),
        ] {
            assert_eq!(contract.shown(path), shown);
        }
    }

    #[test]
    fn secrets_are_known_by_name_however_it_is_spelled() {
        let contract = Contract::bundled();
        for name in [
            "cvv",
            "CVV",
            "cardNumber",
            "card_number",
            "paymentToken",
            "cardToken",
        ] {
            assert!(contract.is_sensitive(name), "{name}");
        }
        for name in ["amount", "currency", "merchantTransactionId", "x-sensitive"] {
            assert!(!contract.is_sensitive(name), "{name}");
        }
    }
}
