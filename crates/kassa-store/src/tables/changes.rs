//! The log of changes, and the feed that it is read as.

use kassa_domain::change::{
    AudienceEntry, AudienceKey, BatchId, Change, ChangeBatch, FeedHead, FeedName, SequencerClaim,
};
#[cfg(feature = "test-drivers")]
use kassa_domain::event::EventId;
use kassa_domain::partner::PartnerId;
use kassa_domain::{Id, ShardTag};

use crate::cell::{Cell, RowReader};
use crate::error::StoreError;
use crate::lists::{Comparison, Conditions, Filter, Predicate, SortKey, Statement, root_keys};
#[cfg(feature = "test-drivers")]
use crate::memory_tables::MemoryTables;
#[cfg(feature = "test-drivers")]
use crate::rows::approximate_bytes;
use crate::rows::{RowKey, read_time, read_time_or_null, table};

impl RowKey for BatchId {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.extend([i64::from(self.node).into(), self.epoch.into(), self.number.into()]);
    }

    /// That of the lane that has written it.
    fn shard_tag(&self) -> Option<ShardTag> {
        RowKey::shard_tag(&self.node)
    }
}

table! { ChangeBatch, "change_batches", |row, source| {
    ShardKey Int "node": node = source.int_as()?, i64::from(row.id.node);
    Key Int "epoch": epoch = source.int()?, row.id.epoch;
    Key Int "number": number = source.int()?, row.id.number;
    Mutable Int "place": place = source.int_or_null()?, row.place;
    Immutable Int "committed_at": committed_at = read_time(source)?, row.committed_at.ms();
    Immutable Compressed "changes": changes = read_changes(source)?, changes_cell(&row.changes);
} => ChangeBatch { id: BatchId { node, epoch, number }, place, committed_at, changes: changes.into() },
    unique row.place.map(|place| format!("place {place}")).into_iter().collect() }

/// The changes of a batch, packed.
fn changes_cell(changes: &[Change]) -> Cell<'static> {
    // Changes are plain values: they always serialize.
    postcard::to_allocvec(changes).map_or(Cell::Null, |packed| Cell::Blob(packed.into()))
}

fn read_changes(source: &mut dyn RowReader) -> Result<Vec<Change>, StoreError> {
    let packed = source.compressed()?;
    postcard::from_bytes(&packed).map_err(|error| StoreError::Corrupt(format!("the changes of a batch: {error}")))
}

/// A batch that has no place in the feed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnplacedBatch {
    /// Which.
    pub id: BatchId,
    /// Its insertion stamp: batches get it in the order in which they are written, and may be committed in another.
    pub stamp: i64,
    /// How long its changes are, packed.
    pub bytes: u64,
}

impl UnplacedBatch {
    /// The batches without a place, in the order of their insertion stamps, which are in this column. Of two of which
    /// one has read what the other has written, the other was committed before the one was written: it has the lower
    /// stamp, and can be seen where the one can.
    pub(crate) fn statement(stamp: &str, limit: u32) -> Statement {
        let columns = format!("node, epoch, number, {stamp}, CAST(length(changes) AS bigint)");
        let text = format!("SELECT {columns} FROM change_batches WHERE place IS NULL ORDER BY {stamp} LIMIT $1");
        Statement { text, args: vec![i64::from(limit).into()] }
    }

    /// A row of it.
    pub(crate) fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let id = BatchId { node: source.int_as()?, epoch: source.int()?, number: source.int()? };
        Ok(Self { id, stamp: source.int()?, bytes: source.int_as()? })
    }

    /// The same of rows in memory.
    #[cfg(feature = "test-drivers")]
    pub(crate) fn in_memory(tables: &MemoryTables, limit: u32) -> Vec<Self> {
        let batches = tables.change_batches.stamped_rows();
        let unplaced = batches.filter(|(batch, _)| batch.place.is_none()).map(|(batch, stamp)| Self {
            id: batch.id,
            stamp,
            bytes: approximate_bytes(batch) as u64,
        });
        let mut unplaced: Vec<Self> = unplaced.collect();
        unplaced.sort_unstable_by_key(|batch| batch.stamp);
        unplaced.truncate(limit as usize);
        unplaced
    }
}

impl RowKey for (AudienceKey, i64) {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let (kind, id) = audience_columns(self.0);
        out.extend([kind.into(), id.into(), self.1.into()]);
    }
}

/// The kinds of audiences, as they are stored.
const PARTNER: i64 = 0;
const AGENTS_OF_EVENT: i64 = 1;

fn audience_columns(audience: AudienceKey) -> (i64, i64) {
    match audience {
        AudienceKey::Partner(partner) => (PARTNER, partner.key()),
        AudienceKey::AgentsOf(event) => (AGENTS_OF_EVENT, event.key()),
    }
}

fn read_audience(kind: i64, id: i64) -> Result<AudienceKey, StoreError> {
    match kind {
        PARTNER => Ok(AudienceKey::Partner(Id::root(id))),
        AGENTS_OF_EVENT => Ok(AudienceKey::AgentsOf(Id::root(id))),
        other => Err(StoreError::Corrupt(format!("an audience of kind {other}"))),
    }
}

