//! Security schemes.

use openapi_document::view::{Located, Operation as Source};

use super::Lowering;
use crate::ir::{Requirement, Scheme, SchemeKind};

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
            let kind = kind(&at);
            if kind.is_none() {
                self.warn(
                    "security-scheme-not-supported",
                    &at,
                    format!("credentials of the scheme `{name}` are neither sent nor asked for"),
                );
            }
            schemes.push(Scheme {
                name: name.to_owned(),
                token_url: token_url(&at),
                kind: kind.unwrap_or(SchemeKind::Unknown),
            });
        }
        schemes.sort_by(|a, b| a.name.cmp(&b.name));
        schemes
    }
}

/// Where a client with a secret gets tokens.
fn token_url(at: &Located<'_>) -> Option<String> {
    let flow = at.node.get("flows")?.get("clientCredentials")?;
    Some(flow.get("tokenUrl")?.as_str()?.to_owned())
}

fn kind(at: &Located<'_>) -> Option<SchemeKind> {
    let text = |key: &str| at.node.get(key).and_then(openapi_document::Node::as_str);
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
        "mutualTLS" => Some(SchemeKind::Certificate),
        _ => None,
    }
}

/// The alternatives of an operation; one with a scheme that is not declared is left out.
pub(super) fn security(source: &Source<'_>, schemes: &[Scheme]) -> Vec<Vec<Requirement>> {
    let index = |name: &str| schemes.iter().position(|scheme| scheme.name == name);
    source
        .security()
        .iter()
        .filter_map(|alternative| {
            let demanded = alternative.iter().map(|(name, scopes)| {
                let scopes = scopes.iter().map(|scope| (*scope).to_owned());
                Some(Requirement {
                    scheme: index(name)?,
                    scopes: scopes.collect(),
                })
            });
            let mut demanded = demanded.collect::<Option<Vec<_>>>()?;
            demanded.sort_unstable();
            Some(demanded)
        })
        .collect()
}
