//! Finding everything that is wrong with a request, not only the first thing.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::json::{self, Unreadable};
use super::super::parameter::{self, Parameter, Place, Tree};
use super::super::problem::Fault;
use super::refusal::{Reason, Refusal};

/// After so many wrong types in one body the rest is not looked at.
const MOST: usize = 32;

/// Reads a JSON body. When there is a value of a wrong type, the rest of the body is read without
/// it, to report all of them together.
pub(super) fn read_json<T: DeserializeOwned + super::super::constraint::Validate>(
    text: &[u8],
    faults: &mut Vec<Fault>,
) -> Result<T, Refusal> {
    let first = match json::read(text) {
        Ok(value) => return Ok(value),
        Err(error) if error.malformed => return Err(refusal(error, Vec::new())),
        Err(error) => error,
    };
    let mut rest: Value = serde_json::from_slice(text).unwrap_or_default();
    let mut error = first;
    loop {
        let pruned = prune(&mut rest, &error.pointer);
        faults.push(error.into());
        if !pruned || faults.len() >= MOST {
            break;
        }
        match json::read::<T>(rest.to_string().as_bytes()) {
            Ok(value) => {
                faults.extend(value.violations().into_iter().map(Fault::from));
                break;
            }
            // What was taken out is missed: from here on nothing more can be learnt.
            Err(next) if faults.iter().any(|fault| fault.pointer == next.pointer) => break,
            Err(next) => error = next,
        }
    }
    Err(contract(std::mem::take(faults)))
}

/// Takes a property out. The items of a list stay, because the others would change their places.
fn prune(value: &mut Value, pointer: &str) -> bool {
    let Some((parent, name)) = pointer.rsplit_once('/') else {
        return false;
    };
    let name = name.replace("~1", "/").replace("~0", "~");
    match value.pointer_mut(parent) {
        Some(Value::Object(members)) => members.remove(&name).is_some(),
        _ => false,
    }
}

/// Reads the struct of parameters from their texts, and collects all that cannot be read.
pub(super) fn read_fields<P: DeserializeOwned>(
    texts: impl Fn() -> (Vec<(&'static str, Tree)>, Vec<Fault>),
    table: &[Parameter],
) -> Result<P, Refusal> {
    let (fields, broken) = texts();
    if broken.is_empty()
        && let Some(parameters) = parameter::read_quickly(fields)
    {
        return Ok(parameters);
    }
    let (mut fields, mut broken) = texts();
    loop {
        let named = fields.iter().cloned();
        let named = named.map(|(name, tree)| (name.into(), tree));
        match parameter::read_tree(Tree::Map(named.collect())) {
            Ok(parameters) if broken.is_empty() => return Ok(parameters),
            Ok(_) => break,
            Err(error) => {
                let fault = located(error.into(), table);
                let field = field_of(&fault, table);
                if broken.iter().any(|known| known.pointer == fault.pointer) {
                    break;
                }
                broken.push(fault);
                let before = fields.len();
                fields.retain(|(name, _)| Some(*name) != field);
                if fields.len() == before {
                    break;
                }
            }
        }
    }
    // A path that cannot be read leads nowhere; the rest is as wrong as a value of a body.
    let in_path = broken
        .iter()
        .any(|fault| fault.pointer.starts_with("/path/"));
    let reason = if in_path {
        Reason::Unreadable
    } else {
        Reason::Contract
    };
    Err(Refusal::with(reason, "a parameter cannot be read", broken))
}

fn field_of(fault: &Fault, table: &[Parameter]) -> Option<&'static str> {
    let found = table
        .iter()
        .find(|parameter| fault.pointer.starts_with(&pointer(parameter)));
    found.map(|parameter| parameter.field)
}

/// A fault in the struct of parameters, placed where the parameter travels.
pub(super) fn located(mut fault: Fault, table: &[Parameter]) -> Fault {
    let field = fault
        .pointer
        .split('/')
        .nth(1)
        .unwrap_or_default()
        .to_owned();
    if let Some(parameter) = table.iter().find(|parameter| parameter.field == field) {
        let inside = fault.pointer.get(field.len() + 1..).unwrap_or_default();
        fault.pointer = format!("{}{inside}", pointer(parameter));
    }
    fault
}

pub(super) fn unparsed(parameter: &Parameter) -> Fault {
    Fault {
        pointer: pointer(parameter),
        code: "type".to_owned(),
        detail: "the text is not in the documented style".to_owned(),
    }
}

fn pointer(parameter: &Parameter) -> String {
    let place = match parameter.place {
        Place::Path => "path",
        Place::Query => "query",
        Place::Header => "header",
        Place::Cookie => "cookie",
    };
    format!("/{place}/{}", parameter.name)
}

pub(super) fn refusal(error: Unreadable, mut faults: Vec<Fault>) -> Refusal {
    if error.malformed {
        return Refusal::new(
            Reason::Unreadable,
            format!("the body cannot be read: {}", error.message),
        );
    }
    faults.push(error.into());
    contract(faults)
}

pub(super) fn contract(faults: Vec<Fault>) -> Refusal {
    Refusal::with(Reason::Contract, "the request breaks the contract", faults)
}
