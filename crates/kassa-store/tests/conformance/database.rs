//! A new database of each driver, and what the tests say to it.

use std::any::Any;
use std::future::{Ready, ready};

use kassa_domain::view::Row;
use kassa_domain::{ReadSet, View, every_table};
use kassa_store::memory::Memory;
use kassa_store::postgres::scratch::TestDatabase;
use kassa_store::rows::MappedRow;
use kassa_store::sqlite::Sqlite;
use kassa_store::{Filter, Page, PageWindow, Store, StoreError};

/// An empty database of its own; it goes with the test.
pub(crate) struct Database {
    pub(crate) store: Store,
    _guard: Box<dyn Any + Send + Sync>,
}

impl Database {
    pub(crate) fn memory() -> Ready<Self> {
        ready(Self { store: Store::Memory(Memory::default()), _guard: Box::new(()) })
    }

    pub(crate) fn sqlite() -> Ready<Self> {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(&folder.path().join("kassa.db"), false).unwrap();
        ready(Self { store: Store::Sqlite(sqlite), _guard: Box::new(folder) })
    }

    pub(crate) async fn postgres() -> Self {
        let (postgres, scratch) = TestDatabase::new().await;
        Self { store: Store::Postgres(postgres), _guard: Box::new(scratch) }
    }

    /// One that stays when this goes.
    pub(crate) fn from_store(store: Store) -> Self {
        Self { store, _guard: Box::new(()) }
    }

    /// One batch of a new writer.
    pub(crate) async fn write(
        &self,
        read_set: ReadSet,
        mut change: impl FnMut(&mut View) + Send,
    ) -> Result<(), StoreError> {
        let mut decide = |view: &mut View| {
            change(view);
            Ok(())
        };
        self.store.writer(1)?.transact(&read_set, &mut decide).await
    }

    /// One batch of new rows, which succeeds.
    pub(crate) async fn insert(&self, put: impl FnMut(&mut View) + Send) {
        self.write(ReadSet::default(), put).await.unwrap();
    }

    pub(crate) async fn view(&self, read_set: ReadSet) -> View {
        self.store.view(&read_set).await.unwrap()
    }

    pub(crate) async fn page<F: Filter>(&self, filter: F, slice: PageWindow) -> Page<F::Row> {
        self.store.page(filter, slice).await.unwrap()
    }

    /// All rows that pass.
    pub(crate) async fn list<F: Filter>(&self, filter: F) -> Vec<F::Row> {
        self.page(filter, PageWindow::first(u32::MAX)).await.rows
    }

    /// All rows of a table, by key.
    pub(crate) async fn rows<R: MappedRow>(&self) -> Vec<R> {
        let scanned = self.store.scan::<R>(None, u32::MAX as usize).await.unwrap();
        let mut rows: Vec<R> = scanned.into_iter().map(|scanned| scanned.row.unwrap()).collect();
        rows.sort_by_key(Row::key);
        rows
    }

    /// Every row of every table as text.
    pub(crate) async fn dump(&self) -> Vec<String> {
        let mut lines = Vec::new();
        macro_rules! dump {
            ($($field:ident: $row:ty,)*) => {
                $(lines.extend(self.rows::<$row>().await.iter().map(|row| format!("{row:?}")));)*
            };
        }
        every_table!(dump);
        lines
    }
}

/// The keys of some rows, in order.
pub(crate) fn keys<'a, R: Row + 'a>(rows: impl IntoIterator<Item = &'a R>) -> Vec<R::Key> {
    let mut keys: Vec<R::Key> = rows.into_iter().map(Row::key).collect();
    keys.sort_unstable();
    keys
}
