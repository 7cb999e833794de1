//! Contradictions: names in a behaviour file that neither the file nor the document has.

mod unknown_name;
mod unknown_operation;
mod unknown_property;
mod unlisted_value;

use super::Behaviour;
use crate::diagnostic::Diagnostics;
use crate::view::Document;

pub use unknown_name::RULE as UNKNOWN_NAME;
pub use unknown_operation::RULE as UNKNOWN_OPERATION;
pub use unknown_property::RULE as UNKNOWN_PROPERTY;
pub use unknown_property::{property, schema};
pub use unlisted_value::RULE as UNLISTED_VALUE;

/// A behaviour file and its document.
struct Subject<'d> {
    behaviour: &'d Behaviour,
    document: &'d Document,
}

/// Finds every contradiction, in the order of the source.
pub fn check(document: &Document, behaviour: &Behaviour) -> Diagnostics {
    let mut found = Diagnostics::default();
    for find in [
        unknown_name,
        unknown_operation,
        unknown_property,
        unlisted_value,
    ] {
        find(document, behaviour, &mut found);
    }
    found.sort();
    found
}

/// Reports actors, machines, states and events that the file uses but does not declare.
pub fn unknown_name(document: &Document, behaviour: &Behaviour, found: &mut Diagnostics) {
    unknown_name::find_all(&Subject::new(document, behaviour), found);
}

/// Reports operations that the document does not have.
pub fn unknown_operation(document: &Document, behaviour: &Behaviour, found: &mut Diagnostics) {
    unknown_operation::find_all(&Subject::new(document, behaviour), found);
}

/// Reports schemas and properties that the document does not have.
pub fn unknown_property(document: &Document, behaviour: &Behaviour, found: &mut Diagnostics) {
    unknown_property::find_all(&Subject::new(document, behaviour), found);
}

/// Reports state values that the document does not list.
pub fn unlisted_value(document: &Document, behaviour: &Behaviour, found: &mut Diagnostics) {
    unlisted_value::find_all(&Subject::new(document, behaviour), found);
}

impl<'d> Subject<'d> {
    fn new(document: &'d Document, behaviour: &'d Behaviour) -> Self {
        Self {
            behaviour,
            document,
        }
    }
}
