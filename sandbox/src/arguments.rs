//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::seed::DEFAULT_KEY;

/// The reference implementation of the merchant payments interface.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Arguments {
    /// What to do instead of serving.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to serve.
    #[command(flatten)]
    pub serve: Option<Serve>,
}

/// What can be done instead of serving.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check the books of a database from their first posting; exits with 1 when they are wrong.
    Audit {
        /// The database, as `sqlite://PATH`.
        #[arg(long, value_name = "URL", value_parser = database)]
        database: PathBuf,
    },
}

/// How to serve.
#[derive(Args, Debug)]
pub struct Serve {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// The database, as `sqlite://PATH`; made when it is not there.
    #[arg(long, value_name = "URL", value_parser = database)]
    pub database: PathBuf,
    /// The key of the development tenant.
    #[arg(
        long,
        value_name = "KEY",
        env = "SANDBOX_API_KEY",
        default_value = DEFAULT_KEY,
        hide_env_values = true
    )]
    pub api_key: String,
}

impl Serve {
    /// Why these arguments cannot be served with, if so.
    pub fn refusal(&self) -> Option<&'static str> {
        if self.api_key.is_empty() || !self.api_key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Some("an API key is visible ASCII without spaces");
        }
        if self.api_key == DEFAULT_KEY && !self.listen.ip().is_loopback() {
            return Some("beyond this machine the sandbox needs a key of its own: give --api-key");
        }
        None
    }
}

/// Reads `sqlite://PATH`.
fn database(text: &str) -> Result<PathBuf, String> {
    match text.strip_prefix("sqlite://") {
        Some(path) if !path.is_empty() => Ok(PathBuf::from(path)),
        _ => Err("expected sqlite://PATH".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(std::iter::once("sandbox").chain(arguments.split_whitespace()))
    }

    fn serve(arguments: &str) -> Serve {
        parse(arguments).unwrap().serve.unwrap()
    }

    #[test]
    fn a_database_is_enough_to_serve() {
        let serve = serve("--database sqlite:///tmp/a.db");
        assert_eq!(serve.database, PathBuf::from("/tmp/a.db"));
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
                .is_none()
        );
    }

    #[test]
    fn what_is_no_database_is_refused() {
        assert!(parse("--database postgres://x").is_err());
        assert!(parse("--listen 127.0.0.1:0").is_err());
        assert!(parse("audit").is_err());
        assert!(parse("audit --database sqlite://a").is_ok());
    }
}
