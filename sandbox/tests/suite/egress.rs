//! No request goes to a forbidden address, whatever notation is used.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use reqwest::header::HeaderMap;
use sandbox::domain::notification::{Failure, Reply};
use sandbox::egress::{Client, Limits, Resolve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A resolver that returns prepared lists of addresses, one after the other.
#[derive(Debug, Default)]
struct Names(Mutex<VecDeque<Vec<IpAddr>>>);

impl Names {
    fn answering(answers: &[&str]) -> Arc<Self> {
        let list = |text: &&str| text.split(' ').map(|ip| ip.parse().unwrap()).collect();
        Arc::new(Self(Mutex::new(answers.iter().map(list).collect())))
    }

    fn left(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

impl Resolve for Names {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let answer = self.0.lock().unwrap().pop_front();
        Box::pin(async move { answer.ok_or_else(|| io::ErrorKind::NotFound.into()) })
    }
}

fn client(policy: &str, names: &Arc<Names>) -> Client {
    let limits = Limits {
        whole: Duration::from_secs(5),
        ..Limits::default()
    };
    Client::new(policy.parse().unwrap(), Arc::clone(names) as _, limits)
}

async fn post(client: &Client, url: &str) -> Reply {
    client.post(url, HeaderMap::new(), "{}".into()).await
}

/// A listener that must not get a connection.
struct Victim(TcpListener);

impl Victim {
    async fn listen() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").await.unwrap())
    }

    fn address(&self) -> SocketAddr {
        self.0.local_addr().unwrap()
    }

    /// Connections wait in a queue, so the first one shows whether there was an earlier one.
    async fn saw_nothing(&self) {
        let ours = TcpStream::connect(self.address()).await.unwrap();
        let (_, first) = self.0.accept().await.unwrap();
        assert_eq!(first, ours.local_addr().unwrap(), "somebody connected");
    }
}

/// Answers every connection with the same bytes and keeps the requests.
async fn receiver(address: &str, answer: &'static [u8]) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind(address).await.unwrap();
    let address = listener.local_addr().unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&heard);
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).await.unwrap();
            let text = String::from_utf8_lossy(&request[..length]).into_owned();
            keep.lock().unwrap().push(text);
            // A sender may close the connection early.
            let _ = stream.write_all(answer).await;
        }
    });
    (address, heard)
}

fn answered(status: u16) -> Reply {
    Reply::Answered {
        status,
        retry_after: None,
    }
}

const NO_CONTENT: &[u8] = b"HTTP/1.1 204 No Content\r\n\r\n";

#[tokio::test]
async fn no_notation_of_an_address_bypasses_the_policy() {
    let victim = Victim::listen().await;
    let port = victim.address().port();
    let hosts = [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "%31%32%37.0.0.1",
        "①②⑦.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[64:ff9b::127.0.0.1]",
        "localhost",
        "user@127.0.0.1",
        "public.example@127.0.0.1",
        "0.0.0.0",
        "0",
        "[::]",
        "169.254.169.254",
        "[::ffff:169.254.169.254]",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "224.0.0.1",
        "255.255.255.255",
    ];
    let names = Names::answering(&[]);
    for host in hosts {
        for scheme in ["http", "https", "ftp", "gopher"] {
            let url = format!("{scheme}://{host}:{port}/");
            let reply = post(&client("public", &names), &url).await;
            assert_eq!(reply, Reply::Failed(Failure::Denied), "{url}");
        }
    }
    victim.saw_nothing().await;
}

#[tokio::test]
async fn every_address_of_a_name_is_checked() {
    let victim = Victim::listen().await;
    let port = victim.address().port();
    let answers = [
        "127.0.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "0.0.0.0",
        "::",
        "169.254.169.254",
        "10.0.0.1",
        "fd00:ec2::254",
        // The forbidden address comes first, last or between others.
        "127.0.0.1 8.8.8.8",
        "8.8.8.8 127.0.0.1",
        "8.8.8.8 2606:4700::1111 ::ffff:127.0.0.1",
    ];
    let names = Names::answering(&answers);
    let client = client("public", &names);
    for answer in answers {
        let reply = post(&client, &format!("http://rebound.example:{port}/")).await;
        assert_eq!(reply, Reply::Failed(Failure::Denied), "{answer}");
    }
    assert_eq!(names.left(), 0);
    let reply = post(&client, &format!("http://gone.example:{port}/")).await;
    assert_eq!(reply, Reply::Failed(Failure::Unresolved));
    victim.saw_nothing().await;
}