table! { AudienceEntry, "audience_entries", |row, source| {
    Key Int "kind": kind = source.int()?, audience_columns(row.audience).0;
    Key Int "id": id = source.int()?, audience_columns(row.audience).1;
    Key Int "place": place = source.int()?, row.place;
} => AudienceEntry { audience: read_audience(kind, id)?, place } }

/// The places at which some partners see something because it is theirs, by place. One that two of them see is there
/// twice.
#[derive(Clone, Debug)]
pub struct PartnerEntries {
    /// The partners.
    pub partners: Vec<PartnerId>,
    /// Only those behind this place.
    pub after_place: i64,
    /// Only those up to this place.
    pub last_place: i64,
}

impl Filter for PartnerEntries {
    type Row = AudienceEntry;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("place"), SortKey::Ascending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::equal("kind", PARTNER));
        conditions.add(Predicate::one_of("id", root_keys(&self.partners)));
        add_places(self.after_place, self.last_place, conditions);
    }
}

/// The places at which agents see something of the events that they sell, by place.
#[derive(Clone, Debug)]
pub struct AgentEntries {
    /// The agents.
    pub agents: Vec<PartnerId>,
    /// Only those behind this place.
    pub after_place: i64,
    /// Only those up to this place: all of them are looked at.
    pub last_place: i64,
}

impl Filter for AgentEntries {
    type Row = AudienceEntry;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("place"), SortKey::Ascending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        let marks = vec!["?"; self.agents.len()].join(", ");
        let sold = format!("id IN (SELECT event FROM deals WHERE agent IN ({marks}) AND status = 'accepted')");
        conditions.add(Predicate::equal("kind", AGENTS_OF_EVENT));
        conditions.add(Predicate::sql(sold, root_keys(&self.agents)));
        add_places(self.after_place, self.last_place, conditions);
    }

    #[cfg(feature = "test-drivers")]
    fn matches(&self, entry: &AudienceEntry, tables: &MemoryTables) -> bool {
        let sells = |event: EventId| {
            tables
                .deals
                .rows()
                .any(|deal| deal.is_accepted() && deal.event == event && self.agents.contains(&deal.agent))
        };
        matches!(entry.audience, AudienceKey::AgentsOf(event) if sells(event))
    }
}

fn add_places(after: i64, last: i64, conditions: &mut Conditions) {
    conditions.add(Predicate::compare("place", Comparison::Above, after));
    conditions.add(Predicate::compare("place", Comparison::AtMost, last));
}

impl RowKey for FeedName {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(feed_name(*self).into());
    }
}

fn feed_name(name: FeedName) -> &'static str {
    match name {
        FeedName::Changes => "changes",
    }
}

fn read_feed_name(text: &str) -> Result<FeedName, StoreError> {
    match text {
        "changes" => Ok(FeedName::Changes),
        other => Err(StoreError::Corrupt(format!("feed {other}"))),
    }
}

/// Entries that wait, packed; nothing where none does.
fn entries_cell(entries: &[AudienceEntry]) -> Cell<'static> {
    if entries.is_empty() {
        return Cell::Null;
    }
    // Ids and numbers always serialize.
    postcard::to_allocvec(entries).map_or(Cell::Null, |packed| Cell::Blob(packed.into()))
}

fn read_entries(source: &mut dyn RowReader) -> Result<Vec<AudienceEntry>, StoreError> {
    let Some(packed) = source.blob_or_null()? else { return Ok(Vec::new()) };
    postcard::from_bytes(&packed).map_err(|error| StoreError::Corrupt(format!("entries that wait: {error}")))
}

table! { FeedHead, "feed_heads", |row, source| {
    Key Text "name": name = read_feed_name(&source.text()?)?, feed_name(row.name);
    Mutable Int "last_place": last_place = source.int()?, row.last_place;
    Mutable Int "oldest_place": oldest_place = source.int()?, row.oldest_place;
    Mutable Int "purged_until": purged_until = read_time(source)?, row.purged_until.ms();
    Mutable Int "sequencer_node": node = source.int_or_null()?, row.sequencer.map(|claim| i64::from(claim.node));
    Mutable Int "sequencer_epoch": epoch = source.int_or_null()?, row.sequencer.map(|claim| claim.epoch);
    Mutable Int "lease_till": lease_till = read_time_or_null(source)?, row.sequencer.map(|claim| claim.lease_till.ms());
    Mutable Blob "waiting": waiting = read_entries(source)?, entries_cell(&row.waiting);
} => FeedHead {
    name,
    last_place,
    oldest_place,
    purged_until,
    sequencer: match (node.and_then(|node| u16::try_from(node).ok()), epoch, lease_till) {
        (Some(node), Some(epoch), Some(lease_till)) => Some(SequencerClaim { node, epoch, lease_till }),
        _ => None,
    },
    waiting,
}, check row.oldest_place <= row.last_place + 1 }
