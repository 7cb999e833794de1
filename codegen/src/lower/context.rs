//! Words that name a place in the document that has no name.

use std::collections::HashSet;

use openapi_document::node::Node;
use openapi_document::pointer::Pointer;
use openapi_document::view::{Document, Method};

/// The words for the schema at a pointer, from the outside in.
pub(super) fn words(document: &Document, pointer: &Pointer) -> Vec<String> {
    let decoded: Vec<_> = pointer.segments().collect();
    let segments: Vec<&str> = decoded.iter().map(AsRef::as_ref).collect();
    match segments.as_slice() {
        ["components", "schemas", name, rest @ ..] => {
            let mut words = vec![(*name).to_owned()];
            let schema = document.lookup(&["components", "schemas", name].into_iter().collect());
            inside(schema.map(|schema| schema.node), rest, &mut words);
            words
        }
        ["paths", _, _, "callbacks", name, _, _, ..] => {
            in_operation(document, &segments, 7, (*name).to_owned())
        }
        ["paths", path, "additionalOperations", method, ..] => {
            let word = operation_word(document, path, method);
            in_operation(document, &segments, 4, word)
        }
        ["paths", path, method, ..] => {
            let word = operation_word(document, path, method);
            in_operation(document, &segments, 3, word)
        }
        ["webhooks", name, _, ..] => in_operation(document, &segments, 3, (*name).to_owned()),
        ["components", "callbacks", name, _, _, ..] => {
            in_operation(document, &segments, 5, (*name).to_owned())
        }
        ["components", "pathItems", name, _, ..] => {
            in_operation(document, &segments, 4, (*name).to_owned())
        }
        ["components", _, name, rest @ ..] => {
            let mut words = vec![(*name).to_owned()];
            inside(None, after_schema(rest), &mut words);
            words
        }
        _ => vec!["Inline".to_owned()],
    }
}

/// The name of an operation: its id, or its method and path.
pub(super) fn operation_word(document: &Document, path: &str, method: &str) -> String {
    let at = |segments: &[&str]| document.lookup(&segments.iter().copied().collect());
    let operation = at(&["paths", path, method]);
    let operation = operation.or_else(|| at(&["paths", path, "additionalOperations", method]));
    let id = operation
        .and_then(|operation| operation.node.get("operationId")?.as_str())
        .filter(|id| !id.is_empty());
    id.map_or_else(|| spelled(method, path), str::to_owned)
}

/// `get_pets_by_id` for `GET /pets/{id}`.
pub(crate) fn spelled(method: &str, path: &str) -> String {
    let mut words = vec![method.to_lowercase()];
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        let name = segment.strip_prefix('{').and_then(|s| s.strip_suffix('}'));
        words.push(name.map_or_else(|| segment.to_owned(), |name| format!("by_{name}")));
    }
    words.join("_")
}

/// The words within an operation, the method of which is the last of the first segments.
fn in_operation(document: &Document, segments: &[&str], first: usize, word: String) -> Vec<String> {
    let mut words = vec![word];
    let (operation, rest) = segments.split_at(first);
    let is_method = operation
        .last()
        .is_some_and(|method| Method::parse(method).is_some() || is_additional(operation));
    if is_method {
        let within = |length: usize| -> Option<&Node> {
            let pointer: Pointer = segments.iter().take(first + length).copied().collect();
            Some(document.lookup(&pointer)?.node)
        };
        match rest {
            ["requestBody", ..] => words.push("Request".to_owned()),
            ["responses", status, "headers", name, ..] => {
                words.push(status_word(within(1), status));
                words.push((*name).to_owned());
            }
            ["responses", status, ..] => words.push(status_word(within(1), status)),
            ["parameters", ..] => {
                let name = within(2).and_then(|parameter| parameter.get("name")?.as_str());
                words.push(name.unwrap_or("Parameter").to_owned());
            }
            _ => {}
        }
    }
    inside(None, after_schema(rest), &mut words);
    words
}

/// Whether the last of some segments is a method of `additionalOperations`.
fn is_additional(segments: &[&str]) -> bool {
    matches!(segments, [.., "additionalOperations", _])
}

/// `Response` for the only success, else a word for the status.
fn status_word(responses: Option<&Node>, status: &str) -> String {
    let successes = responses
        .into_iter()
        .flat_map(Node::entries)
        .filter(|entry| entry.key.starts_with('2'))
        .count();
    if status.starts_with('2') && successes == 1 {
        return "Response".to_owned();
    }
    status_name(status)
}

/// A word for the key of a response.
pub(crate) fn status_name(status: &str) -> String {
    let code = status.parse().ok().and_then(reason);
    match (code, status) {
        (Some(word), _) => word.to_owned(),
        (None, "default") => "Default".to_owned(),
        (None, "1XX") => "Informational".to_owned(),
        (None, "2XX") => "Success".to_owned(),
        (None, "3XX") => "Redirection".to_owned(),
        (None, "4XX") => "ClientError".to_owned(),
        (None, "5XX") => "ServerError".to_owned(),
        (None, other) => format!("Status{other}"),
    }
}

