//! What is kept behind orders, to find them and to add them up: [`IndexedOrder`] and [`DailySales`]. One server at a time
//! follows the feed and looks at the orders that have changed, a few in each command and one command after the other, so
//! that sales wait for it no longer than for an order. Orders from before it began are looked at in the order in which
//! they lie there.
//!
//! [`DailySales`]: kassa_domain::sales::DailySales

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use kassa_domain::change::{Change, ChangeType, FactName, FeedCursor, Subject};
use kassa_domain::event::EventId;
use kassa_domain::node::InstallationSettingName;
use kassa_domain::order::{Order, OrderId};
use kassa_domain::partner::PartnerId;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::sales::{DailySalesKey, IndexOrders, IndexProgress, IndexedOrder, MoveOrderIndex};
use kassa_domain::{Actor, ReadSet, Refusal};
use kassa_store::queries::{FoundOrders, GroupedSales, SalesQuery, SearchedOrders, TicketsByBarcode};
use kassa_store::{PageWindow, RowCount, RowCursor};
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::engine::{Engine, STALE_RETRIES_MAX};
use crate::failure::Failure;
use crate::feed::FeedError;
use crate::list_turns::ListTurn;

/// Orders of one command.
const ORDERS_PER_COMMAND: usize = 25;
/// Changes that are read at a time. An order that has several of them is looked at once.
const CHANGES_PER_PAGE: usize = 1_000;
/// Orders from before that are read at a time.
const ORDERS_PER_SCAN: usize = 200;
/// For how long a server follows alone; whoever takes longer has died.
const LEASE_MS: i64 = 5_000;
/// While others write, it rests so many times as long as a command took, and at most so long: a sale comes first.
const RESTS: u32 = 3;
const REST_MAX: Duration = Duration::from_millis(50);
/// How long one round may take.
const ROUND_TIME: Duration = Duration::from_secs(1);
/// Orders that one search finds, at most: the newest.
pub const FOUND_ORDERS_MAX: u32 = 500;
/// Words of one search, at most: others are not looked at.
const WORDS_MAX: usize = 5;
/// A word that this many orders have leads to too many of them: then it is looked for among the newest.
const WORD_MATCHES_MAX: u32 = 3_000;
/// Among so many of a partner, and of each side.
const NEWEST_SEARCHED: u32 = 20_000;
/// The digits of a barcode.
const BARCODE_DIGITS: usize = 16;

/// One who follows. Its number and how far it has come with older orders are its own.
pub struct OrderIndexFollower {
    number: u64,
    scanned_to: Mutex<Option<RowCursor>>,
}

/// How far sums and search terms are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderIndexState {
    /// All changes before this place of the feed are in them.
    pub cursor: FeedCursor,
    /// Whether orders from before the feed was followed are, too.
    pub is_complete: bool,
}

impl Engine {
    /// One who may follow the feed for this server.
    pub fn order_index_follower(&self) -> OrderIndexFollower {
        OrderIndexFollower { number: self.random_number(), scanned_to: Mutex::default() }
    }

    /// What was sold, as far as it is counted.
    pub async fn sales(&self, query: SalesQuery) -> Result<Vec<GroupedSales>, Failure> {
        ListTurn::begin().await?;
        self.map_store_result(self.inner.store.sales(query).await)
    }

    /// How far sums and search terms are made; `None` before anybody has begun.
    pub async fn order_index_state(&self) -> Result<Option<OrderIndexState>, Failure> {
        let progress = self.index_progress().await?;
        Ok(progress.map(|progress| OrderIndexState { cursor: progress.cursor, is_complete: progress.is_complete }))
    }

