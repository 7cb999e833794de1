//! Every Rust identifier, decided once.

mod behaviour;
mod identifier;
mod operations;
mod prefix;
mod scope;
mod servers;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Api, Shape, TypeId};
pub use servers::ServerNames;

use scope::{Scope, distinct, distinct_in_order};

pub use behaviour::{BehaviourNames, RecordNames};
pub(crate) use identifier::camel;
pub use identifier::is_keyword;
pub(crate) use identifier::package;
pub(crate) use identifier::snake;
pub use operations::OperationNames;

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
    /// By server, in the order of [`Api::all_servers`].
    pub servers: Vec<ServerNames>,
    /// Of the state machines.
    pub behaviour: BehaviourNames,
}

/// The identifiers of a type.
#[derive(Debug)]
pub struct TypeNames {
    /// The type.
    pub name: String,
    /// What makes values of it, where it has required properties.
    pub builder: String,
    /// Its fields or variants, in their order.
    pub members: Vec<String>,
    /// The member for everything without a member: other properties, unknown values.
    pub rest: String,
    /// The field that holds a value that is not an object.
    pub other: String,
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

/// Module names that the crate has beside those of the areas.
pub(crate) const SHARED: &str = "shared";
/// The module of models that no operation uses.
pub(crate) const UNUSED: &str = "unused";

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
    UNUSED,
];

/// Names that client and server stubs bring into scope already.
const HANDLES: &[&str] = &[
    "Answer",
    "Arc",
    "ByteStream",
    "Bytes",
    "Call",
    "Client",
    "Connection",
    "Context",
    "Credential",
    "Decimal",
    "Date",
    "End",
    "Endpoint",
    "Error",
    "Event",
    "Events",
    "Explain",
    "Expression",
    "EventStream",
    "Incoming",
    "Infallible",
    "Next",
    "LinkError",
    "Linked",
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
    "Paginated",
    "Paging",
    "Problem",
    "Refusal",
    "Repeat",
    "Reply",
    "Request",
    "RequestError",
    "Response",
    "Result",
    "Routes",
    "Scheme",
    "Secrets",
    "Self",
    "Sensitive",
    "Settings",
    "Some",
    "Streamed",
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

/// Settings that every client has: a security scheme's own must be called otherwise.
const SETTINGS: &[&str] = &[
    "checking",
    "clock",
    "clone",
    "connect",
    "credential",
    "http",
    "new",
    "retries",
    "timeout",
    "tokens",
];

/// Decides the identifiers of everything.
pub fn assign(api: &Api) -> Names {
    let (names, builders) = types::assign(&api.types);
    let tags: Vec<&str> = api.areas.iter().map(|area| area.tag.as_str()).collect();
    let modules = distinct(&tags, MODULES, identifier::snake);
    let handles = distinct(&tags, HANDLES, identifier::camel);
    let mut taken = Scope::with(HANDLES);
    for handle in &handles {
        taken.take(handle);
    }
    let areas = api
        .areas
        .iter()
        .zip(modules.into_iter().zip(handles))
        .map(|(area, (module, name))| AreaNames {
            module,
            name,
            operations: operations::assign(area, &mut taken),
        })
        .collect();
    let schemes: Vec<&str> = api
        .schemes
        .iter()
        .map(|scheme| scheme.name.as_str())
        .collect();
    Names {
        types: members(api, names, builders),
        areas,
        response_headers: response_headers(api),
        servers: servers::assign(api),
        behaviour: api
            .behaviour
            .as_ref()
            .map(behaviour::assign)
            .unwrap_or_default(),
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

fn members(api: &Api, names: Vec<String>, builders: Vec<String>) -> Vec<TypeNames> {
    let of = |((name, builder), def): ((String, String), &crate::ir::TypeDef)| {
        let mut other = String::new();
        let (members, rest) = match &def.shape {
            Shape::Struct(object) | Shape::Parts(object) => {
                let wires: Vec<&str> = object
                    .fields
                    .iter()
                    .map(|field| field.wire.as_str())
                    .collect();
                let members = distinct(&wires, &[], identifier::snake);
                let rest = free(&members, "additional_properties");
                other = free(&members, "not_an_object");
                (members, rest)
            }
            Shape::Choice(choice) => {
                let wires: Vec<&str> = choice
                    .values
                    .iter()
                    .map(|value| value.wire.as_str())
                    .collect();
                let short = prefix::stripped(&wires);
                let members = distinct_in_order(&short, &["Self"], identifier::camel);
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
            Shape::Events(events) => {
                let words: Vec<&str> = events
                    .variants
                    .iter()
                    .map(|variant| variant.word.as_str())
                    .collect();
                let members = distinct(&words, &["Self"], identifier::camel);
                let rest = free(&members, "Unknown");
                (members, rest)
            }
            Shape::Wrapper(_) => (Vec::new(), String::new()),
        };
        TypeNames {
            name,
            builder,
            members,
            rest,
            other,
        }
    };
    let names = names.into_iter().zip(builders);
    names.zip(&api.types).map(of).collect()
}

fn free(members: &[String], name: &str) -> String {
    let mut scope = Scope::default();
    for member in members {
        scope.take(member);
    }
    scope.take(name)
}
