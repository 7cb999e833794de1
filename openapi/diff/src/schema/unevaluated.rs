//! Unevaluated: treats `unevaluatedProperties` and `unevaluatedItems` like `additionalProperties`
//! and `items` if they have the same effect.

use super::flat::Flat;
use super::schemas::Schemas;
use openapi_document::node::Node;

/// A keyword, and the keywords that it depends on.
struct Unevaluated {
    keyword: &'static str,
    /// The keyword that covers all other parts: beside it, this keyword has no effect.
    others: &'static str,
    /// The keywords whose effect depends on the value.
    by_value: &'static [&'static str],
}

const ALL: [Unevaluated; 2] = [
    Unevaluated {
        keyword: "unevaluatedProperties",
        others: "additionalProperties",
        by_value: &[
            "oneOf",
            "anyOf",
            "if",
            "dependentSchemas",
            "patternProperties",
            "$dynamicRef",
        ],
    },
    Unevaluated {
        keyword: "unevaluatedItems",
        others: "items",
        by_value: &["oneOf", "anyOf", "if", "contains", "$dynamicRef"],
    },
];

/// The maximum nesting of references and `allOf`.
const DEPTH: u8 = 16;

impl<'d> Schemas<'d> {
    /// Applies these keywords of a schema object, if their effect does not depend on values.
    pub(super) fn settle_unevaluated(&mut self, flat: &mut Flat<'d>, owner: &'d Node) {
        for keyword in &ALL {
            let Some(value) = owner.get(keyword.keyword) else {
                continue;
            };
            if self.has(owner, keyword.by_value, DEPTH) {
                continue;
            }
            flat.applicators
                .retain(|one| !one.is(keyword.keyword, owner));
            let counts =
                value.as_bool() != Some(true) && !self.has(owner, &[keyword.others], DEPTH);
            if counts && keyword.others == "items" {
                flat.items.push(value);
            } else if counts {
                flat.rest.push(value);
            }
        }
    }

    /// Whether a schema object, or one combined with it, has one of these keywords; assumed beyond
    /// the maximum depth.
    fn has(&mut self, node: &'d Node, keywords: &[&str], depth: u8) -> bool {
        if depth == 0 || keywords.iter().any(|key| node.get(key).is_some()) {
            return true;
        }
        let reference = node.reference().and_then(|text| self.target(text));
        let members = node.get("allOf").into_iter().flat_map(Node::items);
        let members: Vec<_> = members.chain(reference).collect();
        members
            .into_iter()
            .any(|member| self.has(member, keywords, depth - 1))
    }
}
