//! Finds the code of a refusal, which names its cause.

use openapi_document::Node;

use crate::names;

/// Whether a property name is the name of a code: its last word is `code`.
pub(crate) fn names_code(name: &str) -> bool {
    names::words(name).last().is_some_and(|word| word == "code")
}

/// The code in the body of a refusal, or in an object directly below it.
pub(crate) fn code_of<'b>(body: &'b Node) -> Option<&'b str> {
    let objects = std::iter::once(body).chain(body.entries().map(|entry| &entry.value));
    let code_in = |node: &'b Node| {
        node.entries()
            .find(|entry| names_code(&entry.key))?
            .value
            .as_str()
    };
    let mut found = objects.filter_map(code_in);
    found.next().filter(|_| found.next().is_none())
}
