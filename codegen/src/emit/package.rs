//! What differs in a crate that depends on the runtime as a package.
//!
//! A crate can add methods to its types only. It therefore has `Request`, `Settings` and others
//! itself, which the macro `client_types!` of the runtime writes.

/// The types of the client that generated code adds methods to.
const LOCAL: [&str; 4] = ["Linked", "Linking", "Request", "Settings"];

/// The macros of the runtime that generated code calls.
const MACROS: [&str; 7] = [
    "builder",
    "choice",
    "headers",
    "loose_object",
    "object",
    "parameters",
    "setters",
];

/// The text of a file that was emitted for a copied runtime.
pub(super) fn adapted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let imports = line.strip_prefix("use crate::runtime::client::");
        if let Some(names) = imports.and_then(|rest| rest.strip_suffix(';')) {
            out.push_str(&imported(names));
            continue;
        }
        let call = line.strip_prefix("crate::").filter(|rest| {
            let name = rest.split('!').next();
            name.is_some_and(|name| MACROS.contains(&name))
        });
        if call.is_some() {
            out.push_str("crate::runtime::");
        }
        out.push_str(call.unwrap_or(line));
        out.push('\n');
    }
    out
}

/// The imports of names, each from where it is.
fn imported(names: &str) -> String {
    let list = names.trim_start_matches('{').trim_end_matches('}');
    let names = list
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let (local, others): (Vec<&str>, Vec<&str>) = names.partition(|name| LOCAL.contains(name));
    let line = |module: &str, names: &[&str]| match names {
        [] => String::new(),
        [one] => format!("use crate::{module}::{one};\n"),
        many => format!("use crate::{module}::{{{}}};\n", many.join(", ")),
    };
    line("client", &local) + &line("runtime::client", &others)
}

#[cfg(test)]
mod tests {
    use super::adapted;

    #[test]
    fn types_with_methods_of_the_crate_are_its_own() {
        let text = "use crate::runtime::client::{Connection, Request};\nuse crate::runtime::Date;\n\
                    \ncrate::object! {\n    A {}\n}\n";
        let expected = "use crate::client::Request;\nuse crate::runtime::client::Connection;\n\
                        use crate::runtime::Date;\n\ncrate::runtime::object! {\n    A {}\n}\n";
        assert_eq!(adapted(text), expected);
    }
}
