//! References: finds references that lead nowhere or form a cycle, which make a document unusable.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::object::{Object, objects};
use crate::pointer::Pointer;
use crate::view::{Document, Located, ResolveError};

/// The rule id for a reference without a target.
pub const UNRESOLVED: &str = "unresolved-reference";

/// The rule id for a cycle of references.
pub const CYCLIC: &str = "cyclic-reference";

/// The broken references of a document, in source order.
pub fn check(document: &Document) -> Diagnostics {
    let objects = objects(&document.root);
    let mut found = broken(document, &objects);
    found.sort();
    found
}

/// Like [`check`], for objects that were already listed. The findings follow the order of the list.
pub fn broken(document: &Document, objects: &[Object<'_>]) -> Diagnostics {
    let mut found = Diagnostics::default();
    for object in objects.iter().filter(|object| object.is_reference()) {
        // The start of the chain does not change its end, so any pointer will do.
        let pointer = Pointer::root();
        let start = Located {
            node: object.node,
            pointer,
        };
        let Some(error) = document.resolve(&start).err() else {
            continue;
        };
        found.push(match error {
            ResolveError::Nowhere { reference, span } => {
                Diagnostic::error(UNRESOLVED, format!("`{reference}` leads nowhere"))
                    .at(span, "nothing is there")
                    .help("check the spelling, and that the definition is there")
            }
            ResolveError::Cycle { reference, span } => {
                Diagnostic::error(CYCLIC, format!("`{reference}` leads back to itself"))
                    .at(span, "the chain closes here")
                    .help("one definition of the chain has to be more than a `$ref`")
            }
        });
    }
    found
}
