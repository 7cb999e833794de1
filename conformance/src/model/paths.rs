//! Paths: compares path templates and finds their parameters.

use std::collections::BTreeMap;

use openapi_document::view::Operation;

use super::Call;

/// The last segment of a path that is not a parameter.
pub fn collection(path: &str) -> &str {
    let mut segments = path.rsplit('/');
    segments
        .find(|word| !word.is_empty() && !word.starts_with('{'))
        .unwrap_or_default()
}

/// The part of a path before a parameter.
pub(super) fn path_before<'p>(path: &'p str, parameter: &str) -> Option<&'p str> {
    let at = path.find(&format!("/{{{parameter}}}"))?;
    Some(&path[..at])
}

/// The part of a path up to and including a parameter.
pub(super) fn path_with<'p>(path: &'p str, parameter: &str) -> Option<&'p str> {
    let before = path_before(path, parameter)?;
    Some(&path[..before.len() + parameter.len() + "/{}".len()])
}

/// Parameters at the end of a path, by the path before them without parameter names.
pub(super) struct Keys<'d>(BTreeMap<String, Vec<&'d str>>);

/// The parameters at the end of the paths of operations.
pub(super) fn keys<'d>(operations: &[Operation<'d>]) -> Keys<'d> {
    let mut keys: BTreeMap<String, Vec<&'d str>> = BTreeMap::new();
    for operation in operations
        .iter()
        .filter(|operation| names_one(operation.path))
    {
        let path = operation.path.trim_end_matches('/');
        let Some((before, last)) = path.rsplit_once('/') else {
            continue;
        };
        let names = keys.entry(plain(before)).or_default();
        names.extend(
            last.strip_prefix('{')
                .and_then(|word| word.strip_suffix('}')),
        );
    }
    Keys(keys)
}

impl<'d> Keys<'d> {
    /// The key parameters of records below a path, then those within the path.
    pub(super) fn of(&self, path: &'d str) -> Vec<&'d str> {
        let under = self.0.get(&plain(path.trim_end_matches('/')));
        let through = segments(path).filter_map(|word| word.strip_prefix('{')?.strip_suffix('}'));
        under
            .into_iter()
            .flatten()
            .copied()
            .chain(through)
            .collect()
    }
}

/// A path with each parameter replaced by `{}`.
fn plain(path: &str) -> String {
    let segments = path.split('/');
    let segments: Vec<&str> = segments
        .map(|word| if word.starts_with('{') { "{}" } else { word })
        .collect();
    segments.join("/")
}

/// The segment before a parameter.
pub fn segment_before<'p>(path: &'p str, parameter: &str) -> Option<&'p str> {
    path_before(path, parameter).map(|before| before.rsplit('/').next().unwrap_or_default())
}

/// Whether two paths are equal, apart from parameter names and a trailing slash.
pub fn same_path(one: &str, other: &str) -> bool {
    segments(one).count() == segments(other).count() && starts_with(one, other)
}

/// Whether a path is the collection's path plus one parameter.
pub(super) fn is_item_of(item: &str, collection: &str) -> bool {
    names_one(item)
        && segments(item).count() == segments(collection).count() + 1
        && starts_with(item, collection)
}

/// Whether a path ends with a parameter, so that it names one record.
pub fn names_one(path: &str) -> bool {
    path.trim_end_matches('/').ends_with('}')
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.trim_end_matches('/').split('/')
}

pub(super) fn starts_with(long: &str, short: &str) -> bool {
    let mut segments = segments(long);
    short.trim_end_matches('/').split('/').all(|word| {
        segments.next().is_some_and(|segment| {
            segment == word || (segment.starts_with('{') && word.starts_with('{'))
        })
    })
}

/// Keeps the calls whose paths share the longest beginning with that of a call. One schema may appear in several
/// collections, or be found by several keys in one of them.
pub fn nearest(call: &Call<'_>, others: &mut Vec<&Call<'_>>) {
    let shared = |other: &Call<'_>| {
        let item = segments(call.operation.path);
        let pairs = item.zip(segments(other.operation.path));
        let same = pairs.take_while(|(one, other)| one == other);
        same.filter(|(word, _)| !word.starts_with('{')).count()
    };
    let most = others.iter().map(|other| shared(other)).max();
    others.retain(|other| Some(shared(other)) == most);
}

/// Whether the beginning of a path leads through a parameter of another one: `/shops/{shop}` of
/// `/shops/{shopId}/boxes/{box}` and `shopId`.
pub fn leads_through(beginning: &str, path: &str, parameter: &str) -> bool {
    path_with(path, parameter).is_some_and(|item| starts_with(beginning, item))
}
