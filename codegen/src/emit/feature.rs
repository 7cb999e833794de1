//! Features of the crate: one for each area, and one for what the service sends by itself.

use std::collections::BTreeSet;
use std::fmt::Write;

use proc_macro2::TokenStream;
use quote::quote;

use super::Emitter;
use super::reach::usages;
use crate::ir::{TypeId, Usage};
use crate::names::{SHARED, UNUSED};

/// The feature of all areas, and of what is not of any.
pub(super) const ALL: &str = "areas";

impl Emitter<'_> {
    /// Whether areas are features: where there are several, in a crate that is generated with its
    /// manifest.
    pub(super) fn is_divided(&self) -> bool {
        self.options.complete_crate && self.served().count() > 1
    }

    /// The areas that a user may do without.
    fn served(&self) -> impl Iterator<Item = usize> {
        (0..self.api.areas.len()).filter(|&index| !self.api.areas[index].sent)
    }

    fn area_feature(&self, area: usize) -> String {
        let module = self.names.areas[area].module.trim_start_matches("r#");
        format!("area-{}", module.replace('_', "-"))
    }

    /// The condition on client and server of an area.
    pub(super) fn condition(&self, area: usize) -> Option<TokenStream> {
        if self.api.areas[area].sent {
            return Some(quote! { #[cfg(feature = "callbacks")] });
        }
        let feature = self.is_divided().then(|| self.area_feature(area))?;
        Some(quote! { #[cfg(feature = #feature)] })
    }

    /// The condition on what only some crates can do without: models and operations of an area.
    pub(super) fn division(&self, area: usize) -> Option<TokenStream> {
        self.is_divided().then(|| self.condition(area)).flatten()
    }

    /// The condition on what needs all areas.
    pub(super) fn everything(&self) -> Option<TokenStream> {
        self.is_divided().then(|| quote! { #[cfg(feature = #ALL)] })
    }

    /// The condition on a module of models.
    pub(super) fn model_condition(&self, module: &str) -> Option<TokenStream> {
        if module == UNUSED {
            return self.everything();
        }
        let mut areas = self.names.areas.iter();
        let area = areas.position(|area| area.module == module)?;
        self.division(area)
    }

    /// The module of each type: that of its area; one for what several areas use, or all of them;
    /// and, where areas are features, one for what no operation uses.
    pub(super) fn model_modules(&self) -> Vec<&str> {
        let (divided, anywhere) = (self.is_divided(), self.anywhere());
        let types = self.api.types.iter().enumerate();
        let module = types.map(|(index, def)| match def.areas.as_slice() {
            _ if anywhere.contains(&TypeId(index)) => SHARED,
            [area] => self.names.areas[*area].module.as_str(),
            [] if divided => UNUSED,
            _ => SHARED,
        });
        module.collect()
    }

    /// Where areas are features, what the headers mention that stand beside all areas.
    fn anywhere(&self) -> BTreeSet<TypeId> {
        let mut found = BTreeSet::new();
        if !self.is_divided() {
            return found;
        }
        let operations = self.api.areas.iter().flat_map(|area| &area.operations);
        let responses = operations.flat_map(|operation| &operation.responses);
        let shared = responses.filter(|response| response.component.is_some());
        let headers = shared.flat_map(|response| &response.headers);
        let mut open: Vec<TypeId> = headers
            .filter_map(|header| header.usage.mentions())
            .collect();
        while let Some(id) = open.pop() {
            if found.insert(id) {
                let inner = usages(&self.api.types[id.0].shape);
                open.extend(inner.into_iter().filter_map(Usage::mentions));
            }
        }
        found
    }

    /// The lines of the manifest that declare the areas. `areas` is always there, so that nobody has
    /// to know whether a crate is divided.
    pub(super) fn area_features(&self) -> String {
        if !self.is_divided() {
            return format!("{ALL} = []\n");
        }
        let mut all = String::new();
        let mut each = String::new();
        for area in self.served() {
            let feature = self.area_feature(area);
            let linked: Vec<String> = self.linked(area).iter().map(|it| quoted(it)).collect();
            let _ = writeln!(all, "    {},", quoted(&feature));
            let _ = writeln!(each, "{feature} = [{}]", linked.join(", "));
        }
        format!("{ALL} = [\n{all}]\n{each}")
    }

    /// The features of the areas that links of an area lead to.
    fn linked(&self, area: usize) -> BTreeSet<String> {
        let operations = self.api.areas[area].operations.iter();
        let responses = operations.flat_map(|operation| &operation.responses);
        let links = responses.flat_map(|response| &response.links);
        let others = links.map(|link| link.area).filter(|&other| other != area);
        others.map(|other| self.area_feature(other)).collect()
    }
}

fn quoted(feature: &str) -> String {
    format!("\"{feature}\"")
}
