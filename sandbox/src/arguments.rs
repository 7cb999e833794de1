//! The command line arguments.

use std::net::SocketAddr;
use std::num::NonZeroUsize;

use clap::{Args, Parser, Subcommand};

use crate::domain::signature::Secret;
use crate::egress::Policy;
use crate::http::{Demand, Missing};
use crate::log::Format;
use crate::seed::{DEFAULT_ADMIN_KEY, DEFAULT_KEY, MERCHANT};
use crate::store::Database;

/// The help text after the options.
const MORE: &str = "\
Once the sandbox listens, it prints its address, and nothing else, on stdout. The log goes to stderr;
SANDBOX_LOG filters it (debug, sandbox=trace, …). On SIGTERM and SIGINT it completes running requests.

At that address:
  /                    the start page: how to connect, latest payments, clock, snapshots
  /v1 … /v4            the interface, behind the API key: as the value of Authorization,
                       or as the password of the user `development`
  /docs                its reference documentation
  /pay/…               payment pages of customers, and payment links
  /_sandbox/…          control interface, behind the admin key: tenants, snapshots, clocks, outcomes, faults
  /_sandbox/inspector  inspector of requests and notifications
  /metrics, /healthz, /readyz

Examples:
  sandbox
  sandbox --database sqlite://sandbox.db --log-format json
  sandbox --database postgres://postgres@127.0.0.1/sandbox --listen 0.0.0.0:8080 \\
          --api-key KEY --admin-key OTHER --public-url https://sandbox.example
  sandbox audit --database sqlite://sandbox.db
  sandbox listen --forward-to http://127.0.0.1:4000/notifications
  sandbox trigger refund.rejected

Exit codes: 0 stopped by a signal, 1 failed (or an audit found something wrong),
2 invalid command line.";

/// The help text of `audit`.
const AUDIT: &str = "\
Example:
  sandbox audit --database sqlite://sandbox.db

Exit codes: 0 nothing found, 1 something is wrong or the database cannot be read, 2 invalid command
line.";

/// The help text of `trigger`.
const TRIGGER: &str = "\
Example:
  sandbox trigger refund.rejected --notify http://127.0.0.1:4000/notifications

Exit codes: 0 the event happened, 1 the sandbox refused or cannot be reached, 2 invalid command
line.";

/// The help text of `listen`.
const LISTEN: &str = "\
The sandbox notifies about payments whose request has a `customIpnUrl`, with any address.

Example:
  sandbox listen --forward-to http://127.0.0.1:4000/notifications

Exit codes: 0 stopped, 1 the sandbox refused or cannot be reached, 2 invalid command
line.";

/// The reference implementation of the merchant payments interface: real rules and durable records,
/// but no real money.
#[derive(Debug, Parser)]
#[command(version, after_help = MORE, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// The format of the log.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        env = "SANDBOX_LOG_FORMAT"
    )]
    pub log_format: Format,
    /// The command; without one, the program serves.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The options for serving.
    #[command(flatten)]
    pub serve: Serve,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Audit the ledger and the records of a database; exits with 1 when something is wrong.
    ///
    /// Prints one line for each violation, with its rule and subject, and nothing when all is
    /// right. It only reads, so a sandbox may use the database meanwhile.
    #[command(after_help = AUDIT)]
    Audit {
        /// The database, as `sqlite://PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`.
        #[arg(long, value_name = "URL")]
        database: Database,
    },
    /// Cause an event in a running sandbox, such as `purchase.accepted`.
    ///
    /// Prints the answer of the interface. `GET /_sandbox/triggers` lists the events.
    #[command(after_help = TRIGGER)]
    Trigger {
        /// The name of the event.
        event: String,
        /// The address for its notifications.
        #[arg(long, value_name = "URL")]
        notify: Option<String>,
        /// The sandbox.
        #[command(flatten)]
        at: At,
    },
    /// Forward new notifications of a running sandbox to another address.
    ///
    /// Prints one line for each: the event, the answer of the address, and the id. Each is
    /// forwarded once, with the signature of the original.
    #[command(after_help = LISTEN)]
    Listen {
        /// The address to forward to.
        #[arg(long, value_name = "URL")]
        forward_to: String,
        /// The sandbox.
        #[command(flatten)]
        at: At,
    },
}

/// A running sandbox and one of its tenants.
#[derive(Args, Debug)]
pub struct At {
    /// The address of the sandbox.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub url: String,
    /// Its admin key.
    #[arg(
        long,
        value_name = "KEY",
        env = "SANDBOX_ADMIN_KEY",
        default_value = DEFAULT_ADMIN_KEY,
        hide_env_values = true
    )]
    pub admin_key: String,
    /// The tenant.
    #[arg(long, value_name = "NAME", default_value = MERCHANT)]
    pub tenant: String,
}

