//! Fresh databases, so that the same tests run on every kind of database.

use std::sync::{Condvar, Mutex, PoisonError};

use sandbox::store::Database;
use uuid::Uuid;

/// A database that is removed after the test.
pub(crate) enum Fresh {
    File(tempfile::TempDir),
    Memory,
    Postgres {
        server: String,
        name: String,
        _turn: Turn,
    },
}

/// The number of tests that use PostgreSQL at once. The server allows a hundred connections by
/// default, and each test may run two programs with sixteen.
const TURNS: usize = 3;
static TAKEN: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// The permission of a test to use PostgreSQL.
pub(crate) struct Turn(());

impl Turn {
    fn wait() -> Self {
        let taken = TAKEN.0.lock().unwrap_or_else(PoisonError::into_inner);
        let free = TAKEN.1.wait_while(taken, |taken| *taken == TURNS);
        *free.unwrap_or_else(PoisonError::into_inner) += 1;
        Self(())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *TAKEN.0.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        TAKEN.1.notify_one();
    }
}

/// Runs each test, a function of a [`crate::bench::Bench`], on every kind of database.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(crate::bench::Bench::on(crate::databases::file()).await).await;
            })*
        }

        mod memory {
            $(#[tokio::test]
            async fn $name() {
                super::$name(crate::bench::Bench::on(crate::databases::Fresh::Memory).await).await;
            })*
        }

        mod postgres {
            $(#[tokio::test]
            async fn $name() {
                if let Some(fresh) = crate::databases::postgres() {
                    super::$name(crate::bench::Bench::on(fresh).await).await;
                }
            })*
        }
    };
}

impl Fresh {
    pub(crate) fn database(&self) -> Database {
        self.url().parse().unwrap()
    }

    pub(crate) fn url(&self) -> String {
        match self {
            Self::File(directory) => {
                format!("sqlite://{}", directory.path().join("sandbox.db").display())
            }
            Self::Memory => "sqlite::memory:".to_owned(),
            Self::Postgres { server, name, .. } => format!("{server}/{name}"),
        }
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        if let Self::Postgres { server, name, .. } = self {
            let (url, sql) = (
                format!("{server}/postgres"),
                format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"),
            );
            // The PostgreSQL client blocks, which a test's thread must not.
            let dropped = std::thread::spawn(move || {
                connect(&url).is_ok_and(|mut client| client.batch_execute(&sql).is_ok())
            });
            let _ = dropped.join();
        }
    }
}

/// A temporary SQLite file.
pub(crate) fn file() -> Fresh {
    Fresh::File(tempfile::tempdir().unwrap())
}

/// A new PostgreSQL database at `DATABASE_URL` or on this machine; `None` without a server.
pub(crate) fn postgres() -> Option<Fresh> {
    if !prerequisites::POSTGRES.is_met() {
        return None;
    }
    let turn = Turn::wait();
    let server = std::env::var("DATABASE_URL").ok().and_then(|url| {
        let (server, _) = url.rsplit_once('/')?;
        Some(server.to_owned())
    });
    let server = server.unwrap_or_else(|| "postgres://postgres@127.0.0.1:5432".to_owned());
    let name = format!("sandbox_test_{}", Uuid::new_v4().simple());
    let (url, sql) = (
        format!("{server}/postgres"),
        format!("CREATE DATABASE {name}"),
    );
    // The PostgreSQL client blocks, which a test's thread must not.
    let created = std::thread::spawn(move || connect(&url).unwrap().batch_execute(&sql).unwrap());
    created.join().unwrap();
    Some(Fresh::Postgres {
        server,
        name,
        _turn: turn,
    })
}

fn connect(url: &str) -> Result<postgres::Client, postgres::Error> {
    postgres::Client::connect(url, postgres::NoTls)
}
