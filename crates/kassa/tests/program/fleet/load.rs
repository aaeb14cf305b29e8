//! Buyers who go on while servers and databases fail, and count what they were told.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::buyers::{AnsweredOrder, PaymentAttempt, SeededRandom, pay, request_order};
use crate::client::{Client, HttpResponse};
use crate::sale::Sale;
use crate::server::Server;
use crate::waiting::{SetOnDrop, WAIT_TIMEOUT, now, wait_for, wait_for_within};

/// Buyers at a time, of each server.
const BUYERS: u32 = 8;
/// How long a buyer waits who was told to come back.
const RETRY_DELAY: Duration = Duration::from_millis(20);

/// An order that was answered.
pub(crate) struct FleetOrder {
    pub(crate) order: AnsweredOrder,
    /// By whom, as a place among the servers.
    pub(crate) server: usize,
    pub(crate) requested_at: Instant,
    pub(crate) answered_at: Instant,
}

/// What was bought.
pub(crate) fn orders_of(sold: &[FleetOrder]) -> impl Iterator<Item = &AnsweredOrder> {
    sold.iter().map(|sold| &sold.order)
}

/// What buyers were told so far.
#[derive(Default)]
pub(crate) struct FleetLoad {
    is_over: AtomicBool,
    orders: Mutex<Vec<FleetOrder>>,
    retry_responses: AtomicUsize,
    unexpected: Mutex<Vec<String>>,
    /// Servers that the test kills: the connections of their buyers are cut.
    killed_servers: Mutex<BTreeSet<usize>>,
}

/// What came of a request.
enum RequestOutcome {
    /// It was done.
    Accepted(HttpResponse),
    /// Later, perhaps.
    RetryLater,
    /// The server was killed.
    ConnectionLost,
}

impl FleetLoad {
    /// Buys at all of the servers until `meanwhile` ends.
    pub(crate) fn run(servers: &[&Server], sale: &Sale, meanwhile: impl FnOnce(&Self)) -> Vec<FleetOrder> {
        let load = Self::default();
        thread::scope(|scope| {
            for (by, seed) in (0..servers.len()).flat_map(|by| (0..BUYERS).map(move |seed| (by, seed))) {
                let (client, load) = (sale.client(servers[by]), &load);
                scope.spawn(move || load.buy(&client, by, sale, SeededRandom(seed)));
            }
            let _over = SetOnDrop(&load.is_over);
            meanwhile(&load);
        });
        load.assert_nothing_unexpected();
        load.orders.into_inner().unwrap()
    }

    fn buy(&self, client: &Client, by: usize, sale: &Sale, mut dice: SeededRandom) {
        while !self.is_over.load(Ordering::Relaxed) {
            let (asked, wanted, all_or_nothing) = (now(), 1 + dice.below(2), dice.below(2) == 0);
            let answer = match self.classify(by, request_order(client, sale, wanted, all_or_nothing), 201) {
                RequestOutcome::Accepted(answer) => answer,
                RequestOutcome::RetryLater => continue,
                RequestOutcome::ConnectionLost => return,
            };
            let mut bought = AnsweredOrder::new(&answer.body, wanted, all_or_nothing);
            let at =
                self.record(FleetOrder { order: bought.clone(), server: by, requested_at: asked, answered_at: now() });
            if dice.below(4) == 0 && !bought.tickets.is_empty() {
                bought.payment = match self.classify(by, pay(client, &bought.id), 200) {
                    RequestOutcome::Accepted(_) => PaymentAttempt::Confirmed,
                    RequestOutcome::RetryLater | RequestOutcome::ConnectionLost => PaymentAttempt::Unanswered,
                };
                self.orders.lock().unwrap()[at].order = bought;
            }
        }
    }

    fn record(&self, sold: FleetOrder) -> usize {
        let mut all = self.orders.lock().unwrap();
        all.push(sold);
        all.len() - 1
    }

