//! What steps act on: servers on one database, their clock, and the orders that they have acknowledged.

mod checks;
mod execution;
mod reconcile;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use kassa_domain::Actor;
use kassa_domain::event::EventId;
use kassa_domain::order::Order;
use kassa_domain::partner::PartnerId;
use kassa_engine::clock::ManualClock;
use kassa_engine::{Failure, ManualLane};
use kassa_store::Store;
use kassa_store::fault_injection::{FaultInjectingStore, FaultPlan};

use crate::Violation;
use crate::acknowledged_orders::AcknowledgedOrders;
use crate::affected::{AffectedRows, changes_tickets};
use crate::change_log::ChangeLog;
use crate::database::{DatabaseDriver, SimDatabase};
use crate::kept_reads::KeptReads;
use crate::lane_driver::{ConcurrentCalls, drain_lanes};
use crate::moved_money::MovedMoney;
use crate::play::action_result::result_label;
use crate::play::actions::setup_actions;
use crate::play::perform::order_bytes;
use crate::play::server::START;
use crate::play::{Action, ActionReport, ActionResult, ActionRunner, KnownRows, SimServer};
use crate::sim_step::{Disruption, SimStep};

/// Steps after which everything is counted again.
const RECOUNT_EVERY: u64 = 1_000;
/// Changes that the reader of the feed hears after each step: about as many as are made.
const CHANGES_PER_STEP: usize = 5;
/// Events of which servers keep what they have read: so many of the newest.
const EVENTS_KEPT: usize = 2;
/// No lane works so often for one call.
const ROUNDS_MAX: u32 = 100_000;

/// How often acts of a kind were answered with a word.
pub type Tally = BTreeMap<(&'static str, &'static str), u64>;

/// All that there is.
pub(crate) struct World {
    database: SimDatabase,
    store: Store,
    faults: FaultPlan,
    clock: Arc<ManualClock>,
    nodes: Vec<SimNode>,
    seed: u64,
    starts: u64,
    known: KnownRows,
    acknowledged: AcknowledgedOrders,
    money: MovedMoney,
    log: ChangeLog,
    tally: Tally,
    digest: DefaultHasher,
    ops: u64,
}

/// What became of orders that were asked for.
#[derive(Clone, Copy, Debug, Default)]
struct SaleCounts {
    /// Orders that were made.
    created: usize,
    /// Answers that had been given before.
    replayed: usize,
}

/// A server whose lanes are moved.
struct SimNode {
    server: SimServer,
    lanes: Vec<ManualLane>,
    kept: KeptReads,
}

impl World {
    /// A new one.
    pub(crate) async fn new(seed: u64, driver: DatabaseDriver) -> Result<Self, Violation> {
        let place = SimDatabase::new(driver)?;
        let faults = FaultPlan::default();
        let store = with_faults(&place, &faults)?;
        let clock = Arc::new(ManualClock::new(START));
        let (nodes, starts) = (Vec::new(), 0);
        let (known, acknowledged, tally, digest) = <(KnownRows, AcknowledgedOrders, Tally, DefaultHasher)>::default();
        let mut world = Self {
            database: place,
            store,
            faults,
            clock,
            nodes,
            seed,
            starts,
            known,
            acknowledged,
            money: MovedMoney::default(),
            log: ChangeLog::default(),
            tally,
            digest,
            ops: 0,
        };
        for _ in 0..world.database.servers() {
            let node = world.start().await?;
            world.nodes.push(node);
        }
        Ok(world)
    }

    async fn start(&mut self) -> Result<SimNode, Violation> {
        self.starts += 1;
        let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(self.starts);
        let (server, lanes) = SimServer::start_manual(self.store.clone(), &self.clock, seed).await?;
        Ok(SimNode { server, lanes, kept: KeptReads::default() })
    }

