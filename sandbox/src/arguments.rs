//! The command line.

use std::net::SocketAddr;
use std::num::NonZeroUsize;

use clap::{Args, Parser, Subcommand};

use crate::domain::signature::Secret;
use crate::egress::Policy;
use crate::http::{Demand, Missing};
use crate::log::Format;
use crate::seed::{DEFAULT_ADMIN_KEY, DEFAULT_KEY, MERCHANT};
use crate::store::Database;

/// What is worth knowing that no single option says.
const MORE: &str = "\
Once it listens it prints its address, and nothing else, on stdout; the log is on stderr, and
SANDBOX_LOG filters it (debug, sandbox=trace, …). SIGTERM and SIGINT let it end what it has begun.

At that address:
  /                    the start page: how to connect, latest payments, clock, snapshots
  /v1 … /v4            the interface, behind the API key: as the value of Authorization,
                       or as the password of the user `development`
  /docs                its reference documentation
  /pay/…               where customers are redirected to, and payment links
  /_sandbox/…          control, behind the admin key: tenants, snapshots, clocks, outcomes, faults
  /_sandbox/inspector  requests and notifications, to look at
  /metrics, /healthz, /readyz

Examples:
  sandbox
  sandbox --database sqlite://sandbox.db --log-format json
  sandbox --database postgres://postgres@127.0.0.1/sandbox --listen 0.0.0.0:8080 \\
          --api-key KEY --admin-key OTHER --public-url https://sandbox.example
  sandbox audit --database sqlite://sandbox.db
  sandbox listen --forward-to http://127.0.0.1:4000/notifications
  sandbox trigger refund.rejected

Exit codes: 0 it ended as it was told to, 1 it could not (or an audit found something wrong),
2 the command line cannot be used.";

/// What is worth knowing of an audit.
const AUDIT: &str = "\
Example:
  sandbox audit --database sqlite://sandbox.db

Exit codes: 0 nothing is wrong, 1 something is, or the database cannot be read, 2 the command line
cannot be used.";

/// What is worth knowing of a trigger.
const TRIGGER: &str = "\
Example:
  sandbox trigger refund.rejected --notify http://127.0.0.1:4000/notifications

Exit codes: 0 it has happened, 1 the sandbox refused or was not reached, 2 the command line cannot
be used.";

/// What is worth knowing of listening.
const LISTEN: &str = "\
A payment is told of when it names an address in `customIpnUrl`; any address will do.

Example:
  sandbox listen --forward-to http://127.0.0.1:4000/notifications

Exit codes: 0 it was stopped, 1 the sandbox refused or was not reached, 2 the command line cannot be
used.";

/// The reference implementation of the merchant payments interface, for trying things out: real
/// rules and durable records, and no money.
#[derive(Debug, Parser)]
#[command(version, after_help = MORE, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// How the log is written.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        env = "SANDBOX_LOG_FORMAT"
    )]
    pub log_format: Format,
    /// What to do instead of serving.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to serve.
    #[command(flatten)]
    pub serve: Serve,
}

/// What can be done instead of serving.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check the books of a database from their first posting; exits with 1 when they are wrong.
    ///
    /// Prints a line for each thing that is wrong, the rule and what breaks it, and nothing when all is
    /// right. It only reads, so a sandbox may work on the database meanwhile.
    #[command(after_help = AUDIT)]
    Audit {
        /// The database, as `sqlite://PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`.
        #[arg(long, value_name = "URL")]
        database: Database,
    },
    /// Make an event happen in a sandbox that runs, such as `purchase.accepted`.
    ///
    /// Prints the answer of the interface. `GET /_sandbox/triggers` lists the events.
    #[command(after_help = TRIGGER)]
    Trigger {
        /// The event.
        event: String,
        /// Where its notifications go.
        #[arg(long, value_name = "URL")]
        notify: Option<String>,
        /// The sandbox.
        #[command(flatten)]
        at: At,
    },
    /// Pass the notifications of a sandbox that runs on to another address, as they come.
    ///
    /// Prints a line for each: the event, how the address answered, and the id. Each is passed on once, signed like the one
    /// that the sandbox itself sends.
    #[command(after_help = LISTEN)]
    Listen {
        /// Where they go.
        #[arg(long, value_name = "URL")]
        forward_to: String,
        /// The sandbox.
        #[command(flatten)]
        at: At,
    },
}

