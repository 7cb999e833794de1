//! Names of servers: by their addresses.

use super::identifier::{camel, snake};
use super::scope::{Scope, distinct, distinct_in_order};
use crate::ir::Api;

/// The identifiers of a server.
#[derive(Debug)]
pub struct ServerNames {
    /// The constant, or the type of one with variables.
    pub name: String,
    /// By variable: the field.
    pub fields: Vec<String>,
    /// By variable: the type of one with listed values, and its variants.
    pub choices: Vec<Option<(String, Vec<String>)>>,
}

/// The names of all servers, in the order of [`Api::all_servers`].
pub(super) fn assign(api: &Api) -> Vec<ServerNames> {
    let mut taken = Scope::default();
    let mut names = Vec::new();
    for server in api.all_servers() {
        let url = server
            .url
            .split_once("://")
            .map_or(&*server.url, |(_, rest)| rest);
        let name = if server.variables.is_empty() {
            taken.take(&snake(url).to_uppercase())
        } else {
            taken.take(&camel(url))
        };
        let variables = server.variables.iter();
        let wires: Vec<&str> = variables.clone().map(|one| one.name.as_str()).collect();
        let choices = variables.map(|variable| {
            let values: Vec<&str> = variable.values.iter().map(String::as_str).collect();
            let variants = distinct_in_order(&values, &["Self"], camel);
            let choice = taken.take(&format!("{name}{}", camel(&variable.name)));
            (!values.is_empty()).then_some((choice, variants))
        });
        let choices = choices.collect();
        names.push(ServerNames {
            fields: distinct(&wires, &[], snake),
            name,
            choices,
        });
    }
    names
}
