//! Databases of earlier versions open, and every record reads as before.
//!
//! `databases/` holds files of those versions with recorded answers. The recordings of the first
//! version lack `actions`, which are derived from rules.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use jiff::Timestamp;
use sandbox::clock::Clock;
use sandbox::store::{Database, Store, StoreError, StoreSettings, audit_database};
use sandbox::{Sandbox, Settings};
use serde::Deserialize;
use serde_json::Value;
use tokio::net::TcpListener;

use crate::databases::{self, Fresh};
use crate::process::{DEADLINE, KEY, plain_client};

/// The recorded answers of an earlier version.
#[derive(Deserialize)]
struct Recording {
    /// When they were recorded, in milliseconds.
    at: i64,
    answers: Vec<Recorded>,
}

#[derive(Deserialize)]
struct Recorded {
    path: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Value,
}

/// A clock that stands at the time of the recording, so that no timer is due.
#[derive(Debug)]
struct Still(Timestamp);

impl Clock for Still {
    fn now(&self) -> Timestamp {
        self.0
    }
}

#[tokio::test]
async fn a_file_of_the_first_version_reads_as_before() {
    reads_as_before(&file_of(1), "version-1").await;
}

#[tokio::test]
async fn a_file_of_the_second_version_reads_as_before() {
    reads_as_before(&file_of(2), "version-2").await;
}

#[tokio::test]
async fn a_file_of_the_third_version_reads_as_before() {
    reads_as_before(&file_of(3), "version-3").await;
}

/// Snapshot numbers continue after the existing ones.
#[tokio::test]
async fn snapshots_of_earlier_versions_keep_their_numbers_and_have_no_names() {
    let fresh = file_of(3);
    let kept = "INSERT INTO tenants (clock_offset, made_at) VALUES (0, 1795917470038);
        INSERT INTO snapshots (merchant_id, number, tenant_id)
            SELECT id, 7, last_insert_rowid() FROM merchants";
    let sqlite = rusqlite::Connection::open(path_of(&fresh)).unwrap();
    sqlite.execute_batch(kept).unwrap();
    drop(sqlite);
    let sandbox = Sandbox::open(Settings::new(fresh.database()))
        .await
        .unwrap();
    let merchant = sandbox.service.merchant("development").await.unwrap();
    let snapshots = sandbox.service.snapshots(merchant).await.unwrap();
    let kept: Vec<_> = { snapshots.iter() }
        .map(|one| (one.number, one.name.as_deref()))
        .collect();
    assert_eq!(kept, [(7, None)]);
    let next = sandbox.service.take_snapshot(merchant, None).await;
    assert_eq!(next.unwrap().number, 8);
}

/// The fourth version answered like the third.
#[tokio::test]
async fn a_file_of_the_fourth_version_reads_as_before() {
    reads_as_before(&file_of(4), "version-3").await;
}

/// PostgreSQL databases exist since the second version.
#[tokio::test]
async fn the_first_version_on_postgres_reads_as_before() {
    if let Some(database) = postgres_of_the_second_version() {
        reads_as_before(&database, "version-2.postgres").await;
    }
}

async fn reads_as_before(fresh: &Fresh, recording: &str) {
    let recording = read_recording(recording);
    let settings = Settings {
        api_key: KEY.to_owned(),
        clock: Arc::new(Still(Timestamp::from_millisecond(recording.at).unwrap())),
        ..Settings::new(fresh.database())
    };
    let sandbox = Sandbox::open(settings).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(sandbox.serve(listener, Duration::from_mins(1), async {
        let _ = stopped.await;
    }));
    for recorded in &recording.answers {
        let mut request = plain_client()
            .get(format!("{origin}{}", recorded.path))
            .header("authorization", KEY);
        for (name, value) in &recorded.headers {
            request = request.header(name, value);
        }
        let answer = request.send().await.unwrap();
        let status = answer.status();
        let text = answer.text().await.unwrap();
        assert!(status.is_success(), "{}: {status} {text}", recorded.path);
        let body: Value = serde_json::from_str(&text.replace(&origin, "{origin}")).unwrap();
        let missing = missing(&recorded.body, &body);
        assert_eq!(missing, None, "{} now reads {body}", recorded.path);
    }
    drop(stop);
    serving.await.unwrap().unwrap();
    assert_eq!(audit_database(&fresh.database()).unwrap(), []);
}

/// The first difference between an earlier answer and the present one, which may have more members.
fn missing(before: &Value, now: &Value) -> Option<String> {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => before.iter().find_map(|(name, before)| {
            let now = now.get(name).unwrap_or(&Value::Null);
            missing(before, now).map(|place| format!("/{name}{place}"))
        }),
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => {
            let mut pairs = before.iter().zip(now).enumerate();
            pairs.find_map(|(index, (before, now))| {
                missing(before, now).map(|place| format!("/{index}{place}"))
            })
        }
        _ if before == now => None,
        _ => Some(format!(": {before} before, {now} now")),
    }
}

