//! Selector: a `JSONPath` (RFC 9535) over a document.

use serde_json_path::{JsonPath, NormalizedPath};

use super::{Problem, not_valid};
use crate::diagnostic::Diagnostic;
use crate::node::Node;
use crate::pointer::Pointer;

/// The maximum nesting of brackets: parsing and evaluation are recursive.
const DEEPEST: usize = 32;
/// The maximum number of `..` segments: each multiplies the number of visited nodes.
const MOST_DESCENDANTS: usize = 2;

/// A `JSONPath` with its place.
pub(super) struct Selector<'o> {
    /// The node with its text.
    pub(super) node: &'o Node,
    path: JsonPath,
}

impl<'o> Selector<'o> {
    pub(super) fn read(node: &'o Node) -> Result<Self, Problem> {
        let Some(text) = node.as_str() else {
            return Err(not_valid(node, "a JSONPath must be a string").into());
        };
        if nesting(text) > DEEPEST || text.matches("..").count() > MOST_DESCENDANTS {
            let title = format!(
                "a JSONPath has at most {MOST_DESCENDANTS} segments `..`, and {DEEPEST} nested brackets"
            );
            return Err(not_valid(node, &title).into());
        }
        match JsonPath::parse(text) {
            Ok(path) => Ok(Self { node, path }),
            Err(error) => {
                let title = format!("`{text}` is not a JSONPath: {}", error.message());
                let label = format!("at its character {}", error.position());
                let problem = Diagnostic::error(super::NOT_VALID, title).at(node.span, label);
                let help = "write it as RFC 9535 says, such as `$.paths['/orders'].get`";
                Err(problem.help(help).into())
            }
        }
    }

    /// The pointers of the selected nodes, each once.
    pub(super) fn places(&self, root: &Node) -> Vec<Pointer> {
        let value = root.to_serde();
        let found = self.path.query_located(&value).dedup();
        let pointers = found.locations().map(NormalizedPath::to_json_pointer);
        pointers
            .filter_map(|pointer| Pointer::parse(&pointer))
            .collect()
    }
}

fn nesting(text: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    for letter in text.chars() {
        match letter {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}
