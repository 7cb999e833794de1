//! `Settings`, `Request` and others as types of a crate that depends on this package.
//!
//! Generated code adds methods to these types: a credential of the document, an optional parameter,
//! a link. Rust allows that only in the crate of the type. With a copied runtime they are in that
//! crate already; otherwise it calls `client_types!`.

/// The types that generated code adds methods to. Each passes its calls on.
#[doc(hidden)]
#[macro_export]
macro_rules! client_types {
    () => {
        $crate::client_settings! {}
        $crate::client_request! {}
        $crate::client_links! {}
    };
}

/// `Settings`.
#[doc(hidden)]
#[macro_export]
macro_rules! client_settings {
    () => {
        /// How a client reaches its server: address, credentials, timeouts and retries.
        #[derive(Clone, Debug)]
        pub struct Settings($crate::client::Settings);

        impl Settings {
            /// The address before the paths of the document, such as `https://api.example.com`.
            pub fn new(base_url: impl Into<String>) -> Self {
                Self($crate::client::Settings::new(base_url))
            }

            /// Settings without an address. Each request has an address, such as that of a callback.
            pub fn anywhere() -> Self {
                Self($crate::client::Settings::anywhere())
            }

            /// With a credential for a security scheme.
            #[must_use]
            pub fn credential(
                self,
                scheme: $crate::Scheme,
                credential: $crate::client::Credential,
            ) -> Self {
                Self(self.0.credential(scheme, credential))
            }

            /// With bearer tokens for a security scheme, from a source that is asked for them as
            /// needed.
            #[must_use]
            pub fn tokens(
                self,
                scheme: $crate::Scheme,
                source: impl $crate::client::TokenSource + 'static,
            ) -> Self {
                Self(self.0.tokens(scheme, source))
            }

            /// Sets how long one attempt may take; the default is 30 seconds. For an answer that is
            /// read as a stream, the limit applies to the wait for the answer, and then for each
            /// piece.
            #[must_use]
            pub fn timeout(self, timeout: ::std::time::Duration) -> Self {
                Self(self.0.timeout(timeout))
            }

            /// Sets how often and when a repeatable request is sent again. The default is three
            /// attempts.
            #[must_use]
            pub fn retries(self, policy: $crate::client::RetryPolicy) -> Self {
                Self(self.0.retries(policy))
            }

            /// Does not send a request whose parameters or body break a constraint of the document,
            /// but fails with all its violations. Without this setting, such a request is sent to
            /// the server.
            #[must_use]
            pub fn checking(self) -> Self {
                Self(self.0.checking())
            }

            /// Reads answers that break the contract as far as possible. An unreadable value is
            /// omitted or replaced, and [`Response::deviations`] lists each such place with the
            /// received value. Look there before you rely on a value. Without this setting, such an
            /// answer is an error.
            #[must_use]
            pub fn lenient(self) -> Self {
                Self(self.0.lenient())
            }

            /// Replaces the clock, for tests.
            #[must_use]
            pub fn clock(self, clock: impl $crate::client::Clock + 'static) -> Self {
                Self(self.0.clock(clock))
            }

            /// Replaces the HTTP client, for proxies or certificates.
            #[must_use]
            pub fn http(self, http: $crate::client::HttpClient) -> Self {
                Self(self.0.http(http))
            }

            /// Builds the connection. Sends nothing yet.
            pub fn connect(
                self,
            ) -> Result<$crate::client::Connection, $crate::client::RequestError> {
                self.0.connect()
            }
        }
    };
}

