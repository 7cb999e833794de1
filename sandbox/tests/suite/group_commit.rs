//! Nothing is answered that was not committed, and what fails takes nothing along.

use futures_util::future::join_all;
use jiff::Timestamp;
use sandbox::store::{Connection, Store, StoreError, StoreSettings, tenants};

use crate::databases::{Fresh, file};

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

/// Leaves a reference to nowhere, which SQLite finds out about when it commits.
fn break_commit(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("PRAGMA defer_foreign_keys = ON", &[])?;
    connection.execute(
        "INSERT INTO merchants (name, tenant_id) VALUES ('broken', 4711)",
        &[],
    )?;
    Ok(())
}

#[tokio::test]
async fn a_commit_that_fails_is_told_to_everybody_in_the_group() {
    let (_directory, store) = open();
    // The first write holds the thread until the others are in the queue behind it.
    let (started, mut running) = tokio::sync::mpsc::unbounded_channel::<()>();
    let (release, hold) = std::sync::mpsc::channel::<()>();
    let first = store.write(move |_| {
        started.send(()).map_err(|_| StoreError::Closed)?;
        hold.recv().map_err(|_| StoreError::Closed)?;
        Ok::<_, StoreError>(())
    });
    let others = async {
        running.recv().await.unwrap();
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
    assert_eq!(count(&store).await, 0);
    // The thread goes on.
    add(&store, "afterwards".to_owned()).await.unwrap();
    assert_eq!(count(&store).await, 1);
}

#[tokio::test]
async fn a_write_that_is_refused_leaves_the_others_alone() {
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
async fn a_write_that_panics_is_undone_and_the_thread_goes_on() {
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
