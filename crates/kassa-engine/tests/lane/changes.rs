//! The log of changes, and the feed that is read.

use std::collections::BTreeMap;
use std::sync::Arc;

use kassa_domain::change::{
    Author, ChangeType, MalformedCursor, PLACED_BATCHES_MAX, Revision, SEQUENCER_LEASE_MS, Subject, WAITING_ENTRIES_MAX,
};
use kassa_domain::deal::{CreateDeal, Deal, ProposedTerms};
use kassa_domain::order::{Order, OrderTransition, TicketSelection};
use kassa_domain::partner::PartnerId;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::price::Share;
use kassa_domain::{Actor, Percent, Refusal};
use kassa_engine::feed::{FeedCursor, FeedError, FeedPage};
use kassa_engine::history::{HistoryCursor, HistoryError, HistoryPage, HistoryRest};
use kassa_engine::verify::VerifyPace;
use kassa_engine::{Clock as _, Engine, Failure, SequencerRound};
use kassa_store::Store;
use kassa_store::memory::Memory;
use tokio::task::JoinSet;

use crate::harness::Database;
use crate::sales::Sale;

/// Gives places to all that has none, also where another server has done so just now.
async fn place_all(db: &Database, engine: &Engine) {
    loop {
        match engine.place_batches().await.unwrap() {
            SequencerRound::Idle => return,
            SequencerRound::ClaimedElsewhere(_) => db.clock.advance_ms(SEQUENCER_LEASE_MS),
            SequencerRound::Placed(_) | SequencerRound::PlacedFirst(_) => {}
        }
    }
}

/// The whole feed, in pages of so many changes.
async fn read_all(engine: &Engine, from: FeedCursor, limit: usize) -> FeedPage {
    let mut whole = FeedPage { next: from, ..FeedPage::default() };
    while !whole.is_at_end {
        let page = engine.read_feed(whole.next, limit, &|_| true).await.unwrap();
        assert!(page.changes.len() <= limit && page.changes.iter().all(|change| change.cursor() <= page.next));
        whole.changes.extend(page.changes);
        (whole.next, whole.is_at_end) = (page.next, page.is_at_end);
    }
    whole
}

/// Each change once, and those of a row in turn.
fn assert_complete(page: &FeedPage) -> BTreeMap<Subject, i64> {
    let mut versions = BTreeMap::new();
    for change in page.changes.iter().map(kassa_engine::feed::FeedChange::change) {
        let last = versions.insert(change.subject, change.version).unwrap_or(0);
        assert_eq!(change.version, last + 1, "{change:?}");
    }
    assert!(page.changes.is_sorted_by_key(|change| (change.batch.place, change.index)));
    versions
}

fn types(page: &FeedPage) -> Vec<&'static str> {
    page.changes.iter().map(|change| change.change().kind.name()).collect()
}

fn one_of(sale: &Sale) -> TicketSelection {
    TicketSelection::AnyOfSets(vec![(sale.set, 1)])
}

async fn paid_order(sale: &Sale) -> Order {
    let order = sale.order(one_of(sale)).await.unwrap();
    sale.transition(&order, OrderTransition::Paid).await.unwrap();
    order
}

async fn assert_verified(engine: &Engine) {
    let report = engine.verify(VerifyPace::percent(100)).await.unwrap().unwrap();
    assert_eq!((report.findings.items(), report.unsettled), (&[][..], 0));
}

pub(crate) async fn what_was_committed_is_told_once_and_in_turn(db: Database) {
    let sale = Sale::of(&db, 3).await;
    place_all(&db, &sale.engine).await;
    let begun = sale.engine.feed_bounds().await.unwrap();
    assert_eq!(begun.oldest, FeedCursor::START);
    paid_order(&sale).await;
    let refused = sale.order(TicketSelection::AnyOfSets(vec![(sale.set, 9)])).await.unwrap();
    assert_eq!(refused.lines.len(), 2, "what there was");
    place_all(&db, &sale.engine).await;
    let news = read_all(&sale.engine, begun.end, 2).await;
    assert_eq!(types(&news), ["order.reserved", "order.paid", "ticket.issued", "order.reserved", "inventory.sold_out"]);
    assert_eq!(news.next, sale.engine.feed_bounds().await.unwrap().end);
    let whole = read_all(&sale.engine, FeedCursor::START, 3).await;
    assert_complete(&whole);
    assert!(whole.changes.ends_with(&news.changes));
    let authors: Vec<Author> = news.changes.iter().map(|change| change.change().attribution.author).collect();
    assert_eq!(authors, [Author::ApiKey { partner: sale.org, key: None }; 5]);
    assert_verified(&sale.engine).await;
}

