//! SQLite files of other programs and other times, byte by byte: only the storage crate may name
//! the library.

const PAGE_BYTES: usize = 4_096;
/// "Kass" in the header: the file is one of Kassa's.
pub(crate) const KASSA_APPLICATION_ID: u32 = 0x4b61_7373;

/// A file with one table, which has one row with this number.
pub(crate) struct SqliteFile {
    pub(crate) application_id: u32,
    pub(crate) table: &'static str,
    pub(crate) sql: &'static str,
    /// Below 128.
    pub(crate) row: u8,
    /// Whether it is in WAL mode.
    pub(crate) wal: bool,
}

impl SqliteFile {
    /// Two pages: the schema, and the table.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut schema = [vec![0; 100], leaf_page(100, 1, &self.schema_record())].concat();
        let page_size = u16::try_from(PAGE_BYTES).unwrap().to_be_bytes();
        write_at(&mut schema, 0, b"SQLite format 3\0");
        let mode = if self.wal { 2 } else { 1 };
        write_at(&mut schema, 16, &[page_size[0], page_size[1], mode, mode, 0, 64, 32, 32]);
        for (at, number) in
            [(24, 1), (28, 2), (40, 1), (44, 4), (56, 1), (68, self.application_id), (92, 1), (96, 3_046_000)]
        {
            write_at(&mut schema, at, &u32::to_be_bytes(number));
        }
        // A header of two bytes, itself included, and a null: the number of the row is the key.
        [schema, leaf_page(0, self.row, &[2, 0])].concat()
    }

    /// `type, name, tbl_name, rootpage, sql` of the table, which begins on page 2.
    fn schema_record(&self) -> Vec<u8> {
        let text = |text: &str| u8::try_from(13 + 2 * text.len()).unwrap();
        let head = [6, text("table"), text(self.table), text(self.table), 1, text(self.sql)];
        [&head[..], b"table", self.table.as_bytes(), self.table.as_bytes(), &[2], self.sql.as_bytes()].concat()
    }
}

/// A page that is a leaf with one row, but for its first `skipped` bytes.
fn leaf_page(skipped: usize, row: u8, record: &[u8]) -> Vec<u8> {
    let cell = [&[u8::try_from(record.len()).unwrap(), row], record].concat();
    let start = PAGE_BYTES - cell.len();
    let [high, low] = u16::try_from(start).unwrap().to_be_bytes();
    let mut page = vec![0; PAGE_BYTES - skipped];
    write_at(&mut page, 0, &[13, 0, 0, 0, 1, high, low, 0, high, low]);
    write_at(&mut page, start - skipped, &cell);
    page
}

fn write_at(page: &mut [u8], at: usize, bytes: &[u8]) {
    page[at..at + bytes.len()].copy_from_slice(bytes);
}
