//! Codes: what tells of the cause of a refusal.

use openapi_document::Node;

use crate::names;

/// Whether a name is that of a code.
pub(crate) fn names_code(name: &str) -> bool {
    names::words(name).last().is_some_and(|own| own == "code")
}

/// The code of a refusal: in its body, or in the one object that tells of it.
pub(crate) fn code_of<'b>(body: &'b Node) -> Option<&'b str> {
    let objects = std::iter::once(body).chain(body.entries().map(|own| &own.value));
    let own = |node: &'b Node| {
        node.entries()
            .find(|own| names_code(&own.key))?
            .value
            .as_str()
    };
    let mut found = objects.filter_map(own);
    found.next().filter(|_| found.next().is_none())
}