#[test]
fn a_change_of_an_answer_is_noticed() {
    use serde_json::json;
    let before = json!({"a": [{"b": 1}], "c": "x"});
    let same = json!({"a": [{"b": 1, "new": 2}], "c": "x", "d": null});
    assert_eq!(missing(&before, &same), None);
    let changed = json!({"a": [{"b": 2}], "c": "x"});
    let place = Some("/a/0/b: 1 before, 2 now".to_owned());
    assert_eq!(missing(&before, &changed), place);
    assert!(missing(&before, &json!({"a": [], "c": "x"})).is_some());
    assert!(missing(&before, &json!({"a": [{"b": 1}]})).is_some());
}

/// A program that is killed during a migration has changed nothing, and the next one migrates
/// again.
#[test]
fn a_file_survives_a_kill_during_a_migration() {
    let fresh = file_of(3);
    let path = path_of(&fresh);
    fill(&path);
    let before = rows(&path);
    let mut program = Program::start(&fresh);
    // Uncommitted changes reach the log when the cache is full.
    let log = PathBuf::from(format!("{}-wal", path.display()));
    let has_begun = || std::fs::metadata(&log).is_ok_and(|log| log.len() > 1_000_000);
    program.wait_until("the migration writes", has_begun);
    program.kill();
    assert_eq!(version_of(&path), 3, "the kill came after the commit");
    assert!(rows(&path) == before, "something was changed");
    Store::open(&fresh.database(), StoreSettings::default()).unwrap();
    assert_eq!(version_of(&path), 6);
    assert_eq!(audit_database(&fresh.database()).unwrap(), []);
}

/// The same on PostgreSQL, where a lock of this test stops the migration between two tables.
#[test]
fn a_database_on_postgres_survives_a_kill_during_a_migration() {
    let Some(fresh) = postgres_of_the_second_version() else {
        return;
    };
    let mut holder = connect(&fresh);
    let before = customers(&mut holder);
    let mut held = holder.transaction().unwrap();
    held.batch_execute("LOCK TABLE sandbox.transactions IN SHARE MODE")
        .unwrap();
    let mut watcher = connect(&fresh);
    let mut program = Program::start(&fresh);
    program.wait_until("the migration waits for the lock", || {
        let waiting = watcher.query_one(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                 AND wait_event_type = 'Lock' AND query LIKE 'UPDATE transactions%'",
            &[],
        );
        waiting.unwrap().get::<_, i64>(0) > 0
    });
    program.kill();
    held.rollback().unwrap();
    assert_eq!(customers(&mut holder), before);
    let version = holder.query_one("SELECT number FROM sandbox.version", &[]);
    assert_eq!(version.unwrap().get::<_, i64>(0), 2);
    // The server may still be rolling back.
    let begun = Instant::now();
    while let Err(error) = Store::open(&fresh.database(), StoreSettings::default()) {
        assert!(matches!(error, StoreError::InUse(_)), "{error}");
        assert!(begun.elapsed() < DEADLINE, "{error}");
        std::thread::yield_now();
    }
    assert_eq!(audit_database(&fresh.database()).unwrap(), []);
}

