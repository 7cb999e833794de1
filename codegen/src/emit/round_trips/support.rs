//! What the tests over a socket have in common.

use quote::quote;

use super::super::source::Source;

/// Adds it to the tests.
pub(super) fn add(source: &mut Source, package: &str) {
    for name in ["Endpoint", "Error", "RetryPolicy"] {
        source.import(&format!("{package}::runtime::client"), name);
    }
    source.import(&format!("{package}::runtime::server"), "Context");
    source.import("std::collections", "BTreeMap");
    source.import("std::sync", "Arc");
    source.import("std::sync", "Mutex");
    source.import("crate::canonical", "canonical");
    source.import("serde", "Deserialize");
    source.import("serde", "Serialize");
    source.import("serde::de", "DeserializeOwned");
    source.import("serde_json::value", "RawValue");
    written(source);
    exchange(source);
    server(source);
    source.item(quote! {
        /// Sends the requests of an operation, and compares what both sides hold with the document.
        async fn try_each<O: Endpoint>(
            operation: &str,
            router: fn(&Arc<Documented>) -> axum::Router,
            call: impl Fn(&client::Client, &Exchange) -> client::Request<O>,
            success: impl Fn(&O::Success) -> String,
        ) where
            O::Error: Written,
        {
            let exchanges = include_str!("exchanges.json");
            let mut exchanges: BTreeMap<String, Vec<Exchange>> =
                serde_json::from_str(exchanges).unwrap();
            let server = Arc::new(Documented::default());
            let client = start(router(&server)).await;
            for exchange in exchanges.remove(operation).unwrap() {
                let exchange = Arc::new(exchange);
                *server.exchange.lock().unwrap() = Arc::clone(&exchange);
                let name = &exchange.name;
                let (status, answer) = match call(&client, &exchange).await {
                    Ok(response) => (response.status, success(&response.body)),
                    Err(Error::Refused(response)) => (response.status, response.body.written()),
                    Err(Error::Unexpected(answer)) => {
                        panic!("{name}: {} {:?}", answer.status, answer.body)
                    }
                    Err(error) => panic!("{name}: {error}"),
                };
                let taken = server.taken.lock().unwrap().take();
                let (parameters, body) = taken.unwrap_or_else(|| {
                    panic!("{name}: the server refused the request: {status} {answer}")
                });
                if !parameters.is_empty() {
                    same(&parameters, Some(&exchange.parameters), name);
                }
                same(&body, exchange.body.as_deref(), name);
                assert_eq!(status.as_u16(), exchange.status, "{name}");
                same(&answer, exchange.answer.as_deref(), name);
            }
        }
    });
    source.item(quote! {
        /// Compares what a side holds with the document.
        fn same(held: &str, documented: Option<&RawValue>, name: &str) {
            let held = if held.is_empty() { "null" } else { held };
            let documented = documented.map_or("null", RawValue::get);
            assert_eq!(canonical(held), canonical(documented), "{name}");
        }
    });
    source.item(quote! {
        /// A server on a free port, and a client of it.
        async fn start(router: axum::Router) -> client::Client {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            tokio::spawn(async move { axum::serve(listener, router).await });
            // A request that is sent once carries no key that the example has not.
            let settings = client::Settings::new(format!("http://{address}"));
            client::Client::new(settings.retries(RetryPolicy::off())).unwrap()
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
        fn copy<T: Clone>(value: &T) -> T { value.clone() }
    });
    source.item(quote! {
        #[allow(dead_code, reason = "documents without headers have no use for it")]
        fn no_headers<T: DeserializeOwned>() -> T { serde_json::from_str("{}").unwrap() }
    });
}

/// The answers of a client, as JSON again. The enums of a client may grow.
fn written(source: &mut Source) {
    source.item(quote! {
        trait Written {
            fn written(&self) -> String;
        }
    });
    source.item(quote! {
        impl Written for std::convert::Infallible {
            fn written(&self) -> String { match *self {} }
        }
    });
    source.table(WRITTEN.to_owned());
}

const WRITTEN: &str = "\
macro_rules! written {
    ($($area:ident $name:ident:
        json[$($json:ident)*] empty[$($empty:ident)*] other[$($other:ident)*];)*) => {$(
        impl Written for client::$area::$name {
            fn written(&self) -> String {
                match self {
                    $(Self::$json(body) => json(body),)*
                    $(Self::$empty => String::new(),)*
                    $(Self::$other(_) => String::new(),)*
                    #[allow(unreachable_patterns, reason = \"the enums of a client may grow\")]
                    other => format!(\"{other:?}\"),
                }
            }
        }
    )*};
}
";

fn exchange(source: &mut Source) {
    source.item(quote! {
        /// A request and its answer.
        #[derive(Default, Deserialize)]
        struct Exchange {
            name: String,
            parameters: Box<RawValue>,
            body: Option<Box<RawValue>>,
            case: String,
            status: u16,
            answer: Option<Box<RawValue>>,
        }
    });
    source.item(quote! {
        #[allow(dead_code, reason = "documents without bodies have no use for all of it")]
        impl Exchange {
            fn parameters<T: DeserializeOwned>(&self) -> T {
                serde_json::from_str(self.parameters.get()).unwrap()
            }

            fn body<T: DeserializeOwned>(&self) -> T { read(self.body.as_deref()) }

            fn answer<T: DeserializeOwned>(&self) -> T { read(self.answer.as_deref()) }
        }
    });
    source.item(quote! {
        fn read<T: DeserializeOwned>(json: Option<&RawValue>) -> T {
            serde_json::from_str(json.map_or("null", RawValue::get)).unwrap()
        }
    });
}

fn server(source: &mut Source) {
    source.item(quote! {
        /// A server that keeps what it was asked, and answers what the document says.
        #[derive(Default)]
        struct Documented {
            exchange: Mutex<Arc<Exchange>>,
            /// Parameters and body of the last request.
            taken: Mutex<Option<(String, String)>>,
        }
    });
    source.item(quote! {
        impl Documented {
            fn taken(&self, parameters: String, body: String) -> Arc<Exchange> {
                *self.taken.lock().unwrap() = Some((parameters, body));
                Arc::clone(&self.exchange.lock().unwrap())
            }
        }
    });
}