pub(crate) async fn a_page_has_what_is_wanted_and_goes_on_behind_it(db: Database) {
    let sale = Sale::of(&db, 3).await;
    for _ in 0..3 {
        paid_order(&sale).await;
    }
    place_all(&db, &sale.engine).await;
    let wanted = |change: &kassa_domain::change::Change| change.kind == ChangeType::OrderPaid;
    let first = sale.engine.read_feed(FeedCursor::START, 2, &wanted).await.unwrap();
    assert_eq!((types(&first), first.is_at_end), (vec!["order.paid"; 2], false));
    let rest = sale.engine.read_feed(first.next, 2, &wanted).await.unwrap();
    assert_eq!((types(&rest), rest.is_at_end), (vec!["order.paid"], true));
    let nothing = sale.engine.read_feed(rest.next, 2, &wanted).await.unwrap();
    assert_eq!((types(&nothing), nothing.next, nothing.is_at_end), (vec![], rest.next, true));
    let ahead = FeedCursor::behind(rest.next.place);
    assert_eq!(sale.engine.read_feed(ahead, 2, &wanted).await, Err(FeedError::Ahead(rest.next)));
}

/// The organizer offers another partner a deal.
async fn deal_with(sale: &Sale, agent: PartnerId) -> Deal {
    let half = Share::Percent(Percent::from_percent(50));
    let terms = ProposedTerms {
        organizer_share: half,
        markup: Share::Percent(Percent::from_percent(0)),
        platform_fee_on_top: false,
    };
    let (event, organizer, message) = (sale.event, sale.org, String::new());
    let command = CreateDeal { event, proposer: organizer, agent: Some(agent), organizer, terms, message };
    sale.engine.execute(&Actor::Partner(sale.org), command, |_, deal| deal.clone()).await.unwrap()
}

pub(crate) async fn partners_are_told_of_what_is_theirs_and_agents_of_their_events(db: Database) {
    let sale = Sale::of(&db, 99).await;
    let agency = Sale::by_organizer(db.engine().await, "agency@example.org", 2).await;
    let told = async |engine: &Engine, partner: PartnerId| {
        place_all(&db, engine).await;
        let audience = engine.feed_audience(&[partner]).await.unwrap();
        let mut whole = FeedPage::default();
        while !whole.is_at_end {
            let page = engine.read_feed_of(&audience, whole.next, 2, &|_| true).await.unwrap();
            whole.changes.extend(page.changes);
            (whole.next, whole.is_at_end) = (page.next, page.is_at_end);
        }
        whole
    };
    let [one, own] = [told(&sale.engine, sale.org).await, told(&sale.engine, agency.org).await];
    assert!(!one.changes.is_empty() && !own.changes.is_empty());
    let sees = |page: &FeedPage, place| page.changes.iter().any(|change| change.batch.place == place);
    assert!(one.changes.iter().all(|change| !sees(&own, change.batch.place)), "nothing of each other");
    deal_with(&sale, agency.org).await;
    paid_order(&sale).await;
    let now = told(&sale.engine, agency.org).await;
    let of_event = |page: &FeedPage| {
        let of_event = page.changes.iter().filter(|change| change.change().event == Some(sale.event));
        of_event.map(|change| change.change().kind.name()).collect::<Vec<_>>()
    };
    // Orders are between the organizer and its customers.
    assert_eq!(
        of_event(&now),
        ["event.created", "event.published", "set.created", "inventory.available", "deal.accepted"]
    );
    // A server that has seen nothing of it reads the same, also where some entries are in the index and others wait for that.
    for _ in 0..WAITING_ENTRIES_MAX / 2 {
        paid_order(&sale).await;
    }
    let now = told(&sale.engine, agency.org).await;
    let later = db.engine().await;
    let (one, other) = (told(&later, sale.org).await, told(&sale.engine, sale.org).await);
    assert_eq!((&one, types(&one).contains(&"order.paid")), (&other, true));
    assert_eq!(told(&later, agency.org).await, now);
}

pub(crate) async fn who_waits_is_told_when_there_is_more(db: Database) {
    let sale = Sale::of(&db, 3).await;
    place_all(&db, &sale.engine).await;
    sale.engine.follow_feed().await.unwrap();
    let mut watch = sale.engine.watch_feed();
    let seen = *watch.borrow_and_update();
    paid_order(&sale).await;
    place_all(&db, &sale.engine).await;
    watch.changed().await.unwrap();
    let page = sale.engine.read_feed(FeedCursor::behind(seen), 9, &|_| true).await.unwrap();
    assert_eq!(types(&page), ["order.reserved", "order.paid", "ticket.issued"]);
    // Another server learns of it by looking.
    let other = db.engine().await;
    let watch = other.watch_feed();
    other.follow_feed().await.unwrap();
    assert_eq!(FeedCursor::behind(*watch.borrow()), page.next);
}

