//! Document → [`ir`]: the only place that knows both vocabularies.

mod area;
mod behaviour;
mod body;
mod bounds;
mod callback;
mod containment;
mod context;
mod direction;
mod docs;
mod event;
mod example;
mod fit;
mod formats;
mod keeping;
mod limits;
mod link;
mod object;
mod operation;
mod paging;
mod parameter;
mod repeat;
mod rule;
mod said;
mod scalar;
mod schema;
mod security;
mod server;
mod subschemas;
mod unexpressed;
mod union;
mod view;
mod writing;

use openapi_document::Behaviour;
use openapi_document::diagnostic::{Diagnostic, Diagnostics};
use openapi_document::view::{Document, Located};

use crate::ir;
use crate::options::Options;
use direction::{Direction, Directions};
use said::Said;
use schema::{Key, Schemas};
use view::Part;
use writing::Weights;

use behaviour::lower_behaviour;
pub(crate) use context::{spelled, status_name};

/// Puts a document, and the behaviour that stands beside it, into the generator's words.
///
/// What they have no word for is a warning, and something more general is said instead.
pub fn lower(document: &Document, options: &Options) -> (ir::Api, Diagnostics) {
    let behaviour = options.behaviour.as_ref();
    let mut lowering = Lowering::new(document, behaviour, options.exact);
    lowering.check_version();
    for (_, schema) in sorted_components(document) {
        lowering.usage(&schema);
    }
    let schemes = lowering.schemes();
    let mut groups = lowering.groups(&schemes);
    groups.extend(lowering.sent(&schemes));
    let (mut areas, sources): (Vec<_>, Vec<_>) = groups
        .into_iter()
        .map(|group| (group.area, group.sources))
        .unzip();
    lowering.links(&mut areas);
    lowering.cut_endless();
    containment::box_cycles(&mut lowering.schemas);
    let mut types = lowering.schemas.finish();
    area::assign_types(&mut types, &areas);
    lowering.parameter_examples(&mut areas, &sources, &types);
    let examples = lowering.examples(&areas, &sources, &types);
    let api = ir::Api {
        title: text_at(document, "title").unwrap_or_default(),
        license: license(document),
        version: text_at(document, "version").unwrap_or_default(),
        docs: ir::Docs {
            text: text_at(document, "description"),
            ..ir::Docs::default()
        },
        servers: server::servers(document.root.get("servers")),
        areas,
        types,
        schemes,
        examples,
        behaviour: behaviour.map(lower_behaviour),
    };
    lowering.diagnostics.sort();
    (api, lowering.diagnostics)
}

fn sorted_components(document: &Document) -> Vec<(&str, Located<'_>)> {
    let mut schemas = document.components("schemas");
    schemas.sort_by(|a, b| a.0.cmp(b.0));
    schemas
}

fn text_at(document: &Document, key: &str) -> Option<String> {
    Some(document.root.get("info")?.get(key)?.as_str()?.to_owned())
}

/// `info.license`: its identifier, or its name where that is one or the usual one.
fn license(document: &Document) -> Option<String> {
    let license = document.root.get("info")?.get("license")?;
    if let Some(identifier) = license.get("identifier") {
        return identifier.as_str().map(ToOwned::to_owned);
    }
    let known = match license.get("name")?.as_str()? {
        "Apache 2.0" | "Apache-2.0" => "Apache-2.0",
        "MIT" | "MIT License" => "MIT",
        _ => return None,
    };
    Some(known.to_owned())
}

/// What has been said so far.
struct Lowering<'d> {
    document: &'d Document,
    behaviour: Option<&'d Behaviour>,
    said: Said,
    /// Whether the document is of `OpenAPI` 3.0.
    is_30: bool,
    /// Whether types are to the letter of the schemas.
    exact: bool,
    schemas: Schemas,
    weights: Weights,
    directions: Directions,
    /// Where what is lowered now goes.
    direction: Direction,
    /// Whether what is lowered now is sent by the service.
    sent: bool,
    /// Schemas that were promised a type and wait until there is room to lower them.
    deferred: Vec<(Vec<Part<'d>>, Key)>,
    diagnostics: Diagnostics,
}

impl<'d> Lowering<'d> {
    fn new(document: &'d Document, behaviour: Option<&'d Behaviour>, exact: bool) -> Self {
        Self {
            document,
            behaviour,
            said: Said::read(document, behaviour),
            is_30: document.version().is_none_or(|own| own.starts_with("3.0")),
            exact,
            schemas: Schemas::default(),
            weights: Weights::default(),
            directions: Directions::read(document),
            direction: Direction::Answer,
            sent: false,
            deferred: Vec::new(),
            diagnostics: Diagnostics::default(),
        }
    }

    /// Warns when the version of the document is not fully supported. Other versions use other
    /// keywords for the same things, and the code does not express some keywords of 3.2.
    fn check_version(&mut self) {
        let version = self.document.version().unwrap_or_default();
        if version.starts_with("3.2") {
            self.tell_of_unexpressed();
        }
        if ["3.0", "3.1", "3.2"]
            .iter()
            .any(|own| version.starts_with(own))
        {
            return;
        }
        let at = self
            .document
            .root
            .get("openapi")
            .unwrap_or(&self.document.root);
        let title = format!("bindings are made of OpenAPI 3.0 to 3.2, not of `{version}`");
        let error = Diagnostic::error("version-not-supported", title);
        self.diagnostics
            .push(error.at(at.span, "the version of the document"));
    }

    /// Makes alternatives that lead back to themselves accept any value, with a warning for each.
    fn cut_endless(&mut self) {
        for span in containment::cut_endless(&mut self.schemas) {
            let title = "this alternative leads back to itself, so any value is taken";
            let warning = Diagnostic::warning("endless-alternatives", title).at(span, "here");
            self.diagnostics.push(warning);
        }
    }

    /// Warns about a part of the document that the code omits or expresses less strictly.
    fn warn(&mut self, rule: &'static str, at: &Located<'_>, title: impl Into<String>) {
        let warning = Diagnostic::warning(rule, title).at(at.node.span, "here");
        self.diagnostics.push(warning);
    }
}
