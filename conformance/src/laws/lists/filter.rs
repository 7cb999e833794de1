//! Filter: the values that a query parameter filters by, and the records that match them.

use std::cmp::Ordering;

use openapi_document::{Node, Value};

use crate::names;
use crate::value;

use super::bound::{cut, is_time, moved, ordered};

/// The word in names of filters that search within a text.
pub(super) const CONTAINS: &str = "contains";

/// At most this many other enumerated values are requested.
const OTHERS: usize = 8;

/// A filter of a list.
#[derive(Debug)]
pub(crate) struct Filter<'d> {
    /// The query parameter.
    pub(crate) parameter: &'d str,
    /// The property that it filters by.
    pub(super) property: &'d str,
    /// The object, or the list of objects, that contains the property. `None` if the record does.
    pub(super) within: Option<&'d str>,
    pub(super) kind: Kind<'d>,
    /// Whether the description says that the bound is inclusive.
    pub(super) says_within: bool,
    /// Whether the description says that the bound is exclusive.
    pub(super) says_without: bool,
    /// What the description says about letter case.
    pub(super) case: Case,
    /// For a bound whose name has no property: all times that it may refer to.
    pub(super) times: Vec<&'d str>,
}

/// What a text says about letter case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    /// It is ignored.
    Ignored,
    /// Nothing.
    Unstated,
}

/// How a filter compares.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind<'d> {
    /// Equal to the value; with the enumerated values, if any.
    Exact(Vec<&'d str>),
    /// Equal to one of several values; with the enumerated values, if any.
    Any(Vec<&'d str>),
    /// One of the record's values: `tag` of `tags`, or `seller_id` of each of `splits`.
    Among,
    /// A text that contains the value.
    Part,
    /// A lower bound; whether it is a date.
    Least(bool),
    /// An upper bound; whether it is a date.
    Greatest(bool),
}

impl Kind<'_> {
    pub(super) fn of(is_lower: bool, is_date: bool) -> Self {
        if is_lower {
            Self::Least(is_date)
        } else {
            Self::Greatest(is_date)
        }
    }
}

