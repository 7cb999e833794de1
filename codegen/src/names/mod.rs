//! Every Rust identifier, decided once.

mod identifier;
mod scope;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Api, Area, Content, Encoding, Location, Operation, Shape, TypeId};
use crate::lower::{spelled, status_name};
use scope::{Scope, distinct};

pub(crate) use identifier::{is_keyword, package};

/// The identifiers of everything in an [`Api`].
#[derive(Debug)]
pub struct Names {
    /// By type.
    pub types: Vec<TypeNames>,
    /// By area.
    pub areas: Vec<AreaNames>,
    /// By security scheme: the constant.
    pub schemes: Vec<String>,
    /// By response of `components`: its headers.
    pub response_headers: BTreeMap<String, String>,
}

/// The identifiers of a type.
#[derive(Debug)]
pub struct TypeNames {
    /// The type.
    pub name: String,
    /// Its fields or variants, in their order.
    pub members: Vec<String>,
    /// The member that holds what has no member of its own: other properties, unknown values.
    pub rest: String,
}

/// The identifiers of an area.
#[derive(Debug)]
pub struct AreaNames {
    /// Its modules.
    pub module: String,
    /// Its trait and its client.
    pub name: String,
    /// By operation.
    pub operations: Vec<OperationNames>,
}

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
}

/// Module names that the crate has beside those of the areas.
pub(crate) const SHARED: &str = "shared";

/// Names that the modules of areas, and what leads to them, must not have.
const MODULES: &[&str] = &[
    SHARED,
    "clone",
    "models",
    "new",
    "operations",
    "routes",
    "router",
    "runtime",
];

/// Names that client and server stubs bring into scope already.
const HANDLES: &[&str] = &[
    "Answer",
    "Arc",
    "Bytes",
    "Call",
    "Client",
    "Connection",
    "Context",
    "Credential",
    "Decimal",
    "Date",
    "Endpoint",
    "Error",
    "Infallible",
    "None",
    "Nullable",
    "Number",
    "Ok",
    "Operation",
    "Option",
    "Outcome",
    "Parameter",
    "Part",
    "Pattern",
    "Refusal",
    "Request",
    "RequestError",
    "Response",
    "Result",
    "Routes",
    "Scheme",
    "Self",
    "Sensitive",
    "Settings",
    "Some",
    "String",
    "Style",
    "Timestamp",
    "Unreadable",
    "Uuid",
    "Validate",
    "Value",
    "Vec",
    "Violations",
    "Box",
    "BTreeMap",
    "Carrier",
    "Default",
    "Send",
    "Sync",
    "Future",
    "From",
    "Into",
    "Copy",
    "Clone",
    "Debug",
    "PartialEq",
    "Serialize",
    "Deserialize",
    "Err",
];

/// What the names of an operation's types end in.
const ENDINGS: &[&str] = &["", "Body", "Error", "Parameters", "Response", "Success"];

/// Names that the methods of an operation must not have.
const METHODS: &[&str] = &["clone", "fmt", "new", "ready", "router", "routes"];

/// Methods that every request has: a parameter's own must be called otherwise.
const SETTERS: &[&str] = &[
    "bytes",
    "form",
    "header",
    "into_future",
    "json",
    "multipart",
    "new",
    "request_id",
    "retries",
    "timeout",
];

/// Settings that every client has: a security scheme's own must be called otherwise.
const SETTINGS: &[&str] = &[
    "clone",
    "connect",
    "credential",
    "http",
    "new",
    "retries",
    "timeout",
];

/// Decides the identifiers of everything.
pub fn assign(api: &Api) -> Names {
    let names = types::assign(&api.types);
    let tags: Vec<&str> = api.areas.iter().map(|area| area.tag.as_str()).collect();
    let modules = distinct(&tags, MODULES, identifier::snake);
    let handles = distinct(&tags, HANDLES, identifier::camel);
    let mut operations = Scope::with(HANDLES);
    for handle in &handles {
        operations.take(handle);
    }
    let areas = api
        .areas
        .iter()
        .zip(modules.into_iter().zip(handles))
        .map(|(area, (module, name))| AreaNames {
            module,
            name,
            operations: area_operations(area, &mut operations),
        })
        .collect();
    let schemes: Vec<&str> = api
        .schemes
        .iter()
        .map(|scheme| scheme.name.as_str())
        .collect();
    Names {
        types: members(api, names),
        areas,
        response_headers: response_headers(api),
        schemes: distinct(&schemes, SETTINGS, identifier::snake)
            .iter()
            .map(|name| name.to_uppercase())
            .collect(),
    }
}