#[tokio::test]
async fn the_connection_goes_to_the_checked_address() {
    let victim = Victim::listen().await;
    let port = victim.address().port();
    let (_, heard) = receiver(&format!("127.0.0.2:{port}"), NO_CONTENT).await;
    // On the second lookup, the name resolves to the victim.
    let names = Names::answering(&["127.0.0.2", "127.0.0.1"]);
    let url = format!("http://rebound.example:{port}/path?query");
    let reply = post(&client("127.0.0.2", &names), &url).await;
    assert_eq!(reply, answered(204));
    assert_eq!(names.left(), 1, "asked once");
    let asked = heard.lock().unwrap().concat();
    assert!(
        asked.starts_with("POST /path?query HTTP/1.1\r\n"),
        "{asked}"
    );
    assert!(
        asked.contains(&format!("host: rebound.example:{port}\r\n")),
        "{asked}"
    );
    victim.saw_nothing().await;
}

#[tokio::test]
async fn redirects_are_answers_and_not_followed() {
    let victim = Victim::listen().await;
    for status in [301, 302, 303, 307, 308] {
        let answer = format!(
            "HTTP/1.1 {status} Elsewhere\r\nlocation: http://{}/\r\ncontent-length: 0\r\n\r\n",
            victim.address()
        );
        let (address, _) = receiver("127.0.0.1:0", answer.leak().as_bytes()).await;
        let client = client("loopback", &Names::answering(&[]));
        let reply = post(&client, &format!("http://{address}/")).await;
        assert_eq!(reply, answered(status));
    }
    victim.saw_nothing().await;
}

#[tokio::test]
async fn failures_are_distinguished() {
    let names = Names::answering(&[]);
    let within = |milliseconds| Limits {
        whole: Duration::from_millis(milliseconds),
        answer: 16 * 1024,
        ..Limits::default()
    };
    let send = async |url: String, limits| {
        let client = Client::new("loopback".parse().unwrap(), Arc::clone(&names) as _, limits);
        post(&client, &url).await
    };
    let long = format!("HTTP/1.1 200 OK\r\n\r\n{}", "a".repeat(20_000)).leak();
    let wide = format!("HTTP/1.1 200 OK\r\na: {}\r\n\r\n", "a".repeat(20_000)).leak();
    let table: [(&'static [u8], Failure); 5] = [
        (b"SSH-2.0-x\r\n", Failure::Garbled),
        (
            b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort",
            Failure::Garbled,
        ),
        (b"", Failure::Garbled),
        (long.as_bytes(), Failure::Garbled),
        (wide.as_bytes(), Failure::Garbled),
    ];
    for (answer, failure) in table {
        let (address, _) = receiver("127.0.0.1:0", answer).await;
        let reply = send(format!("http://{address}/"), within(5000)).await;
        assert_eq!(reply, Reply::Failed(failure), "{:?}", answer.get(..20));
    }
    // No TLS at the receiver, no listener, no answer.
    let (plain, _) = receiver("127.0.0.1:0", NO_CONTENT).await;
    let reply = send(format!("https://{plain}/"), within(5000)).await;
    assert_eq!(reply, Reply::Failed(Failure::Insecure));
    let nobody = Victim::listen().await.address();
    let reply = send(format!("http://{nobody}/"), within(5000)).await;
    assert_eq!(reply, Reply::Failed(Failure::Unreachable));
    let silent = Victim::listen().await;
    let reply = send(format!("http://{}/", silent.address()), within(50)).await;
    assert_eq!(reply, Reply::Failed(Failure::TimedOut));
}

#[tokio::test]
async fn a_receiver_sets_the_time_of_the_retry() {
    for (value, least, most) in [
        ("120", 120, 120),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 1_000_000_000, i64::MAX),
    ] {
        let answer = format!("HTTP/1.1 503 Busy\r\nretry-after: {value}\r\n\r\n");
        let (address, _) = receiver("127.0.0.1:0", answer.leak().as_bytes()).await;
        let client = client("loopback", &Names::answering(&[]));
        let Reply::Answered {
            status: 503,
            retry_after: Some(wait),
        } = post(&client, &format!("http://{address}/")).await
        else {
            panic!("no answer with a wait");
        };
        assert!(
            (least..=most).contains(&wait.as_secs()),
            "{value}: {wait:?}"
        );
    }
}
