//! Answers follow commits, and a failed write does not affect the other writes of its group.

use std::time::Instant;

use futures_util::future::join_all;
use jiff::Timestamp;
use sandbox::store::{Connection, Store, StoreError, StoreSettings, tenants};
use sandbox::values;

use crate::databases::{Fresh, file, postgres};
use crate::process::DEADLINE;

/// A write on a connection.
type Write = fn(&Connection) -> Result<(), StoreError>;

fn open() -> (Fresh, Store) {
    let fresh = file();
    let store = Store::open(&fresh.database(), StoreSettings::default()).unwrap();
    (fresh, store)
}

fn merchant(connection: &Connection, name: &str) -> Result<(), StoreError> {
    tenants::add(connection, name, Timestamp::UNIX_EPOCH).map(|_| ())
}

async fn add(store: &Store, name: String) -> Result<(), StoreError> {
    store
        .write(move |connection| merchant(connection, &name))
        .await
}

async fn count(store: &Store) -> i64 {
    let sql = "SELECT count(*) FROM merchants";
    let count: Result<i64, StoreError> = store.read(|connection| connection.value(sql, &[])).await;
    count.unwrap()
}

/// Adds eight merchants and does another write, all queued behind the same write.
async fn behind_another(
    store: &Store,
    work: Write,
) -> (Vec<Result<(), StoreError>>, Result<(), StoreError>) {
    // The first write blocks the thread until the others are queued.
    let (started, mut running) = tokio::sync::mpsc::unbounded_channel::<()>();
    let (release, hold) = std::sync::mpsc::channel::<()>();
    let first = store.write(move |_| {
        started.send(()).map_err(|_| StoreError::Closed)?;
        hold.recv().map_err(|_| StoreError::Closed)?;
        Ok::<_, StoreError>(())
    });
    let others = async {
        running.recv().await.unwrap();
        let adds = (0..8).map(|number| add(store, format!("tenant {number}")));
        let all = tokio::join!(join_all(adds), store.write(work), async {
            release.send(())
        });
        (all.0, all.1)
    };
    let (first, others) = tokio::join!(first, others);
    first.unwrap();
    others
}

/// One connection to PostgreSQL, with a merchant called `first` in the database.
async fn open_postgres() -> Option<(Fresh, Store)> {
    let fresh = postgres()?;
    let settings = StoreSettings {
        connections: 1,
        ..StoreSettings::default()
    };
    let store = Store::open(&fresh.database(), settings).unwrap();
    add(&store, "first".to_owned()).await.unwrap();
    Some((fresh, store))
}

#[tokio::test]
async fn queued_writes_share_a_commit_on_postgres() {
    let Some((_fresh, store)) = open_postgres().await else {
        return;
    };
    let before = store.counters().commits();
    // A refused job without writes does not disturb its group.
    let (added, refused) = behind_another(&store, |_| Err(StoreError::Nul)).await;
    assert!(matches!(refused, Err(StoreError::Nul)), "{refused:?}");
    for added in added {
        added.unwrap();
    }
    assert_eq!(count(&store).await, 9);
    // The first write, and the group behind it.
    assert_eq!(store.counters().commits() - before, 2);
}

/// Without statistics, the server plans a scan of every row.
#[tokio::test]
async fn postgres_soon_has_statistics_of_its_tables() {
    let Some((_fresh, store)) = open_postgres().await else {
        return;
    };
    for number in 0..100 {
        let change = move |connection: &Connection| {
            let now = Timestamp::UNIX_EPOCH;
            let (_, tenant) = tenants::add(connection, &format!("tenant {number}"), now)?;
            connection.write(
                "INSERT INTO scenarios (tenant_id, number, outcome, remaining)
                 VALUES ($1, 1, 'accept', 1)",
                values![tenant],
            )
        };
        let changed: Result<(), StoreError> = store.write(change).await;
        changed.unwrap();
    }
    let known = "SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE relname = 'scenarios'";
    let deadline = Instant::now() + DEADLINE;
    loop {
        let rows: Result<i64, StoreError> =
            { store.read(|connection| connection.value(known, &[])) }.await;
        if rows.unwrap() > 0 {
            break;
        }
        assert!(Instant::now() < deadline, "no statistics were collected");
    }
}

