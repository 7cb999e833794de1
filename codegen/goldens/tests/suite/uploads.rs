//! Files of bodies in parts: streams on both sides.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll};

use futures_core::Stream;

use super::recorder::{listen, plain_http};
use codegen_goldens::runtime::client::{Connection, Error, RetryPolicy, Settings};
use codegen_goldens::runtime::multipart::{Content, File};
use codegen_goldens::runtime::server::{Context, Reason, Refusal, Routes, Upload};
use codegen_goldens::runtime::{ByteStream, Bytes};
use codegen_goldens::server::multipart::{self, Multipart, UploadResponse};
use codegen_goldens::{client, models};

const PIECE: u64 = 64 << 10;
const LARGE: u64 = 64 << 20;

/// What may be underway: the buffers of two HTTP connections and of two sockets, of which the writer's
/// grows as far as the system allows.
const UNDERWAY: u64 = LARGE / 2;

/// Pieces, each of which goes out before the next one is there.
pub(crate) struct Pieces {
    pieces: VecDeque<Bytes>,
    is_next: bool,
}

impl Pieces {
    pub(crate) fn of(pieces: &[&'static str]) -> Self {
        Self {
            pieces: pieces.iter().copied().map(Bytes::from).collect(),
            is_next: false,
        }
    }

    fn bytes_of(text: &'static str) -> Self {
        let ends = 1..=text.len();
        let pieces: Vec<&str> = ends.map(|end| &text[end - 1..end]).collect();
        Self::of(&pieces)
    }
}

impl Stream for Pieces {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Option<Self::Item>> {
        self.is_next = !self.is_next;
        if self.is_next {
            return Poll::Ready(self.pieces.pop_front().map(Ok));
        }
        task.waker().wake_by_ref();
        Poll::Pending
    }
}

/// How many bytes there were, how many of them have come, and how many at most had not.
#[derive(Default)]
struct Meter {
    given: AtomicU64,
    taken: AtomicU64,
    most: AtomicU64,
}

/// [`LARGE`] bytes, counted as they are given.
struct Large(Arc<Meter>);

impl Stream for Large {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Task<'_>) -> Poll<Option<Self::Item>> {
        let given = self.0.given.load(Ordering::SeqCst);
        if given == LARGE {
            return Poll::Ready(None);
        }
        let given = given + PIECE;
        self.0.given.store(given, Ordering::SeqCst);
        let underway = given - self.0.taken.load(Ordering::SeqCst);
        self.0.most.fetch_max(underway, Ordering::SeqCst);
        Poll::Ready(Some(Ok(vec![7; usize::try_from(PIECE).unwrap()].into())))
    }
}

/// What the implementation was given.
#[derive(Default)]
struct Desk(Mutex<Vec<models::UploadParts>>);

impl Multipart for Desk {
    async fn upload(&self, _: Context, body: models::UploadParts) -> UploadResponse {
        self.0.lock().unwrap().push(body);
        UploadResponse::NoContent
    }
}

