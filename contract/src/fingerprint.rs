//! What a finding is recognised by from run to run.
//!
//! A fingerprint is made of names only: the rule, the operation, the subject and, where something
//! changed, the values before and after. Lines, columns, the order of a file, descriptions and the
//! wording of a message are no part of it, so it survives what moves these.

use std::collections::HashMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::finding::Finding;

/// Hexadecimal digits of a fingerprint: short enough to be typed, and among ten thousand findings two
/// that are alike by chance are as rare as one in five million.
const LENGTH: usize = 12;

/// The fingerprint of what a rule says of a subject.
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

/// Gives equal fingerprints an ordinal, in the order of the findings.
pub fn tell_apart(findings: &mut [Finding]) {
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
    fn each_part_counts_and_none_runs_into_the_next() {
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