    /// What an answer says. One that says to come back later is obeyed, and any that says no is odd.
    fn classify(&self, by: usize, answer: Result<HttpResponse, ureq::Error>, expected: u16) -> RequestOutcome {
        match answer {
            Ok(answer) if answer.status == expected => return RequestOutcome::Accepted(answer),
            Ok(answer) if answer.status == 503 && answer.headers.contains_key("Retry-After") => {
                self.retry_responses.fetch_add(1, Ordering::Relaxed);
            }
            Err(_) if self.killed_servers.lock().unwrap().contains(&by) => return RequestOutcome::ConnectionLost,
            other => self.unexpected.lock().unwrap().push(format!("server {by}: {other:?}")),
        }
        thread::sleep(RETRY_DELAY);
        RequestOutcome::RetryLater
    }

    /// Kills a server with all that it has begun.
    pub(crate) fn kill(&self, by: usize, server: &Server) {
        self.killed_servers.lock().unwrap().insert(by);
        server.process_id().kill();
    }

    /// Waits until so many orders more were answered that were asked for from now on.
    #[track_caller]
    pub(crate) fn wait_for_sales(&self, count: usize) {
        self.wait_for_sales_within(WAIT_TIMEOUT, count);
    }

    /// The same, for no longer than this.
    #[track_caller]
    pub(crate) fn wait_for_sales_within(&self, limit: Duration, count: usize) {
        self.wait_for_orders(limit, count, |_| true);
    }

    /// The same, of each of these servers.
    #[track_caller]
    pub(crate) fn wait_for_sales_of_each(&self, servers: &[usize], count: usize) {
        let start = now();
        for server in servers {
            self.wait_for_orders(WAIT_TIMEOUT, count, |sold| sold.server == *server && sold.requested_at >= start);
        }
    }

    #[track_caller]
    fn wait_for_orders(&self, limit: Duration, count: usize, which: impl Fn(&FleetOrder) -> bool) {
        let start = now();
        wait_for_within(limit, "orders are sold", || {
            self.assert_nothing_unexpected();
            let sold = self.orders.lock().unwrap();
            (sold.iter().filter(|sold| sold.requested_at >= start && which(sold)).count() >= count).then_some(())
        });
    }

    /// How many orders were answered that were asked for since then.
    pub(crate) fn sold_since(&self, start: Instant) -> usize {
        self.orders.lock().unwrap().iter().filter(|sold| sold.requested_at >= start).count()
    }

    /// Waits until each server has told somebody that nothing is left.
    #[track_caller]
    pub(crate) fn wait_until_sold_out(&self, servers: usize) {
        wait_for("nothing is left", || {
            self.assert_nothing_unexpected();
            let sold = self.orders.lock().unwrap();
            let empty = sold.iter().filter(|sold| sold.order.tickets.is_empty() && !sold.order.all_or_nothing);
            (empty.map(|sold| sold.server).collect::<BTreeSet<usize>>().len() == servers).then_some(())
        });
    }

    /// The longest time since then in which no order of this server was answered.
    pub(crate) fn longest_gap(&self, by: usize, since: Instant) -> Duration {
        let sold = self.orders.lock().unwrap();
        let answered =
            sold.iter().filter(|sold| sold.server == by && sold.answered_at > since).map(|sold| sold.answered_at);
        let mut times: Vec<Instant> = [since, now()].into_iter().chain(answered).collect();
        times.sort_unstable();
        times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap()
    }

    /// Waits until so many requests more were told to come back.
    #[track_caller]
    pub(crate) fn wait_for_retry_responses(&self, count: usize) {
        let before = self.retry_responses.load(Ordering::Relaxed);
        wait_for("requests are told to come back", || {
            self.assert_nothing_unexpected();
            (self.retry_responses.load(Ordering::Relaxed) >= before + count).then_some(())
        });
    }

    /// Sees that every request was done so far, and that none was told to come back.
    #[track_caller]
    pub(crate) fn assert_no_request_was_refused(&self) {
        self.assert_nothing_unexpected();
        assert_eq!(self.retry_responses.load(Ordering::Relaxed), 0, "requests were told to come back");
    }

    #[track_caller]
    fn assert_nothing_unexpected(&self) {
        let odd = self.unexpected.lock().unwrap();
        assert!(odd.is_empty(), "{odd:#?}");
    }
}
