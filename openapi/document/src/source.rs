//! Source: source texts and places in them.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// One source text, by its index in a [`SourceMap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub(crate) u32);

impl FileId {
    /// For nodes that are in no source map, such as those of a response body.
    pub(crate) const NONE: Self = Self(u32::MAX);
}

/// A range of bytes in one source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The source text.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The beginning of the first text, for findings without a place.
    pub const START: Self = Self {
        file: FileId(0),
        start: 0,
        end: 0,
    };

    /// The span as a range of byte indices.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place for people: `file:line:column`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The path of the file, as given or relative to the current folder.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A source text with an index of its lines.
#[derive(Debug, Clone)]
pub struct SourceFile {
    path: PathBuf,
    text: String,
    line_starts: Vec<u32>,
    is_ascii: bool,
}

impl SourceFile {
    /// Adds a text, without its byte order mark. A text is cut at 4 GiB, because spans cannot
    /// address more.
    pub(crate) fn new(path: PathBuf, mut text: String) -> Self {
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        let mut line_starts = vec![0];
        line_starts.extend(text.match_indices('\n').map(|(end, _)| to_u32(end + 1)));
        Self {
            is_ascii: text.is_ascii(),
            path,
            text,
            line_starts,
        }
    }

    /// The path as messages show it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the text is ASCII, so that each character is one byte.
    pub(crate) fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    /// Line and column, both from 1, of a byte index.
    fn line_column(&self, byte: usize) -> (usize, usize) {
        let byte = byte.min(self.text.len());
        let line = self
            .line_starts
            .partition_point(|&start| start as usize <= byte)
            .max(1);
        let start = self.line_starts[line - 1] as usize;
        let column = match self.text.get(start..byte) {
            // For speed: a whole document may be on one line.
            Some(before) if self.is_ascii => before.len(),
            Some(before) => before.chars().count(),
            None => 0,
        };
        (line, column + 1)
    }

    /// A line, counted from 1, without its line break; `None` after the last line.
    pub fn line_text(&self, line: usize) -> Option<&str> {
        let range = (1..=self.line_starts.len())
            .contains(&line)
            .then(|| self.line(line))?;
        self.text.get(range)
    }

    /// The byte range of a line, counted from 1, without its line break.
    pub(crate) fn line(&self, line: usize) -> Range<usize> {
        let start = |index: usize| self.line_starts.get(index).map(|&start| start as usize);
        let begin = start(line.saturating_sub(1)).unwrap_or(self.text.len());
        let end = start(line).map_or(self.text.len(), |next| next - 1);
        begin..end
    }
}

/// All source texts of one document.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a text, which is cut at 4 GiB.
    pub fn add(&mut self, path: impl Into<PathBuf>, text: String) -> FileId {
        self.take_in(SourceFile::new(path.into(), text))
    }

    /// Adds a source file.
    pub(crate) fn take_in(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(to_u32(self.files.len() - 1))
    }

    /// One of the texts.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All texts in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files
            .iter()
            .enumerate()
            .map(|(index, file)| (FileId(to_u32(index)), file))
    }

    /// The beginning of the first text.
    pub fn beginning(&self) -> Span {
        Span {
            file: FileId(0),
            start: 0,
            end: 0,
        }
    }

    /// The place where a span begins.
    pub fn place(&self, span: Span) -> Place {
        let file = self.file(span.file);
        let (line, column) = file.line_column(span.start as usize);
        Place {
            file: file.path.display().to_string(),
            line,
            column,
        }
    }
}

fn to_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_from_one() {
        let mut sources = SourceMap::default();
        let file = sources.add("a.yaml", "é: 1\nü: x\n".to_owned());
        let at = |start| {
            sources
                .place(Span {
                    file,
                    start,
                    end: start,
                })
                .to_string()
        };
        assert_eq!(at(0), "a.yaml:1:1");
        assert_eq!(at(4), "a.yaml:1:4");
        assert_eq!(at(6), "a.yaml:2:1");
        assert_eq!(at(10_000), "a.yaml:3:1");
    }
}
