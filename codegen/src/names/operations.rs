//! Names of operations and of what belongs to them.

use super::identifier;
use super::scope::{Scope, distinct};
use crate::ir::{Area, Content, Encoding, Location, Operation, Response};
use crate::lower::{spelled, status_name};

/// The identifiers of an operation.
#[derive(Debug)]
pub struct OperationNames {
    /// Its method; unique in the area.
    pub method: String,
    /// What its types begin with; unique in the whole crate.
    pub name: String,
    /// By parameter.
    pub parameters: Vec<String>,
    /// By response: the word for its status.
    pub responses: Vec<String>,
    /// By response and body: the variant. A response without a body has one, too.
    pub cases: Vec<Vec<String>>,
    /// By request body, where there are several: the variant.
    pub bodies: Vec<String>,
    /// By response: its headers.
    pub headers: Vec<Vec<String>>,
    /// By response: the methods of its links; unique in the operation.
    pub links: Vec<Vec<String>>,
}

impl OperationNames {
    /// The static that describes the operation.
    pub fn constant(&self) -> String {
        self.method.to_uppercase()
    }

    /// The static with the fields of its form.
    pub fn form_constant(&self) -> String {
        format!("{}_FORM", self.constant())
    }

    /// The struct with the headers of a response.
    pub fn headers_name(&self, response: usize) -> String {
        format!("{}{}Headers", self.name, self.responses[response])
    }
}

/// What the names of an operation's types end in.
const ENDINGS: &[&str] = &[
    "",
    "Body",
    "Error",
    "Parameters",
    "Response",
    "Stream",
    "Success",
];

/// Names that the methods of an operation must not have.
const METHODS: &[&str] = &["clone", "fmt", "new", "ready", "router", "routes"];

/// Methods that every request has: a parameter's own must be called otherwise.
const SETTERS: &[&str] = &[
    "bytes",
    "check",
    "check_by",
    "form",
    "header",
    "into_future",
    "items",
    "json",
    "linked",
    "multipart",
    "new",
    "own_server",
    "pages",
    "parameters",
    "parameters_mut",
    "place",
    "repeatable",
    "request_id",
    "retries",
    "seal",
    "server",
    "stream",
    "timeout",
    "to",
];

/// The names of the operations of an area.
pub(super) fn assign(area: &Area, all: &mut Scope) -> Vec<OperationNames> {
    let texts: Vec<String> = area
        .operations
        .iter()
        .map(|operation| {
            let spelled = || spelled(operation.method.as_str(), &operation.path);
            operation.id.clone().unwrap_or_else(spelled)
        })
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let with_forms = area.operations.iter().zip(&texts);
    let with_forms = with_forms.filter(|(operation, _)| has_form(operation));
    let forms: Vec<String> = with_forms
        .map(|(_, text)| format!("{}_form", identifier::snake(text)))
        .collect();
    let reserved = METHODS
        .iter()
        .copied()
        .chain(forms.iter().map(String::as_str));
    let reserved: Vec<&str> = reserved.collect();
    let methods = distinct(&texts, &reserved, identifier::snake);
    area.operations
        .iter()
        .zip(texts.iter().zip(methods))
        .map(|(operation, (text, method))| OperationNames {
            method,
            name: all.take_all(&identifier::camel(text), ENDINGS),
            parameters: parameters(operation),
            cases: cases(operation),
            bodies: bodies(operation),
            responses: responses(operation),
            headers: headers(operation),
            links: links(operation),
        })
        .collect()
}

/// Whether an operation has a static with the fields of its form.
fn has_form(operation: &Operation) -> bool {
    let mut contents = operation.body.iter().flat_map(|body| &body.contents);
    contents.any(|content| !content.fields.is_empty())
}

