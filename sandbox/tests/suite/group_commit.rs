//! Nothing is answered that was not committed, and what fails takes nothing along.

use futures_util::future::join_all;
use rusqlite::Connection;
use sandbox::store::{self, Store, StoreError};

fn open() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sandbox.db")).unwrap();
    (directory, store)
}

async fn add(store: &Store, name: String) -> Result<(), StoreError> {
    store
        .write(move |connection| store::tenant(connection, &name).map(|_| ()))
        .await
}

fn count(store: &Store) -> i64 {
    let sql = "SELECT count(*) FROM tenants";
    let count: Result<i64, StoreError> =
        store.read(|connection| Ok(connection.query_row(sql, [], |row| row.get(0))?));
    count.unwrap()
}

/// Leaves a reference to nowhere, which SQLite finds out about when it commits.
fn break_commit(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch("PRAGMA defer_foreign_keys = ON")?;
    connection.execute_batch("INSERT INTO customers (id, tenant_id) VALUES ('x', 4711)")?;
    Ok(())
}

#[tokio::test]
async fn a_commit_that_fails_is_told_to_everybody_in_the_group() {
    let (_directory, store) = open();
    // The first write holds the thread until the others are in the queue behind it.
    let (started, running) = tokio::sync::oneshot::channel::<()>();
    let (release, hold) = std::sync::mpsc::channel::<()>();
    let first = store.write(move |_| {
        started.send(()).map_err(|()| StoreError::Closed)?;
        hold.recv().map_err(|_| StoreError::Closed)?;
        Ok::<_, StoreError>(())
    });
    let others = async {
        running.await.unwrap();
        let adds = join_all((0..8).map(|number| add(&store, format!("tenant {number}"))));
        let all = tokio::join!(adds, store.write(break_commit), async { release.send(()) });
        (all.0, all.1)
    };
    let (first, (added, broken)) = tokio::join!(first, others);
    first.unwrap();
    assert!(matches!(broken, Err(StoreError::Commit(_))), "{broken:?}");
    for result in added {
        assert!(matches!(result, Err(StoreError::Commit(_))), "{result:?}");
    }
    assert_eq!(count(&store), 0);
    // The thread goes on.
    add(&store, "afterwards".to_owned()).await.unwrap();
    assert_eq!(count(&store), 1);
}

#[tokio::test]
async fn a_write_that_is_refused_leaves_the_others_alone() {
    let (_directory, store) = open();
    let writes = (0..32).map(|number| {
        store.write(move |connection| {
            store::tenant(connection, &format!("tenant {number}"))?;
            if number % 2 == 0 {
                Ok(())
            } else {
                Err(StoreError::Stale)
            }
        })
    });
    let results = join_all(writes).await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 16);
    assert_eq!(count(&store), 16);
}

#[tokio::test]
async fn a_write_that_panics_is_undone_and_the_thread_goes_on() {
    let (_directory, store) = open();
    let panicked: Result<(), StoreError> = store
        .write(|connection| {
            store::tenant(connection, "half")?;
            panic!("on purpose")
        })
        .await;
    assert!(panicked.is_err());
    add(&store, "whole".to_owned()).await.unwrap();
    assert_eq!(count(&store), 1);
}
