//! Sends HTTP/1.1 requests in a closed loop over persistent connections, at minimal cost: one
//! thread, prepared bytes, and only the status and length of answers.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use super::request::Request;

/// The longest time without any answer, in milliseconds.
const PATIENCE: u16 = 30_000;

/// When the load ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// After a number of requests.
    Requests(u64),
    /// After a time.
    Time(Duration),
}

/// The result of a load.
#[derive(Debug)]
pub(crate) struct Report {
    /// The number of requests with the expected answer.
    pub(crate) answered: u64,
    /// The time from the first request to the last answer.
    pub(crate) elapsed: Duration,
    /// The time of each request, shortest first.
    pub(crate) latencies: Vec<Duration>,
    /// The CPU time of this process for sending and reading, which does not belong to the server.
    pub(crate) cpu: Duration,
}

impl Report {
    /// Answers per second.
    #[expect(clippy::cast_precision_loss, reason = "a rate of some digits")]
    pub(crate) fn rate(&self) -> f64 {
        self.answered as f64 / self.elapsed.as_secs_f64()
    }

    /// The time within which a percentage of the requests was answered.
    pub(crate) fn percentile(&self, hundredths: usize) -> Duration {
        let place = self.latencies.len() * hundredths / 100;
        let last = self.latencies.len().saturating_sub(1);
        { self.latencies.get(place.min(last)) }
            .copied()
            .unwrap_or_default()
    }
}

/// Keeps one request in flight on each connection until the end. An answer with an unexpected
/// status ends the load with an error.
pub(crate) fn load(
    address: SocketAddr,
    connections: usize,
    end: End,
    request: &mut Request,
) -> anyhow::Result<Report> {
    let cpu = cpu_of_this_process()?;
    let mut lines = (0..connections)
        .map(|_| Line::open(address))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let begun = Instant::now();
    let mut sent = 0;
    let more = |sent: u64| match end {
        End::Requests(most) => sent < most,
        End::Time(most) => begun.elapsed() < most,
    };
    for line in &mut lines {
        if more(sent) {
            line.send(request)?;
            sent += 1;
        }
    }
    let mut latencies = Vec::new();
    while lines.iter().any(Line::waits) {
        for place in ready(&lines)? {
            let Some(took) = lines[place].receive(request.expected())? else {
                continue;
            };
            latencies.push(took);
            if more(sent) {
                lines[place].send(request)?;
                sent += 1;
            }
        }
    }
    let elapsed = begun.elapsed();
    latencies.sort_unstable();
    Ok(Report {
        answered: latencies.len() as u64,
        elapsed,
        latencies,
        cpu: cpu_of_this_process()?.saturating_sub(cpu),
    })
}

/// The connections with received bytes.
fn ready(lines: &[Line]) -> anyhow::Result<Vec<usize>> {
    let waiting = lines.iter().enumerate().filter(|(_, line)| line.waits());
    let (places, mut polled): (Vec<_>, Vec<_>) = waiting
        .map(|(place, line)| (place, PollFd::new(line.stream.as_fd(), PollFlags::POLLIN)))
        .unzip();
    let some = poll(&mut polled, PollTimeout::from(PATIENCE))?;
    ensure!(some > 0, "nothing was answered for {PATIENCE} ms");
    let arrived = places.into_iter().zip(&polled);
    Ok(arrived
        .filter(|(_, polled)| polled.any() == Some(true))
        .map(|(place, _)| place)
        .collect())
}

/// One connection.
struct Line {
    stream: TcpStream,
    /// The received part of the current answer.
    answer: Vec<u8>,
    /// When the current request was sent.
    since: Option<Instant>,
    bytes: Vec<u8>,
}

impl Line {
    fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            answer: Vec::new(),
            since: None,
            bytes: Vec::new(),
        })
    }

    const fn waits(&self) -> bool {
        self.since.is_some()
    }

    fn send(&mut self, request: &mut Request) -> anyhow::Result<()> {
        self.bytes.clear();
        request.write(&mut self.bytes);
        self.since = Some(Instant::now());
        // The request fits into the buffer of an idle connection.
        self.stream.write_all(&self.bytes).context("failed to send")
    }

    /// Reads the available bytes. Returns the time of the request when the answer is complete.
    fn receive(&mut self, expected: u16) -> anyhow::Result<Option<Duration>> {
        let mut buffer = [0; 16 << 10];
        match self.stream.read(&mut buffer) {
            Ok(0) => bail!("the server closed the connection"),
            Ok(read) => self.answer.extend_from_slice(&buffer[..read]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
            Err(error) => return Err(error).context("failed to read"),
        }
        let Some(status) = complete(&self.answer)? else {
            return Ok(None);
        };
        ensure!(
            status == expected,
            "expected status {expected}: {}",
            String::from_utf8_lossy(&self.answer)
        );
        self.answer.clear();
        Ok(self.since.take().map(|since| since.elapsed()))
    }
}

/// The status of the answer. `None` while it is incomplete.
fn complete(answer: &[u8]) -> anyhow::Result<Option<u16>> {
    let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = std::str::from_utf8(&answer[..end])?;
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1));
    let status = status.and_then(|status| status.parse().ok());
    let length = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, length)| length.trim().parse::<usize>().ok());
    let (Some(status), length) = (status, length.unwrap_or_default()) else {
        bail!("not an answer: {head}");
    };
    Ok((answer.len() >= end + 4 + length).then_some(status))
}

/// User and system time of this process.
fn cpu_of_this_process() -> anyhow::Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let micros = (usage.user_time() + usage.system_time()).num_microseconds();
    Ok(Duration::from_micros(micros.try_into().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_complete_with_its_last_byte() {
        let whole = b"HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nbody";
        assert_eq!(complete(&whole[..whole.len() - 1]).unwrap(), None);
        assert_eq!(complete(&whole[..10]).unwrap(), None);
        assert_eq!(complete(whole).unwrap(), Some(201));
        assert!(complete(b"what?\r\n\r\n").is_err());
    }
}
