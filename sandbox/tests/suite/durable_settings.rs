//! Every writing connection has the settings that durability depends on.

use std::path::Path;

use sandbox::store::{self, DURABLE, Database, Settings, Store, StoreError, StoreSettings};

fn open(path: &Path) -> Result<Store, StoreError> {
    let database = Database::File(path.to_owned());
    Store::open(&database, StoreSettings::default())
}

#[tokio::test]
async fn the_writing_connection_is_durable_and_readers_cannot_write() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sandbox.db");
    // First a fresh file, then an existing one.
    for _ in 0..2 {
        let store = open(&path).unwrap();
        let settings: Result<Settings, StoreError> = store.write(store::settings).await;
        let (journal_mode, synchronous, foreign_keys) = DURABLE;
        assert_eq!(
            settings.unwrap(),
            Settings {
                journal_mode: journal_mode.to_owned(),
                synchronous,
                foreign_keys,
            }
        );
        let sql = "INSERT INTO tenants (clock_offset, made_at) VALUES (0, 0)";
        let refused: Result<u64, StoreError> =
            store.read(|connection| connection.execute(sql, &[])).await;
        assert!(matches!(refused, Err(StoreError::Database(text)) if text.contains("readonly")));
    }
    // The names of these settings in SQLite's documentation.
    assert_eq!(DURABLE, ("wal", 2, true));
}

#[test]
fn only_one_module_opens_connections() {
    let mut openers = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src"
    ))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read_to_string(&path)
                .unwrap()
                .contains("Sqlite::open")
            {
                openers.push(path.file_name().unwrap().to_owned());
            }
        }
    }
    assert_eq!(openers, ["open.rs"]);
}

#[test]
fn a_database_of_a_newer_version_is_refused_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sandbox.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    let refused = open(&path).map(|_| ());
    assert!(
        matches!(refused, Err(StoreError::Later { found: 99, .. })),
        "{refused:?}"
    );
}

#[test]
fn a_database_of_another_program_is_refused_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    for version in [0, 1] {
        let path = directory.path().join(format!("{version}.db"));
        let connection = rusqlite::Connection::open(&path).unwrap();
        let made = "CREATE TABLE notes (text TEXT)";
        connection.execute_batch(made).unwrap();
        let pragma = "user_version";
        connection.pragma_update(None, pragma, version).unwrap();
        drop(connection);
        let before = std::fs::read(&path).unwrap();
        let refused = open(&path).map(|_| ());
        assert!(matches!(refused, Err(StoreError::Foreign)), "{refused:?}");
        assert!(std::fs::read(&path).unwrap() == before, "{version}");
    }
}
