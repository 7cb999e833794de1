//! Pointer: a JSON pointer (RFC 6901).

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use percent_encoding::percent_decode_str;

/// A JSON pointer, stored as text, so that a further step copies only one string.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Pointer {
    /// Valid pointer text: every `~` begins `~0` or `~1`.
    text: String,
}

impl Pointer {
    /// The pointer to the whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// Parses `/a/b~1c`; a leading `#` is allowed. `None` if the text is not a pointer.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('#').unwrap_or(text);
        if !text.is_empty() && !text.starts_with('/') {
            return None;
        }
        let read = Self {
            text: text.to_owned(),
        };
        // A `~` that is followed by neither `0` nor `1` stands for a `~`, and is rewritten to `~0`.
        let mut ends = text.split('~').skip(1);
        let is_written_so = ends.all(|end| end.starts_with(['0', '1']));
        Some(if is_written_so {
            read
        } else {
            read.segments().collect()
        })
    }

    /// Parses the fragment of a URI reference, in which `%7B` is `{`.
    pub fn parse_fragment(fragment: &str) -> Option<Self> {
        Self::parse(&percent_decode(fragment)?)
    }

    /// The pointer as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// This pointer with one more segment.
    #[must_use]
    pub fn join(&self, segment: impl AsRef<str>) -> Self {
        let segment = segment.as_ref();
        let mut text = String::with_capacity(self.text.len() + 1 + segment.len());
        text.push_str(&self.text);
        let mut joined = Self { text };
        joined.push(segment);
        joined
    }

    /// Adds a segment.
    pub fn push(&mut self, segment: impl AsRef<str>) {
        let segment = escape(segment.as_ref());
        self.text.reserve(1 + segment.len());
        self.text.push('/');
        self.text.push_str(&segment);
    }

    /// Removes the last segment.
    pub fn pop(&mut self) {
        let last = self.text.bytes().rposition(|byte| byte == b'/');
        self.text.truncate(last.unwrap_or(0));
    }

    /// The decoded segments.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = Cow<'_, str>> + Clone {
        let written = self.text.strip_prefix('/').map(|text| text.split('/'));
        written.into_iter().flatten().map(unescape)
    }

    /// The number of segments.
    pub fn depth(&self) -> usize {
        self.text.bytes().filter(|byte| *byte == b'/').count()
    }

    /// Whether it points to the whole document.
    pub fn is_root(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether it points to the same place as `outer`, or below it.
    pub fn is_within(&self, outer: &Self) -> bool {
        let rest = self.text.strip_prefix(&outer.text);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The name of the component, if it points to a component of a section such as `schemas`.
    pub fn component(&self, section: &str) -> Option<Cow<'_, str>> {
        let mut segments = self.segments();
        let is_of_section = segments.next()? == "components" && segments.next()? == section;
        let name = segments.next()?;
        (is_of_section && segments.next().is_none()).then_some(name)
    }

    /// The last segment.
    pub fn last(&self) -> Option<Cow<'_, str>> {
        self.segments().next_back()
    }
}

/// Compares segment by segment, so that the places below a pointer follow it directly.
impl Ord for Pointer {
    fn cmp(&self, other: &Self) -> Ordering {
        self.segments().cmp(other.segments())
    }
}

impl PartialOrd for Pointer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S: AsRef<str>> FromIterator<S> for Pointer {
    fn from_iter<I: IntoIterator<Item = S>>(segments: I) -> Self {
        let mut pointer = Self::root();
        for segment in segments {
            pointer.push(segment);
        }
        pointer
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// A segment as it is escaped in a pointer.
pub fn escape(segment: &str) -> Cow<'_, str> {
    if segment.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        segment.replace('~', "~0").replace('/', "~1").into()
    } else {
        segment.into()
    }
}

fn unescape(segment: &str) -> Cow<'_, str> {
    if segment.bytes().any(|byte| byte == b'~') {
        segment.replace("~1", "/").replace("~0", "~").into()
    } else {
        segment.into()
    }
}

/// Decodes percent escapes; `None` if an escape is broken, or the result is not UTF-8.
pub(crate) fn percent_decode(text: &str) -> Option<Cow<'_, str>> {
    // The library keeps broken escapes, so they are checked here.
    let is_whole = |escape: &str| {
        let digits = escape.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let is_well_formed = text.split('%').skip(1).all(is_whole);
    is_well_formed.then(|| percent_decode_str(text).decode_utf8().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_it_parsed() {
        for text in ["", "/a", "/a~1b/~0c", "/", "/a//b", "/paths/~1v1~1{id}/get"] {
            assert_eq!(Pointer::parse(text).unwrap().to_string(), text);
        }
        let segments = |text: &str| -> Vec<String> {
            let read = Pointer::parse_fragment(text).unwrap();
            read.segments().map(Cow::into_owned).collect()
        };
        assert_eq!(Pointer::parse("#/a"), Pointer::parse("/a"));
        assert_eq!(segments("/%7Bid%7D/~01~1"), ["{id}", "~1/"]);
        assert_eq!(Pointer::parse("/a~2"), Some(Pointer::root().join("a~2")));
        assert_eq!(Pointer::parse("a"), None);
        for broken in ["/%zz", "/%+1", "/%4", "/%", "/%FF"] {
            assert_eq!(Pointer::parse_fragment(broken), None, "{broken}");
        }
    }

    #[test]
    fn steps_lead_down_and_up() {
        let mut pointer = Pointer::root().join("paths").join("/a~b");
        assert_eq!(pointer.as_str(), "/paths/~1a~0b");
        assert_eq!(
            (pointer.depth(), pointer.last().as_deref()),
            (2, Some("/a~b"))
        );
        let outer = Pointer::root().join("paths");
        assert!(pointer.is_within(&outer) && pointer.is_within(&pointer));
        assert!(!outer.is_within(&pointer) && !Pointer::root().join("paths2").is_within(&outer));
        pointer.pop();
        assert_eq!(pointer, outer);
        pointer.pop();
        pointer.pop();
        assert!(pointer.is_root() && pointer.last().is_none());
    }

    #[test]
    fn places_below_a_pointer_follow_it() {
        let mut all = ["/a.b", "/a/b", "/a", "/a~1"].map(|text| Pointer::parse(text).unwrap());
        all.sort();
        assert_eq!(
            all.map(|pointer| pointer.to_string()),
            ["/a", "/a/b", "/a.b", "/a~1"]
        );
    }
}
