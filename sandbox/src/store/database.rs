//! Parses the address of a database.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The database that stores all records.
#[derive(Clone)]
pub enum Database {
    /// An SQLite file.
    File(PathBuf),
    /// An in-memory database that ends with the program.
    Memory,
    /// A PostgreSQL database.
    Postgres(Box<tokio_postgres::Config>),
}

/// The text is not the address of a database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    /// The scheme is unknown.
    #[error("expected sqlite://PATH, sqlite::memory: or postgres://USER@HOST/DATABASE{0}")]
    Form(String),
    /// The address of PostgreSQL is malformed.
    #[error("not an address of PostgreSQL: {0}")]
    Postgres(String),
}

impl FromStr for Database {
    type Err = DatabaseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "sqlite::memory:" {
            return Ok(Self::Memory);
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            let config = text.parse().map_err(|error: tokio_postgres::Error| {
                let source = std::error::Error::source(&error).map(ToString::to_string);
                DatabaseError::Postgres(source.unwrap_or_else(|| error.to_string()))
            })?;
            return Ok(Self::Postgres(Box::new(config)));
        }
        match text.strip_prefix("sqlite://") {
            Some(path) if !path.is_empty() => Ok(Self::File(PathBuf::from(path))),
            // A path without a scheme is a common mistake.
            None if !text.is_empty() && !text.contains(':') => {
                Err(DatabaseError::Form(format!("; write sqlite://{text}")))
            }
            _ => Err(DatabaseError::Form(String::new())),
        }
    }
}

/// Never shows a password.
impl fmt::Display for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(formatter, "sqlite://{}", path.display()),
            Self::Memory => formatter.write_str("sqlite::memory:"),
            Self::Postgres(config) => {
                let host = config.get_hosts().iter().find_map(|host| match host {
                    tokio_postgres::config::Host::Tcp(name) => Some(name.as_str()),
                    tokio_postgres::config::Host::Unix(_) => None,
                });
                let name = config.get_dbname().unwrap_or_default();
                write!(formatter, "postgres://{}/{name}", host.unwrap_or_default())
            }
        }
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_parsed_and_no_password_is_shown() {
        for (text, shown) in [
            ("sqlite:///tmp/a.db", "sqlite:///tmp/a.db"),
            ("sqlite::memory:", "sqlite::memory:"),
            ("postgres://me:secret@db:5433/pay", "postgres://db/pay"),
        ] {
            let database: Database = text.parse().unwrap();
            assert_eq!(database.to_string(), shown);
            assert_eq!(format!("{database:?}"), shown);
        }
    }

    #[test]
    fn an_invalid_address_is_refused() {
        for text in [
            "",
            "a.db",
            "sqlite://",
            "mysql://x",
            "postgres://host:port/x",
        ] {
            assert!(text.parse::<Database>().is_err(), "{text}");
        }
    }
}