/// `Request`.
#[doc(hidden)]
#[macro_export]
macro_rules! client_request {
    () => {
        /// A request of the operation `O`. Await it to send it.
        #[must_use = "a request is sent when it is awaited"]
        pub struct Request<O: $crate::client::Endpoint>($crate::client::Request<O>);

        impl<O: $crate::client::Endpoint> Request<O> {
            /// Sends the request to this server, such as one of `servers`, whatever that of the
            /// connection.
            pub fn server(self, base_url: impl Into<String>) -> Self {
                Self(self.0.server(base_url))
            }

            /// Sends this request id instead of a fresh one.
            pub fn request_id(self, id: impl Into<String>) -> Self {
                Self(self.0.request_id(id))
            }

            /// Sends one more header, or this value instead of the usual one.
            pub fn header(self, name: &str, value: &str) -> Self {
                Self(self.0.header(name, value))
            }

            /// Sets how long one attempt may take, for this request only.
            pub fn timeout(self, timeout: ::std::time::Duration) -> Self {
                Self(self.0.timeout(timeout))
            }

            /// How often and when this request is sent again; what may not be repeated is not for
            /// that.
            pub fn retries(self, policy: $crate::client::RetryPolicy) -> Self {
                Self(self.0.retries(policy))
            }

            /// Says that a repetition does no harm, where the document does not say so.
            pub fn repeatable(self) -> Self {
                Self(self.0.repeatable())
            }

            /// With these parameters in place of all that it has.
            pub fn parameters(self, parameters: O::Parameters) -> Self {
                Self(self.0.parameters(parameters))
            }

            /// Keeps the answer together with the request, so that its links can be followed.
            pub fn linked(self) -> Linking<O> {
                Linking(self.0.linked())
            }
        }

        impl<O: $crate::client::Paginated> Request<O> {
            /// The pages from the requested one to the last. An error ends the stream.
            pub fn pages(self) -> $crate::client::Pages<O> {
                self.0.pages()
            }

            /// The items of these pages.
            pub fn items(self) -> $crate::client::Items<O> {
                self.0.items()
            }
        }

        impl<O: $crate::client::Streamed> Request<O> {
            /// Reads the body of the answer as a stream, instead of waiting for all of it.
            pub fn stream(self) -> $crate::client::Streaming<O> {
                self.0.stream()
            }
        }

        /// What generated code makes of a request.
        #[allow(dead_code, reason = "a document may need some of it only")]
        impl<O: $crate::client::Endpoint> Request<O> {
            pub(crate) fn new(
                connection: &::std::sync::Arc<$crate::client::Connection>,
                parameters: O::Parameters,
            ) -> Self {
                Self($crate::client::Request::new(connection, parameters))
            }

            pub(crate) fn parameters_mut(&mut self) -> &mut O::Parameters {
                self.0.parameters_mut()
            }

            pub(crate) fn to(self, address: &str) -> Self {
                Self(self.0.to(address))
            }

            pub(crate) fn own_server(self, document: &[&str], own: &str) -> Self {
                Self(self.0.own_server(document, own))
            }

            pub(crate) fn seal(self, seal: $crate::client::Seal) -> Self {
                Self(self.0.seal(seal))
            }

            pub(crate) fn json<T>(self, media_type: &str, body: &T) -> Self
            where
                T: ::serde::Serialize + $crate::Validate + ?Sized,
            {
                Self(self.0.json(media_type, body))
            }

            pub(crate) fn form<T>(self, body: &T, table: &[$crate::Parameter]) -> Self
            where
                T: ::serde::Serialize + $crate::Validate,
            {
                Self(self.0.form(body, table))
            }

            pub(crate) fn multipart(self, parts: $crate::multipart::Written) -> Self {
                Self(self.0.multipart(parts))
            }

            pub(crate) fn bytes(
                self,
                media_type: &str,
                body: impl Into<$crate::ByteStream>,
            ) -> Self {
                Self(self.0.bytes(media_type, body))
            }

            pub(crate) fn check<T: $crate::Validate + ?Sized>(self, body: &T) -> Self {
                Self(self.0.check(body))
            }

            pub(crate) fn check_by(
                self,
                check: impl FnOnce(&mut $crate::constraint::Violations<'_>),
            ) -> Self {
                Self(self.0.check_by(check))
            }
        }

        impl<O: $crate::client::Endpoint> ::std::future::IntoFuture for Request<O> {
            type Output = <$crate::client::Request<O> as ::std::future::IntoFuture>::Output;
            type IntoFuture = <$crate::client::Request<O> as ::std::future::IntoFuture>::IntoFuture;

            fn into_future(self) -> Self::IntoFuture {
                self.0.into_future()
            }
        }

        impl<O: $crate::client::Endpoint> ::std::fmt::Debug for Request<O> {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

/// `Linking` and `Linked`.
#[doc(hidden)]
#[macro_export]
macro_rules! client_links {
    () => {
        /// A request of the operation `O` that keeps its answer, so that you can follow the
        /// answer's links. Await it to send it.
        #[must_use = "a request is sent when it is awaited"]
        pub struct Linking<O: $crate::client::Endpoint>($crate::client::Linking<O>);

        /// An answer, with the request that the links of the answer refer to.
        pub struct Linked<O: $crate::client::Endpoint> {
            /// The answer.
            pub response: Response<O::Success>,
            #[allow(dead_code, reason = "a document may have no links")]
            origin: $crate::client::Origin,
        }

        impl<O: $crate::client::Endpoint> ::std::future::IntoFuture for Linking<O>
        where
            O::Success: Send,
        {
            type Output = Result<Linked<O>, Error<O::Error>>;
            type IntoFuture = ::std::pin::Pin<Box<dyn Future<Output = Self::Output> + Send>>;

            fn into_future(self) -> Self::IntoFuture {
                let answered = self.0.into_future();
                Box::pin(async move {
                    let $crate::client::Linked { response, origin } = answered.await?;
                    Ok(Linked { response, origin })
                })
            }
        }

        impl<O: $crate::client::Endpoint> ::std::fmt::Debug for Linking<O> {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<O: $crate::client::Endpoint> ::std::fmt::Debug for Linked<O> {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct("Linked")
                    .field("status", &self.response.status.as_u16())
                    .finish_non_exhaustive()
            }
        }
    };
}
