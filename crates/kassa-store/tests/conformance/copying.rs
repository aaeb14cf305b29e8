//! An installation with rows of every kind is copied from SQLite to PostgreSQL.

use kassa_domain::change::{AudienceKey, FeedHead, FeedName};
use kassa_domain::node::InstallationSetting;
use kassa_domain::{Id, ReadSet, View, every_table};
use kassa_store::installation_copy::{CopyProgress, CopyStage, InstallationCopy, InstallationCopyError};
use kassa_store::postgres::Postgres;
use kassa_store::postgres::scratch::TestUser;
use kassa_store::sqlite::DataFolder;
use kassa_store::{Store, StoreError};
use tempfile::TempDir;
use tokio::sync::Notify;

use crate::database::Database;
use crate::kinds::SampleRow;
use crate::round_trip::stored_row;
use crate::samples;

/// A data folder, and a database that it may be copied into.
struct Move {
    folder: TempDir,
    tenant: TestUser,
    target: Postgres,
}

impl Move {
    async fn new() -> Self {
        let (folder, tenant) = (tempfile::tempdir().unwrap(), TestUser::new().await);
        let target = Postgres::connect(&tenant.url.parse().unwrap()).await.unwrap();
        Self { folder, tenant, target }
    }

    /// With every example of every kind; the first of each has changed.
    async fn filled() -> Self {
        let this = Self::new().await;
        let db = this.source();
        macro_rules! put {
            ($($field:ident: $row:ty,)*) => {
                $(fill::<$row>(&db).await;)*
            };
        }
        every_table!(put);
        // The fingerprint stays as it is.
        db.write(samples::installation_setting().read_set(), |view| {
            view.installation_settings.put(samples::installation_setting());
        })
        .await
        .unwrap();
        // Entries that wait are listed by a copy.
        db.write(samples::feed_head().read_set(), |view| view.feed_heads.put(samples::feed_head())).await.unwrap();
        this
    }

    fn source(&self) -> Database {
        Database::from_store(Store::Sqlite(
            DataFolder::open_for_server(self.folder.path()).unwrap().database().unwrap(),
        ))
    }

    async fn begin(&self, anew: bool) -> Result<InstallationCopy, InstallationCopyError> {
        self.begin_from(&self.folder, anew).await
    }

    /// The same folder once more, as a backup has it. Nobody may have it open.
    fn twin(&self) -> TempDir {
        let twin = tempfile::tempdir().unwrap();
        for file in std::fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap) {
            std::fs::copy(file.path(), twin.path().join(file.file_name())).unwrap();
        }
        twin
    }

    async fn begin_from(&self, folder: &TempDir, anew: bool) -> Result<InstallationCopy, InstallationCopyError> {
        let folder = DataFolder::open_exclusive(folder.path()).unwrap();
        InstallationCopy::begin(folder.copy_source().unwrap(), &self.target, anew).await
    }

    async fn refused(&self, anew: bool) -> InstallationCopyError {
        self.begin(anew).await.err().unwrap()
    }

    async fn is_unfinished(&self) -> bool {
        self.target.status().await.unwrap().is_unfinished_copy
    }

    /// Both sides have the same rows, under the same versions.
    async fn is_whole(&self) {
        let (here, there) = (self.source(), Database::from_store(Store::Postgres(self.target.clone())));
        macro_rules! compare {
            ($($field:ident: $row:ty,)*) => {
                $(Box::pin(are_the_same::<$row>(&here, &there)).await;)*
            };
        }
        every_table!(compare);
        assert_eq!(Box::pin(there.dump()).await, Box::pin(here.dump()).await);
    }
}

async fn fill<R: SampleRow>(db: &Database) {
    let rows = R::examples();
    db.insert(|view| rows.iter().for_each(|row| R::table(view).put(row.clone()))).await;
    db.write(rows[0].read_set(), |view| R::table(view).put(rows[0].modified())).await.unwrap();
}

async fn are_the_same<R: SampleRow>(here: &Database, there: &Database) {
    for row in here.rows::<R>().await {
        assert_eq!(stored_row(there, &row).await, stored_row(here, &row).await);
    }
}

#[tokio::test]
async fn every_kind_of_row_is_copied_as_it_is() {
    let this = Move::filled().await;
    let mut told = Vec::new();
    let mut copying = this.begin(false).await.unwrap();
    assert!(this.is_unfinished().await);
    let rows = copying.copy_rows(&mut |progress| told.push(progress)).await.unwrap();
    copying.verify(&mut |progress| told.push(progress)).await.unwrap();
    assert!(this.is_unfinished().await);
    copying.finish().await.unwrap();
    assert!(!this.is_unfinished().await);
    this.is_whole().await;
    assert_eq!(rows, this.source().dump().await.len() as u64);
    let ended = |stage: CopyStage| {
        told.iter().filter(move |progress| progress.stage == stage && progress.done == progress.total)
    };
    assert_eq!(ended(CopyStage::Copying).map(|progress| progress.total).sum::<u64>(), rows);
    assert_eq!(this.refused(true).await, InstallationCopyError::AlreadyComplete);
    this.tenant.remove().await;
}

