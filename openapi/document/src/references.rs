//! References that lead nowhere, or back to themselves: such a document can be neither generated from nor
//! certified.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::object::{Object, objects};
use crate::pointer::Pointer;
use crate::view::{Document, Located, ResolveError};

/// The rule of references that lead to nothing.
pub const UNRESOLVED: &str = "unresolved-reference";

/// The rule of chains of references that close.
pub const CYCLIC: &str = "cyclic-reference";

/// The references of a document that lead nowhere or back to themselves, in the order of the source.
pub fn check(document: &Document) -> Diagnostics {
    let objects = objects(&document.root);
    let mut found = broken(document, &objects);
    found.sort();
    found
}

/// The same among objects that were listed before, in their order.
pub fn broken(document: &Document, objects: &[Object<'_>]) -> Diagnostics {
    let mut found = Diagnostics::default();
    for object in objects.iter().filter(|object| object.is_reference()) {
        // Where the chain begins makes no difference to its end.
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