impl Desk {
    fn taken(&self) -> Vec<models::UploadParts> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

fn parts(file: File) -> models::UploadParts {
    models::UploadParts {
        file,
        note: Some("é".to_owned()),
        pages: None,
        scans: None,
        sheet: Some("1;2".to_owned()),
        words: Some(vec!["a".to_owned(), "b \"c\"".to_owned()]),
    }
}

/// Up to so many bytes of each file, in memory after all.
async fn in_memory(upload: Upload, limit: usize) -> Result<Content, Refusal> {
    Ok(upload.content.collect(limit).await?.into())
}

async fn connection(routes: Routes) -> Arc<Connection> {
    Arc::new(Settings::new(listen(routes).await).connect().unwrap())
}

#[tokio::test]
async fn a_large_file_goes_through_piece_by_piece() {
    let (desk, meter) = (Arc::new(Desk::default()), Arc::new(Meter::default()));
    let counted = Arc::clone(&meter);
    let routes = multipart::routes(&desk).files(move |mut upload| {
        let meter = Arc::clone(&counted);
        async move {
            assert_eq!(
                (upload.operation.id, upload.part.as_str()),
                ("upload", "file")
            );
            while let Some(piece) = upload.content.next().await {
                meter.taken.fetch_add(piece?.len() as u64, Ordering::SeqCst);
            }
            Ok(format!("{} is on disk", upload.name).into())
        }
    });
    let stream = ByteStream::new(Large(Arc::clone(&meter)));
    let upload = parts(File::new("large.bin", stream));
    let files = client::multipart(&connection(routes).await);
    files.upload(&upload).await.unwrap();

    assert_eq!(meter.taken.load(Ordering::SeqCst), LARGE);
    let most = meter.most.load(Ordering::SeqCst);
    assert!(most < UNDERWAY, "{most} bytes at a time");
    let kept = File::new("large.bin", "large.bin is on disk");
    assert_eq!(desk.taken(), [parts(kept)]);
}

#[tokio::test]
async fn what_looks_like_the_end_of_a_part_may_stand_anywhere_in_a_file() {
    const CONTENT: &str = "\r\n--\r\n--b\r\r\n-\r\n--bb";
    let body = "--bbb\r\nContent-Disposition: form-data; name=file; filename=f\r\n\r\n\r\n--\r\n--b\r\r\n-\r\n--bb\
                \r\n--bbb\r\nContent-Disposition: form-data; name=note\r\n\r\né\r\n--bbb--";
    let desk = Arc::new(Desk::default());
    for routes in [
        multipart::routes(&desk),
        multipart::routes(&desk).files(|upload| in_memory(upload, 100)),
    ] {
        let request = plain_http().post(listen(routes).await + "/files");
        let request = request.header("content-type", "multipart/form-data; boundary=bbb");
        let pieces = Pieces {
            pieces: body.as_bytes().chunks(1).map(Bytes::from_static).collect(),
            is_next: false,
        };
        let request = request.body(reqwest::Body::wrap(ByteStream::new(pieces)));
        assert_eq!(request.send().await.unwrap().status(), 204);
        let [taken] = desk.taken().try_into().unwrap();
        assert_eq!(taken.file.content, CONTENT.into());
        assert_eq!(taken.note.as_deref(), Some("é"));
    }
}

#[tokio::test]
async fn files_and_values_keep_to_their_limits() {
    let desk = Arc::new(Desk::default());
    let limited = || multipart::routes(&desk).body_limit(100);
    let refuses = |_| async { Err(Refusal::new(Reason::Contract, "no such files")) };
    let cases = [
        (
            limited().files(|upload| in_memory(upload, 10)),
            "12345",
            "é",
            None,
        ),
        (
            limited().files(|upload| in_memory(upload, 10)),
            "12345678901",
            "é",
            Some(413),
        ),
        (
            limited().files(|upload| in_memory(upload, 10)),
            "1",
            LONG,
            Some(413),
        ),
        (
            limited().files(|_| async { Ok("".into()) }),
            "12345",
            "é",
            None,
        ),
        (
            limited().files(|_| async { Ok("".into()) }),
            LONG,
            "é",
            Some(413),
        ),
        (limited().files(refuses), "1", "é", Some(422)),
        (limited(), LONG, "é", Some(413)),
    ];
    for (case, (routes, content, note, status)) in cases.into_iter().enumerate() {
        let stream = ByteStream::new(Pieces::bytes_of(content));
        let mut upload = parts(File::new("f", stream));
        upload.note = Some(note.to_owned());
        let files = client::multipart(&connection(routes).await);
        let refused = files.upload(&upload).await.err();
        assert_eq!(
            refused.and_then(|error| Some(error.status()?.as_u16())),
            status,
            "{case}"
        );
    }
}

const LONG: &str = "1234567890123456789012345678901234567890123456789012345678901234567890\
                    1234567890123456789012345678901234567890";

#[tokio::test]
async fn a_part_that_breaks_off_is_refused() {
    let desk = Arc::new(Desk::default());
    let routes = multipart::routes(&desk).files(|upload| async {
        let _ = upload.content.collect(100).await;
        Ok("not the whole of it".into())
    });
    let request = plain_http().post(listen(routes).await + "/files");
    let request = request.header("content-type", "multipart/form-data; boundary=b");
    let body = "--b\r\nContent-Disposition: form-data; name=file; filename=f\r\n\r\nhalf";
    assert_eq!(request.body(body).send().await.unwrap().status(), 400);
    assert!(desk.taken().is_empty());
}

#[tokio::test]
async fn a_stream_is_sent_once() {
    let desk = Arc::new(Desk::default());
    let files = client::multipart(&connection(multipart::routes(&desk)).await);
    let upload = parts(File::new("f", ByteStream::new(Pieces::of(&["1"]))));
    let again = || {
        files
            .upload(&upload)
            .repeatable()
            .retries(RetryPolicy::attempts(3))
    };
    again().await.unwrap();
    let Err(Error::Transport(error)) = again().await else {
        panic!("there is nothing left to send");
    };
    assert!(
        error.source.to_string().contains("taken before"),
        "{error:?}"
    );
}
