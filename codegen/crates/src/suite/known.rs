//! Valid instances that types do not give back by default, as decided.

/// An instance of a case, by the words of the suite.
struct Known {
    keyword: &'static str,
    case: &'static str,
    instance: &'static str,
}

/// Each has a property that its `type: object` does not declare. Such properties are dropped.
const DROPPED: &[Known] = &[Known {
    keyword: "dynamicRef",
    case: "A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal \
           $ref to $anchor",
    instance: "The recursive part doesn't need to validate against the root",
}];

/// Whether an instance is one of them.
pub(super) fn is_dropped(keyword: &str, case: &str, instance: &str) -> bool {
    let mut all = DROPPED.iter();
    all.any(|own| (own.keyword, own.case, own.instance) == (keyword, case, instance))
}