    /// Orders of some partners that a text finds, the newest first, up to [`FOUND_ORDERS_MAX`]: by the beginnings of its
    /// words in e-mail, names and telephone, by a whole number or a whole barcode. Words that thousands of orders have are
    /// looked for among the newest orders of each partner, `NEWEST_SEARCHED` of them.
    pub async fn search_orders(&self, partners: &[PartnerId], text: &str) -> Result<Vec<OrderId>, Failure> {
        let words: Vec<String> = text.split_whitespace().take(WORDS_MAX).map(str::to_owned).collect();
        let mut found = Vec::new();
        if let [word] = &words[..]
            && word.len() == BARCODE_DIGITS
            && word.bytes().all(|byte| byte.is_ascii_digit())
        {
            let filter = TicketsByBarcode { partners: partners.to_vec(), barcodes: vec![word.clone()] };
            let tickets = self.page(filter, PageWindow::first(FOUND_ORDERS_MAX)).await?.rows;
            found.extend(tickets.iter().filter_map(kassa_domain::ticket::Ticket::holder));
        }
        let filter = self.search_filter(partners, words).await?;
        let rows = self.page(filter, PageWindow::first(FOUND_ORDERS_MAX)).await?.rows;
        found.extend(rows.iter().map(|row| row.order));
        Ok(found)
    }

    /// Where a search begins: with the word that the fewest orders have, unless all of them have many.
    async fn search_filter(&self, partners: &[PartnerId], words: Vec<String>) -> Result<FoundOrders, Failure> {
        let among = SearchedOrders::OfFirstWord(WORD_MATCHES_MAX);
        let mut counted = Vec::with_capacity(words.len());
        for word in words {
            let filter = FoundOrders { partners: partners.to_vec(), words: vec![word.clone()], among };
            let window = PageWindow { limit: 0, offset: 0, count: RowCount::All };
            counted.push((self.page(filter, window).await?.total, word));
        }
        counted.sort_by_key(|(matches, _)| *matches);
        let is_rare = counted.first().is_none_or(|(matches, _)| *matches < u64::from(WORD_MATCHES_MAX));
        let words = counted.into_iter().map(|(_, word)| word).collect();
        let among = if is_rare { among } else { SearchedOrders::Newest(NEWEST_SEARCHED) };
        Ok(FoundOrders { partners: partners.to_vec(), words, among })
    }

    /// Follows the feed for a while, if no other server does, and returns how many orders were not as they had been
    /// looked at.
    pub async fn index_orders(&self, follower: &OrderIndexFollower) -> Result<u64, Failure> {
        let started_at = Instant::now();
        let mut stored = self.index_progress().await?;
        let end = self.feed_bounds().await?.end;
        let now = self.now();
        let is_followed = |progress: &IndexProgress| progress.follower != follower.number && progress.till > now;
        let is_done = |progress: &IndexProgress| progress.is_complete && progress.cursor == end;
        if stored.as_ref().is_some_and(|progress| is_followed(progress) || is_done(progress)) {
            return Ok(0);
        }
        if stored.is_none_or(|progress| progress.follower != follower.number) {
            *follower.scanned_to.lock() = None;
        }
        let (mut cursor, mut is_complete) =
            stored.map_or((end, false), |progress| (progress.cursor, progress.is_complete));
        let (mut moved, mut is_caught_up) = (0, false);
        loop {
            // The place is noted before older orders are looked at: what changes meanwhile is behind it.
            let till = self.now().plus_ms(LEASE_MS);
            let next = IndexProgress { cursor, is_complete, follower: follower.number, till };
            let command = MoveOrderIndex { seen: stored, next };
            if !self.execute(&Actor::System, command, |_, is_moved| *is_moved).await? {
                return Ok(moved);
            }
            stored = Some(next);
            // What a sale adds meanwhile is for the next round: otherwise each of its batches would bring a command of this.
            if is_caught_up && is_complete {
                return Ok(moved);
            }
            let of_order = |change: &Change| changed_order(change).is_some();
            is_caught_up = match self.read_feed(cursor, CHANGES_PER_PAGE, &of_order).await {
                Ok(page) => {
                    let changed = page.changes.iter().filter_map(|change| changed_order(change.change()));
                    moved += self.index_changed(changed.collect()).await?;
                    cursor = page.next;
                    page.is_at_end
                }
                // What was not read is gone: all orders are looked at again.
                Err(FeedError::Gone(_) | FeedError::Ahead(_)) => {
                    (cursor, is_complete) = (self.feed_bounds().await?.end, false);
                    *follower.scanned_to.lock() = None;
                    continue;
                }
                Err(FeedError::Failure(failure)) => return Err(failure),
            };
            if !is_complete {
                let scanned_to = follower.scanned_to.lock().clone();
                let rows = self.inner.store.scan::<Order>(scanned_to.as_ref(), ORDERS_PER_SCAN).await;
                let rows = self.map_store_result(rows)?;
                is_complete = rows.len() < ORDERS_PER_SCAN;
                let last = rows.last().map(|row| row.cursor.clone());
                // What cannot be read, `kassa verify` tells of.
                let orders = rows.into_iter().filter_map(|row| row.row.ok()).map(|order| order.id);
                moved += self.index_changed(orders.collect()).await?;
                *follower.scanned_to.lock() = last.or(scanned_to);
            }
            let is_stored = stored.is_some_and(|stored| (stored.cursor, stored.is_complete) == (cursor, is_complete));
            if is_caught_up && is_stored {
                return Ok(moved);
            }
            if started_at.elapsed() > ROUND_TIME && is_complete == next.is_complete {
                return Ok(moved);
            }
        }
    }

