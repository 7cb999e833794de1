//! Fingerprint: the stable short id of a finding.
//!
//! A fingerprint depends only on names: the rule, the operation, the subject, and the old and new
//! values of a change. Lines, columns, the order of a file, descriptions and message texts have no
//! influence, so it survives edits that move these.

use std::collections::HashMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::finding::Finding;

/// The number of hexadecimal digits: short enough to type, while the chance of a collision among
/// ten thousand findings is one in five million.
const LENGTH: usize = 12;

/// The fingerprint of a rule, operation, subject and values.
pub fn of(rule: &str, operation: Option<&str>, subject: &str, values: &str) -> String {
    let mut hasher = Sha256::new();
    for part in [rule, operation.unwrap_or_default(), subject, values] {
        hasher.update(part.len().to_le_bytes());
        hasher.update(part);
    }
    let mut digits = String::new();
    for byte in &hasher.finalize()[..LENGTH / 2] {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Appends an ordinal to equal fingerprints, in the order of the findings.
pub fn number_duplicates(findings: &mut [Finding]) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for finding in findings {
        let count = seen.entry(finding.fingerprint.clone()).or_default();
        *count += 1;
        if *count > 1 {
            finding.fingerprint = format!("{}-{count}", finding.fingerprint);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_counts_separately() {
        let one = of("rule", Some("GET /a"), "b", "");
        assert_eq!(one.len(), LENGTH);
        assert_eq!(one, of("rule", Some("GET /a"), "b", ""));
        for other in [
            of("rules", Some("GET /a"), "b", ""),
            of("rule", None, "b", ""),
            of("rule", Some("GET /ab"), "", ""),
            of("rule", Some("GET /a"), "", "b"),
        ] {
            assert_ne!(one, other);
        }
    }
}
