//! Readings: the laws and checks that entries of the behaviour file name.

use openapi_document::Behaviour;
use openapi_document::behaviour::Word;
use openapi_document::diagnostic::{Diagnostic, Diagnostics};
use openapi_document::spelling::nearest;

use super::ALL;
use crate::checks;

/// Laws and checks that entries name and that are not there.
pub(crate) fn unknown(behaviour: &Behaviour) -> Diagnostics {
    let mut found = Diagnostics::default();
    let laws: Vec<&str> = ALL.iter().map(|own| own.id).collect();
    let checks: Vec<&str> = checks::ALL.iter().map(|own| own.id).collect();
    for reading in behaviour.confirmed.iter().chain(&behaviour.exceptions) {
        find("law", reading.law.as_ref(), &laws, &mut found);
        find("check", reading.check.as_ref(), &checks, &mut found);
    }
    found
}

fn find(kind: &str, word: Option<&Word>, ids: &[&str], found: &mut Diagnostics) {
    let Some(Word { text, span }) = word.filter(|own| !ids.contains(&own.text.as_str())) else {
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