/// A sandbox that runs, and one of its tenants.
#[derive(Args, Debug)]
pub struct At {
    /// Where the sandbox is.
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

/// How to serve.
#[derive(Args, Debug)]
pub struct Serve {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080", value_parser = socket)]
    pub listen: SocketAddr,
    /// Where customers reach the sandbox, for the addresses of pages that they are sent to; where it
    /// listens, unless this says otherwise.
    #[arg(long, value_name = "URL")]
    pub public_url: Option<String>,
    /// The database: `sqlite::memory:`, gone with the program; `sqlite://PATH`, made when it is not
    /// there; or `postgres://USER:PASSWORD@HOST/DATABASE`, which has to exist and which any number of
    /// sandboxes may share.
    #[arg(long, value_name = "URL", default_value = "sqlite::memory:")]
    pub database: Database,
    /// Answer before a commit is on the disk: faster, and when the machine fails the last commits are
    /// lost.
    #[arg(long)]
    pub fast: bool,
    /// How many writes share one commit at most, on PostgreSQL never more than 16; 1 commits for each
    /// request.
    #[arg(long, value_name = "N", default_value = "256")]
    pub commit_group: NonZeroUsize,
    /// How many connections to keep (PostgreSQL).
    #[arg(long, value_name = "N", default_value = "8")]
    pub connections: NonZeroUsize,
    /// The key of the development tenant.
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
    /// Which operations take credentials: all of them, or those whose samples in the text show some.
    /// Calls of the others then act for the development tenant.
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub auth: Demand,
    /// What becomes of a call without the header `request-id`: it gets an id, or is refused with 400.
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub missing_request_id: Missing,
    /// Where notifications may go: any of `loopback`, `private`, `public`, hosts, addresses and
    /// networks, parted by commas. When left out: `loopback,private` when listening on this machine
    /// only, else `public`. Metadata services and link-local addresses are never sent to.
    #[arg(long, value_name = "WHERE", env = "SANDBOX_NOTIFY")]
    pub notify: Option<Policy>,
    /// What the development tenant's notifications are signed with, `whsec_` and base64 of 24 to 64
    /// bytes; drawn when it is left out.
    #[arg(
        long,
        value_name = "SECRET",
        env = "SANDBOX_SIGNING_SECRET",
        hide_env_values = true,
        value_parser = signing_secret
    )]
    pub signing_secret: Option<Secret>,
    /// Take cards of every scheme, not only those that are made for tests. Their numbers are not kept
    /// all the same.
    #[arg(long)]
    pub allow_any_pan: bool,
}

impl Serve {
    /// Why these arguments cannot be served with, if so.
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
    fn nothing_has_to_be_given_to_serve() {
        let bare = serve("");
        assert_eq!(bare.database.to_string(), "sqlite::memory:");
        assert_eq!((bare.fast, bare.refusal()), (false, None));
        let serve = serve("--database sqlite:///tmp/a.db");
        assert_eq!(serve.database.to_string(), "sqlite:///tmp/a.db");
        assert!(serve.listen.ip().is_loopback());
        assert_eq!(serve.refusal(), None);
    }

    #[test]
    fn the_well_known_key_is_for_this_machine_only() {
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
    fn customers_come_over_the_web() {
        let serve = |url| serve(&format!("--database sqlite://a --public-url {url}"));
        assert_eq!(serve("https://sandbox.example/a").refusal(), None);
        assert!(serve("sandbox.example").refusal().is_some());
    }

    #[test]
    fn what_is_no_database_is_refused() {
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
