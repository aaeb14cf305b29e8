//! Buyers who go on while servers and databases fail, and count what they were told.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Answer, Client};
use crate::crowd::{Bought, Dice, Payment, ask, pay};
use crate::patience::{PATIENCE, now, soon, within};
use crate::sale::Sale;
use crate::server::Server;

/// Buyers at a time, of each server.
const BUYERS: u32 = 8;
/// How long a buyer waits who was told to come back.
const PAUSE: Duration = Duration::from_millis(20);

/// An order that was answered.
pub(crate) struct Sold {
    pub(crate) bought: Bought,
    /// By whom, as a place among the servers.
    pub(crate) by: usize,
    pub(crate) asked: Instant,
    pub(crate) answered: Instant,
}

/// What was bought.
pub(crate) fn bought(sold: &[Sold]) -> impl Iterator<Item = &Bought> {
    sold.iter().map(|sold| &sold.bought)
}

/// What buyers were told so far.
#[derive(Default)]
pub(crate) struct Load {
    is_over: AtomicBool,
    sold: Mutex<Vec<Sold>>,
    refused: AtomicUsize,
    odd: Mutex<Vec<String>>,
    /// Servers that the test kills: the connections of their buyers are cut.
    killed: Mutex<BTreeSet<usize>>,
}

/// What came of a request.
enum Heard {
    /// It was done.
    Yes(Answer),
    /// Later, perhaps.
    ComeBack,
    /// The server was killed.
    Cut,
}

impl Load {
    /// Buys at all of the servers until `meanwhile` ends.
    pub(crate) fn run(servers: &[&Server], sale: &Sale, meanwhile: impl FnOnce(&Self)) -> Vec<Sold> {
        struct Over<'a>(&'a Load);
        impl Drop for Over<'_> {
            fn drop(&mut self) {
                self.0.is_over.store(true, Ordering::Relaxed);
            }
        }
        let load = Self::default();
        thread::scope(|scope| {
            for (by, seed) in (0..servers.len()).flat_map(|by| (0..BUYERS).map(move |seed| (by, seed))) {
                let (client, load) = (sale.client(servers[by]), &load);
                scope.spawn(move || load.buy(&client, by, sale, Dice(seed)));
            }
            let _over = Over(&load);
            meanwhile(&load);
        });
        load.nothing_is_odd();
        load.sold.into_inner().unwrap()
    }

    fn buy(&self, client: &Client, by: usize, sale: &Sale, mut dice: Dice) {
        while !self.is_over.load(Ordering::Relaxed) {
            let (asked, wanted, all_or_nothing) = (now(), 1 + dice.below(2), dice.below(2) == 0);
            let answer = match self.heard(by, ask(client, sale, wanted, all_or_nothing), 201) {
                Heard::Yes(answer) => answer,
                Heard::ComeBack => continue,
                Heard::Cut => return,
            };
            let mut bought = Bought::new(&answer.body, wanted, all_or_nothing);
            let at = self.put(Sold { bought: bought.clone(), by, asked, answered: now() });
            if dice.below(4) == 0 && !bought.tickets.is_empty() {
                bought.payment = match self.heard(by, pay(client, &bought.id), 200) {
                    Heard::Yes(_) => Payment::Done,
                    Heard::ComeBack | Heard::Cut => Payment::Unanswered,
                };
                self.sold.lock().unwrap()[at].bought = bought;
            }
        }
    }

    fn put(&self, sold: Sold) -> usize {
        let mut all = self.sold.lock().unwrap();
        all.push(sold);
        all.len() - 1
    }

    /// What an answer says. One that says to come back later is obeyed, and any that says no is odd.
    fn heard(&self, by: usize, answer: Result<Answer, ureq::Error>, expected: u16) -> Heard {
        match answer {
            Ok(answer) if answer.status == expected => return Heard::Yes(answer),
            Ok(answer) if answer.status == 503 && answer.headers.contains_key("Retry-After") => {
                self.refused.fetch_add(1, Ordering::Relaxed);
            }
            Err(_) if self.killed.lock().unwrap().contains(&by) => return Heard::Cut,
            other => self.odd.lock().unwrap().push(format!("server {by}: {other:?}")),
        }
        thread::sleep(PAUSE);
        Heard::ComeBack
    }

    /// Kills a server with all that it has begun.
    pub(crate) fn kill(&self, by: usize, server: &Server) {
        self.killed.lock().unwrap().insert(by);
        server.process_id().kill();
    }

    /// Waits until so many orders more were answered that were asked for from now on.
    #[track_caller]
    pub(crate) fn sells(&self, count: usize) {
        self.sells_within(PATIENCE, count);
    }

    /// The same, for no longer than this.
    #[track_caller]
    pub(crate) fn sells_within(&self, limit: Duration, count: usize) {
        self.waits_for(limit, count, |_| true);
    }

    /// The same, of each of these servers.
    #[track_caller]
    pub(crate) fn each_sells(&self, servers: &[usize], count: usize) {
        let start = now();
        for server in servers {
            self.waits_for(PATIENCE, count, |sold| sold.by == *server && sold.asked >= start);
        }
    }

    #[track_caller]
    fn waits_for(&self, limit: Duration, count: usize, which: impl Fn(&Sold) -> bool) {
        let start = now();
        within(limit, "orders are sold", || {
            self.nothing_is_odd();
            let sold = self.sold.lock().unwrap();
            (sold.iter().filter(|sold| sold.asked >= start && which(sold)).count() >= count).then_some(())
        });
    }

    /// How many orders were answered that were asked for since then.
    pub(crate) fn sold_since(&self, start: Instant) -> usize {
        self.sold.lock().unwrap().iter().filter(|sold| sold.asked >= start).count()
    }

    /// Waits until each server has told somebody that nothing is left.
    #[track_caller]
    pub(crate) fn sells_out(&self, servers: usize) {
        soon("nothing is left", || {
            self.nothing_is_odd();
            let sold = self.sold.lock().unwrap();
            let empty = sold.iter().filter(|sold| sold.bought.tickets.is_empty() && !sold.bought.all_or_nothing);
            (empty.map(|sold| sold.by).collect::<BTreeSet<usize>>().len() == servers).then_some(())
        });
    }

    /// The longest time since then in which no order of this server was answered.
    pub(crate) fn longest_gap(&self, by: usize, since: Instant) -> Duration {
        let sold = self.sold.lock().unwrap();
        let answered = sold.iter().filter(|sold| sold.by == by && sold.answered > since).map(|sold| sold.answered);
        let mut times: Vec<Instant> = [since, now()].into_iter().chain(answered).collect();
        times.sort_unstable();
        times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap()
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