pub(crate) async fn what_was_kept_long_enough_goes_from_the_oldest_on(db: Database) {
    let sale = Sale::of(&db, 99).await;
    for _ in 0..WAITING_ENTRIES_MAX / 2 {
        paid_order(&sale).await;
        place_all(&db, &sale.engine).await;
    }
    let before = sale.engine.feed_bounds().await.unwrap();
    db.clock.advance_ms(86_400_000);
    assert_eq!(sale.engine.purge_batches(db.clock.now().plus_ms(-86_400_000)).await, Ok(0), "kept for a day");
    sale.order(one_of(&sale)).await.unwrap();
    place_all(&db, &sale.engine).await;
    let gone = u64::try_from(before.end.place - 1).unwrap();
    assert_eq!(sale.engine.purge_batches(db.clock.now()).await, Ok(gone));
    let after = sale.engine.feed_bounds().await.unwrap();
    assert_eq!(after.oldest, before.end);
    // A server that has them in memory still tells them.
    let other = db.engine().await;
    assert_eq!(other.read_feed(before.oldest, 9, &|_| true).await, Err(FeedError::Gone(before.end)));
    assert_eq!(types(&read_all(&other, after.oldest, 9).await), ["order.reserved"]);
    let audience = other.feed_audience(&[sale.org]).await.unwrap();
    let page = other.read_feed_of(&audience, after.oldest, 9, &|_| true).await.unwrap();
    assert_eq!(types(&page), ["order.reserved"]);
    assert_verified(&other).await;
    // All of it, and what comes then.
    db.clock.advance_ms(1);
    assert_eq!(other.purge_batches(db.clock.now()).await, Ok(1));
    paid_order(&sale).await;
    place_all(&db, &other).await;
    assert_eq!(types(&read_all(&other, after.end, 9).await), ["order.reserved", "order.paid", "ticket.issued"]);
    assert_verified(&other).await;
}

pub(crate) async fn a_row_goes_back_through_its_batches_as_far_as_they_are_kept(db: Database) {
    let sale = Sale::of(&db, 9).await;
    let order = paid_order(&sale).await;
    let [order, other] = [order, paid_order(&sale).await].map(|order| order.id);
    let revision = async |order| sale.engine.order(order).await.unwrap().unwrap().revision;
    let subject = Subject::Resource(ResourceRef::Order(order));
    let (own, foreign) = (revision(order).await, revision(other).await);
    let read = async |revision, from, limit| sale.engine.history(subject, revision, from, limit).await;
    // Unplaced ones, too.
    let whole = read(own, None, 9).await.unwrap();
    let told = |page: &HistoryPage| {
        page.changes.iter().map(|change| (change.change().version, change.change().kind.name())).collect::<Vec<_>>()
    };
    let all = [(3, "ticket.issued"), (2, "order.paid"), (1, "order.reserved")];
    assert_eq!((told(&whole), whole.rest), (all.to_vec(), HistoryRest::Forgotten(0)));
    let (mut next, mut pages) = (None, Vec::new());
    loop {
        let page = read(own, next, 1).await.unwrap();
        pages.extend(told(&page));
        match page.rest {
            HistoryRest::From(cursor) => next = Some(cursor),
            HistoryRest::Forgotten(count) => break assert_eq!(count, 0),
        }
    }
    assert_eq!(pages, all);
    // A cursor of something else, and a row that names a batch which does not tell of it.
    let batch = foreign.changed_in().unwrap();
    let malformed = Err(HistoryError::Cursor(MalformedCursor));
    for version in [1, 3, 4] {
        assert_eq!(read(own, Some(HistoryCursor { version, batch }), 9).await, malformed, "{version}");
    }
    let damaged = read(Revision::stored(3, Some(batch)), None, 9).await;
    assert!(matches!(damaged, Err(HistoryError::Failure(Failure::Internal(_)))), "{damaged:?}");
    // Rows of a release without the log.
    let nothing = HistoryPage { changes: Vec::new(), rest: HistoryRest::Forgotten(7) };
    assert_eq!(read(Revision::stored(7, None), None, 9).await, Ok(nothing));
    place_all(&db, &sale.engine).await;
    let paid = HistoryCursor { version: 2, batch: own.changed_in().unwrap() };
    assert_eq!(told(&read(own, Some(paid), 9).await.unwrap()), all[1..]);
    db.clock.advance_ms(86_400_000);
    sale.engine.purge_batches(db.clock.now()).await.unwrap();
    let gone = HistoryPage { changes: Vec::new(), rest: HistoryRest::Forgotten(2) };
    assert_eq!(read(own, Some(paid), 9).await, Ok(gone));
}