#[tokio::test]
async fn a_failed_write_on_postgres_does_not_affect_others() {
    let failing: [Write; 4] = [
        // An error at once, an error at the commit because no result was read, and a refusal by the
        // rules.
        |connection| merchant(connection, "first"),
        |connection| {
            merchant(connection, "half")?;
            connection.write(
                "INSERT INTO merchants (name, tenant_id) VALUES ('broken', 4711)",
                &[],
            )
        },
        |connection| {
            merchant(connection, "half")?;
            Err(StoreError::Nul)
        },
        |connection| {
            merchant(connection, "half")?;
            panic!("on purpose")
        },
    ];
    for work in failing {
        let Some((_fresh, store)) = open_postgres().await else {
            return;
        };
        let (added, failed) = behind_another(&store, work).await;
        assert!(failed.is_err(), "{failed:?}");
        for added in added {
            added.unwrap();
        }
        assert_eq!(count(&store).await, 9);
    }
}

/// Leaves a dangling reference, which SQLite detects at the commit.
fn break_commit(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("PRAGMA defer_foreign_keys = ON", &[])?;
    connection.execute(
        "INSERT INTO merchants (name, tenant_id) VALUES ('broken', 4711)",
        &[],
    )?;
    Ok(())
}

/// After an error, PostgreSQL answers `COMMIT` with success although it rolls back.
#[tokio::test]
async fn an_ignored_error_fails_the_commit_on_postgres() {
    let overlooked: [Write; 4] = [
        |connection| {
            let _ = connection.exists("SELECT 1 / 0", &[]);
            Ok(())
        },
        |connection| {
            let _ = connection.exists("SELECT nothing", &[]);
            Ok(())
        },
        |connection| connection.write("DELETE FROM merchants WHERE 1 / (id - id) = 1", &[]),
        |connection| connection.write_one("DELETE FROM merchants WHERE name = 'nobody'", &[]),
    ];
    for (number, overlooked) in overlooked.into_iter().enumerate() {
        let Some((_fresh, store)) = open_postgres().await else {
            return;
        };
        let before = count(&store).await;
        let written = store.write(move |connection| {
            merchant(connection, "told of")?;
            overlooked(connection)
        });
        assert!(written.await.is_err(), "{number}");
        assert_eq!(count(&store).await, before, "{number}");
        add(&store, "next".to_owned()).await.unwrap();
    }
}

/// A rollback to a savepoint leaves the transaction usable.
#[tokio::test]
async fn a_failed_savepoint_is_rolled_back_alone_on_postgres() {
    let Some((_fresh, store)) = open_postgres().await else {
        return;
    };
    let before = count(&store).await;
    let written = store.write(|connection| {
        merchant(connection, "before")?;
        let failing: [Write; 3] = [
            |connection| connection.exists("SELECT 1 / 0", &[]).map(|_| ()),
            |connection| connection.write("DELETE FROM merchants WHERE 1 / (id - id) = 1", &[]),
            |connection| connection.write_one("DELETE FROM merchants WHERE id < 0", &[]),
        ];
        for fail in failing {
            let attempt = connection.attempt(|| {
                merchant(connection, "undone")?;
                fail(connection)
            });
            assert!(attempt.is_err());
        }
        connection.attempt(|| merchant(connection, "after"))
    });
    written.await.unwrap();
    assert_eq!(count(&store).await, before + 2);
}

#[tokio::test]
async fn a_failed_commit_is_reported_to_the_whole_group() {
    let (_directory, store) = open();
    let (added, broken) = behind_another(&store, break_commit).await;
    assert!(matches!(broken, Err(StoreError::Commit(_))), "{broken:?}");
    for result in added {
        assert!(matches!(result, Err(StoreError::Commit(_))), "{result:?}");
    }
    assert_eq!(count(&store).await, 0);
    // The thread continues.
    add(&store, "afterwards".to_owned()).await.unwrap();
    assert_eq!(count(&store).await, 1);
}

#[tokio::test]
async fn a_refused_write_does_not_affect_others() {
    let (_directory, store) = open();
    let writes = (0..32).map(|number| {
        store.write(move |connection| {
            merchant(connection, &format!("tenant {number}"))?;
            if number % 2 == 0 {
                Ok(())
            } else {
                Err(StoreError::Stale)
            }
        })
    });
    let results = join_all(writes).await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 16);
    assert_eq!(count(&store).await, 16);
}

#[tokio::test]
async fn a_panicking_write_is_rolled_back_and_the_thread_continues() {
    let (_directory, store) = open();
    let panicked: Result<(), StoreError> = store
        .write(|connection| {
            merchant(connection, "half")?;
            panic!("on purpose")
        })
        .await;
    assert!(panicked.is_err());
    add(&store, "whole".to_owned()).await.unwrap();
    assert_eq!(count(&store).await, 1);
}
