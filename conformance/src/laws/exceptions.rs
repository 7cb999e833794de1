//! Exceptions: what the behaviour file says that a server is not asked for, though the document suggests it.

use openapi_document::Behaviour;
use openapi_document::behaviour::{Exception, Word};
use openapi_document::diagnostic::{Diagnostic, Diagnostics};
use openapi_document::spelling::nearest;

use super::ALL;
use crate::checks::{self, Check};

/// Whether a law is not tried on an operation.
pub(crate) fn omit(behaviour: &Behaviour, law: &str, operation: &str) -> bool {
    let mut all = behaviour.exceptions.iter();
    all.any(|own| own.check.is_none() && is_about(own, law, operation))
}

/// Whether what a check finds in a law's case is none of the server's mistakes.
pub(crate) fn excuse(behaviour: &Behaviour, case: (&str, &str), check: &Check) -> bool {
    let (law, operation) = case;
    let mut all = behaviour.exceptions.iter();
    all.any(|own| {
        let named = own.check.as_ref();
        named.is_some_and(|word| word.text == check.id) && is_about(own, law, operation)
    })
}

fn is_about(exception: &Exception, law: &str, operation: &str) -> bool {
    exception.law.as_ref().is_none_or(|own| own.text == law) && exception.covers(operation)
}

/// Laws and checks that exceptions name and that are not there.
pub(crate) fn unknown(behaviour: &Behaviour) -> Diagnostics {
    let mut found = Diagnostics::default();
    let laws: Vec<&str> = ALL.iter().map(|own| own.id).collect();
    let checks: Vec<&str> = checks::ALL.iter().map(|own| own.id).collect();
    for own in &behaviour.exceptions {
        find("law", own.law.as_ref(), &laws, &mut found);
        find("check", own.check.as_ref(), &checks, &mut found);
    }
    found
}

fn find(kind: &str, word: Option<&Word>, ids: &[&str], found: &mut Diagnostics) {
    let Some(Word { text, span }) = word.filter(|own| !ids.contains(&own.text.as_str())) else {
        return;
    };
    let finding = Diagnostic::error(
        "behaviour-unknown-exception",
        format!("there is no {kind} `{text}`"),
    );
    let help = nearest(text, ids.iter().copied()).map_or_else(
        || "`conformance explain` names all of them".to_owned(),
        |id| format!("did you mean `{id}`?"),
    );
    found.push(finding.at(*span, "").help(help));
}
