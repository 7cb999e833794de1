//! Finds the start and end of each request in the bytes of a connection, before the HTTP library
//! reads them.
//!
//! It refuses requests that a proxy could split differently, and heads that are malformed or too
//! long, with answers in the contract's form.

use http::StatusCode;

/// The longest request line, in bytes.
const LONGEST_LINE: usize = 8 << 10;
/// The most bytes of all headers.
const LONGEST_HEADERS: usize = 64 << 10;
/// The most headers that the HTTP library accepts.
const MOST_HEADERS: usize = 100;

/// Why a request is refused before it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    /// The status of the answer.
    pub(super) status: StatusCode,
    /// The description for the client.
    pub(super) detail: &'static str,
}

/// The position of a connection within its requests.
#[derive(Debug, Default)]
pub(super) struct Framing {
    stage: Stage,
    /// The start of an incomplete line.
    line: Vec<u8>,
    head: Head,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Start,
    Headers,
    Body(u64),
    ChunkSize,
    /// The remaining bytes of a chunk, with its line end.
    Chunk(u64),
    Trailers,
    /// The body is malformed; the HTTP library reports it.
    Lost,
}

/// The parts of the head that decide how the body ends.
#[derive(Clone, Copy, Debug, Default)]
struct Head {
    bytes: usize,
    headers: usize,
    hosts: usize,
    length: Option<u64>,
    is_chunked: bool,
}

impl Framing {
    /// Follows the next bytes of the connection.
    pub(super) fn follow(&mut self, mut bytes: &[u8]) -> Result<(), Flaw> {
        while !bytes.is_empty() {
            bytes = match self.stage {
                Stage::Lost => return Ok(()),
                Stage::Body(left) => self.skip(bytes, left, Stage::Body, Stage::Start),
                Stage::Chunk(left) => self.skip(bytes, left, Stage::Chunk, Stage::ChunkSize),
                _ => self.read_line(bytes)?,
            };
        }
        Ok(())
    }

    /// Skips up to `left` bytes of a body, and keeps the rest for the next call.
    fn skip<'b>(
        &mut self,
        bytes: &'b [u8],
        left: u64,
        rest: fn(u64) -> Stage,
        next: Stage,
    ) -> &'b [u8] {
        let here = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
        let left = left - here as u64;
        self.stage = if left == 0 { next } else { rest(left) };
        &bytes[here..]
    }

    /// Reads up to the end of a line; returns the bytes after it.
    fn read_line<'b>(&mut self, bytes: &'b [u8]) -> Result<&'b [u8], Flaw> {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let length = self.line.len() + end.unwrap_or(bytes.len());
        self.check_length(length)?;
        let Some(end) = end else {
            self.line.extend_from_slice(bytes);
            return Ok(&[]);
        };
        let (line, rest) = (&bytes[..end], &bytes[end + 1..]);
        if self.line.is_empty() {
            self.take(line)?;
        } else {
            let mut whole = std::mem::take(&mut self.line);
            whole.extend_from_slice(line);
            self.take(&whole)?;
        }
        Ok(rest)
    }

    fn check_length(&self, length: usize) -> Result<(), Flaw> {
        match self.stage {
            Stage::Start if length > LONGEST_LINE => Err(flaw(414, "the address is too long")),
            Stage::Start => Ok(()),
            _ if self.head.bytes + length > LONGEST_HEADERS => Err(too_large()),
            _ => Ok(()),
        }
    }

    /// Handles a line without its LF.
    fn take(&mut self, line: &[u8]) -> Result<(), Flaw> {
        let Some(line) = line.strip_suffix(b"\r") else {
            return Err(flaw(400, "a line of the request ends in LF without CR"));
        };
        self.stage = match self.stage {
            Stage::Start | Stage::Trailers if line.is_empty() => Stage::Start,
            Stage::Start => {
                check_request_line(line)?;
                self.head = Head::default();
                Stage::Headers
            }
            Stage::Headers if line.is_empty() => self.head.end()?,
            Stage::Headers => {
                self.head.take(line)?;
                Stage::Headers
            }
            Stage::ChunkSize => chunk(line),
            other => other,
        };
        if matches!(self.stage, Stage::ChunkSize | Stage::Trailers) {
            self.head.bytes = 0;
        }
        Ok(())
    }
}

