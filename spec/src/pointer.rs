//! JSON pointers (RFC 6901).

use std::fmt;

/// A JSON pointer, kept as its decoded segments.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pointer {
    segments: Vec<String>,
}

impl Pointer {
    /// The pointer to the whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// Reads `/a/b~1c`; a leading `#` is allowed. `None` where it is not a pointer.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('#').unwrap_or(text);
        if text.is_empty() {
            return Some(Self::root());
        }
        let segments = text.strip_prefix('/')?.split('/').map(unescape).collect();
        Some(Self { segments })
    }

    /// Reads the fragment of a URI reference, where `%7B` stands for `{`.
    pub fn parse_fragment(fragment: &str) -> Option<Self> {
        Self::parse(&percent_decode(fragment)?)
    }

    /// This pointer and one segment more.
    #[must_use]
    pub fn join(&self, segment: impl Into<String>) -> Self {
        let mut segments = self.segments.clone();
        segments.push(segment.into());
        Self { segments }
    }

    /// Adds a segment.
    pub fn push(&mut self, segment: impl Into<String>) {
        self.segments.push(segment.into());
    }

    /// Takes the last segment away.
    pub fn pop(&mut self) -> Option<String> {
        self.segments.pop()
    }

    /// The decoded segments.
    pub fn segments(&self) -> &[String] {
        &self.segments
    }

    /// The last segment.
    pub fn last(&self) -> Option<&str> {
        self.segments.last().map(String::as_str)
    }
}

impl<S: Into<String>> FromIterator<S> for Pointer {
    fn from_iter<I: IntoIterator<Item = S>>(segments: I) -> Self {
        Self {
            segments: segments.into_iter().map(Into::into).collect(),
        }
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for segment in &self.segments {
            write!(f, "/{}", escape(segment))?;
        }
        Ok(())
    }
}

/// One segment as it is written in a pointer.
pub fn escape(segment: &str) -> String {
    segment.replace('~', "~0").replace('/', "~1")
}

fn unescape(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// The text with `%20` and the like decoded; `None` where that is no text.
pub(crate) fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_prints_what_it_read() {
        for text in ["", "/a", "/a~1b/~0c", "/", "/a//b", "/paths/~1v1~1{id}/get"] {
            assert_eq!(Pointer::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Pointer::parse("#/a").unwrap().segments(), ["a"]);
        assert_eq!(
            Pointer::parse_fragment("/%7Bid%7D").unwrap().segments(),
            ["{id}"]
        );
        assert_eq!(Pointer::parse("a"), None);
        assert_eq!(Pointer::parse_fragment("/%zz"), None);
    }
}
