//! What a generation may have to say of a document, so that it can be looked up.

use openapi_document::Severity;

/// A rule: one kind of diagnostic.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its name in kebab-case; kept for ever.
    pub id: &'static str,
    /// A warning when the code omits something or expresses it less strictly; information when that
    /// is common and harmless; else an error.
    pub severity: Severity,
    /// The problem and its effect on the generated code, in one sentence.
    pub summary: &'static str,
}

const fn warning(id: &'static str, summary: &'static str) -> Rule {
    Rule {
        id,
        severity: Severity::Warning,
        summary,
    }
}

const fn info(id: &'static str, summary: &'static str) -> Rule {
    Rule {
        id,
        severity: Severity::Info,
        summary,
    }
}

const fn error(id: &'static str, summary: &'static str) -> Rule {
    Rule {
        id,
        severity: Severity::Error,
        summary,
    }
}

/// All of them, in the order of their names.
pub const RULES: &[Rule] = &[
    info(
        "alike-alternatives",
        "Alternatives of `oneOf` are alike: a value that fits several is taken",
    ),
    warning(
        "alternative-without-tag",
        "An alternative has no value of the discriminator; it is told by its shape",
    ),
    warning(
        "callback-not-expressed",
        "A callback of a callback is left out",
    ),
    warning(
        "contradicting-types",
        "Parts of one schema ask for types that no value has together",
    ),
    warning(
        "discriminator-without-alternatives",
        "A discriminator stands where there is nothing to choose from, and is passed over",
    ),
    warning(
        "endless-alternatives",
        "Alternatives lead back to themselves, so any value is taken",
    ),
    warning(
        "enum-value-not-text",
        "A value of an enumeration is not a text like the others and is left out",
    ),
    warning(
        "events-in-request",
        "Only servers send events; the body of a request is taken as text",
    ),
    warning(
        "example-breaks-constraint",
        "An example breaks a constraint of its own schema, and no test is made of it",
    ),
    warning(
        "example-not-held",
        "The generated type cannot hold an example, and no test is made of it",
    ),
    warning(
        "header-taken-as-text",
        "A header of an answer is described by a media type, and is taken as text",
    ),
    warning(
        "keyword-not-expressed",
        "A keyword cannot be checked: more values are taken than it allows",
    ),
    warning(
        "link-body-not-json",
        "A link fills a body that is not JSON, and is left out",
    ),
    warning(
        "link-expression-not-valid",
        "A link has an expression that cannot be read, and is left out",
    ),
    warning(
        "link-on-refusal",
        "A link of a refusal is left out: it has no answer to be made from",
    ),
    warning(
        "link-outside-document",
        "A link leads out of the document, and is left out",
    ),
    warning(
        "link-parameter-unknown",
        "A link fills a parameter that its operation does not have, and is left out",
    ),
    warning(
        "link-target-unknown",
        "A link leads to no operation of the document, and is left out",
    ),
    warning(
        "link-to-other-server",
        "A link leads to another server, and is left out",
    ),
    warning(
        "media-type-left-out",
        "Of several media types that are alike, one is generated",
    ),
    warning(
        "media-type-not-valid",
        "A key of `content` is no media type, and is left out",
    ),
    warning(
        "multipart-alternatives",
        "The body of several parts is one of alternatives, and is taken as bytes",
    ),
    warning(
        "nested-too-deep",
        "Schemas are nested too deep to be followed, so any value is taken",
    ),
    warning(
        "pagination-not-understood",
        "`x-pagination` does not say how a list is divided, and no stream is made of it",
    ),
    warning(
        "parameter-nested",
        "A parameter is nested deeper than its style can say",
    ),
    warning(
        "parameter-taken-as-text",
        "A parameter has a form without an encoding, and is taken as text",
    ),
    warning(
        "parameter-without-name",
        "A parameter has no name or no place, and is left out",
    ),
    warning(
        "part-encoding-not-applied",
        "A part of a body asks for an encoding that it cannot have",
    ),
    warning(
        "path-not-supported",
        "A path cannot be a route, and its operations are left out",
    ),
    warning(
        "path-parameter-undeclared",
        "A path names a parameter that no parameter object declares; it is taken as text",
    ),
    warning(
        "pattern-not-supported",
        "A pattern cannot be expressed and is not checked",
    ),
    warning(
        "required-undeclared",
        "`required` names a property that is not declared; it may be any value",
    ),
    warning(
        "schema-of-itself",
        "A schema is made of nothing but itself, so any value is taken",
    ),
    warning(
        "security-scheme-not-supported",
        "A security scheme cannot be sent, and is left to the caller",
    ),
    warning(
        "several-alternatives",
        "A schema has more than one list of alternatives; one of them is expressed",
    ),
    warning(
        "too-many-combinations",
        "Schemas are combined too many times, so any value is taken",
    ),
    error(
        "too-many-properties",
        "An object has more properties than a type can hold",
    ),
    warning(
        "too-many-values",
        "An enumeration has too many values to be a type, and any value is taken",
    ),
    info(
        "type-inferred",
        "A schema has properties and no `type`: its type holds other values, too, and requires no property",
    ),
    warning(
        "unknown-style",
        "There is no such style; the usual one is taken",
    ),
    warning("unknown-type", "There is no such type; any value is taken"),
    error(
        "version-not-supported",
        "Bindings are made of OpenAPI 3.0 to 3.2 only",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Rules of the linter, which a generation repeats.
    const OF_LINT: [&str; 1] = ["unresolved-reference"];

    /// The ids in the files of a folder: each stands before the place and the words.
    fn said(folder: &Path, id: &regex::Regex, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                said(&path, id, found);
            } else {
                let text = std::fs::read_to_string(path).unwrap();
                found.extend(id.captures_iter(&text).map(|own| own[1].to_owned()));
            }
        }
    }

    #[test]
    fn whatever_is_said_can_be_looked_up() {
        let mut found = BTreeSet::new();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lower");
        let id = regex::Regex::new(r#"[(\n]\s*"([a-z]+(?:-[a-z]+)+)",\s"#).unwrap();
        said(&source, &id, &mut found);
        let found: BTreeSet<&str> = found
            .iter()
            .map(String::as_str)
            .filter(|id| {
                !OF_LINT.contains(id) && !id.contains("idempotency") && !id.starts_with("x-")
            })
            .collect();
        let listed: BTreeSet<&str> = RULES.iter().map(|rule| rule.id).collect();
        assert_eq!(found, listed);
        assert!(RULES.is_sorted_by_key(|rule| rule.id));
    }
}
