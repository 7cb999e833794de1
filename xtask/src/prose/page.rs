//! Parses a Markdown page.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The parts of a page that the checks need.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Whether a command writes the page; then its language comes from its source.
    pub(crate) is_generated: bool,
    pub(crate) blocks: Vec<Block>,
    /// The line and target of each link.
    pub(crate) links: Vec<(usize, String)>,
    /// The fragments that links to this page can have.
    pub(crate) anchors: BTreeSet<String>,
    /// The number and length of each line of prose.
    pub(crate) lines: Vec<(usize, usize)>,
}

/// The text of a paragraph, a list item, a heading or a cell, with `x` for code.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) line: usize,
    pub(crate) text: String,
    /// Whether it consists of sentences, unlike headings and cells.
    pub(crate) is_prose: bool,
}

impl Page {
    pub(crate) fn parse(text: &str) -> Self {
        let generated = ["<!-- Generated", "<!-- Made from"];
        let text = without_marked(text);
        let mut page = Self {
            is_generated: generated.iter().any(|begin| text.starts_with(begin)),
            ..Self::default()
        };
        let mut reader = Reader {
            page: &mut page,
            text: &text,
            block: Block::default(),
            not_prose: Vec::new(),
        };
        let options = Options::ENABLE_TABLES;
        for (event, range) in Parser::new_ext(&text, options).into_offset_iter() {
            reader.read(event, range);
        }
        let not_prose = reader.not_prose;
        page.lines = lines(&text, &not_prose);
        page
    }
}

struct Reader<'p> {
    page: &'p mut Page,
    text: &'p str,
    block: Block,
    /// The ranges of code, tables and comments, whose lines may be long.
    not_prose: Vec<Range<usize>>,
}

impl Reader<'_> {
    fn read(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::Table(_) | Tag::HtmlBlock) => {
                self.end(true);
                self.not_prose.push(range);
            }
            Event::Start(Tag::Item | Tag::Paragraph)
            | Event::End(TagEnd::Item | TagEnd::Paragraph) => {
                self.end(true);
            }
            Event::End(TagEnd::TableCell) => self.end(false),
            Event::End(TagEnd::Heading(_)) => {
                self.anchor();
                self.end(false);
            }
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock) => self.block.text.clear(),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let line = line_of(self.text, range.start);
                self.page.links.push((line, dest_url.into_string()));
            }
            Event::Text(text) => self.add(&text, range.start),
            Event::Code(_) => self.add("x", range.start),
            Event::SoftBreak | Event::HardBreak => self.block.text.push(' '),
            _ => {}
        }
    }

    fn add(&mut self, text: &str, start: usize) {
        if self.block.text.is_empty() {
            self.block.line = line_of(self.text, start);
        }
        self.block.text.push_str(text);
    }

    fn end(&mut self, is_prose: bool) {
        let block = std::mem::take(&mut self.block);
        if !block.text.trim().is_empty() {
            self.page.blocks.push(Block { is_prose, ..block });
        }
    }

    /// Adds the fragment of a heading, in the form of the forges and the site.
    fn anchor(&mut self) {
        let line = self.text.lines().nth(self.block.line.saturating_sub(1));
        let heading = line.unwrap_or_default().trim_start_matches(['#', ' ']);
        let kept = heading.chars().filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ => c.is_alphanumeric().then_some(c),
        });
        let anchor: String = kept.flat_map(char::to_lowercase).collect();
        self.page.anchors.insert(anchor);
    }
}

/// The text with empty lines instead of the parts that a command writes between marks.
fn without_marked(text: &str) -> String {
    let mut is_marked = false;
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        is_marked |= line.starts_with("<!-- begin of ");
        if !is_marked {
            kept.push_str(line);
        }
        kept.push('\n');
        is_marked &= !line.starts_with("<!-- end of ");
    }
    kept
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text[..offset].matches('\n').count()
}

fn lines(text: &str, not_prose: &[Range<usize>]) -> Vec<(usize, usize)> {
    let mut start = 0;
    let mut lines = Vec::new();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let end = start + line.len();
        if !not_prose
            .iter()
            .any(|range| range.start < end && start < range.end)
        {
            lines.push((index + 1, line.trim_end().chars().count()));
        }
        start = end;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Block, Page};

    const PAGE: &str = "\
# One `code` heading

A paragraph with `code`
and [a link](other.md#part).

| cell | other |
|---|---|
| a very long row | of a table |

```sh
a command
```

- first item

      indented code

- second item
";

    #[test]
    fn blocks_links_and_anchors_are_found() {
        let page = Page::parse(PAGE);
        let block = |line, text: &str, is_prose| Block {
            line,
            text: text.to_owned(),
            is_prose,
        };
        let expected = [
            block(1, "One x heading", false),
            block(3, "A paragraph with x and a link.", true),
            block(6, "cell", false),
            block(6, "other", false),
            block(8, "a very long row", false),
            block(8, "of a table", false),
            block(14, "first item", true),
            block(18, "second item", true),
        ];
        assert_eq!(page.blocks, expected);
        assert_eq!(page.links, [(4, "other.md#part".to_owned())]);
        assert!(page.anchors.contains("one-code-heading"));
        let prose: Vec<usize> = page.lines.iter().map(|(line, _)| *line).collect();
        assert!([8, 11, 16].iter().all(|line| !prose.contains(line)) && prose.contains(&14));
    }

    #[test]
    fn generated_pages_and_parts_are_recognised() {
        assert!(Page::parse("<!-- Generated by a command -->\n\n# Page\n").is_generated);
        let page = "<!-- begin of `x` -->\nwords\n<!-- end of `x` -->\n\nafter\n";
        let page = Page::parse(page);
        assert_eq!(page.blocks.len(), 1);
        assert_eq!(page.blocks[0].line, 5);
    }
}
