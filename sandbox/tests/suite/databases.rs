//! Fresh databases, so that the same tests run on every kind of database.

use std::io::Read;
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

/// Runs each test, a function of a running program, on a file and on PostgreSQL.
macro_rules! on_both_programs {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(&std::sync::Arc::new(crate::process::Process::start())).await;
            })*
        }

        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                if let Some(fresh) = crate::databases::postgres() {
                    let sandbox = crate::process::Process::start_on(&fresh.url());
                    super::$name(&std::sync::Arc::new(sandbox)).await;
                }
            })*
        }
    };
}

/// Runs each test, a function of an empty database, on a file and on PostgreSQL.
macro_rules! on_both_databases {
    ($($name:ident),* $(,)?) => {
        mod file {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(&crate::databases::file()).await;
            })*
        }

        mod on_postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                if let Some(fresh) = crate::databases::postgres() {
                    super::$name(&fresh).await;
                }
            })*
        }
    };
}

/// Runs each test, a function of two running programs, which share a database on PostgreSQL and are
/// the same one on a file.
macro_rules! on_two_programs {
    ($($name:ident),* $(,)?) => {
        mod one_file {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() {
                let sandbox = crate::process::Process::start();
                super::$name(&sandbox, &sandbox).await;
            })*
        }

        mod two_on_postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() {
                if let Some(fresh) = crate::databases::postgres() {
                    let start = || crate::process::Process::start_on(&fresh.url());
                    let (one, other) = (start(), start());
                    super::$name(&one, &other).await;
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
    query(&url, move |client| client.batch_execute(&sql).unwrap());
    Some(Fresh::Postgres {
        server,
        name,
        _turn: turn,
    })
}

/// The bytes of all tables of the sandbox, as PostgreSQL stores their values.
pub(crate) fn content(url: &str) -> Vec<u8> {
    query(url, |client| {
        let tables =
            "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'sandbox'";
        let mut content = Vec::new();
        for row in client.query(tables, &[]).unwrap() {
            let table: &str = row.get(0);
            let copy = format!("COPY sandbox.{table} TO STDOUT (FORMAT binary)");
            let mut rows = client.copy_out(&copy).unwrap();
            rows.read_to_end(&mut content).unwrap();
        }
        content
    })
}

/// Runs queries on a PostgreSQL database. The client blocks, which a test's thread must not.
pub(crate) fn query<T: Send + 'static>(
    url: &str,
    ask: impl FnOnce(&mut postgres::Client) -> T + Send + 'static,
) -> T {
    let url = url.to_owned();
    let asked = std::thread::spawn(move || ask(&mut connect(&url).unwrap()));
    asked.join().unwrap()
}

fn connect(url: &str) -> Result<postgres::Client, postgres::Error> {
    postgres::Client::connect(url, postgres::NoTls)
}
