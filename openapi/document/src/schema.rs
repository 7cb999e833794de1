//! Schema: validates values against the schemas of a document.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, Registry, Validator};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use regex::Regex;
use serde_json::json;

use crate::json_schema;
use crate::node::Node;
use crate::pointer::Pointer;
use crate::view::{Document, Located};

/// The URI of the bundle in the validator.
const BUNDLE: &str = "urn:bundle";

/// The schemas of a document, each compiled on first use.
pub struct Schemas {
    /// The registry that resolves references, or the reason why the bundle cannot be used.
    registry: Result<Registry<'static>, String>,
    compiled: Mutex<HashMap<Pointer, Compiled>>,
}

type Compiled = Result<Arc<Validator>, String>;

/// One way in which a value breaks its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The place in the value. For a missing or forbidden property, the place of that property.
    pub instance: Pointer,
    /// The keyword that is broken, such as `required` or `format`.
    pub keyword: String,
    /// The place of that keyword in the bundle, with references followed.
    pub schema: Pointer,
    /// One sentence that says what is wrong, without the value.
    pub message: String,
}

impl fmt::Debug for Schemas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schemas").finish_non_exhaustive()
    }
}

impl Schemas {
    /// Prepares the schemas of a document, without compiling any.
    pub fn new(document: &Document) -> Self {
        let lowered = json_schema::lower(&document.root);
        let resource = Draft::Draft202012.create_resource(lowered);
        let registry = Registry::new()
            .add(BUNDLE, resource)
            .and_then(jsonschema::RegistryBuilder::prepare)
            .map_err(|error| error.to_string());
        Self {
            registry,
            compiled: Mutex::default(),
        }
    }

    /// All violations of the schema at a place of the document.
    ///
    /// # Errors
    /// The schema cannot be compiled; the text says why.
    pub fn validate(&self, schema: &Located<'_>, value: &Node) -> Result<Vec<Violation>, String> {
        let validator = self.validator(&schema.pointer)?;
        let value = value.to_serde();
        Ok(validator
            .iter_errors(&value)
            .flat_map(|error| violations(&error))
            .collect())
    }

    fn validator(&self, pointer: &Pointer) -> Compiled {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = compiled.get(pointer) {
            return known.clone();
        }
        let fresh = self.compile(pointer);
        compiled.insert(pointer.clone(), fresh.clone());
        fresh
    }

    fn compile(&self, pointer: &Pointer) -> Compiled {
        let fragment = encode_fragment(&pointer.to_string());
        jsonschema::options()
            // This draft applies only to the reference itself; its target has the draft of the
            // bundle. The meta-schema of draft 7 is the fastest to compile.
            .with_draft(Draft::Draft7)
            .with_registry(self.registry.as_ref().map_err(Clone::clone)?)
            .should_validate_formats(true)
            .should_ignore_unknown_formats(true)
            .with_format("decimal", is_decimal)
            .with_format("uuid", is_uuid)
            .build(&json!({ "$ref": format!("{BUNDLE}#{fragment}") }))
            .map(Arc::new)
            .map_err(|error| error.to_string())
    }
}

fn violations(error: &jsonschema::ValidationError<'_>) -> Vec<Violation> {
    let instance = Pointer::parse(error.instance_path().as_str()).unwrap_or_default();
    let location = error.absolute_keyword_location().map(ToString::to_string);
    let schema = location
        .and_then(|uri| Pointer::parse_fragment(uri.split_once('#')?.1))
        .unwrap_or_default();
    let violation = |instance: Pointer, message: String| Violation {
        instance,
        keyword: error.kind().keyword().to_owned(),
        schema: schema.clone(),
        message,
    };
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![violation(
                instance.join(name),
                format!("`{name}` is required"),
            )]
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected
            .iter()
            .map(|name| violation(instance.join(name), format!("`{name}` is not allowed here")))
            .collect(),
        _ => vec![violation(
            instance,
            error.masked_with("the value").to_string(),
        )],
    }
}

/// A pointer as the fragment of a URI.
fn encode_fragment(pointer: &str) -> String {
    const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'~');
    utf8_percent_encode(pointer, ESCAPED).to_string()
}

