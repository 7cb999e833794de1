//! What the tests over a socket have in common.

use quote::quote;

use super::super::examples::canonical;
use super::super::source::Source;

/// Adds it to the tests.
pub(super) fn add(source: &mut Source, package: &str) {
    source.import(&format!("{package}::runtime::client"), "Error");
    source.import(&format!("{package}::runtime::client"), "Response");
    source.import(&format!("{package}::runtime::client"), "RetryPolicy");
    source.import(&format!("{package}::runtime::client"), "Settings");
    source.import(&format!("{package}::runtime::server"), "Context");
    source.import("std::collections", "BTreeMap");
    source.import("std::fmt", "Debug");
    source.import("std::sync", "Arc");
    source.import("std::sync", "Mutex");
    source.import("serde", "Serialize");
    source.import("serde::de", "DeserializeOwned");
    source.import("serde_json::value", "RawValue");
    exchange(source);
    server(source);
    source.item(quote! {
        /// A server on a free port, and a client of it.
        async fn start(
            exchanges: &'static [Exchange],
            router: fn(&Arc<Documented>) -> axum::Router,
        ) -> (client::Client, Arc<Documented>) {
            let taken = Mutex::default();
            let server = Arc::new(Documented { exchanges, taken });
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let router = router(&server);
            tokio::spawn(async move { axum::serve(listener, router).await });
            // A request that is sent once carries no key that the example has not.
            let settings = Settings::new(format!("http://{address}")).retries(RetryPolicy::off());
            (client::Client::new(settings).unwrap(), server)
        }
    });
    source.item(quote! {
        #[allow(dead_code, reason = "documents whose requests and answers have no JSON have no use for it")]
        fn json<T: Serialize + ?Sized>(value: &T) -> String {
            serde_json::to_string(value).unwrap()
        }
    });
    source.item(quote! {
        #[allow(dead_code, reason = "documents without parameters have no use for it")]
        fn same<T: Clone>(value: &T) -> T { value.clone() }
    });
    source.item(quote! {
        #[allow(dead_code, reason = "documents without headers have no use for it")]
        fn no_headers<T: DeserializeOwned>() -> T { serde_json::from_str("{}").unwrap() }
    });
    source.item(canonical());
}

fn exchange(source: &mut Source) {
    source.item(quote! {
        /// The header by which the server knows what to answer.
        const EXCHANGE: &str = "x-exchange";
    });
    source.item(quote! {
        /// A request and its answer: JSON texts, empty where there is nothing.
        struct Exchange {
            name: &'static str,
            parameters: &'static str,
            body: &'static str,
            case: &'static str,
            status: u16,
            answer: &'static str,
        }
    });
    source.item(quote! {
        #[allow(dead_code, reason = "documents without bodies have no use for all of it")]
        impl Exchange {
            fn parameters<T: DeserializeOwned>(&self) -> T {
                serde_json::from_str(self.parameters).unwrap()
            }

            fn body<T: DeserializeOwned>(&self) -> T { serde_json::from_str(self.body).unwrap() }

            fn answer<T: DeserializeOwned>(&self) -> T {
                serde_json::from_str(self.answer).unwrap()
            }

            /// Both sides hold what the document says.
            fn judge<S, E: Debug>(
                &self,
                server: &Documented,
                heard: Result<Response<S>, Error<E>>,
                success: impl Fn(&S) -> String,
                refusal: impl Fn(&E) -> String,
            ) {
                let name = self.name;
                let (status, answer) = match heard {
                    Ok(response) => (response.status, success(&response.body)),
                    Err(Error::Refused(response)) => (response.status, refusal(&response.body)),
                    Err(Error::Unexpected(answer)) => {
                        panic!("{name}: {} {:?}", answer.status, answer.body)
                    }
                    Err(error) => panic!("{name}: {error:?}"),
                };
                let taken = server.taken.lock().unwrap().take();
                let (parameters, body) = taken.unwrap_or_else(|| {
                    panic!("{name}: the server refused the request: {status} {answer}")
                });
                let parameters_sent = if parameters.is_empty() { "" } else { self.parameters };
                assert_eq!(canonical(&parameters), canonical(parameters_sent), "{name}: parameters");
                assert_eq!(canonical(&body), canonical(self.body), "{name}: request");
                assert_eq!(status.as_u16(), self.status, "{name}: status");
                assert_eq!(canonical(&answer), canonical(self.answer), "{name}: answer");
            }
        }
    });
}

fn server(source: &mut Source) {
    source.item(quote! {
        /// A server that keeps what it was asked, and answers what the document says.
        struct Documented {
            exchanges: &'static [Exchange],
            /// Parameters and body of the last request.
            taken: Mutex<Option<(String, String)>>,
        }
    });
    source.item(quote! {
        impl Documented {
            fn taken(&self, context: &Context, parameters: String, body: String) -> &Exchange {
                *self.taken.lock().unwrap() = Some((parameters, body));
                let index = context.header(EXCHANGE).and_then(|text| text.parse().ok());
                &self.exchanges[index.unwrap_or(usize::MAX)]
            }
        }
    });
}