/// Two servers sell; each gives places, as far as it may.
async fn two_servers_sell(db: &Database, engines: [Engine; 2]) {
    let mut selling = JoinSet::new();
    for (at, engine) in engines.iter().enumerate() {
        let sale = Sale::by_organizer(engine.clone(), &format!("org{at}@example.org"), 200).await;
        for _ in 0..40 {
            let sale = sale.clone();
            selling.spawn(async move {
                match sale.order(one_of(&sale)).await {
                    Ok(order) => sale.transition(&order, OrderTransition::Paid).await,
                    Err(failure) => Err(failure),
                }
            });
        }
    }
    let placing = async {
        loop {
            for engine in &engines {
                engine.place_batches().await.unwrap();
            }
            tokio::task::yield_now().await;
        }
    };
    let sold = async { selling.join_all().await };
    tokio::select! {
        sold = sold => assert!(sold.iter().all(|sold| matches!(sold, Ok(()) | Err(Failure::Refused(Refusal::Stale)))), "{sold:?}"),
        () = placing => {}
    }
    db.clock.advance_ms(SEQUENCER_LEASE_MS);
    place_all(db, &engines[0]).await;
}

pub(crate) async fn servers_that_sell_side_by_side_tell_each_change_once(db: Database) {
    let engines = [db.engine().await, db.engine().await];
    two_servers_sell(&db, engines.clone()).await;
    let whole = read_all(&engines[0], FeedCursor::START, 100).await;
    let versions = assert_complete(&whole);
    let sold = versions.keys().filter(|subject| subject.type_name() == "order").count();
    assert_eq!(sold, 80);
    assert_eq!(read_all(&db.engine().await, FeedCursor::START, 7).await.changes, whole.changes);
    assert_verified(&engines[0]).await;
}

/// The driver is one that commits side by side.
fn with_sequencer(db: Database) -> Database {
    if matches!(db.store, Store::Memory(_)) { Database::over(Store::Memory(Memory::with_sequencer()), ()) } else { db }
}

pub(crate) async fn one_server_at_a_time_gives_places_and_another_takes_over(db: Database) {
    let db = with_sequencer(db);
    if !db.store.has_sequencer() {
        return;
    }
    let sale = Sale::of(&db, 9).await;
    let other = db.engine().await;
    assert!(matches!(sale.engine.place_batches().await, Ok(SequencerRound::Placed(1..))));
    paid_order(&sale).await;
    let until = db.clock.now().plus_ms(SEQUENCER_LEASE_MS);
    assert_eq!(other.place_batches().await, Ok(SequencerRound::ClaimedElsewhere(until)));
    db.clock.advance_ms(SEQUENCER_LEASE_MS);
    assert_eq!(other.place_batches().await, Ok(SequencerRound::Placed(2)));
    sale.order(one_of(&sale)).await.unwrap();
    assert!(matches!(sale.engine.place_batches().await, Ok(SequencerRound::ClaimedElsewhere(_))));
    assert_eq!(other.place_batches().await, Ok(SequencerRound::Placed(1)));
    assert_eq!(other.place_batches().await, Ok(SequencerRound::Idle));
    assert_complete(&read_all(&other, FeedCursor::START, 9).await);
    assert_verified(&other).await;
}

pub(crate) async fn a_command_places_a_bounded_number_of_batches(db: Database) {
    let db = with_sequencer(db);
    if !db.store.has_sequencer() {
        return;
    }
    let sale = Arc::new(Sale::of(&db, 3).await);
    place_all(&db, &sale.engine).await;
    for _ in 0..=PLACED_BATCHES_MAX / 2 {
        let order = sale.order(one_of(&sale)).await.unwrap();
        sale.transition(&order, OrderTransition::Canceled).await.unwrap();
    }
    assert_eq!(sale.engine.place_batches().await, Ok(SequencerRound::PlacedFirst(PLACED_BATCHES_MAX as usize)));
    assert_eq!(sale.engine.place_batches().await, Ok(SequencerRound::Placed(2)));
    assert_complete(&read_all(&sale.engine, FeedCursor::START, 9).await);
}
