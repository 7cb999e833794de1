//! What the contract's bundle says, for those who meet requests outside the generated stubs.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Read;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use serde_json::Value;

/// The bundled document, compressed when this program was built.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));

/// Names that hold a secret wherever they turn up, though the contract has no use for them.
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

static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::read(&document()));

/// The operations, and the names of what is secret.
#[derive(Debug, Default)]
pub struct Contract {
    /// The more literal paths first, so that the first match is the one that is meant.
    operations: Vec<Operation>,
    /// Those of them with a secret in the path.
    with_secrets: Vec<Operation>,
    /// Folded names.
    sensitive: BTreeSet<String>,
}

/// An operation of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its id.
    pub id: String,
    /// The method, in capitals.
    pub method: String,
    /// The segments of the path; those in braces match anything.
    segments: Vec<String>,
}

/// The text of the bundled document.
pub fn document() -> String {
    let mut text = String::new();
    // What the build has packed can be unpacked.
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
        let mut operations = operations(&document);
        operations.sort_by_key(|operation| std::cmp::Reverse(operation.literals()));
        let mut sensitive: BTreeSet<_> = ALWAYS.iter().copied().map(folded).collect();
        collect_sensitive(&document, &mut sensitive);
        let mut contract = Self {
            operations,
            with_secrets: Vec::new(),
            sensitive,
        };
        let operations = contract.operations.iter();
        let with_secrets =
            operations.filter(|one| one.segments.iter().any(|it| contract.hides(it)));
        contract.with_secrets = with_secrets.cloned().collect();
        contract
    }

    /// The operation that a request means.
    pub fn operation(&self, method: &str, path: &str) -> Option<&Operation> {
        let method = if method == "HEAD" { "GET" } else { method };
        { self.operations.iter() }
            .find(|operation| operation.method == method && operation.matches(path))
    }

    /// The operation of this id.
    pub fn by_id(&self, id: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.id == id)
    }

    /// A path as it may be shown: what stands for a secret parameter is left out.
    pub fn shown<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let mut secret = self.with_secrets.iter();
        let Some(operation) = secret.find(|operation| operation.matches(path)) else {
            return Cow::Borrowed(path);
        };
        let parts = path.trim_start_matches('/').split('/');
        let parts = { operation.segments.iter() }.zip(parts);
        let shown = parts.map(|(segment, part)| {
            if self.hides(segment) {
                "[redacted]"
            } else {
                part
            }
        });
        Cow::Owned(format!("/{}", shown.collect::<Vec<_>>().join("/")))
    }

    fn hides(&self, segment: &str) -> bool {
        let name = segment
            .strip_prefix('{')
            .and_then(|name| name.strip_suffix('}'));
        name.is_some_and(|name| self.is_sensitive(name))
    }

    /// Whether a member or a parameter of this name holds a secret, however it is spelled.
    pub fn is_sensitive(&self, name: &str) -> bool {
        self.sensitive.contains(&folded(name))
    }
}

impl Operation {
    fn matches(&self, path: &str) -> bool {
        let mut parts = path.trim_start_matches('/').split('/');
        let fit = |segment: &String| {
            parts.next().is_some_and(|part| {
                *segment == part || (segment.starts_with('{') && !part.is_empty())
            })
        };
        self.segments.iter().all(fit) && parts.next().is_none()
    }

    fn literals(&self) -> usize {
        let literal = |segment: &&String| !segment.starts_with('{');
        self.segments.iter().filter(literal).count()
    }
}

/// A name without case and separators, so that `card_number` is `cardNumber`.
fn folded(name: &str) -> String {
    if name.is_ascii() {
        let kept = name.bytes().filter(u8::is_ascii_alphanumeric);
        return kept
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .collect();
    }
    let kept = name.chars().filter(|letter| letter.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// Every operation of a document, in the order of its paths.
fn operations(document: &Value) -> Vec<Operation> {
    let mut found = Vec::new();
    for (path, item) in members(&document["paths"]) {
        for (method, entry) in members(item) {
            let Some(id) = entry["operationId"].as_str() else {
                continue;
            };
            let segments = path.trim_start_matches('/').split('/');
            found.push(Operation {
                id: id.to_owned(),
                method: method.to_uppercase(),
                segments: segments.map(str::to_owned).collect(),
            });
        }
    }
    found
}

/// Adds the names of the properties and parameters that are marked as secret.
fn collect_sensitive(value: &Value, names: &mut BTreeSet<String>) {
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
    fn a_request_means_the_most_literal_operation() {
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
            let found = contract.operation(method, path);
            let found = found.map(|operation| operation.id.as_str());
            assert_eq!(found, expected, "{method} {path}");
        }
    }

    #[test]
    fn a_secret_in_a_path_is_not_shown() {
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
