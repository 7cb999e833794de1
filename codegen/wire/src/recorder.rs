//! A server that keeps what it receives, byte for byte.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// What came over the socket.
pub(super) struct Received {
    pub(super) method: String,
    /// Without the number of the case before it.
    pub(super) target: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

/// By case, whose number is the first segment of the path.
type Kept = Arc<Mutex<BTreeMap<usize, Received>>>;

/// A server on a port of its own, until the process ends.
pub(super) struct Recorder {
    pub(super) address: String,
    kept: Kept,
}

impl Recorder {
    pub(super) fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("http://{}", listener.local_addr()?);
        let kept = Kept::default();
        let shared = Arc::clone(&kept);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = Arc::clone(&shared);
                thread::spawn(move || serve(stream, &kept));
            }
        });
        Ok(Self { address, kept })
    }

    /// What has come since the last time.
    pub(super) fn take(&self) -> BTreeMap<usize, Received> {
        std::mem::take(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn serve(mut stream: TcpStream, kept: &Kept) {
    let mut bytes = Vec::new();
    let mut chunk = [0; 16384];
    loop {
        while let Some((case, received, length)) = parse(&bytes) {
            bytes.drain(..length);
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.insert(case, received);
            drop(kept);
            let answer = b"HTTP/1.1 418 I'm a teapot\r\ncontent-length: 0\r\n\r\n";
            if stream.write_all(answer).is_err() {
                return;
            }
        }
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return,
            Ok(read) => bytes.extend_from_slice(&chunk[..read]),
        }
    }
}

/// A request that has come as a whole, its case and its length.
fn parse(bytes: &[u8]) -> Option<(usize, Received, usize)> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(Some(0), |(_, value)| value.parse().ok())?;
    let rest = &bytes[end + 4..];
    let chunked = headers.iter().any(|(name, _)| name == "transfer-encoding");
    let (body, length) = if chunked {
        joined(rest)?
    } else {
        (rest.get(..length)?.to_vec(), length)
    };
    let (case, target) = target[1..].split_once('/')?;
    let received = Received {
        method: method.to_owned(),
        target: format!("/{target}"),
        headers,
        body,
    };
    Some((case.parse().ok()?, received, end + 4 + length))
}

/// A body in chunks, put together, and how long it was in chunks.
fn joined(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
    let (mut body, mut at) = (Vec::new(), 0);
    loop {
        let line = bytes[at..]
            .windows(2)
            .position(|window| window == b"\r\n")?;
        let length = std::str::from_utf8(&bytes[at..at + line]).ok()?;
        let length = usize::from_str_radix(length, 16).ok()?;
        let start = at + line + 2;
        body.extend_from_slice(bytes.get(start..start + length)?);
        at = start + length + 2;
        bytes.get(..at)?;
        if length == 0 {
            return Some((body, at));
        }
    }
}
