//! Lists as streams, which request a page when it is needed.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::vec;

use futures_core::Stream;

use super::call::Call;
use super::connection::{Connection, Exchange, Failure};
use super::endpoint::Endpoint;
use super::error::{Error, PagingError};
use super::paging::{self, Next, Paging, Position, Turn};
use super::request::{Request, settle};
use super::response::Response;

/// An operation that answers with the pages of a list.
pub trait Paginated: Endpoint {
    /// An item of the list.
    type Item: Send + Unpin;

    /// How the list is divided into pages.
    const PAGING: &'static Paging;

    /// The items of a page.
    fn items(page: Self::Success) -> Vec<Self::Item>;
}

impl<O: Paginated> Request<O> {
    /// The pages from the requested one to the last. An error ends the stream.
    pub fn pages(self) -> Pages<O> {
        let (connection, call) = self.place();
        Pages {
            turns: Turns::new(connection, call, O::PAGING),
            settle: settle::<O>,
        }
    }

    /// The items of these pages.
    pub fn items(self) -> Items<O> {
        Items {
            pages: self.pages(),
            ready: Vec::new().into_iter(),
        }
    }
}

/// A page, or the error of its request.
type Page<O> = Result<Response<<O as Endpoint>::Success>, Error<<O as Endpoint>::Error>>;

/// The pages of a list, as a stream.
#[must_use = "pages are asked for when they are awaited"]
pub struct Pages<O: Endpoint> {
    turns: Turns,
    settle: fn(Exchange) -> Page<O>,
}

impl<O: Paginated> Pages<O> {
    /// The next page; `None` after the last one and after an error.
    pub async fn next(&mut self) -> Option<Page<O>> {
        poll_fn(|task| Pin::new(&mut *self).poll_next(task)).await
    }
}

impl<O: Paginated> Stream for Pages<O> {
    type Item = Page<O>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Page<O>>> {
        let Some(exchange) = ready!(self.turns.poll(task)) else {
            return Poll::Ready(None);
        };
        let page = match exchange {
            Ok(exchange) => (self.settle)(exchange),
            Err(Stop::Failure(failure)) => Err(failure.into()),
            Err(Stop::Paging(error)) => Err(Error::Paging(error)),
        };
        if page.is_err() {
            self.turns.state = State::Over;
        }
        Poll::Ready(Some(page))
    }
}

/// The items of a list, as a stream.
#[must_use = "pages are asked for when they are awaited"]
pub struct Items<O: Paginated> {
    pages: Pages<O>,
    ready: vec::IntoIter<O::Item>,
}

impl<O: Paginated> Items<O> {
    /// The next item; `None` after the last one and after an error.
    pub async fn next(&mut self) -> Option<Result<O::Item, Error<O::Error>>> {
        poll_fn(|task| Pin::new(&mut *self).poll_next(task)).await
    }
}

impl<O: Paginated> Stream for Items<O> {
    type Item = Result<O::Item, Error<O::Error>>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(item) = self.ready.next() {
                return Poll::Ready(Some(Ok(item)));
            }
            match ready!(Pin::new(&mut self.pages).poll_next(task)) {
                Some(Ok(page)) => self.ready = O::items(page.body).into_iter(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}

/// Requests page after page. The type is the same for all operations.
struct Turns {
    state: State,
}

enum State {
    Ready(Box<Turner>),
    Asking(Pin<Box<dyn Future<Output = Turned> + Send>>),
    Over,
}

/// The turner after a request, and the result of the request.
type Turned = (Box<Turner>, Result<Exchange, Stop>);

/// Why there is no further page.
enum Stop {
    Failure(Failure),
    Paging(Box<PagingError>),
}

/// Requests one page at a time and keeps the position in the list.
struct Turner {
    connection: Arc<Connection>,
    call: Box<Call>,
    paging: &'static Paging,
    position: Position,
    over: bool,
}

impl Turns {
    fn new(connection: Arc<Connection>, call: Box<Call>, paging: &'static Paging) -> Self {
        let given = match paging.next {
            Next::Page(name, _)
            | Next::Offset(name, _)
            | Next::Cursor(name, _)
            | Next::LastItem(name, _) => call.query.value(name),
            Next::Link(_) | Next::Relation(_) | Next::LinkHeader => None,
        };
        let turner = Turner {
            position: Position::new(paging, given.as_deref()),
            connection,
            call,
            paging,
            over: false,
        };
        Self {
            state: State::Ready(Box::new(turner)),
        }
    }

    fn poll(&mut self, task: &mut Context<'_>) -> Poll<Option<Result<Exchange, Stop>>> {
        loop {
            match std::mem::replace(&mut self.state, State::Over) {
                State::Over => return Poll::Ready(None),
                State::Ready(turner) if turner.over => return Poll::Ready(None),
                State::Ready(turner) => self.state = State::Asking(Box::pin(turner.ask())),
                State::Asking(mut asking) => {
                    let Poll::Ready((turner, result)) = asking.as_mut().poll(task) else {
                        self.state = State::Asking(asking);
                        return Poll::Pending;
                    };
                    self.state = State::Ready(turner);
                    return Poll::Ready(Some(result));
                }
            }
        }
    }
}

impl Turner {
    async fn ask(mut self: Box<Self>) -> Turned {
        let call = Box::new(self.call.copied());
        let result = match self.connection.execute(call).await {
            Ok(exchange) => self.turn(exchange).map_err(Stop::Paging),
            Err(failure) => Err(Stop::Failure(failure)),
        };
        (self, result)
    }

    /// Prepares the call for the page after this one.
    fn turn(&mut self, exchange: Exchange) -> Result<Exchange, Box<PagingError>> {
        if !exchange.answer.status.is_success() {
            self.over = true;
            return Ok(exchange);
        }
        let turned = self.position.turn(self.paging, &exchange.answer);
        let turned = turned.and_then(|turn| {
            match turn {
                Turn::Over => self.over = true,
                Turn::Parameter(name, value) => self.call.query.replace(name, &value),
                Turn::Address(link) => {
                    let base = &self.connection.base_url;
                    let current = self.call.address(base);
                    (self.call.path, self.call.query) = paging::follow(base, &current, &link)?;
                }
            }
            Ok(())
        });
        match turned {
            Ok(()) => Ok(exchange),
            Err(reason) => Err(Box::new(PagingError {
                answer: exchange.answer,
                request_id: exchange.request_id,
                reason,
            })),
        }
    }
}

impl Call {
    /// A copy of the call, without a body: requests of lists have none.
    fn copied(&self) -> Self {
        let mut copy = Self::new(self.operation);
        copy.path.clone_from(&self.path);
        copy.query.clone_from(&self.query);
        copy.headers.clone_from(&self.headers);
        #[cfg(any(feature = "credentials", feature = "styles"))]
        copy.cookies.clone_from(&self.cookies);
        copy.request_id.clone_from(&self.request_id);
        copy.flaw.clone_from(&self.flaw);
        (copy.timeout, copy.retries, copy.repeatable) =
            (self.timeout, self.retries, self.repeatable);
        copy
    }
}

impl<O: Paginated> fmt::Debug for Pages<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("operation", &O::OPERATION.id)
            .finish_non_exhaustive()
    }
}

impl<O: Paginated> fmt::Debug for Items<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items")
            .field("operation", &O::OPERATION.id)
            .finish_non_exhaustive()
    }
}