fn response_headers(api: &Api) -> BTreeMap<String, String> {
    let operations = api.areas.iter().flat_map(|area| &area.operations);
    let responses = operations.flat_map(|operation| &operation.responses);
    let components: BTreeSet<&str> = responses
        .filter_map(|response| response.component.as_deref())
        .collect();
    let components: Vec<&str> = components.into_iter().collect();
    let name = |text: &str| format!("{}Headers", identifier::camel(text));
    let names = distinct(&components, &[], name);
    let owned = components.into_iter().map(str::to_owned);
    owned.zip(names).collect()
}

impl Names {
    /// The name of a type.
    pub fn of(&self, id: TypeId) -> &TypeNames {
        &self.types[id.0]
    }
}

fn members(api: &Api, names: Vec<String>) -> Vec<TypeNames> {
    let of = |(name, def): (String, &crate::ir::TypeDef)| {
        let (members, rest) = match &def.shape {
            Shape::Struct(object) | Shape::Parts(object) => {
                let wires: Vec<&str> = object
                    .fields
                    .iter()
                    .map(|field| field.wire.as_str())
                    .collect();
                let members = distinct(&wires, &[], identifier::snake);
                let rest = free(&members, "additional_properties");
                (members, rest)
            }
            Shape::Choice(choice) => {
                let wires: Vec<&str> = choice
                    .values
                    .iter()
                    .map(|value| value.wire.as_str())
                    .collect();
                let members = distinct(&wires, &["Self"], identifier::camel);
                let rest = free(&members, "Unknown");
                (members, rest)
            }
            Shape::Union(union) => {
                let words: Vec<&str> = union
                    .variants
                    .iter()
                    .map(|variant| variant.word.as_str())
                    .collect();
                (
                    distinct(&words, &["Self"], identifier::camel),
                    String::new(),
                )
            }
            Shape::Wrapper(_) => (Vec::new(), String::new()),
        };
        TypeNames {
            name,
            members,
            rest,
        }
    };
    names.into_iter().zip(&api.types).map(of).collect()
}

fn free(members: &[String], name: &str) -> String {
    let mut scope = Scope::default();
    for member in members {
        scope.take(member);
    }
    scope.take(name)
}

fn area_operations(area: &Area, all: &mut Scope) -> Vec<OperationNames> {
    let texts: Vec<String> = area
        .operations
        .iter()
        .map(|operation| {
            let spelled = || spelled(operation.method.as_str(), &operation.path);
            operation.id.clone().unwrap_or_else(spelled)
        })
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let methods = distinct(&texts, METHODS, identifier::snake);
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
        })
        .collect()
}

/// Parameters that differ only in their place are told apart by it.
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
    distinct(&wires, &["body"], identifier::snake)
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
    let of = |(response, word): (&crate::ir::Response, String)| match response.contents.as_slice() {
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
    let of = |response: &crate::ir::Response| {
        let wires: Vec<&str> = response
            .headers
            .iter()
            .map(|header| header.wire.as_str())
            .collect();
        distinct(&wires, &[], identifier::snake)
    };
    operation.responses.iter().map(of).collect()
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

impl Names {
    /// The tests of the examples.
    pub fn examples(&self, api: &Api) -> Vec<String> {
        let text = |example: &crate::ir::Example| {
            let operation = &self.areas[example.area].operations[example.operation].method;
            let role = match example.role {
                crate::ir::Role::Request => "request".to_owned(),
                crate::ir::Role::Response(status) => status.to_string(),
            };
            format!("{operation} {role} {}", example.key)
        };
        let texts: Vec<String> = api.examples.iter().map(text).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        distinct(&texts, &["round_trip", "canonical"], identifier::snake)
    }
}
