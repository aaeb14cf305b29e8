//! A world that steps are done to: servers on one database, their clock, and the ledger of what they have said.

mod checks;
mod giving;
mod reconcile;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use kassa_domain::Actor;
use kassa_domain::event::EventId;
use kassa_domain::order::Order;
use kassa_domain::partner::PartnerId;
use kassa_engine::clock::ManualClock;
use kassa_engine::{Failure, LaneByHand};
use kassa_store::Store;
use kassa_store::faulty::{Faults, Faulty};

use crate::Trouble;
use crate::drive::{Callers, work_off};
use crate::ledger::Ledger;
use crate::place::{Driver, Place};
use crate::play::acts::stage;
use crate::play::answer::word;
use crate::play::perform::order_bytes;
use crate::play::server::START;
use crate::play::{Act, Answer, Known, Player, Report, Server};
use crate::step::{Mishap, Step};
use crate::touched::{Touched, moves_tickets};

/// Steps after which everything is counted again.
const RECOUNT_EVERY: u64 = 1_000;
/// No lane works so often for one call.
const ROUNDS_MAX: u32 = 100_000;

/// How often acts of a kind were answered with a word.
pub type Tally = BTreeMap<(&'static str, &'static str), u64>;

/// All that there is.
pub(crate) struct World {
    place: Place,
    store: Store,
    faults: Faults,
    clock: Arc<ManualClock>,
    nodes: Vec<Node>,
    seed: u64,
    starts: u64,
    known: Known,
    ledger: Ledger,
    tally: Tally,
    digest: DefaultHasher,
    ops: u64,
}

/// What became of orders that were asked for.
#[derive(Clone, Copy, Debug, Default)]
struct Sales {
    /// Orders that were made.
    sold: usize,
    /// Answers that had been given before.
    answered: usize,
}

/// A server whose lanes are moved.
struct Node {
    server: Server,
    lanes: Vec<LaneByHand>,
}

impl World {
    /// A new one.
    pub(crate) async fn new(seed: u64, driver: Driver) -> Result<Self, Trouble> {
        let place = Place::new(driver)?;
        let faults = Faults::default();
        let store = with_faults(&place, &faults)?;
        let clock = Arc::new(ManualClock::new(START));
        let (nodes, starts) = (Vec::new(), 0);
        let (known, ledger, tally, digest) = <(Known, Ledger, Tally, DefaultHasher)>::default();
        let mut world = Self { place, store, faults, clock, nodes, seed, starts, known, ledger, tally, digest, ops: 0 };
        for _ in 0..world.place.servers() {
            let node = world.start().await?;
            world.nodes.push(node);
        }
        Ok(world)
    }

    async fn start(&mut self) -> Result<Node, Trouble> {
        self.starts += 1;
        let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(self.starts);
        let (server, lanes) = Server::start_by_hand(self.store.clone(), &self.clock, seed).await?;
        Ok(Node { server, lanes })
    }

    /// A new server in the place of another. When leases have ended meanwhile, it may take the number of one that is
    /// still there.
    async fn start_again(&mut self, at: usize) -> Result<(), Trouble> {
        self.nodes[at] = self.start().await?;
        self.find_out().await;
        Ok(())
    }

    /// What was answered how often.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Operations so far.
    pub(crate) fn ops(&self) -> u64 {
        self.ops
    }

    /// All that was answered, and all rows, as one number.
    pub(crate) async fn digest(&mut self) -> Result<u64, Trouble> {
        self.nodes[0].server.dump().await?.hash(&mut self.digest);
        Ok(self.digest.finish())
    }

    /// Does a step, and holds what it has touched against what was told. Everything is counted again now and then.
    pub(crate) async fn step(&mut self, step: &Step) -> Result<(), Trouble> {
        let before = self.ops;
        self.ops += step.ops();
        match step {
            Step::Season => {
                self.known.forget_events();
                for act in stage() {
                    Box::pin(self.acts(0, &[act], (None, None))).await?;
                }
            }
            Step::Jump { ms } => self.clock.advance_ms(*ms),
            Step::Acts { node, acts, mishap: None } => {
                Box::pin(self.acts(*node, acts, (None, None))).await?;
            }
            Step::Acts { node, acts, mishap } => {
                let (key, meant) = (Some(self.ops), self.events_sold(acts));
                let first = Box::pin(self.acts(*node, acts, (*mishap, key))).await?;
                // Nobody has heard what came of it: it is asked for once more, under the same key.
                let means_the_same = self.events_sold(acts) == meant;
                let again = Box::pin(self.acts(*node, acts, (None, key))).await?;
                // Where an event was made meanwhile, acts name others by their places: those are other requests.
                if means_the_same && first.sold != again.answered {
                    return Err(Trouble::new("what was asked for twice is done twice", (first, again)));
                }
            }
            Step::Stranger { node, act, has_key } => Box::pin(self.stranger(*node, act, *has_key)).await?,
        }
        if before / RECOUNT_EVERY == self.ops / RECOUNT_EVERY { Ok(()) } else { self.check_all().await }
    }

