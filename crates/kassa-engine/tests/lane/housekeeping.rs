//! What a server does on its own.

use std::sync::Arc;
use std::time::Duration;

use kassa_domain::order::TicketSelection;
use kassa_domain::session::Session;
use kassa_domain::set::CreateSet;
use kassa_domain::{Actor, Id, ReadSet};
use kassa_engine::Clock as _;
use kassa_engine::Engine;
use kassa_engine::housekeeping::{CHANGES_KEPT, Housekeeping};
use kassa_engine::mail::{MailLimits, MailRates, MailSettings, Mailer, MemoryMailer};
use kassa_engine::metrics::MetricsText;
use kassa_store::Store;

use crate::harness::Database;
use crate::sales::{Sale, new_set};

const HOLD_MS: i64 = 15 * 60_000;

/// Housekeeping whose mails go nowhere.
pub(crate) fn start_housekeeping(engine: &Engine) -> Housekeeping {
    let sender = "tickets@example.org".parse().unwrap();
    let mailer = Mailer::Memory(MemoryMailer::default());
    let limits = Arc::new(MailLimits::new(MailRates::default()));
    let mails =
        MailSettings { mailer, sender, currency: None, public_url: None, confirm_page: None, reset_page: None, limits };
    Housekeeping::start(engine, mails, None, CHANGES_KEPT)
}

pub(crate) fn metrics_of(engine: &Engine) -> String {
    let mut text = MetricsText::default();
    engine.write_metrics(&mut text);
    text.finish()
}

#[tokio::test]
async fn sessions_are_forgotten_when_they_have_lapsed() {
    let db = Database::memory().await;
    let engine = db.engine().await;
    let sessions = |hashes: Vec<[u8; 32]>| ReadSet { sessions: hashes, ..ReadSet::default() };
    let session = |hash, ends_ms| Session {
        hash: [hash; 32],
        user: Id::root(1),
        password_since: db.clock.now(),
        created_at: None,
        expires_at: db.clock.now().plus_ms(ends_ms),
    };
    let (short, long) = (session(1, 60_000), session(2, 60_001));
    let Store::Memory(memory) = &db.store else { panic!() };
    let inserted = memory.transact(&ReadSet::default(), &mut |view| {
        view.sessions.put(short.clone());
        view.sessions.put(long.clone());
        view.accept_changes();
        Ok(())
    });
    inserted.unwrap();
    assert_eq!(engine.purge_sessions().await.unwrap(), 0);
    db.clock.advance_ms(60_000);
    assert_eq!(engine.purge_sessions().await.unwrap(), 1);
    let left = engine.view(&sessions(vec![short.hash, long.hash])).await.unwrap();
    assert_eq!(left.sessions.rows().collect::<Vec<_>>(), [&long]);
    assert_eq!(engine.purge_sessions().await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn periodic_jobs_do_what_is_due_and_count_it() {
    let db = Database::memory().await;
    let sale = Sale::of(&db, 10).await;
    sale.order(TicketSelection::AnyOfSets(vec![(sale.set, 2)])).await.unwrap();
    sale.large_set().await;
    db.clock.advance_ms(HOLD_MS);
    let housekeeping = start_housekeeping(&sale.engine);
    let samples = [
        "kassa_periodic_job_rows_total{job=\"expire_orders\"} 1\n",
        "kassa_periodic_job_rows_total{job=\"run_jobs\"} 2\n",
        "kassa_periodic_job_failures_total{job=\"run_jobs\"} 0\n",
    ];
    let counted = tokio::time::timeout(Duration::from_mins(1), async {
        let mut interval = tokio::time::interval(Duration::from_millis(5));
        while !samples.iter().all(|sample| metrics_of(&sale.engine).contains(sample)) {
            interval.tick().await;
        }
    });
    counted.await.unwrap_or_else(|_| panic!("{}", metrics_of(&sale.engine)));
    housekeeping.stop().await;
}

/// A set so large that its job takes many steps.
const ENDLESS: u32 = 600_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_does_not_wait_for_the_end_of_another_organizers() {
    let db = Database::memory().await;
    let large = Sale::of(&db, 10).await;
    let (engine, other) = (large.engine.clone(), Sale::by_organizer(large.engine.clone(), "b@example.org", 10).await);
    let set_of = async |sale: &Sale, amount| {
        let command = CreateSet { amount, ..new_set(sale.event) };
        engine.execute(&Actor::Partner(sale.org), command, |_, set| set.id).await.unwrap()
    };
    let pending = async |sale: &Sale, set| {
        let view = engine.view(&ReadSet { sets: vec![set], ..ReadSet::default() }).await.unwrap();
        assert_eq!(view.sets.get(set).unwrap().event, sale.event);
        view.sets.get(set).unwrap().counts.pending
    };
    let endless = set_of(&large, ENDLESS).await;
    let housekeeping = start_housekeeping(&engine);
    while pending(&large, endless).await == i64::from(ENDLESS) - 10_000 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let later = set_of(&other, 25_000).await;
    while pending(&other, later).await > 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let left = pending(&large, endless).await;
    assert!(left > i64::from(ENDLESS) / 2, "the other's job has come to its end before: {left}");
    housekeeping.stop().await;
}

#[tokio::test]
async fn all_holds_of_several_organizers_expire_however_many_are_due() {
    let db = Database::memory().await;
    let large = Sale::of(&db, 1_000).await;
    let other = Sale::by_organizer(large.engine.clone(), "b@example.org", 10).await;
    for _ in 0..620 {
        large.order(TicketSelection::AnyOfSets(vec![(large.set, 1)])).await.unwrap();
    }
    other.order(TicketSelection::AnyOfSets(vec![(other.set, 1)])).await.unwrap();
    db.clock.advance_ms(HOLD_MS);
    assert_eq!(large.engine.expire_due().await, Ok(621));
    assert_eq!(large.engine.expire_due().await, Ok(0));
}
