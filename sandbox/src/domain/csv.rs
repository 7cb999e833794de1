//! Writes comma-separated values as RFC 4180 defines them.

/// A CSV file under construction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Csv {
    text: String,
}

/// One value of a line.
#[derive(Clone, Copy, Debug)]
pub enum Cell<'a> {
    /// A value that this program writes, such as a number, an id or a time.
    Trusted(&'a str),
    /// A text from outside, which may look like a formula.
    Untrusted(&'a str),
}

impl Csv {
    /// Adds a line.
    pub fn line<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) {
        for (index, cell) in cells.into_iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.cell(cell);
        }
        self.text.push_str("\r\n");
    }

    /// The text of the file.
    pub fn into_text(self) -> String {
        self.text
    }

    fn cell(&mut self, cell: Cell<'_>) {
        let (text, guard) = match cell {
            Cell::Trusted(text) => (text, false),
            Cell::Untrusted(text) => (text, is_formula(text)),
        };
        let quoted = text.contains(['"', ',', '\r', '\n']);
        if quoted {
            self.text.push('"');
        }
        if guard {
            self.text.push('\'');
        }
        if quoted {
            self.text.push_str(&text.replace('"', "\"\""));
            self.text.push('"');
        } else {
            self.text.push_str(text);
        }
    }
}

/// Whether a spreadsheet would evaluate the text as a formula.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn foreign(text: &str) -> String {
        let mut csv = Csv::default();
        csv.line([Cell::Untrusted(text)]);
        csv.into_text()
    }

    #[test]
    fn special_characters_are_quoted() {
        let table = [
            ("plain", "plain\r\n"),
            ("", "\r\n"),
            ("a,b", "\"a,b\"\r\n"),
            ("say \"hello\"", "\"say \"\"hello\"\"\"\r\n"),
            ("two\r\nlines", "\"two\r\nlines\"\r\n"),
        ];
        for (text, expected) in table {
            assert_eq!(foreign(text), expected);
        }
    }

    #[test]
    fn formulas_get_an_apostrophe() {
        for text in ["=1+1", "+1", "-1", "@sum", "\tx", "＝1"] {
            assert_eq!(foreign(text), format!("'{text}\r\n"));
        }
        assert_eq!(foreign("=a,\"b\""), "\"'=a,\"\"b\"\"\"\r\n");
        let mut csv = Csv::default();
        csv.line([Cell::Trusted("-10.00"), Cell::Trusted("EUR")]);
        assert_eq!(csv.into_text(), "-10.00,EUR\r\n");
    }

    /// Parses a file by the grammar of RFC 4180.
    fn read(text: &str) -> Vec<Vec<String>> {
        let (mut lines, mut line, mut cell) = (Vec::new(), Vec::new(), String::new());
        let (mut quoted, mut rest) = (false, text.chars().peekable());
        while let Some(next) = rest.next() {
            match next {
                '"' if quoted && rest.peek() == Some(&'"') => cell.extend(rest.next()),
                '"' => quoted = !quoted,
                ',' if !quoted => line.push(std::mem::take(&mut cell)),
                '\r' if !quoted && rest.peek() == Some(&'\n') => {
                    rest.next();
                    line.push(std::mem::take(&mut cell));
                    lines.push(std::mem::take(&mut line));
                }
                other => cell.push(other),
            }
        }
        assert!(
            !quoted && cell.is_empty() && line.is_empty(),
            "cut off: {text:?}"
        );
        lines
    }

    proptest! {
        #[test]
        fn a_written_file_reads_back(
            cells in proptest::collection::vec(proptest::collection::vec("[a\",\r\n=é-]{0,6}", 2), 1..5)
        ) {
            let mut csv = Csv::default();
            for line in &cells {
                csv.line(line.iter().map(|text| Cell::Untrusted(text)));
            }
            let expected: Vec<Vec<String>> = cells.iter().map(|line| {
                let guarded = |text: &String| if is_formula(text) { format!("'{text}") } else { text.clone() };
                line.iter().map(guarded).collect()
            }).collect();
            prop_assert_eq!(read(&csv.into_text()), expected);
        }
    }
}