/// The options for serving.
#[derive(Args, Debug)]
pub struct Serve {
    /// The address to listen on; port 0 selects a free one.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080", value_parser = socket)]
    pub listen: SocketAddr,
    /// The address at which customers reach the sandbox, for links to its pages; by default the
    /// address that it listens on.
    #[arg(long, value_name = "URL")]
    pub public_url: Option<String>,
    /// The database: `sqlite::memory:` ends with the program, `sqlite://PATH` is created when
    /// missing, and `postgres://USER:PASSWORD@HOST/DATABASE` has to exist; several sandboxes can
    /// share it.
    #[arg(long, value_name = "URL", default_value = "sqlite::memory:")]
    pub database: Database,
    /// Answer before a commit is on disk. This is faster, but the last commits are lost when the
    /// machine fails.
    #[arg(long)]
    pub fast: bool,
    /// The most writes that share one commit; 1 commits each request separately. PostgreSQL uses at
    /// most 16.
    #[arg(long, value_name = "N", default_value = "256")]
    pub commit_group: NonZeroUsize,
    /// The number of connections (PostgreSQL).
    #[arg(long, value_name = "N", default_value = "8")]
    pub connections: NonZeroUsize,
    /// The API key of the development tenant.
    #[arg(
        long,
        value_name = "KEY",
        env = "SANDBOX_API_KEY",
        default_value = DEFAULT_KEY,
        hide_env_values = true
    )]
    pub api_key: String,
    /// The key of the control interface, `/_sandbox`, and of the inspector.
    #[arg(
        long,
        value_name = "KEY",
        env = "SANDBOX_ADMIN_KEY",
        default_value = DEFAULT_ADMIN_KEY,
        hide_env_values = true
    )]
    pub admin_key: String,
    /// Which operations require credentials: all, or those whose samples show credentials. Calls of
    /// the others then act for the development tenant.
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub auth: Demand,
    /// How to handle a call without the header `request-id`: generate an id, or refuse it with 400.
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub missing_request_id: Missing,
    /// Permitted receivers of notifications: any of `loopback`, `private`, `public`, hosts,
    /// addresses and networks, separated by commas. The default is `loopback,private` when the
    /// sandbox listens on this machine only, else `public`. Metadata services and link-local
    /// addresses are never permitted.
    #[arg(long, value_name = "WHERE", env = "SANDBOX_NOTIFY")]
    pub notify: Option<Policy>,
    /// The secret that signs the development tenant's notifications: `whsec_` and base64 of 24 to
    /// 64 bytes. Random by default.
    #[arg(
        long,
        value_name = "SECRET",
        env = "SANDBOX_SIGNING_SECRET",
        hide_env_values = true,
        value_parser = signing_secret
    )]
    pub signing_secret: Option<Secret>,
    /// Accept cards of every scheme, not only test cards. Their numbers are still not stored.
    #[arg(long)]
    pub allow_any_pan: bool,
}

impl Serve {
    /// Why the sandbox cannot serve with these arguments; `None` when it can.
    pub fn refusal(&self) -> Option<&'static str> {
        let keys = [&self.api_key, &self.admin_key];
        let visible = |key: &&String| key.bytes().all(|byte| byte.is_ascii_graphic());
        if keys.iter().any(|key| key.is_empty() || !visible(key)) {
            return Some(
                "a key has at least one character, and only visible ASCII; choose another key",
            );
        }
        if self.api_key == self.admin_key {
            return Some("--api-key and --admin-key have the same value; choose two keys");
        }
        let is_web = |url: &String| url.starts_with("http://") || url.starts_with("https://");
        if !self.public_url.as_ref().is_none_or(is_web) {
            return Some("--public-url has no scheme; begin it with http:// or https://");
        }
        if self.listen.ip().is_loopback() {
            return None;
        }
        if self.api_key == DEFAULT_KEY {
            return Some(
                "other machines can reach this address, and everybody knows the default key; add --api-key KEY",
            );
        }
        (self.admin_key == DEFAULT_ADMIN_KEY)
            .then_some("other machines can reach this address, and everybody knows the default admin key; add --admin-key KEY")
    }
}

fn socket(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| match text.parse::<u16>() {
        Ok(port) => format!("it has no address; write 127.0.0.1:{port}"),
        Err(_) => "expected an IP address and a port, such as 127.0.0.1:8080".to_owned(),
    })
}

fn signing_secret(text: &str) -> Result<Secret, &'static str> {
    Secret::parse(text).ok_or("expected whsec_ and base64 of 24 to 64 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(std::iter::once("sandbox").chain(arguments.split_whitespace()))
    }

    fn serve(arguments: &str) -> Serve {
        parse(arguments).unwrap().serve
    }

    #[test]
    fn every_option_has_a_default() {
        let bare = serve("");
        assert_eq!(bare.database.to_string(), "sqlite::memory:");
        assert_eq!((bare.fast, bare.refusal()), (false, None));
        let serve = serve("--database sqlite:///tmp/a.db");
        assert_eq!(serve.database.to_string(), "sqlite:///tmp/a.db");
        assert!(serve.listen.ip().is_loopback());
        assert_eq!(serve.refusal(), None);
    }

    #[test]
    fn the_default_key_is_for_this_machine_only() {
        assert!(
            serve("--listen 0.0.0.0:80 --database sqlite://a --api-key development-key")
                .refusal()
                .is_some()
        );
        assert!(
            serve("--listen 0.0.0.0:80 --database sqlite://a --api-key other")
                .refusal()
                .is_some()
        );
        assert!(
            serve("--listen 0.0.0.0:80 --database sqlite://a --api-key one --admin-key two")
                .refusal()
                .is_none()
        );
        assert!(
            serve("--database sqlite://a --api-key one --admin-key one")
                .refusal()
                .is_some()
        );
    }

    #[test]
    fn the_public_url_needs_a_web_scheme() {
        let serve = |url| serve(&format!("--database sqlite://a --public-url {url}"));
        assert_eq!(serve("https://sandbox.example/a").refusal(), None);
        assert!(serve("sandbox.example").refusal().is_some());
    }

    #[test]
    fn invalid_arguments_are_refused() {
        assert!(parse("--database mysql://x").is_err());
        assert!(parse("--database sqlite://a --commit-group 0").is_err());
        assert!(parse("--database sqlite://a --connections 0").is_err());
        assert!(parse("audit").is_err());
        assert!(parse("audit --database sqlite://a").is_ok());
        assert!(parse("listen").is_err());
        assert!(parse("trigger").is_err());
        assert!(parse("--fast trigger purchase.accepted").is_err());
    }
}