    /// The events whose tickets acts want.
    fn events_sold(&self, acts: &[Act]) -> Vec<Option<EventId>> {
        let mut events = Vec::new();
        for act in acts {
            if let Act::Sale { event, .. } = act {
                events.push(self.known.event(*event).map(|event| event.id));
            }
        }
        events
    }

    /// Gives acts to a server at the same moment.
    async fn acts(
        &mut self,
        node: usize,
        acts: &[Act],
        (mishap, key): (Option<Mishap>, Option<u64>),
    ) -> Result<Sales, Trouble> {
        // What acts name by its place is found before anybody learns of more.
        let named: Vec<Touched> = acts.iter().map(|act| Touched::by(act, &self.known)).collect();
        let mut touched = Touched::default();
        for named in &named {
            touched.add(named);
        }
        let answers = self.give(node, acts, (mishap, key)).await?;
        if mishap.is_some() {
            let at = node % self.nodes.len();
            work_off(&mut self.nodes[at].lanes).await;
        }
        let (mut heard, mut unheard, mut sales) = (Vec::new(), Vec::new(), Sales::default());
        for ((act, named), answer) in acts.iter().zip(&named).zip(answers) {
            self.note(act, answer.as_ref());
            match answer {
                Some(Ok(report)) => {
                    sales.sold += usize::from(matches!((act, &report), (Act::Sale { .. }, Report::Order(_))));
                    heard.push(report);
                }
                Some(Err(Failure::Refused(_))) => {}
                Some(Err(Failure::Answered(saved))) if self.is_known(&saved.bytes, &touched) => sales.answered += 1,
                // Others in the crowd were faster, however often it looked again.
                Some(Err(Failure::Busy)) if acts.len() > 1 => {}
                Some(Err(failure)) if mishap.is_none() => {
                    return Err(Trouble::new("a failure without a reason", (act, failure)));
                }
                Some(Err(Failure::Busy | Failure::Unavailable)) | None => unheard.push((act, named)),
                Some(Err(failure @ (Failure::Internal(_) | Failure::Answered(_) | Failure::Shut))) => {
                    return Err(Trouble::new("a mistake", (act, failure)));
                }
            }
        }
        self.learn(&heard, &mut touched)?;
        self.settle(&heard, &mut touched).await?;
        if !unheard.is_empty() {
            sales.sold += self.reconcile(&unheard, mishap, &mut touched).await?;
        }
        self.check(&touched).await?;
        if acts.iter().any(moves_tickets) {
            self.learn_tickets(&touched).await?;
        }
        Ok(sales)
    }

    /// Whether a kept answer shows an order as it was made.
    fn is_known(&self, bytes: &[u8], touched: &Touched) -> bool {
        let mut orders = touched.events.iter().flat_map(|event| self.ledger.orders_of(*event));
        orders.any(|order| order_bytes(order) == bytes)
    }

    /// Somebody tries what is not its business: it is refused, and nothing has changed.
    async fn stranger(&mut self, node: usize, act: &Act, has_key: bool) -> Result<(), Trouble> {
        let stranger = if has_key { Actor::Partner(PartnerId::root(7)) } else { Actor::Anonymous };
        let at = node % self.nodes.len();
        let Node { server, lanes } = &mut self.nodes[at];
        let player = Player { stranger: Some(&stranger), ..Player::new(server, &self.known) };
        let mut callers = Callers::new([player.perform(act)]);
        callers.go_on(lanes, ROUNDS_MAX).await;
        let answer = callers.answers().pop().flatten();
        let mut touched = Touched::default();
        touched.add_act(act, &self.known);
        // The house asks for nobody.
        let is_of_the_house = matches!(act, Act::ExpireOne { .. });
        match answer {
            Some(Err(Failure::Refused(_)) | Ok(Report::Nothing)) => self.check(&touched).await,
            Some(Ok(report)) if is_of_the_house => {
                self.settle(&[report], &mut touched).await?;
                self.check(&touched).await
            }
            answer => Err(Trouble::new("a stranger was let in", (act, answer))),
        }
    }

    /// Counts an answer, and takes it into the digest.
    fn note(&mut self, act: &Act, answer: Option<&Answer>) {
        let told = answer.map_or("not heard", word);
        *self.tally.entry((act.kind(), told)).or_default() += 1;
        told.hash(&mut self.digest);
        if let Some(Ok(Report::Order(outcome))) = answer {
            let Order { id, revision, number, .. } = &outcome.order;
            (id.key(), revision, number).hash(&mut self.digest);
        }
    }
}

fn with_faults(place: &Place, faults: &Faults) -> Result<Store, Trouble> {
    Ok(Store::Faulty(Box::new(Faulty::new(place.open()?, faults.clone()))))
}
