//! Reads the fields of repeated steps: `x-until` and `x-parallel`.

use openapi_document::Node;

use super::Reader;
use crate::condition::Condition;
use crate::scenario::{Criterion, Limit, Parallel, Until};
use crate::spot::spot;

const UNTIL: &[&str] = &["deadline", "interval", "criteria"];
const PARALLEL: &[&str] = &["count", "atMost", "exactly", "keys"];
const LIMIT: &[&str] = &["condition", "count"];

impl Reader {
    pub(super) fn until(&mut self, node: &Node) -> Option<Until> {
        self.known_keys(node, UNTIL, "x-until");
        Some(Until {
            deadline: self.duration(node, "deadline")?,
            interval: self.duration(node, "interval")?,
            criteria: self.list(node.get("criteria"), Self::criterion),
        })
    }

    pub(super) fn parallel(&mut self, node: &Node) -> Option<Parallel> {
        const MOST: u64 = 256;
        self.known_keys(node, PARALLEL, "x-parallel");
        let count = self.count(node, "count")?;
        if !(2..=MOST).contains(&count) {
            self.error(
                node,
                "the number of twins is between 2 and 256",
                "in this x-parallel",
            );
        }
        let exactly = node
            .get("exactly")
            .filter(|limit| limit.as_bool().is_none());
        let limit = match (node.get("atMost"), exactly) {
            (Some(limit), _) | (None, Some(limit)) => Some(self.limit(limit)?),
            (None, None) => None,
        };
        let exactly =
            exactly.is_some() || node.get("exactly").and_then(Node::as_bool) == Some(true);
        let key_names = match node.get("keys").map(|keys| (keys, keys.as_str())) {
            None | Some((_, Some("fresh"))) => true,
            Some((_, Some("shared"))) => false,
            Some((at, _)) => {
                self.error(
                    at,
                    "the natural keys of twins are `fresh` or `shared`",
                    "neither",
                );
                true
            }
        };
        Some(Parallel {
            count: usize::try_from(count).unwrap_or(usize::MAX),
            limit: limit.map(|limit| Limit { exactly, ..limit }),
            key_names,
        })
    }

    fn limit(&mut self, node: &Node) -> Option<Limit> {
        self.known_keys(node, LIMIT, "limit");
        let condition = self.required(node, "condition")?;
        let text = self.text(condition)?;
        let parsed = Condition::parse(&text);
        if let Err(error) = &parsed {
            self.error(condition, error.to_string(), "in this condition");
        }
        let count = usize::try_from(self.count(node, "count")?).unwrap_or(usize::MAX);
        Some(Limit {
            criterion: Criterion {
                condition: parsed.ok()?,
                text,
                spot: spot(&self.sources, condition.span),
            },
            count,
            exactly: false,
        })
    }
}