impl Filter<'_> {
    /// The value of a record that the filter compares. `None` if absent, null or not a plain value.
    pub(crate) fn value<'a>(&self, record: &'a Node) -> Option<&'a Node> {
        let value = if self.kind == Kind::Among {
            self.all(record).pop()?
        } else {
            let object = self.within.map_or(Some(record), |name| record.get(name))?;
            object.get(self.property)?
        };
        let is_plain = !matches!(
            value.value,
            Value::Mapping(_) | Value::Sequence(_) | Value::Null
        );
        is_plain.then_some(value)
    }

    /// The values of a list, one of which has to match.
    fn all<'a>(&self, record: &'a Node) -> Vec<&'a Node> {
        let list = record.get(self.within.unwrap_or(self.property));
        let items = list.into_iter().flat_map(Node::items);
        let value = items.filter_map(|node| match self.within {
            Some(_) => node.get(self.property),
            None => Some(node),
        });
        value.filter(|node| !node.is_null()).collect()
    }

    /// The values to request: one that the record has, and others.
    pub(crate) fn requested(&self, record: &Node) -> Vec<Node> {
        let Some(value) = self.value(record) else {
            return Vec::new();
        };
        let all = match &self.kind {
            Kind::Exact(known) if !known.is_empty() => {
                let others = known.iter().filter(|other| value.as_str() != Some(**other));
                let others = others.take(OTHERS).map(|text| Some(value::string(text)));
                std::iter::once(Some(value.clone())).chain(others).collect()
            }
            Kind::Exact(_) | Kind::Among => vec![Some(value.clone()), another(value, &[])],
            Kind::Any(known) => {
                let list = |all: Vec<Node>| value::node(Value::Sequence(all));
                let other = another(value, known);
                let both = |other: Node| {
                    let turned = vec![other.clone(), value.clone()];
                    let all = [vec![value.clone(), other.clone()], turned, vec![other]];
                    all.map(|item| Some(list(item))).to_vec()
                };
                let mut all = vec![Some(list(vec![value.clone()]))];
                all.extend(other.map(both).unwrap_or_default());
                all
            }
            Kind::Part => vec![Some(value.clone()), another(value, &[]), self.inner(value)],
            Kind::Least(is_date) | Kind::Greatest(is_date) => {
                let cut = |node: Option<Node>| node.map(|item| cut(&item, *is_date));
                let is_sure = self.is_inclusive() || self.is_of_day(value) || self.is_exclusive();
                let is_stated = self.times.is_empty() && is_sure;
                let itself = is_stated.then(|| value.clone());
                vec![cut(moved(value, false)), cut(moved(value, true)), itself]
            }
        };
        let other = turned(value).filter(|_| self.mentions_case());
        all.into_iter().chain([other]).flatten().collect()
    }

    /// The property with several values, if the filter selects one of them.
    pub(crate) fn among(&self) -> Option<&str> {
        (self.kind == Kind::Among && self.within.is_none()).then_some(self.property)
    }

    /// Whether a record has several values in that property.
    pub(crate) fn has_several(&self, record: &Node) -> bool {
        let value = self.among().and_then(|name| record.get(name));
        value.is_some_and(|node| node.items().nth(1).is_some())
    }

    /// Whether the description says something about letter case and the record's value has letters.
    pub(crate) fn has_other_case(&self, record: &Node) -> bool {
        self.mentions_case() && self.value(record).and_then(turned).is_some()
    }

    fn mentions_case(&self) -> bool {
        self.case != Case::Unstated && self.is_exact()
    }

    /// Whether the filter compares for equality.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self.kind, Kind::Exact(_) | Kind::Any(_))
    }

    /// Whether a record may be in the filtered list.
    pub(crate) fn fits(&self, record: &Node, requested: &Node) -> bool {
        let Some(value) = self.value(record) else {
            // A record with an empty list, or with null, does not match any value.
            let object = self.within.map_or(Some(record), |name| record.get(name));
            let is_none = object
                .and_then(|node| node.get(self.property))
                .is_some_and(Node::is_null);
            // A partial item may omit the list.
            let is_left_out = self.within.is_some() && object.is_none();
            let is_among = self.kind == Kind::Among && !is_left_out;
            return !(is_among || is_none && self.is_exact());
        };
        if !self.times.is_empty() {
            let mut times = self.times.iter().filter_map(|name| record.get(name));
            return times.any(|node| node.is_null() || self.is_beyond(node, requested));
        }
        match &self.kind {
            Kind::Exact(_) if self.case == Case::Ignored => is_in_any_case(value, requested),
            Kind::Exact(_) => value::plain(value) == value::plain(requested),
            Kind::Among => self.is_among(record, requested),
            Kind::Any(_) => is_one_of(value, requested),
            Kind::Part => {
                let plain = |node: &Node| value::plain(node).to_lowercase();
                plain(value).contains(&plain(requested))
            }
            Kind::Least(_) => ordered(value, requested) != Some(Ordering::Less),
            Kind::Greatest(_) if self.is_exclusive() && value.same_value(requested) => false,
            Kind::Greatest(_) => ordered(value, requested) != Some(Ordering::Greater),
        }
    }

    /// Whether a record must be in the filtered list.
    pub(crate) fn is_certain(&self, record: &Node, requested: &Node) -> bool {
        let Some(value) = self.value(record) else {
            return false;
        };
        if !self.times.is_empty() {
            let is_beyond = |node: &Node| !node.is_null() && self.is_beyond(node, requested);
            let mut times = self.times.iter();
            return times.all(|name| record.get(name).is_some_and(is_beyond));
        }
        match &self.kind {
            Kind::Exact(_) if self.case == Case::Ignored => is_in_any_case(value, requested),
            Kind::Exact(_) => value.same_value(requested),
            Kind::Among => self.is_among(record, requested),
            Kind::Any(_) => is_one_of(value, requested),
            // A search for words may ignore some of them.
            Kind::Part => self.is_contained() && self.fits(record, requested),
            _ if (self.is_inclusive() || self.is_of_day(value)) && value.same_value(requested) => {
                true
            }
            Kind::Least(_) => ordered(value, requested) == Some(Ordering::Greater),
            Kind::Greatest(_) => ordered(value, requested) == Some(Ordering::Less),
        }
    }

    /// Whether one of a record's values equals the requested one, ignoring case.
    fn is_among(&self, record: &Node, requested: &Node) -> bool {
        let plain = |node: &Node| value::plain(node).to_lowercase();
        let mut all = self.all(record).into_iter();
        all.any(|item| plain(item) == plain(requested))
    }

    /// Whether a time is strictly beyond a bound.
    fn is_beyond(&self, node: &Node, requested: &Node) -> bool {
        let wanted = match self.kind {
            Kind::Least(_) => Ordering::Greater,
            _ => Ordering::Less,
        };
        ordered(node, requested) == Some(wanted)
    }

    fn is_contained(&self) -> bool {
        names::words(self.parameter)
            .iter()
            .any(|item| item == CONTAINS)
    }

    /// An inner part of a text, for a filter that searches within texts.
    fn inner(&self, node: &Node) -> Option<Node> {
        let text = node
            .as_str()
            .filter(|text| text.len() > 2 && text.is_ascii())?;
        let inner = &text[1..text.len() - 1];
        (self.is_contained() && inner.trim() == inner).then(|| value::string(inner))
    }

    /// Whether an upper time bound is exclusive. Answers may truncate times, so an equal time may be later than
    /// shown.
    fn is_exclusive(&self) -> bool {
        self.says_without && matches!(self.kind, Kind::Greatest(false))
    }

    /// Whether an inclusive bound compares whole days.
    fn is_of_day(&self, node: &Node) -> bool {
        let is_bound = matches!(self.kind, Kind::Least(_) | Kind::Greatest(_));
        let is_day = node
            .as_str()
            .is_some_and(|text| text.len() == 10 && is_time(text));
        is_bound && is_day && self.says_within
    }

    /// Whether the bound is inclusive: `min` and `max` are, and lower bounds whose text says so.
    fn is_inclusive(&self) -> bool {
        let words = names::words(self.parameter);
        let says = |word: &String| matches!(word.as_str(), "min" | "max" | "gte" | "lte");
        let is_bound = matches!(self.kind, Kind::Least(_) | Kind::Greatest(_));
        // Answers may truncate times, so an upper bound equal to the shown time is not certain.
        let is_within = self.says_within && matches!(self.kind, Kind::Least(false));
        is_bound && (is_within || words.iter().any(says))
    }
}

