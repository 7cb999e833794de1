//! `src/models/`: one file for each area, and one for what several areas use.

use std::collections::BTreeMap;

use quote::quote;

use super::patterns::Patterns;
use super::source::Source;
use super::tokens::{From, ident};
use super::{Emitter, docs};
use crate::ir::{Shape, TypeDef, TypeId, Usage};
use crate::names::UNUSED;
use crate::output::File;

impl Emitter<'_> {
    /// The files of the models.
    pub(super) fn models(&self) -> Vec<File> {
        let mut modules: BTreeMap<&str, Vec<TypeId>> = BTreeMap::new();
        for (index, module) in self.model_modules().into_iter().enumerate() {
            if self.api.types[index].used {
                modules.entry(module).or_default().push(TypeId(index));
            }
        }
        let mut root = Source::new("The schemas of the document.");
        for ids in modules.values_mut() {
            ids.sort_by_key(|id| &self.names.of(*id).name);
        }
        for module in modules.keys() {
            let (condition, module) = (self.model_condition(module), ident(module));
            root.export(quote! { #condition mod #module; });
        }
        for (module, ids) in &modules {
            let (condition, module) = (self.model_condition(module), ident(module));
            let helpers = ids.iter().filter_map(|id| self.helper(*id));
            let names = ids.iter().map(|id| self.names.of(*id).name.as_str());
            let mut names: Vec<&str> = names.chain(helpers).collect();
            names.sort_unstable();
            let names = names.into_iter().map(ident);
            root.export(quote! { #condition pub use #module::{#(#names),*}; });
        }
        let mut files = vec![self.file("src/models/mod.rs", &root)];
        for (module, ids) in modules {
            let source = self.model_file(module, &ids);
            files.push(self.file(&format!("src/models/{module}.rs"), &source));
        }
        files
    }

    fn model_file(&self, module: &str, ids: &[TypeId]) -> Source {
        let area = self
            .names
            .areas
            .iter()
            .position(|area| area.module == module);
        let mut source = Source::new(match area {
            Some(index) => format!("Schemas of the area `{}`.", self.api.areas[index].tag),
            None if module == UNUSED => "Schemas that no operation uses.".to_owned(),
            None => "Schemas that several areas use.".to_owned(),
        });
        // A struct of one field is a function of its name, too.
        let types = ids.iter().map(|id| self.names.of(*id).name.clone());
        let mut patterns = Patterns::beside(types);
        for id in ids {
            self.model(*id, &mut source, &mut patterns);
        }
        for id in ids {
            source.defines("super", &self.names.of(*id).name);
            source.defines("super", &self.names.of(*id).builder);
        }
        for ty in patterns.imports() {
            source.import("crate::runtime", ty);
        }
        for item in patterns.items() {
            source.item(item);
        }
        source
    }

    fn model(&self, id: TypeId, source: &mut Source, patterns: &mut Patterns) {
        let def = &self.api.types[id.0];
        match &def.shape {
            Shape::Struct(object) => self.structure(id, def, object, source),
            Shape::Choice(choice) => self.choice(id, def, choice, source),
            Shape::Union(union) => self.union(id, def, union, source),
            Shape::Wrapper(usage) => self.wrapper(id, def, usage, source),
            Shape::Parts(object) => self.parts(id, def, object, source),
            Shape::Events(events) => self.named_events(id, def, events, source),
        }
        if self.reach.is_requested(id) || self.reach.is_checked(id) {
            self.validate(id, def, source, patterns);
        }
    }

    fn wrapper(&self, id: TypeId, def: &TypeDef, usage: &Usage, source: &mut Source) {
        let name = ident(&self.names.of(id).name);
        let docs = docs::of_type(def);
        let ty = self.item_ty(usage, From::Models, source);
        for import in ["Deserialize", "Deserializer", "Serialize", "Serializer"] {
            source.import("serde", import);
        }
        source.item(quote! {
            #docs
            #[derive(Clone, Debug, PartialEq)]
            pub struct #name(pub #ty);
        });
        source.item(quote! {
            impl Serialize for #name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    self.0.serialize(serializer)
                }
            }
        });
        source.item(quote! {
            impl<'de> Deserialize<'de> for #name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    Deserialize::deserialize(deserializer).map(Self)
                }
            }
        });
    }
}