/// Whether a text is a decimal number: an optional `-`, no leading zeros, no exponent.
fn is_decimal(text: &str) -> bool {
    static DECIMAL: OnceLock<Option<Regex>> = OnceLock::new();
    let grammar = DECIMAL.get_or_init(|| Regex::new(r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$").ok());
    grammar
        .as_ref()
        .is_some_and(|grammar| grammar.is_match(text))
}

/// Whether a text is a hyphenated UUID: `8-4-4-4-12` hexadecimal digits.
fn is_uuid(text: &str) -> bool {
    let groups: Vec<_> = text.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.concat().bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{json, loader};

    const DOCUMENT: &str = r##"{
        "openapi": "3.0.4", "info": {"title": "t", "version": "1"},
        "paths": {"/a/{b}": {"get": {"responses": {"200": {"content": {"application/json": {
            "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}}}}}}}},
        "components": {"schemas": {
            "Thing": {"type": "object", "required": ["id"], "additionalProperties": false,
                "properties": {
                    "id": {"type": "string", "format": "uuid"},
                    "amount": {"type": "string", "format": "decimal"},
                    "parent": {"$ref": "#/components/schemas/Thing"},
                    "count": {"type": "integer", "format": "int32", "nullable": true}}},
            "Broken": {"pattern": "("}}}}"##;

    fn check(pointer: &str, value: &str) -> Result<Vec<(String, String, String)>, String> {
        let document = loader::load_text("t.json", DOCUMENT).unwrap();
        let schemas = Schemas::new(&document);
        let schema = document.lookup(&Pointer::parse(pointer).unwrap()).unwrap();
        let found = schemas.validate(&schema, &json::read_text(value).unwrap())?;
        let plain = |v: Violation| (v.instance.to_string(), v.keyword, v.schema.to_string());
        Ok(found.into_iter().map(plain).collect())
    }

    fn expect(value: &str, instance: &str, keyword: &str, schema: &str) {
        let all = check(
            "/paths/~1a~1{b}/get/responses/200/content/application~1json/schema",
            value,
        );
        let expected = (instance.to_owned(), keyword.to_owned(), schema.to_owned());
        assert_eq!(all.unwrap(), [expected], "{value}");
    }

    #[test]
    fn names_the_broken_keyword_and_where_it_stands() {
        const THING: &str = "/components/schemas/Thing";
        let id = r#""id":"12345678-1234-4234-8234-123456789012""#;
        let in_thing = |rest: &str| format!("{THING}/{rest}");
        expect("[{}]", "/0/id", "required", &in_thing("required"));
        expect(
            r#"[{"id":"x"}]"#,
            "/0/id",
            "format",
            &in_thing("properties/id/format"),
        );
        expect(
            r#"[{"id":"12345678123442348234123456789012"}]"#,
            "/0/id",
            "format",
            &in_thing("properties/id/format"),
        );
        expect(
            &format!("[{{{id},\"x\":1}}]"),
            "/0/x",
            "additionalProperties",
            &in_thing("additionalProperties"),
        );
        expect(
            &format!("[{{{id},\"amount\":1.5}}]"),
            "/0/amount",
            "type",
            &in_thing("properties/amount/type"),
        );
        expect(
            &format!("[{{{id},\"amount\":\"1e3\"}}]"),
            "/0/amount",
            "format",
            &in_thing("properties/amount/format"),
        );
        expect(
            &format!("[{{{id},\"count\":2147483648}}]"),
            "/0/count",
            "maximum",
            &in_thing("properties/count/maximum"),
        );
        expect(
            &format!("[{{{id},\"parent\":{{}}}}]"),
            "/0/parent/id",
            "required",
            &in_thing("required"),
        );
        let good = format!("[{{{id},\"amount\":\"10.00\",\"count\":null}}]");
        let all = check(
            "/paths/~1a~1{b}/get/responses/200/content/application~1json/schema",
            &good,
        );
        assert_eq!(all.unwrap(), []);
    }

    #[test]
    fn keywords_are_those_of_the_newest_draft() {
        let text = r#"{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {},
            "components": {"schemas": {
                "Pair": {"prefixItems": [{"type": "string"}], "unevaluatedItems": false}}}}"#;
        let document = loader::load_text("t.json", text).unwrap();
        let schemas = Schemas::new(&document);
        let pointer = Pointer::parse("/components/schemas/Pair").unwrap();
        let schema = document.lookup(&pointer).unwrap();
        let found = |value: &str| {
            let value = json::read_text(value).unwrap();
            let found = schemas.validate(&schema, &value).unwrap();
            found
                .into_iter()
                .map(|violation| violation.keyword)
                .collect::<Vec<_>>()
        };
        assert_eq!(found(r#"["a"]"#), [""; 0]);
        assert_eq!(found("[1]"), ["type"]);
        assert_eq!(found(r#"["a", 1]"#), ["unevaluatedItems"]);
    }

    #[test]
    fn a_schema_that_cannot_be_compiled_says_so() {
        assert!(check("/components/schemas/Broken", "\"x\"").is_err());
    }
}