#[tokio::test]
async fn a_copy_goes_on_where_it_was_interrupted() {
    let this = Move::filled().await;
    for table in ["users", "orders", "tickets"] {
        let stop = Notify::new();
        let mut copying = this.begin(false).await.unwrap();
        let mut tell = |progress: CopyProgress| {
            if (progress.table, progress.done) == (table, 0) {
                stop.notify_one();
            }
        };
        tokio::select! {
            biased;
            () = stop.notified() => {}
            rows = copying.copy_rows(&mut tell) => panic!("{table}: it was not interrupted: {rows:?}"),
        }
    }
    let mut begun: Vec<CopyProgress> = Vec::new();
    let mut copying = this.begin(false).await.unwrap();
    copying
        .copy_rows(&mut |progress| {
            if begun.last().is_none_or(|last| last.table != progress.table) {
                begun.push(progress);
            }
        })
        .await
        .unwrap();
    let tickets = begun.iter().position(|progress| progress.table == "tickets").unwrap();
    assert!(begun[..tickets].iter().all(|progress| progress.done == progress.total), "{begun:?}");
    assert!(begun[tickets + 1..].iter().all(|progress| progress.done == 0), "{begun:?}");
    copying.verify(&mut |_| ()).await.unwrap();
    copying.finish().await.unwrap();
    this.is_whole().await;
    this.tenant.remove().await;
}

#[tokio::test]
async fn a_row_that_is_not_the_same_is_found() {
    let this = Move::filled().await;
    for (table, damage) in [
        ("orders", "UPDATE orders SET value = value + 1 WHERE id = (SELECT max(id) FROM orders)"),
        ("users", "UPDATE users SET version = version + 1 WHERE id = (SELECT max(id) FROM users)"),
        ("tickets", "DELETE FROM tickets WHERE id = (SELECT max(id) FROM tickets)"),
        ("sessions", "INSERT INTO sessions SELECT decode(repeat('77', 32), 'hex'), 1, 2, 3, 1"),
    ] {
        let mut copying = this.begin(true).await.unwrap();
        copying.copy_rows(&mut |_| ()).await.unwrap();
        this.tenant
            .execute(&format!("SET search_path = {}; {damage}; SET search_path = DEFAULT", this.tenant.name))
            .await;
        let found = copying.verify(&mut |_| ()).await;
        assert!(
            matches!(found, Err(InstallationCopyError::ContentMismatch { table: found, .. }) if found == table),
            "{damage}: {found:?}"
        );
        assert!(this.is_unfinished().await);
    }
    let mut copying = this.begin(true).await.unwrap();
    copying.copy_rows(&mut |_| ()).await.unwrap();
    copying.verify(&mut |_| ()).await.unwrap();
    this.tenant.remove().await;
}

#[tokio::test]
async fn only_the_copy_that_was_begun_goes_on() {
    let (this, other) = (Move::filled().await, Move::new().await);
    assert_eq!(other.source().dump().await, Vec::<String>::new());
    assert_eq!(other.refused(false).await, InstallationCopyError::SourceEmpty);
    other
        .source()
        .insert(|view| {
            view.installation_settings
                .put(InstallationSetting { value: "other".to_owned(), ..samples::installation_setting() });
        })
        .await;
    let other = Move { target: this.target.clone(), ..other };

    this.target.migrate().await.unwrap();
    let there = Database::from_store(Store::Postgres(this.target.clone()));
    there.insert(|view| view.users.put(samples::user(77))).await;
    assert_eq!(this.refused(true).await, InstallationCopyError::TargetNotEmpty, "not even anew");
    let read_set = ReadSet { users: vec![samples::user(77).id], ..ReadSet::default() };
    there.write(read_set, |view| view.users.remove(samples::user(77).id)).await.unwrap();

    drop(this.begin(false).await.unwrap());
    assert_eq!(other.refused(false).await, InstallationCopyError::DifferentInstallation);
    drop(this.begin(false).await.unwrap());
    this.source().write(samples::node(0).read_set(), |view| view.nodes.put(samples::node(0))).await.unwrap();
    assert_eq!(this.refused(false).await, InstallationCopyError::SourceChanged);
    let mut copying = this.begin(true).await.unwrap();
    copying.copy_rows(&mut |_| ()).await.unwrap();
    copying.finish().await.unwrap();
    assert_eq!(other.refused(false).await, InstallationCopyError::TargetNotEmpty);
    this.is_whole().await;
    other.tenant.remove().await;
    this.tenant.remove().await;
}

