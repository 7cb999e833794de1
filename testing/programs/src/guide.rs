//! The parts of a guide that its reader writes or types, for tests that follow it.

/// A fenced block of a guide, with what the comment in the line before says of it.
#[derive(Debug, PartialEq, Eq)]
pub enum Block {
    /// After `<!-- file NAME -->`: a file that the reader writes.
    File {
        /// Where, relative to the reader's folder.
        name: String,
        /// What is in it.
        text: String,
    },
    /// A block in `sh`: commands that the reader types.
    Commands {
        /// The lines.
        script: String,
        /// The exit code after `<!-- exit CODE -->`, else 0.
        code: i32,
    },
}

/// The blocks of a guide in Markdown, in their order. Blocks in another language are for reading only.
pub fn blocks(guide: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut note = "";
    let mut lines = guide.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.extend(block(note, language, text.join("\n") + "\n"));
        }
        note = line;
    }
    blocks
}

fn block(note: &str, language: &str, text: String) -> Option<Block> {
    let word = |key: &str| {
        let note = note.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
        note.strip_prefix(key)
    };
    if let Some(name) = word("file ") {
        let name = name.to_owned();
        return Some(Block::File { name, text });
    }
    let code = word("exit ").and_then(|code| code.parse().ok());
    (language == "sh").then(|| Block::Commands {
        script: text,
        code: code.unwrap_or_default(),
    })
}
