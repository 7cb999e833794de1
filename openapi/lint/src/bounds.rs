//! Finds lower bounds above upper bounds.

use super::contradiction::Contradiction;
use openapi_document::node::Node;

/// A bound: its value, whether it is exclusive, and its node.
type Bound<'d> = (f64, bool, &'d Node);

/// The contradicting bounds of schemas that all apply to one value.
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
            let title = format!("no value is at least {} and at most {}", low.0, high.0);
            found.push((title, high.2, low.2));
        }
    }
    found
}

/// The bounds of a part under a keyword and its exclusive form, which is a boolean in 3.0 and a
/// number in 3.1.
fn bounds<'d>(part: &'d Node, keyword: &str, exclusive: &str) -> Vec<Bound<'d>> {
    let value = |node: &'d Node| node.as_number()?.parse::<f64>().ok();
    let is_range = keyword == "minimum" || keyword == "maximum";
    let other = part.get(exclusive).filter(|_| is_range);
    let is_excluded = other.and_then(Node::as_bool) == Some(true);
    let inclusive = part
        .get(keyword)
        .and_then(|node| Some((value(node)?, is_excluded, node)));
    let other = other.and_then(|node| Some((value(node)?, true, node)));
    inclusive.into_iter().chain(other).collect()
}
