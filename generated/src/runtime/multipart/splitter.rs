//! A body in pieces that may end anywhere → its parts.

use bytes::{Buf, Bytes, BytesMut};

use super::super::json::Unreadable;
use super::{Content, File, Part};

/// How many bytes the head of a part may have.
const LONGEST_HEAD: usize = 16 << 10;

/// Takes a body apart as it comes.
#[derive(Debug)]
pub(crate) struct Splitter {
    delimiter: Vec<u8>,
    buffer: BytesMut,
    within: Within,
}

/// What the buffer begins in.
#[derive(Clone, Copy, Debug)]
enum Within {
    Preamble,
    Boundary,
    Head,
    Content,
    Epilogue,
}

/// What comes next.
#[derive(Debug)]
pub(crate) enum Step {
    /// More of the body is needed.
    Wanting,
    /// A part begins, whose content is empty so far.
    Part(Part),
    /// A piece of the content of the part.
    Piece(Bytes),
    /// The part ends.
    End,
    /// There are no more parts.
    Done,
}

impl Splitter {
    /// For a body of this `Content-Type`.
    pub(crate) fn new(content_type: &str) -> Result<Self, Unreadable> {
        let boundary = directive(content_type, "boundary")
            .ok_or_else(|| Unreadable::malformed("the content type names no boundary"))?;
        Ok(Self {
            delimiter: format!("\r\n--{boundary}").into_bytes(),
            // The first delimiter has no line break before it when there is no preamble.
            buffer: BytesMut::from("\r\n"),
            within: Within::Preamble,
        })
    }

    /// Takes the next piece of the body.
    pub(crate) fn push(&mut self, piece: &[u8]) {
        self.buffer.extend_from_slice(piece);
    }

    /// What comes next, as far as the body is there.
    pub(crate) fn step(&mut self) -> Result<Step, Unreadable> {
        loop {
            match self.within {
                Within::Preamble => match find(&self.buffer, &self.delimiter) {
                    None => {
                        self.buffer.advance(self.surely_not_delimiter());
                        return Ok(Step::Wanting);
                    }
                    Some(at) => self.pass(at + self.delimiter.len(), Within::Boundary),
                },
                Within::Boundary if self.buffer.len() < 2 => return Ok(Step::Wanting),
                Within::Boundary if self.buffer.starts_with(b"--") => {
                    self.within = Within::Epilogue;
                }
                Within::Boundary => self.within = Within::Head,
                Within::Head => return self.head(),
                Within::Content => return Ok(self.content()),
                Within::Epilogue => {
                    self.buffer.clear();
                    return Ok(Step::Done);
                }
            }
        }
    }

    fn head(&mut self) -> Result<Step, Unreadable> {
        let Some(end) = find(&self.buffer, b"\r\n\r\n") else {
            return match self.buffer.len() {
                ..LONGEST_HEAD => Ok(Step::Wanting),
                LONGEST_HEAD.. => Err(broken()),
            };
        };
        if find(&self.buffer[..end], &self.delimiter).is_some() {
            return Err(broken());
        }
        let part = part(&self.buffer[..end])?;
        self.pass(end + 4, Within::Content);
        Ok(Step::Part(part))
    }

    fn content(&mut self) -> Step {
        let size = match find(&self.buffer, &self.delimiter) {
            Some(0) => {
                self.pass(self.delimiter.len(), Within::Boundary);
                return Step::End;
            }
            Some(at) => at,
            None => self.surely_not_delimiter(),
        };
        if size == 0 {
            return Step::Wanting;
        }
        Step::Piece(self.buffer.split_to(size).freeze())
    }

    fn pass(&mut self, size: usize, within: Within) {
        self.buffer.advance(size);
        self.within = within;
    }

    /// How many bytes there are before those that a delimiter may begin with.
    fn surely_not_delimiter(&self) -> usize {
        (self.buffer.len() + 1).saturating_sub(self.delimiter.len())
    }
}

fn part(head: &[u8]) -> Result<Part, Unreadable> {
    let head = std::str::from_utf8(head).map_err(|_| broken())?;
    let headers = || head.lines().filter_map(|line| line.split_once(':'));
    let header = |wanted: &str| {
        let mut values = headers().filter(|(name, _)| name.trim().eq_ignore_ascii_case(wanted));
        values.next().map(|(_, value)| value.trim())
    };
    let disposition = header("content-disposition").ok_or_else(broken)?;
    Ok(Part {
        name: directive(disposition, "name").ok_or_else(broken)?,
        file: File {
            name: directive(disposition, "filename"),
            media_type: header("content-type").map(str::to_owned),
            content: Content::default(),
        },
    })
}

/// The value of `name` in `…; name=value; …`, quoted or not.
fn directive(header: &str, name: &str) -> Option<String> {
    let mut rest = header.split_once(';')?.1;
    loop {
        let (key, value) = rest.split_once('=')?;
        let (value, tail) = match value.trim_start().strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => value
                .split_once(';')
                .map_or((value, ""), |(value, tail)| (value.trim(), tail)),
        };
        if key.trim().eq_ignore_ascii_case(name) {
            let value = value
                .replace("%22", "\"")
                .replace("%0D", "\r")
                .replace("%0A", "\n");
            return Some(value);
        }
        rest = tail.trim_start().trim_start_matches(';');
    }
}

fn find(body: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + body[from..].iter().position(|byte| *byte == wanted[0])?;
        if body[at..].starts_with(wanted) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// The error of a body that is not made of parts.
pub(crate) fn broken() -> Unreadable {
    Unreadable::malformed("the parts of the body are broken")
}