#[tokio::test]
async fn no_server_runs_while_it_is_copied() {
    let folder = tempfile::tempdir().unwrap();
    let server = DataFolder::open_for_server(folder.path()).unwrap();
    server.database().unwrap();
    assert!(matches!(DataFolder::open_exclusive(folder.path()).err(), Some(StoreError::Locked(_))));
    drop(server);
    let alone = DataFolder::open_exclusive(folder.path()).unwrap();
    assert!(matches!(DataFolder::open_for_server(folder.path()).err(), Some(StoreError::Locked(_))));
    drop(alone);
    assert!(matches!(DataFolder::open_exclusive(&folder.path().join("none")).err(), Some(StoreError::Unavailable(_))));
}

#[tokio::test]
async fn of_two_copies_the_one_that_was_begun_last_goes_on() {
    for anew in [false, true] {
        let this = Move::filled().await;
        let twin = this.twin();
        let mut first = this.begin(false).await.unwrap();
        first.copy_rows(&mut |_| ()).await.unwrap();
        first.verify(&mut |_| ()).await.unwrap();
        let mut second = this.begin_from(&twin, anew).await.unwrap();
        assert_eq!(first.finish().await, Err(InstallationCopyError::Superseded), "anew: {anew}");
        assert!(this.is_unfinished().await);
        second.copy_rows(&mut |_| ()).await.unwrap();
        second.verify(&mut |_| ()).await.unwrap();
        second.finish().await.unwrap();
        this.is_whole().await;
        this.tenant.remove().await;
    }
}

#[tokio::test]
async fn a_copy_that_another_has_overtaken_writes_no_page() {
    let this = Move::filled().await;
    let twin = this.twin();
    let mut first = this.begin(false).await.unwrap();
    drop(this.begin_from(&twin, true).await.unwrap());
    assert_eq!(first.copy_rows(&mut |_| ()).await, Err(InstallationCopyError::Superseded));
    let there = Database::from_store(Store::Postgres(this.target.clone()));
    assert_eq!(Box::pin(there.dump()).await, Vec::<String>::new());
    this.tenant.remove().await;
}

#[tokio::test]
async fn what_a_server_writes_while_a_copy_begins_is_not_thrown_away() {
    let this = Move::filled().await;
    this.target.migrate().await.unwrap();
    let name = &this.tenant.name;
    this.tenant
        .execute(&format!(
            "BEGIN; INSERT INTO {name}.installation_settings VALUES ('secret_fingerprint', 'of a server', 1)"
        ))
        .await;
    let serves = async {
        let waits = "SELECT 1::text FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid) \
            WHERE NOT l.granted AND a.usename = ";
        // The rows of one look within a transaction stay as they are.
        let look = format!("{waits} '{name}' AND pg_stat_clear_snapshot()::text IS NOT NULL");
        while this.tenant.query_text(&look).await.is_none() {
            tokio::task::yield_now().await;
        }
        this.tenant.execute("COMMIT").await;
    };
    let (begun, ()) = tokio::join!(this.refused(false), serves);
    assert_eq!(begun, InstallationCopyError::TargetNotEmpty);
    let fact = this.tenant.query_text(&format!("SELECT value FROM {name}.installation_settings")).await;
    assert_eq!(fact.as_deref(), Some("of a server"));
    this.tenant.remove().await;
}

#[tokio::test]
async fn entries_that_wait_are_in_the_index_of_a_copy() {
    let this = Move::filled().await;
    let entry = samples::audience_entry(AudienceKey::Partner(Id::root(77)), 7);
    let waiting = FeedHead { waiting: vec![entry], ..samples::feed_head() };
    let read_set = waiting.read_set();
    this.source().write(read_set.clone(), |view| view.feed_heads.put(waiting.clone())).await.unwrap();
    let mut copying = this.begin(false).await.unwrap();
    copying.copy_rows(&mut |_| ()).await.unwrap();
    copying.verify(&mut |_| ()).await.unwrap();
    copying.finish().await.unwrap();
    let there = Database::from_store(Store::Postgres(this.target.clone()));
    assert_eq!(stored_row(&there, &entry).await, (Some(entry), Some(1)));
    let head = |view: View| view.feed_heads.get(FeedName::Changes).unwrap().clone();
    assert_eq!(head(there.view(read_set.clone()).await), samples::feed_head());
    assert_eq!(head(this.source().view(read_set).await), waiting, "the source is as it was");
}