/// Whether two values are equal, ignoring case.
fn is_in_any_case(one: &Node, other: &Node) -> bool {
    value::plain(one).to_lowercase() == value::plain(other).to_lowercase()
}

/// A text in the other letter case.
pub(crate) fn turned(node: &Node) -> Option<Node> {
    let text = node.as_str()?;
    let upper = text.to_uppercase();
    let other = if upper == text {
        text.to_lowercase()
    } else {
        upper
    };
    (other != text && text.is_ascii()).then(|| value::string(&other))
}

/// Another value in the same form.
fn another(node: &Node, known: &[&str]) -> Option<Node> {
    match &node.value {
        Value::Bool(flag) => Some(value::node(Value::Bool(!flag))),
        Value::Number(text) => Some(value::number(text.parse::<i64>().ok()?.checked_add(1)?)),
        Value::String(text) if known.is_empty() => {
            let turned = text.chars().map(|char| match char {
                '0'..='8' => char::from_u32(u32::from(char) + 1).unwrap_or('0'),
                '9' => '0',
                'a'..='f' => 'c',
                'g'..='z' => 'q',
                'A'..='Z' => 'Q',
                other => other,
            });
            Some(value::string(&turned.collect::<String>()))
        }
        Value::String(text) => {
            let mut others = known.iter().filter(|item| **item != text.as_str());
            others.next().map(|text| value::string(text))
        }
        _ => None,
    }
}