    async fn index_progress(&self) -> Result<Option<IndexProgress>, Failure> {
        let name = InstallationSettingName::OrderIndex;
        let view = self.view(&ReadSet { installation_settings: vec![name], ..ReadSet::default() }).await?;
        Ok(view.installation_settings.get(name).and_then(|stored| stored.value.parse().ok()))
    }

    /// Looks at orders that may have changed.
    async fn index_changed(&self, orders: BTreeSet<OrderId>) -> Result<u64, Failure> {
        let (orders, mut moved) = (orders.into_iter().collect::<Vec<_>>(), 0);
        let feed = &self.inner.shared.feed;
        for orders in orders.chunks(ORDERS_PER_COMMAND) {
            let (begun_at, place) = (Instant::now(), feed.last_place());
            for _ in 0..STALE_RETRIES_MAX {
                match self.index_some(orders).await {
                    Err(Failure::Refused(Refusal::Stale)) => {}
                    Err(failure) => return Err(failure),
                    Ok(rows) => {
                        moved += rows;
                        break;
                    }
                }
            }
            // Its own commands tell nothing.
            if feed.last_place() != place {
                tokio::time::sleep((begun_at.elapsed() * RESTS).min(REST_MAX)).await;
            }
        }
        Ok(moved)
    }

    async fn index_some(&self, orders: &[OrderId]) -> Result<u64, Failure> {
        let read_set =
            ReadSet { orders_to_read: orders.to_vec(), indexed_orders: orders.to_vec(), ..ReadSet::default() };
        let view = self.view(&read_set).await?;
        let mut events = BTreeMap::<EventId, (Vec<OrderId>, BTreeSet<DailySalesKey>)>::new();
        for order in view.orders.rows() {
            let (new, old) = (IndexedOrder::of(order), view.indexed_orders.get(order.id));
            if old.map_or(new.is_bare(), |old| old.revision >= new.revision) {
                continue;
            }
            let (of_event, sums) = events.entry(order.event).or_default();
            of_event.push(order.id);
            sums.extend(new.keys().chain(old.into_iter().flat_map(IndexedOrder::keys)));
        }
        let mut moved = 0;
        for (event, (orders, sums)) in events {
            moved += self.execute(&Actor::System, IndexOrders { event, orders, sums }, |_, moved| *moved).await?;
        }
        Ok(moved)
    }
}

/// The order that a change may have made to be found, or summed up, in another way. One that is new and names nobody is
/// bare: it is not looked at, as an on-sale has thousands of them.
fn changed_order(change: &Change) -> Option<OrderId> {
    let is_new = change.kind == ChangeType::OrderReserved && change.version == 1;
    match change.subject {
        Subject::Resource(ResourceRef::Order(_)) if is_new && change.facts.get(FactName::Customer).is_none() => None,
        Subject::Resource(ResourceRef::Order(order)) => Some(order),
        Subject::Resource(_) | Subject::Inventory(_) => None,
    }
}