impl Head {
    fn take(&mut self, line: &[u8]) -> Result<(), Flaw> {
        self.bytes += line.len();
        self.headers += 1;
        if self.headers > MOST_HEADERS {
            return Err(too_large());
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let colon = colon.ok_or(UNREADABLE)?;
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        if name.is_empty() || !name.iter().all(|byte| is_token(*byte)) {
            return Err(UNREADABLE);
        }
        if name.eq_ignore_ascii_case(b"host") {
            self.hosts += 1;
            if self.hosts > 1 {
                return Err(flaw(400, "the request has more than one header Host"));
            }
        } else if name.eq_ignore_ascii_case(b"content-length") {
            let length = self.length.replace(number(value, 10).ok_or(UNREADABLE)?);
            if length.is_some() {
                return Err(flaw(400, "the request has more than one Content-Length"));
            }
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            let last = value.rsplit(|byte| *byte == b',').next();
            let last = last.unwrap_or_default().trim_ascii();
            self.is_chunked = last.eq_ignore_ascii_case(b"chunked");
            if !self.is_chunked {
                return Err(flaw(400, "the end of the body cannot be found"));
            }
        }
        Ok(())
    }

    /// The stage after the head.
    fn end(self) -> Result<Stage, Flaw> {
        match (self.is_chunked, self.length) {
            (true, Some(_)) => Err(flaw(
                400,
                "the request has Content-Length and Transfer-Encoding",
            )),
            (true, None) => Ok(Stage::ChunkSize),
            (false, None | Some(0)) => Ok(Stage::Start),
            (false, Some(length)) => Ok(Stage::Body(length)),
        }
    }
}

const UNREADABLE: Flaw = Flaw {
    status: StatusCode::BAD_REQUEST,
    detail: "this is no request of HTTP/1.1",
};

fn flaw(status: u16, detail: &'static str) -> Flaw {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    Flaw { status, detail }
}

fn too_large() -> Flaw {
    flaw(431, "the headers are too large, or too many")
}

/// Checks that the line has a method, an address and a version of HTTP/1.
fn check_request_line(line: &[u8]) -> Result<(), Flaw> {
    let mut words = line.split(|byte| *byte == b' ');
    let (method, address, version) = (words.next(), words.next(), words.next());
    let method = method.unwrap_or_default();
    let is_request = !method.is_empty()
        && method.iter().all(|byte| is_token(*byte))
        && address.is_some_and(|address| !address.is_empty())
        && version.is_some_and(|version| matches!(version, b"HTTP/1.1" | b"HTTP/1.0"))
        && words.next().is_none();
    if is_request { Ok(()) } else { Err(UNREADABLE) }
}

/// The stage after the line with the size of a chunk.
fn chunk(line: &[u8]) -> Stage {
    let size = line.split(|byte| *byte == b';').next().unwrap_or_default();
    match number(size.trim_ascii(), 16) {
        None => Stage::Lost,
        Some(0) => Stage::Trailers,
        // The size includes the line end.
        Some(size) => size.checked_add(2).map_or(Stage::Lost, Stage::Chunk),
    }
}

/// Parses digits without a sign.
fn number(digits: &[u8], radix: u32) -> Option<u64> {
    let text = std::str::from_utf8(digits).ok()?;
    let is_plain = !text.is_empty() && text.chars().all(|digit| digit.is_digit(radix));
    is_plain.then(|| u64::from_str_radix(text, radix).ok())?
}

/// Whether a method or a header name may contain this byte.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GET: &str = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
    const POST: &str = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n{\n\"\n\n\n}";
    const CHUNKED: &str = "POST /a HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n\
        4;a=b\r\n\n\n\n\n\r\nA\r\n\n123456789\r\n0\r\nx: y\r\n\r\n";

    fn all(bytes: &str) -> Result<Framing, Flaw> {
        let mut framing = Framing::default();
        framing.follow(bytes.as_bytes()).map(|()| framing)
    }

    #[test]
    fn bodies_are_skipped() {
        let requests = [GET, POST, CHUNKED, "\r\n", POST, GET, CHUNKED, CHUNKED, GET];
        let framing = all(&requests.concat()).unwrap();
        assert_eq!(framing.stage, Stage::Start);
        assert!(framing.line.is_empty());
    }

    #[test]
    fn flaws_are_found_in_every_part() {
        let many = "a: b\r\n".repeat(MOST_HEADERS + 1);
        let long = "a".repeat(LONGEST_LINE);
        let large = format!("a: {}\r\n", "b".repeat(LONGEST_LINE)).repeat(8);
        let with = |headers: &str| format!("POST / HTTP/1.1\r\n{headers}\r\n");
        let table = [
            (with("host: a\r\nHOST: b\r\n"), 400),
            (
                with("content-length: 1\r\ntransfer-encoding: chunked\r\n"),
                400,
            ),
            (
                with("transfer-encoding: chunked\r\ncontent-length: 1\r\n"),
                400,
            ),
            (with("content-length: 1\r\ncontent-length: 1\r\n"), 400),
            (with("content-length: +1\r\n"), 400),
            (with("transfer-encoding: chunked, gzip\r\n"), 400),
            (with("host: a\nb: c\r\n"), 400),
            (with("host : a\r\n"), 400),
            (with(" folded\r\n"), 400),
            (with("nothing\r\n"), 400),
            ("GET / HTTP/1.1\nhost: a\r\n\r\n".to_owned(), 400),
            ("GET / HTTP/2.0\r\n\r\n".to_owned(), 400),
            ("GET  / HTTP/1.1\r\n\r\n".to_owned(), 400),
            ("hello\r\n".to_owned(), 400),
            (format!("GET /{long} HTTP/1.1\r\n\r\n"), 414),
            (with(&many), 431),
            (with(&large), 431),
        ];
        for (request, status) in table {
            for before in ["", GET, POST, CHUNKED] {
                let found = all(&format!("{before}{request}"));
                let found = found.err().map(|flaw| flaw.status.as_u16());
                assert_eq!(found, Some(status), "{request:.80}");
            }
        }
    }

    #[test]
    fn endless_lines_are_refused_early() {
        let mut framing = Framing::default();
        let refused = (0..100).find_map(|_| framing.follow(&[b'a'; 1024]).err());
        assert_eq!(refused.unwrap().status.as_u16(), 414);
        assert!(framing.line.len() <= LONGEST_LINE);
    }

    proptest! {
        /// The result does not depend on how the bytes are split.
        #[test]
        fn splits_make_no_difference(
            picked in proptest::collection::vec(0_usize..5, 1..8),
            cuts in proptest::collection::vec(1_usize..40, 1..60),
        ) {
            let requests = [GET, POST, CHUNKED, "POST / HTTP/1.1\r\nhost: a\n\r\n", "\r\n"];
            let bytes: String = picked.iter().map(|index| requests[*index]).collect();
            let mut framing = Framing::default();
            let mut rest = bytes.as_bytes();
            let mut found = Ok(());
            for cut in cuts.iter().cycle() {
                let (piece, tail) = rest.split_at((*cut).min(rest.len()));
                found = framing.follow(piece);
                rest = tail;
                if found.is_err() || rest.is_empty() { break; }
            }
            prop_assert_eq!(found.err(), all(&bytes).err());
        }
    }
}
