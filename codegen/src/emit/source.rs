//! Tokens → the text of one source file.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt::Write;

use proc_macro2::TokenStream;
use quote::quote;

use super::docs;

/// A source file that is being put together: its imports and its items, in order.
#[derive(Debug, Default)]
pub(super) struct Source {
    docs: Vec<String>,
    imports: BTreeMap<String, BTreeSet<String>>,
    items: Vec<Item>,
    exports: Vec<TokenStream>,
    attributes: Vec<String>,
}

#[derive(Debug)]
enum Item {
    Tokens(TokenStream),
    /// Laid out already, since a table in a macro is not laid out by anything else.
    Text(String),
}

impl Source {
    /// A file with the given module documentation.
    pub(super) fn new(docs: impl Into<String>) -> Self {
        Self {
            docs: vec![docs.into()],
            ..Self::default()
        }
    }

    /// One more paragraph of module documentation.
    pub(super) fn paragraph(&mut self, docs: impl Into<String>) {
        self.docs.push(docs.into());
    }

    /// Imports a name; the module itself where the name is empty.
    pub(super) fn import(&mut self, module: &str, name: &str) {
        self.imports
            .entry(module.to_owned())
            .or_default()
            .insert(name.to_owned());
    }

    /// Whether a name is imported.
    pub(super) fn imports_name(&self, module: &str, name: &str) -> bool {
        self.imports
            .get(module)
            .is_some_and(|names| names.contains(name))
    }

    /// Makes the file nothing without a feature of the crate.
    pub(super) fn needs(&mut self, feature: &'static str) {
        self.attribute(format!("#![cfg(feature = \"{feature}\")]"));
    }

    /// Adds an attribute of the file.
    pub(super) fn attribute(&mut self, attribute: String) {
        self.attributes.push(attribute);
    }

    /// Imports what another file does, in a crate of its own.
    pub(super) fn adopt(&mut self, other: &Self, package: &str) {
        for (module, names) in &other.imports {
            let module = module.replacen("crate", package, 1);
            let known = self.imports.entry(module).or_default();
            known.extend(names.iter().cloned());
        }
    }

    /// Drops the import of a name that is defined here.
    pub(super) fn defines(&mut self, module: &str, name: &str) {
        if let Some(names) = self.imports.get_mut(module) {
            names.remove(name);
        }
    }

    /// Adds an item.
    pub(super) fn item(&mut self, item: TokenStream) {
        self.items.push(Item::Tokens(item));
    }

    /// Adds an item that is laid out already.
    pub(super) fn table(&mut self, text: String) {
        self.items.push(Item::Text(text));
    }

    /// Whether there is an item that is laid out already.
    pub(super) fn has_table(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Text(_)))
    }

    /// Adds a `mod` or `pub use` before the imports.
    pub(super) fn export(&mut self, item: TokenStream) {
        self.exports.push(item);
    }

    /// The text of the file, with the line that says where it comes from.
    pub(super) fn text(&self, header: &str) -> String {
        let mut text = format!("//! {header}\n");
        for paragraph in &self.docs {
            text.push_str("//!\n");
            for line in paragraph.lines() {
                let line = format!("//! {line}");
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
        for attribute in &self.attributes {
            let _ = write!(text, "\n{attribute}");
        }
        if !self.attributes.is_empty() {
            text.push('\n');
        }
        if !self.exports.is_empty() {
            text.push('\n');
            let exports = &self.exports;
            text.push_str(&pretty(&quote! { #(#exports)* }));
        }
        for group in self.import_groups() {
            text.push('\n');
            text.push_str(&group);
        }
        for item in &self.items {
            text.push('\n');
            match item {
                Item::Tokens(tokens) => text.push_str(&spaced(&pretty(tokens))),
                Item::Text(table) => text.push_str(table),
            }
        }
        text
    }

    /// The standard library, then other packages, then this one.
    fn import_groups(&self) -> Vec<String> {
        let rank = |module: &str| match module.split("::").next() {
            Some("std") => 0,
            Some("crate" | "super" | "self") => 2,
            _ => 1,
        };
        let mut groups = vec![String::new(); 3];
        for (module, names) in &self.imports {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let line = match names.as_slice() {
                [] => continue,
                [""] => format!("use {module};\n"),
                [one] => format!("use {module}::{one};\n"),
                many => format!("use {module}::{{{}}};\n", many.join(", ")),
            };
            groups[rank(module)].push_str(&line);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }
}

/// Tokens that are not Rust would be a defect of an emitter; they are kept visible, so that the
/// compiler of the generated crate points at them.
fn pretty(tokens: &TokenStream) -> String {
    match syn::parse2::<syn::File>(tokens.clone()) {
        Ok(file) => prettyplease::unparse(&file),
        Err(error) => format!("compile_error!({:?});\n", format!("{error}: {tokens}")),
    }
}

/// An empty line between the members of a block, and each line of documentation on its own.
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut previous = "";
    for line in text.lines() {
        let member = line.starts_with("    ") && !line.starts_with("     ");
        let opens = ["///", "#[", "pub ", "fn ", "const ", "async "]
            .iter()
            .any(|start| line.trim_start().starts_with(start));
        let closes = matches!(previous, "    }" | "    type Error = Infallible;");
        if member && opens && (closes || previous.ends_with("];")) {
            out.push('\n');
        }
        match line.split_once("///") {
            Some((indent, text)) if docs::is_several(text) => docs::push(text, indent, &mut out),
            _ => {
                out.push_str(line);
                out.push('\n');
            }
        }
        previous = line;
    }
    out
}