fn reason(code: u16) -> Option<&'static str> {
    Some(match code {
        100 => "Continue",
        101 => "SwitchingProtocols",
        200 => "Ok",
        201 => "Created",
        202 => "Accepted",
        203 => "NonAuthoritativeInformation",
        204 => "NoContent",
        205 => "ResetContent",
        206 => "PartialContent",
        207 => "MultiStatus",
        300 => "MultipleChoices",
        301 => "MovedPermanently",
        302 => "Found",
        303 => "SeeOther",
        304 => "NotModified",
        307 => "TemporaryRedirect",
        308 => "PermanentRedirect",
        400 => "BadRequest",
        401 => "Unauthorized",
        402 => "PaymentRequired",
        403 => "Forbidden",
        404 => "NotFound",
        405 => "MethodNotAllowed",
        406 => "NotAcceptable",
        408 => "RequestTimeout",
        409 => "Conflict",
        410 => "Gone",
        411 => "LengthRequired",
        412 => "PreconditionFailed",
        413 => "ContentTooLarge",
        415 => "UnsupportedMediaType",
        416 => "RangeNotSatisfiable",
        417 => "ExpectationFailed",
        418 => "ImATeapot",
        422 => "UnprocessableContent",
        423 => "Locked",
        424 => "FailedDependency",
        425 => "TooEarly",
        426 => "UpgradeRequired",
        428 => "PreconditionRequired",
        429 => "TooManyRequests",
        431 => "RequestHeaderFieldsTooLarge",
        451 => "UnavailableForLegalReasons",
        500 => "InternalServerError",
        501 => "NotImplemented",
        502 => "BadGateway",
        503 => "ServiceUnavailable",
        504 => "GatewayTimeout",
        507 => "InsufficientStorage",
        _ => return None,
    })
}

fn after_schema<'s>(segments: &'s [&'s str]) -> &'s [&'s str] {
    let schema = segments.iter().position(|segment| *segment == "schema");
    schema.map_or(&[], |index| &segments[index + 1..])
}

/// The words for the way from a schema to one within it.
fn inside(schema: Option<&Node>, segments: &[&str], words: &mut Vec<String>) {
    let child = |path: &[&str]| path.iter().try_fold(schema?, |node, key| node.child(key));
    match segments {
        [] => {}
        ["properties", name, rest @ ..] => {
            words.push((*name).to_owned());
            inside(child(&segments[..2]), rest, words);
        }
        ["items", rest @ ..] => {
            match words.last().and_then(|word| singular(word)) {
                Some(word) if words.len() > 1 => {
                    words.pop();
                    words.push(word);
                }
                _ => words.push("Item".to_owned()),
            }
            inside(child(&segments[..1]), rest, words);
        }
        ["additionalProperties", rest @ ..] => {
            words.push("Value".to_owned());
            inside(child(&segments[..1]), rest, words);
        }
        ["allOf", _, rest @ ..] => inside(child(&segments[..2]), rest, words),
        ["oneOf" | "anyOf", index, rest @ ..] => {
            let branch = child(&segments[..2]);
            let title = branch.and_then(|branch| {
                let title = branch.get("title").and_then(Node::as_str);
                title.or_else(|| telling_value(branch))
            });
            let number = index.parse::<usize>().map_or(1, |index| index + 1);
            words.push(title.map_or_else(|| format!("Variant{number}"), str::to_owned));
            inside(branch, rest, words);
        }
        [_, rest @ ..] => inside(None, rest, words),
    }
}

/// The only value that a schema, or else a required property of it, can have.
pub(super) fn telling_value(schema: &Node) -> Option<&str> {
    one_value(schema).or_else(|| {
        let required: HashSet<&str> = schema.get("required")?.strings().collect();
        let mut properties: Vec<_> = schema.get("properties")?.entries().collect();
        properties.sort_by(|a, b| a.key.cmp(&b.key));
        let mut properties = properties
            .into_iter()
            .filter(|property| required.contains(property.key.as_str()));
        properties.find_map(|property| one_value(&property.value))
    })
}

fn one_value(schema: &Node) -> Option<&str> {
    match schema.get("enum").and_then(Node::as_sequence) {
        Some([value]) => value.as_str(),
        _ => schema.get("const")?.as_str(),
    }
}

fn singular(word: &str) -> Option<String> {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return Some(format!("{stem}y"));
    }
    let stem = word.strip_suffix('s')?;
    let plural = stem.len() > 1 && !stem.ends_with(['s', 'u', 'i']);
    plural.then(|| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plural_words_lose_their_ending() {
        for (plural, one) in [
            ("refunds", Some("refund")),
            ("cryptoCurrencies", Some("cryptoCurrency")),
            ("address", None),
            ("status", None),
            ("data", None),
        ] {
            assert_eq!(singular(plural).as_deref(), one, "{plural}");
        }
    }

    #[test]
    fn operations_without_an_id_are_called_by_method_and_path() {
        assert_eq!(
            spelled("GET", "/pets/{petId}/tags"),
            "get_pets_by_petId_tags"
        );
        assert_eq!(spelled("GET", "/"), "get");
    }
}