    /// A new server in the place of another. When leases have ended meanwhile, it may take the number of one that is
    /// still there.
    async fn replace_server(&mut self, at: usize) -> Result<(), Violation> {
        self.nodes[at] = self.start().await?;
        self.renew_all_numbers().await;
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
    pub(crate) async fn digest(&mut self) -> Result<u64, Violation> {
        self.nodes[0].server.dump().await?.hash(&mut self.digest);
        Ok(self.digest.finish())
    }

    /// Does a step, and compares what it has touched with what was acknowledged. Everything is recounted now and then.
    pub(crate) async fn step(&mut self, step: &SimStep) -> Result<(), Violation> {
        let before = self.ops;
        self.ops += step.ops();
        match step {
            SimStep::Season => {
                self.known.forget_events();
                for act in setup_actions() {
                    Box::pin(self.run_actions(0, &[act], None, None)).await?;
                }
            }
            SimStep::ClockJump { ms } => self.clock.advance_ms(*ms),
            SimStep::Actions { node, actions: acts, disruption: None } => {
                Box::pin(self.run_actions(*node, acts, None, None)).await?;
            }
            SimStep::Actions { node, actions: acts, disruption } => {
                let (key, sold_events) = (Some(self.ops), self.events_sold(acts));
                let first = Box::pin(self.run_actions(*node, acts, *disruption, key)).await?;
                // Its answer was lost: it is sent again, under the same key.
                let is_same_request = self.events_sold(acts) == sold_events;
                let again = Box::pin(self.run_actions(*node, acts, None, key)).await?;
                // If an event was created meanwhile, actions that name events by index are other requests.
                if is_same_request && first.created != again.replayed {
                    return Err(Violation::new("a request with one key was decided twice", (first, again)));
                }
            }
            SimStep::Unauthorized { node, act, has_key } => {
                Box::pin(self.run_unauthorized(*node, act, *has_key)).await?;
            }
        }
        let reader = usize::try_from(self.ops).unwrap_or(0) % self.nodes.len();
        self.log.read(&self.nodes[reader].server.engine, CHANGES_PER_STEP).await?;
        let SimNode { server, kept, .. } = &mut self.nodes[reader];
        for event in self.known.events.iter().rev().take(EVENTS_KEPT) {
            kept.check(&server.engine, event.id).await?;
        }
        if before / RECOUNT_EVERY == self.ops / RECOUNT_EVERY { Ok(()) } else { self.check_all().await }
    }

    /// The events whose tickets acts want.
    fn events_sold(&self, acts: &[Action]) -> Vec<Option<EventId>> {
        let mut events = Vec::new();
        for act in acts {
            if let Action::Sale { event, .. } = act {
                events.push(self.known.event(*event).map(|event| event.id));
            }
        }
        events
    }

    /// Gives acts to a server at the same moment.
    async fn run_actions(
        &mut self,
        node: usize,
        acts: &[Action],
        disruption: Option<Disruption>,
        key: Option<u64>,
    ) -> Result<SaleCounts, Violation> {
        // What actions name by index is resolved before more rows are known.
        let mut named: Vec<AffectedRows> = acts.iter().map(|act| AffectedRows::of_action(act, &self.known)).collect();
        for (_, named) in acts.iter().zip(&mut named).filter(|(act, _)| matches!(act, Action::LookAtPayments)) {
            self.add_due_payments(named).await?;
        }
        let mut touched = AffectedRows::default();
        for named in &named {
            touched.merge(named);
        }
        let answers = self.execute(node, acts, disruption, key).await?;
        if disruption.is_some() {
            let at = node % self.nodes.len();
            drain_lanes(&mut self.nodes[at].lanes).await;
        }
        let (mut answered, mut unanswered, mut sales) = (Vec::new(), Vec::new(), SaleCounts::default());
        for ((act, named), answer) in acts.iter().zip(&named).zip(answers) {
            self.count_answer(act, answer.as_ref());
            self.note_money(act, answer.as_ref(), disruption);
            match answer {
                Some(Ok(ActionReport::Replayed(bytes))) => {
                    if !self.is_known(&bytes, &touched) {
                        return Err(Violation::new("an answer to something else", (act, bytes)));
                    }
                    sales.replayed += 1;
                }
                Some(Ok(report)) => {
                    sales.created +=
                        usize::from(matches!((act, &report), (Action::Sale { .. }, ActionReport::Order(_))));
                    answered.push(report);
                }
                Some(Err(Failure::Refused(_))) => {}
                // Concurrent commands were faster at each retry.
                Some(Err(Failure::Busy)) if acts.len() > 1 => {}
                Some(Err(failure)) if disruption.is_none() => {
                    return Err(Violation::new("a failure without a reason", (act, failure)));
                }
                Some(Err(
                    Failure::Busy
                    | Failure::TooManyHeavy
                    | Failure::TooManyAnswers { .. }
                    | Failure::Unavailable
                    | Failure::ReadTimeout,
                ))
                | None => unanswered.push((act, named)),
                Some(Err(failure @ (Failure::Internal(_) | Failure::TooLarge))) => {
                    return Err(Violation::new("an internal error", (act, failure)));
                }
            }
        }
        self.learn(&answered, &mut touched)?;
        self.apply_side_effects(&answered, &mut touched).await?;
        if !unanswered.is_empty() {
            sales.created += self.reconcile(&unanswered, disruption, &mut touched).await?;
        }
        self.check(&touched).await?;
        self.money.end_step();
        if acts.iter().any(changes_tickets) {
            self.learn_tickets(&touched).await?;
        }
        Ok(sales)
    }

    /// Whether a kept answer shows an order as it was made.
    fn is_known(&self, bytes: &[u8], touched: &AffectedRows) -> bool {
        let mut orders = touched.events.iter().flat_map(|event| self.acknowledged.orders_of(*event));
        orders.any(|order| order_bytes(order) == bytes)
    }

    /// Somebody tries what is not its business: it is refused, and nothing has changed.
    async fn run_unauthorized(&mut self, node: usize, act: &Action, has_key: bool) -> Result<(), Violation> {
        let stranger = if has_key { Actor::Partner(PartnerId::root(7)) } else { Actor::Anonymous };
        let at = node % self.nodes.len();
        let SimNode { server, lanes, .. } = &mut self.nodes[at];
        let player = ActionRunner { stranger: Some(&stranger), ..ActionRunner::new(server, &self.known) };
        let mut callers = ConcurrentCalls::new([player.perform(act)]);
        callers.advance(lanes, ROUNDS_MAX).await;
        let answer = callers.answers().pop().flatten();
        let mut touched = AffectedRows::default();
        touched.add_action(act, &self.known);
        // The system has no caller.
        let is_by_the_system = matches!(act, Action::ExpireOne { .. });
        match answer {
            Some(Err(Failure::Refused(_)) | Ok(ActionReport::Nothing)) => self.check(&touched).await,
            Some(Ok(report)) if is_by_the_system => {
                self.apply_side_effects(&[report], &mut touched).await?;
                self.check(&touched).await
            }
            answer => Err(Violation::new("an unauthorized request was accepted", (act, answer))),
        }
    }

    /// Counts an answer, and takes it into the digest.
    fn count_answer(&mut self, act: &Action, answer: Option<&ActionResult>) {
        let label = answer.map_or("no answer", result_label);
        *self.tally.entry((act.kind(), label)).or_default() += 1;
        label.hash(&mut self.digest);
        if let Some(Ok(ActionReport::Order(outcome))) = answer {
            let Order { id, revision, number, .. } = &outcome.order;
            (id.key(), revision, number).hash(&mut self.digest);
        }
    }
}

fn with_faults(place: &SimDatabase, faults: &FaultPlan) -> Result<Store, Violation> {
    Ok(Store::Faulty(Box::new(FaultInjectingStore::new(place.open()?, faults.clone()))))
}
