//! Lower bounds above upper ones.

use super::contradiction::Contradiction;
use openapi_document::node::Node;

/// A bound: its value, whether it is itself excluded, and where it stands.
type Bound<'d> = (f64, bool, &'d Node);

/// The contradictions among the bounds of schemas that all hold.
pub(super) fn contradicting_bounds<'d>(parts: &[&'d Node]) -> Vec<Contradiction<'d>> {
    let mut found = Vec::new();
    for (low, high) in [
        ("minLength", "maxLength"),
        ("minItems", "maxItems"),
        ("minProperties", "maxProperties"),
        ("minimum", "maximum"),
    ] {
        let lows = parts
            .iter()
            .flat_map(|part| bounds(part, low, "exclusiveMinimum"));
        let highs = parts
            .iter()
            .flat_map(|part| bounds(part, high, "exclusiveMaximum"));
        let lowest = lows.max_by(|one, other| one.0.total_cmp(&other.0));
        let highest = highs.min_by(|one, other| one.0.total_cmp(&other.0));
        if let (Some(low), Some(high)) = (lowest, highest)
            && (low.0 > high.0 || ((low.1 || high.1) && low.0 >= high.0))
        {
            let title = format!("nothing is at least {} and at most {}", low.0, high.0);
            found.push((title, high.2, low.2));
        }
    }
    found
}

/// The bounds of a part under a keyword, and under its exclusive form: a flag in 3.0, in 3.1 a
/// number of its own.
fn bounds<'d>(part: &'d Node, keyword: &str, exclusive: &str) -> Vec<Bound<'d>> {
    let value = |node: &'d Node| node.as_number()?.parse::<f64>().ok();
    let is_range = keyword == "minimum" || keyword == "maximum";
    let other = part.get(exclusive).filter(|_| is_range);
    let is_excluded = other.and_then(Node::as_bool) == Some(true);
    let own = part
        .get(keyword)
        .and_then(|node| Some((value(node)?, is_excluded, node)));
    let other = other.and_then(|node| Some((value(node)?, true, node)));
    own.into_iter().chain(other).collect()
}