/// Whether a value equals the requested one, or one of several.
fn is_one_of(node: &Node, requested: &Node) -> bool {
    node.same_value(requested) || requested.items().any(|one| node.same_value(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exclusive_bound_does_not_match_the_bound() {
        let before = Filter {
            parameter: "to",
            property: "v",
            kind: Kind::Greatest(false),
            within: None,
            says_within: false,
            says_without: true,
            case: Case::Unstated,
            times: Vec::new(),
        };
        let noon = openapi_document::json::read_text(r#"{"v":"2026-01-02T12:00:00Z"}"#).unwrap();
        let requested = before.requested(&noon);
        assert!(!before.fits(&noon, requested.last().unwrap()));
    }

    /// A filter without texts.
    fn of_kind<'d>(parameter: &'d str, kind: Kind<'d>) -> Filter<'d> {
        Filter {
            parameter,
            property: "v",
            kind,
            within: None,
            says_within: false,
            says_without: false,
            case: Case::Unstated,
            times: Vec::new(),
        }
    }

    #[test]
    fn one_of_several_values_and_none() {
        let read = |text: &str| openapi_document::json::read_text(text).unwrap();
        for (kind, record, requested, expected) in [
            (Kind::Any(vec![]), r#"{"v":"a"}"#, r#""a""#, true),
            (Kind::Any(vec![]), r#"{"v":"a"}"#, r#"["b","a"]"#, true),
            (Kind::Any(vec![]), r#"{"v":"a"}"#, r#""b""#, false),
            (Kind::Any(vec![]), r#"{"v":null}"#, r#"["b"]"#, false),
            (Kind::Exact(vec![]), r#"{"v":null}"#, r#""b""#, false),
            (Kind::Exact(vec![]), "{}", r#""b""#, true),
        ] {
            let filter = of_kind("v", kind);
            let found = filter.fits(&read(record), &read(requested));
            assert_eq!(found, expected, "{record} {requested}");
        }
    }

    #[test]
    fn requested_values() {
        let record = openapi_document::json::read_text(r#"{"v":"b1"}"#).unwrap();
        for (kind, expected) in [
            (Kind::Exact(vec!["a", "b1", "c"]), &["b1", "a", "c"][..]),
            (Kind::Exact(vec![]), &["b1", "c2"]),
        ] {
            let filter = of_kind("v", kind);
            let requested = filter.requested(&record);
            let requested: Vec<&str> = requested.iter().filter_map(Node::as_str).collect();
            assert_eq!(requested, expected);
        }
    }

    #[test]
    fn records_that_may_and_must_match() {
        let inclusive = of_kind("min_v", Kind::Least(false));
        let five = openapi_document::json::read_text(r#"{"v":5}"#).unwrap();
        assert!(inclusive.is_certain(&five, five.get("v").unwrap()));
        let contained = of_kind("vContains", Kind::Part);
        let blue = openapi_document::json::read_text(r#"{"v":"Blue"}"#).unwrap();
        let requested = contained.requested(&blue);
        let last = requested.last().unwrap();
        assert_eq!(last.as_str(), Some("lu"));
        assert!(contained.is_certain(&blue, last));
        let filter = |kind| Filter {
            says_within: true,
            ..of_kind("p", kind)
        };
        let read = |text| openapi_document::json::read_text(text).unwrap();
        for (kind, item, requested, fits, certain) in [
            (Kind::Exact(vec![]), r#"{"v":"a"}"#, r#""a""#, true, true),
            (Kind::Exact(vec![]), r#"{"v":"a"}"#, r#""b""#, false, false),
            (Kind::Exact(vec![]), "{}", r#""b""#, true, false),
            (Kind::Part, r#"{"v":"Blue"}"#, r#""lu""#, true, false),
            (
                Kind::Least(false),
                r#"{"v":"10.50"}"#,
                r#""5.25""#,
                true,
                true,
            ),
            (Kind::Least(false), r#"{"v":5}"#, "11", false, false),
            (
                Kind::Any(vec![]),
                r#"{"v":"a"}"#,
                r#"["b","a"]"#,
                true,
                true,
            ),
            (Kind::Any(vec![]), r#"{"v":"a"}"#, r#"["b"]"#, false, false),
            (Kind::Among, r#"{"v":["a","b"]}"#, r#""A""#, true, true),
            (Kind::Among, r#"{"v":["a"]}"#, r#""b""#, false, false),
            (Kind::Among, r#"{"v":[]}"#, r#""b""#, false, false),
            (
                Kind::Least(false),
                r#"{"v":"2026-01-02T10:00:00Z"}"#,
                r#""2026-01-02T12:00:00+02:00""#,
                true,
                false,
            ),
            (
                Kind::Least(false),
                r#"{"v":"2026-01-02T10:00:00Z"}"#,
                r#""2026-01-02T10:00:01Z""#,
                false,
                false,
            ),
            (
                Kind::Greatest(true),
                r#"{"v":"2026-01-02T00:00:00Z"}"#,
                r#""1999-01-02""#,
                false,
                false,
            ),
        ] {
            let (record, requested) = (read(item), read(requested));
            let filter = filter(kind);
            assert_eq!(
                filter.fits(&record, &requested),
                fits,
                "{}",
                record.to_json()
            );
            assert_eq!(
                filter.is_certain(&record, &requested),
                certain,
                "{}",
                record.to_json()
            );
        }
    }
}
