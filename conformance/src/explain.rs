//! Explains a check or a law that a report names.

pub mod case;

use std::fmt::Write as _;

use openapi_facts::Evidence;

use crate::checks;
use crate::laws;

/// The explanation of a check or a law. `None` when the id is unknown. The id of a law's case, such
/// as `laws/bounds/create_charge`, explains the law.
pub fn explain(id: &str) -> Option<String> {
    let id = match id.strip_prefix("laws/") {
        Some(case) => case.split('/').next().unwrap_or(case),
        None => id,
    };
    let check = checks::ALL.iter().find(|check| check.id == id).map(|check| {
        format!(
            "check {}\n\nFinds: {}.\nLevel: {} at most. Provenance lowers it, and the profile `complete` raises that again. A finding that rests on \
             an example alone (`shown`), or on names and sentences (`read`), is SHOULD at most.\n",
            check.id, check.doc, check.level
        )
    });
    let law = laws::ALL.iter().find(|item| item.id == id).map(|law| {
        format!(
            "law {}\n\nHolds: {}.\nCases: laws/{}/<operationId>, one for each operation that it applies to.\n\
             Evidence: {}.\n",
            law.id,
            law.doc,
            law.id,
            evidence(law)
        )
    });
    match (check, law) {
        (Some(check), Some(law)) => Some(format!("{check}\n{law}")),
        (check, law) => check.or(law),
    }
}

fn evidence(law: &laws::Law) -> &'static str {
    match law.evidence {
        Evidence::Stated => "stated; a finding fails",
        Evidence::Shown => {
            "shown; a finding warns, unless examples are normative or behaviour.yaml has the law under `confirmed`"
        }
        Evidence::Read => {
            "read; a finding warns, unless behaviour.yaml has the law under `confirmed`"
        }
    }
}

/// Every check and law, one line each.
pub fn index() -> String {
    let mut text = String::from("Checks:\n");
    for check in checks::ALL {
        let _ = writeln!(text, "  {:<24} {}", check.id, check.doc);
    }
    text.push_str("\nLaws:\n");
    for law in laws::ALL {
        let _ = writeln!(text, "  {:<24} {}", law.id, law.doc);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_and_law_is_explained() {
        let index = index();
        for id in checks::ALL
            .iter()
            .map(|item| item.id)
            .chain(laws::ALL.iter().map(|item| item.id))
        {
            let text = explain(id).unwrap_or_default();
            assert_eq!(explain(&format!("laws/{id}/any_operation")), explain(id));
            assert!(
                text.contains(id) && index.contains(&format!("  {id} ")),
                "{id}"
            );
        }
        assert_eq!(explain("nothing"), None);
    }
}