#[test]
fn an_unreadable_row_is_named_and_nothing_changes() {
    let fresh = file_of(3);
    let path = path_of(&fresh);
    let sqlite = rusqlite::Connection::open(&path).unwrap();
    let damage =
        "UPDATE customers SET details = '{\"email\":' WHERE merchant_customer_id = 'shopper-7'";
    assert_eq!(sqlite.execute(damage, []).unwrap(), 1);
    let id: String = sqlite
        .query_row(
            "SELECT id FROM customers WHERE merchant_customer_id = 'shopper-7'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    drop(sqlite);
    let before = rows(&path);
    let refused = Store::open(&fresh.database(), StoreSettings::default()).unwrap_err();
    let told = refused.to_string();
    for part in [id.as_str(), "customers", "not JSON at 1:9", "restore"] {
        assert!(told.contains(part), "{told}");
    }
    assert_eq!(version_of(&path), 3);
    assert!(rows(&path) == before, "something was changed");
}

#[test]
fn incomplete_tables_are_refused() {
    let fresh = databases::file();
    let open = || Store::open(&fresh.database(), StoreSettings::default());
    drop(open().unwrap());
    let sqlite = rusqlite::Connection::open(path_of(&fresh)).unwrap();
    sqlite
        .execute_batch("ALTER TABLE customers DROP COLUMN updated_at")
        .unwrap();
    drop(sqlite);
    let refused = open().unwrap_err();
    let wanted = "lacks customers.updated_at".to_owned();
    assert!(
        matches!(&refused, StoreError::Tables(told) if *told == wanted),
        "{refused}"
    );
}

#[test]
fn an_audit_does_not_change_an_earlier_version() {
    let fresh = file_of(3);
    let refused = audit_database(&fresh.database()).unwrap_err();
    assert!(
        matches!(refused, StoreError::Earlier { found: 3, .. }),
        "{refused}"
    );
    assert_eq!(version_of(&path_of(&fresh)), 3);
}

#[test]
fn a_later_version_on_postgres_is_refused_unchanged() {
    let Some(fresh) = databases::postgres() else {
        return;
    };
    drop(Store::open(&fresh.database(), StoreSettings::default()).unwrap());
    connect(&fresh)
        .batch_execute("UPDATE sandbox.version SET number = 99")
        .unwrap();
    let refused = Store::open(&fresh.database(), StoreSettings::default()).unwrap_err();
    assert!(
        matches!(refused, StoreError::Later { found: 99, .. }),
        "{refused}"
    );
}

/// Tables are not migrated while another program uses them.
#[test]
fn a_database_in_use_is_not_migrated() {
    let Some(fresh) = postgres_of_the_second_version() else {
        return;
    };
    let mut other = connect(&fresh);
    // Every connection of every version holds such a lock.
    other
        .batch_execute("SELECT pg_advisory_lock(1453, 0)")
        .unwrap();
    let refused = Store::open(&fresh.database(), StoreSettings::default()).unwrap_err();
    assert!(matches!(refused, StoreError::InUse(1)), "{refused}");
    drop(other);
}

/// A copy of a version's file.
fn file_of(version: u8) -> Fresh {
    let fresh = databases::file();
    std::fs::write(
        path_of(&fresh),
        unpacked(&format!("version-{version}.db.gz")),
    )
    .unwrap();
    fresh
}

/// A PostgreSQL database of the second version.
fn postgres_of_the_second_version() -> Option<Fresh> {
    let fresh = databases::postgres()?;
    let script = String::from_utf8(unpacked("version-2.postgres.sql.gz")).unwrap();
    let url = fresh.url();
    std::thread::spawn(move || {
        let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        client.batch_execute(&script).unwrap();
    })
    .join()
    .unwrap();
    Some(fresh)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/databases")
}

fn unpacked(name: &str) -> Vec<u8> {
    let packed = std::fs::read(folder().join(name)).unwrap();
    let mut bytes = Vec::new();
    GzDecoder::new(&*packed).read_to_end(&mut bytes).unwrap();
    bytes
}

fn read_recording(name: &str) -> Recording {
    let path = folder().join(format!("{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn path_of(fresh: &Fresh) -> PathBuf {
    match fresh.database() {
        Database::File(path) => path,
        other => panic!("{other} is no file"),
    }
}

fn version_of(path: &Path) -> i64 {
    let sqlite = rusqlite::Connection::open(path).unwrap();
    sqlite
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap()
}

/// All details, in order.
fn rows(path: &Path) -> Vec<String> {
    let sqlite = rusqlite::Connection::open(path).unwrap();
    let mut rows = Vec::new();
    for table in ["customers", "transactions", "payment_links", "cards"] {
        let sql = format!("SELECT tenant_id || id || details FROM {table} ORDER BY tenant_id, id");
        let mut statement = sqlite.prepare(&sql).unwrap();
        let all = statement
            .query_map([], |row| row.get::<_, String>(0))
            .unwrap();
        rows.extend(all.map(Result::unwrap));
    }
    rows
}

/// Adds enough customers that their migration takes a while.
fn fill(path: &Path) {
    let sqlite = rusqlite::Connection::open(path).unwrap();
    let added = sqlite.execute(
        "INSERT INTO customers (tenant_id, id, merchant_customer_id, details, created_at, updated_at)
         WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 200000)
         SELECT (SELECT tenant_id FROM merchants LIMIT 1), printf('00000000-0000-4000-8000-%012d', n),
             'many-' || n, '{\"firstName\": \"Sample\", \"lastName\": \"Customer\"}', 0, 0 FROM number",
        [],
    );
    assert_eq!(added.unwrap(), 200_000);
}

fn connect(fresh: &Fresh) -> postgres::Client {
    postgres::Client::connect(&fresh.url(), postgres::NoTls).unwrap()
}

fn customers(client: &mut postgres::Client) -> Vec<String> {
    let rows = client.query(
        "SELECT id || details FROM sandbox.customers ORDER BY 1",
        &[],
    );
    rows.unwrap().iter().map(|row| row.get(0)).collect()
}

/// The real program during its start.
struct Program(Child);

impl Program {
    fn start(fresh: &Fresh) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sandbox"));
        command
            .args(["--listen", "127.0.0.1:0", "--database", &fresh.url()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Self(command.spawn().unwrap())
    }

    fn wait_until(&mut self, what: &str, mut is_so: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            let ended = self.0.try_wait().unwrap();
            assert!(ended.is_none(), "it ended before {what}: {ended:?}");
            assert!(begun.elapsed() < DEADLINE, "{what}: not in time");
            std::thread::yield_now();
        }
    }

    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Cleans up after a failed test.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
