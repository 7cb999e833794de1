//! Readings: checks the names of laws and checks in the behaviour file.

use openapi_document::Behaviour;
use openapi_document::behaviour::Word;
use openapi_document::diagnostic::{Diagnostic, Diagnostics};
use openapi_document::spelling::nearest;

use super::ALL;
use crate::checks;
use crate::trials;

/// Errors for laws and checks that do not exist, and for exceptions that facts replaced.
pub(crate) fn unknown(behaviour: &Behaviour) -> Diagnostics {
    let mut found = Diagnostics::default();
    let laws: Vec<&str> = ALL.iter().map(|item| item.id).collect();
    let checks: Vec<&str> = checks::ALL.iter().map(|item| item.id).collect();
    for reading in behaviour.confirmed.iter().chain(&behaviour.exceptions) {
        find("law", reading.law.as_ref(), &laws, &mut found);
        find("check", reading.check.as_ref(), &checks, &mut found);
    }
    found.extend(replaced(behaviour));
    found
}

/// Errors for exceptions of laws that test facts, in version 2: a rejected fact replaces them.
fn replaced(behaviour: &Behaviour) -> Diagnostics {
    let version = behaviour.version.as_ref();
    let is_second = version.is_some_and(|version| version.text.starts_with("2."));
    let mut found = Diagnostics::default();
    for exception in behaviour.exceptions.iter().filter(|_| is_second) {
        let Some(law) = &exception.law else { continue };
        let kinds = trials::tested_by(&law.text).join("` or `");
        if kinds.is_empty() {
            continue;
        }
        let title = format!("version 2 has no exceptions of the law `{}`", law.text);
        let help = format!(
            "reject the fact of kind `{kinds}` instead: `conformance facts` lists the ids, `conformance facts reject ID` \
             writes the entry"
        );
        found.push(
            Diagnostic::error("behaviour-replaced-exception", title)
                .at(law.span, "")
                .help(help),
        );
    }
    found
}

fn find(kind: &str, word: Option<&Word>, ids: &[&str], found: &mut Diagnostics) {
    let Some(Word { text, span }) = word.filter(|item| !ids.contains(&item.text.as_str())) else {
        return;
    };
    let finding = Diagnostic::error(
        "behaviour-unknown-law",
        format!("there is no {kind} `{text}`"),
    );
    let help = nearest(text, ids.iter().copied()).map_or_else(
        || "`conformance explain` names all of them".to_owned(),
        |id| format!("did you mean `{id}`?"),
    );
    found.push(finding.at(*span, "").help(help));
}
