//! `unevaluatedProperties` and `unevaluatedItems` where they say the same as `additionalProperties` and
//! `items` would, were the schema written in one piece.

use super::flat::Flat;
use super::schemas::Schemas;
use openapi_document::node::Node;

/// What such a keyword looks at, besides names and places that are described one by one.
struct Unevaluated {
    keyword: &'static str,
    /// What describes all others: beside it the keyword has no effect.
    others: &'static str,
    /// What describes some in a way that only a value tells.
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

/// References and `allOf` in each other that are followed.
const DEPTH: u8 = 16;

impl<'d> Schemas<'d> {
    /// Takes such keywords of a schema object for what they say, where that does not depend on values.
    pub(super) fn settle_unevaluated(&mut self, flat: &mut Flat<'d>, owner: &'d Node) {
        for own in &ALL {
            let Some(value) = owner.get(own.keyword) else {
                continue;
            };
            if self.has(owner, own.by_value, DEPTH) {
                continue;
            }
            flat.applicators.retain(|one| !one.is(own.keyword, owner));
            let counts = value.as_bool() != Some(true) && !self.has(owner, &[own.others], DEPTH);
            if counts && own.others == "items" {
                flat.items.push(value);
            } else if counts {
                flat.rest.push(value);
            }
        }
    }

    /// Whether a schema object, or one that holds with it, has one of these keywords; so it is taken of
    /// what is too deep.
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
