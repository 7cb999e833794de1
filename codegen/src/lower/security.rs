//! Security schemes.

use spec::document::{Located, Operation as Source};

use super::Lowering;
use crate::ir::{Scheme, SchemeKind};

impl Lowering<'_> {
    /// The schemes of the document by name.
    pub(super) fn schemes(&mut self) -> Vec<Scheme> {
        let mut schemes = Vec::new();
        for (name, raw) in self.document.components("securitySchemes") {
            let Ok(at) = self.document.resolve(&raw) else {
                self.warn(
                    "unresolved-reference",
                    &raw,
                    "the security scheme leads nowhere",
                );
                continue;
            };
            match kind(&at) {
                Some(kind) => schemes.push(Scheme {
                    name: name.to_owned(),
                    kind,
                }),
                None => self.warn(
                    "security-scheme-not-supported",
                    &at,
                    format!("credentials of the scheme `{name}` are neither sent nor asked for"),
                ),
            }
        }
        schemes.sort_by(|a, b| a.name.cmp(&b.name));
        schemes
    }
}

fn kind(at: &Located<'_>) -> Option<SchemeKind> {
    let text = |key: &str| at.node.get(key).and_then(spec::Node::as_str);
    match text("type")? {
        "apiKey" => {
            let name = text("name")?.to_owned();
            match text("in")? {
                "header" => Some(SchemeKind::Header(name)),
                "query" => Some(SchemeKind::Query(name)),
                "cookie" => Some(SchemeKind::Cookie(name)),
                _ => None,
            }
        }
        "http" => match text("scheme")?.to_ascii_lowercase().as_str() {
            "basic" => Some(SchemeKind::Basic),
            "bearer" => Some(SchemeKind::Bearer),
            _ => None,
        },
        "oauth2" | "openIdConnect" => Some(SchemeKind::Bearer),
        _ => None,
    }
}

/// The alternatives of an operation; one with a scheme that is not supported is left out.
pub(super) fn security(source: &Source<'_>, schemes: &[Scheme]) -> Vec<Vec<usize>> {
    let index = |name: &str| schemes.iter().position(|scheme| scheme.name == name);
    source
        .security()
        .iter()
        .filter_map(|alternative| {
            let mut schemes = alternative
                .iter()
                .map(|(name, _)| index(name))
                .collect::<Option<Vec<_>>>()?;
            schemes.sort_unstable();
            Some(schemes)
        })
        .collect()
}