/// The names of the parameters. A header or cookie with the name of another one gets its place,
/// too.
fn parameters(operation: &Operation) -> Vec<String> {
    let own = |location: Location, wire: &str| {
        let twice = operation
            .parameters
            .iter()
            .filter(|other| identifier::snake(&other.wire) == identifier::snake(wire))
            .any(|other| other.location != location);
        match location {
            Location::Header | Location::Cookie if twice => format!("{wire}-{}", location.as_str()),
            _ if SETTERS.contains(&identifier::snake(wire).as_str()) => format!("{wire}-parameter"),
            _ => wire.to_owned(),
        }
    };
    let wires: Vec<String> = operation
        .parameters
        .iter()
        .map(|parameter| own(parameter.location, &parameter.wire))
        .collect();
    let wires: Vec<&str> = wires.iter().map(String::as_str).collect();
    distinct(&wires, &["address", "body"], identifier::snake)
}

fn responses(operation: &Operation) -> Vec<String> {
    let words: Vec<String> = operation
        .responses
        .iter()
        .map(|response| status_name(&response.status.to_string()))
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    distinct(&words, &[], identifier::camel)
}

/// The word for a status; where it has several bodies, with a word for each.
fn cases(operation: &Operation) -> Vec<Vec<String>> {
    let mut scope = Scope::with(&["Other", "Self"]);
    let of = |(response, word): (&Response, String)| match response.contents.as_slice() {
        [] | [_] => vec![scope.take(&word)],
        several => {
            let variant = |content| scope.take(&format!("{word}{}", media_word(content)));
            several.iter().map(variant).collect()
        }
    };
    let words = responses(operation);
    operation.responses.iter().zip(words).map(of).collect()
}

fn bodies(operation: &Operation) -> Vec<String> {
    let mut scope = Scope::with(&["Self"]);
    let contents = operation.body.iter().flat_map(|body| &body.contents);
    contents
        .map(|content| scope.take(&media_word(content)))
        .collect()
}

/// A word for a media type.
fn media_word(content: &Content) -> String {
    let essence = content.media_type.split(';').next().unwrap_or_default();
    let known = match (content.encoding, essence.trim()) {
        (Encoding::Json, "application/json" | "*/*") => "Json",
        (Encoding::Form, _) => "Form",
        (Encoding::Multipart, _) => "Multipart",
        (Encoding::Text, "text/plain" | "text/*") => "Text",
        (Encoding::Bytes, "application/octet-stream" | "*/*") => "Bytes",
        (_, other) => return identifier::camel(other.rsplit('/').next().unwrap_or(other)),
    };
    known.to_owned()
}

fn headers(operation: &Operation) -> Vec<Vec<String>> {
    let of = |response: &Response| {
        let wires: Vec<&str> = response
            .headers
            .iter()
            .map(|header| header.wire.as_str())
            .collect();
        distinct(&wires, &[], identifier::snake)
    };
    operation.responses.iter().map(of).collect()
}

/// Methods that every linked answer has.
const LINKED: &[&str] = &["fmt", "follow"];

fn links(operation: &Operation) -> Vec<Vec<String>> {
    let mut scope = Scope::with(LINKED);
    let of = |response: &Response| {
        let links = response.links.iter();
        links
            .map(|link| scope.take(&identifier::snake(&link.name)))
            .collect()
    };
    operation.responses.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::SETTERS;

    /// The methods of requests in a text of the runtime.
    fn methods(text: &str, found: &mut BTreeSet<String>) {
        let block = regex::Regex::new(r"(?ms)^impl<[^>]*> Request<O> \{\n(.*?)^\}").unwrap();
        let method = regex::Regex::new(r"(?m)^    pub(?:\([a-z]+\))? (?:async )?fn (\w+)").unwrap();
        for block in block.captures_iter(text) {
            let names = method.captures_iter(&block[1]);
            found.extend(names.map(|name| name[1].to_owned()));
        }
    }

    #[test]
    fn no_parameter_is_called_like_a_method_of_requests() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/src/client");
        let mut found = BTreeSet::from(["into_future".to_owned()]);
        for entry in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            methods(&text, &mut found);
        }
        let found: BTreeSet<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, SETTERS.iter().copied().collect());
    }
}
