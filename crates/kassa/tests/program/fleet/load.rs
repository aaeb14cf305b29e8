//! Buyers who go on while databases fail, and count what they were told.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Answer, Client};
use crate::crowd::{Bought, Dice, Payment, ask, pay};
use crate::patience::{now, soon, within};
use crate::sale::Sale;
use crate::server::Server;

/// Buyers at a time.
const BUYERS: u32 = 8;
/// How long a buyer waits who was told to come back.
const PAUSE: Duration = Duration::from_millis(20);

/// An order that was answered.
pub(crate) struct Sold {
    pub(crate) bought: Bought,
    pub(crate) asked: Instant,
}

/// What buyers were told so far.
#[derive(Default)]
pub(crate) struct Load {
    is_over: AtomicBool,
    sold: Mutex<Vec<Sold>>,
    refused: AtomicUsize,
    odd: Mutex<Vec<String>>,
}

impl Load {
    /// Buys until `meanwhile` ends.
    pub(crate) fn run(server: &Server, sale: &Sale, meanwhile: impl FnOnce(&Self)) -> Vec<Bought> {
        struct Over<'a>(&'a Load);
        impl Drop for Over<'_> {
            fn drop(&mut self) {
                self.0.is_over.store(true, Ordering::Relaxed);
            }
        }
        let load = Self::default();
        thread::scope(|scope| {
            for seed in 0..BUYERS {
                let (client, load) = (sale.client(server), &load);
                scope.spawn(move || load.buy(&client, sale, Dice(seed)));
            }
            let _over = Over(&load);
            meanwhile(&load);
        });
        load.nothing_is_odd();
        load.sold.into_inner().unwrap().into_iter().map(|sold| sold.bought).collect()
    }

    fn buy(&self, client: &Client, sale: &Sale, mut dice: Dice) {
        while !self.is_over.load(Ordering::Relaxed) {
            let (asked, wanted) = (now(), 1 + dice.below(2));
            let Some(answer) = self.heard(ask(client, sale, wanted, false), 201) else { continue };
            let mut bought = Bought::new(&answer.body, wanted, false);
            let at = self.put(Sold { bought: bought.clone(), asked });
            if dice.below(4) == 0 {
                let paid = self.heard(pay(client, &bought.id), 200);
                bought.payment = if paid.is_some() { Payment::Done } else { Payment::Unanswered };
                self.sold.lock().unwrap()[at].bought = bought;
            }
        }
    }

    fn put(&self, sold: Sold) -> usize {
        let mut all = self.sold.lock().unwrap();
        all.push(sold);
        all.len() - 1
    }

    /// An answer that says yes. One that says to come back later is obeyed, and any other is odd.
    fn heard(&self, answer: Result<Answer, ureq::Error>, expected: u16) -> Option<Answer> {
        match answer {
            Ok(answer) if answer.status == expected => return Some(answer),
            Ok(answer) if answer.status == 503 && answer.headers.contains_key("Retry-After") => {
                self.refused.fetch_add(1, Ordering::Relaxed);
            }
            other => self.odd.lock().unwrap().push(format!("{other:?}")),
        }
        thread::sleep(PAUSE);
        None
    }

    /// Waits until so many orders more were answered that were asked for from now on.
    #[track_caller]
    pub(crate) fn sells(&self, count: usize) {
        self.sells_within(crate::patience::PATIENCE, count);
    }

    /// The same, for no longer than this.
    #[track_caller]
    pub(crate) fn sells_within(&self, limit: Duration, count: usize) {
        let start = now();
        within(limit, "orders are sold", || {
            self.nothing_is_odd();
            (self.sold_since(start) >= count).then_some(())
        });
    }

    /// How many orders were answered that were asked for since then.
    pub(crate) fn sold_since(&self, start: Instant) -> usize {
        self.sold.lock().unwrap().iter().filter(|sold| sold.asked >= start).count()
    }

    /// Waits until so many requests more were told to come back.
    #[track_caller]
    pub(crate) fn is_refused(&self, count: usize) {
        let before = self.refused.load(Ordering::Relaxed);
        soon("requests are told to come back", || {
            self.nothing_is_odd();
            (self.refused.load(Ordering::Relaxed) >= before + count).then_some(())
        });
    }

    #[track_caller]
    fn nothing_is_odd(&self) {
        let odd = self.odd.lock().unwrap();
        assert!(odd.is_empty(), "{odd:#?}");
    }
}
