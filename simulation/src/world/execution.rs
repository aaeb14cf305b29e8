//! Actions are sent to a server, and disruptions happen to it meanwhile.

use kassa_domain::id::NODES_MAX;
use kassa_domain::{ReadSet, View};
use kassa_engine::ManualLane;
use kassa_store::Store;

use super::{ROUNDS_MAX, SimNode, World, with_faults};
use crate::Violation;
use crate::lane_driver::ConcurrentCalls;
use crate::play::{Action, ActionResult, ActionRunner};
use crate::sim_step::Disruption;

impl World {
    /// The answers to actions, as far as they arrive.
    pub(super) async fn execute(
        &mut self,
        at: usize,
        acts: &[Action],
        disruption: Option<Disruption>,
        key: Option<u64>,
    ) -> Result<Vec<Option<ActionResult>>, Violation> {
        let at = at % self.nodes.len();
        let SimNode { server, lanes, .. } = &mut self.nodes[at];
        let known = &self.known;
        let key_of = |at| key.map(|key| format!("{key}-{at}"));
        let runners = (0..acts.len()).map(|at| ActionRunner { key: key_of(at), ..ActionRunner::new(server, known) });
        let runners: Vec<ActionRunner<'_>> = runners.collect();
        let mut callers = ConcurrentCalls::new(runners.iter().zip(acts).map(|(runner, act)| runner.perform(act)));
        let no_answers = || acts.iter().map(|_| None).collect();
        match disruption {
            None => callers.advance(lanes, ROUNDS_MAX).await,
            Some(Disruption::DatabaseFault(after, fault)) => {
                self.faults.fail_after(after, fault);
                callers.advance(lanes, ROUNDS_MAX).await;
                self.faults.cancel();
            }
            Some(Disruption::LostReply) => {
                callers.advance(lanes, ROUNDS_MAX).await;
                return Ok(no_answers());
            }
            Some(Disruption::Restart) => {
                callers.advance(lanes, ROUNDS_MAX).await;
                drop(callers);
                self.restart(at).await?;
                return Ok(no_answers());
            }
            Some(Disruption::Crash(rounds)) => {
                callers.advance(lanes, rounds).await;
                drop(callers);
                self.crash(at).await?;
                return Ok(no_answers());
            }
            Some(Disruption::Paused | Disruption::Fenced) => {
                callers.advance(lanes, 0).await;
                let are_late = callers.in_queue();
                if matches!(disruption, Some(Disruption::Paused)) {
                    lanes.iter().for_each(ManualLane::simulate_pause);
                } else {
                    claim_all_numbers(&self.store).await?;
                }
                callers.advance(lanes, ROUNDS_MAX).await;
                let answers = callers.answers();
                self.renew_all_numbers().await;
                return check_late_calls_failed(&are_late, answers);
            }
        }
        Ok(callers.answers())
    }

    /// A server is stopped, and starts again.
    async fn restart(&mut self, at: usize) -> Result<(), Violation> {
        for lane in self.nodes[at].lanes.drain(..) {
            lane.close().await;
        }
        self.replace_server(at).await
    }

    /// A server dies, and starts again on what it has left.
    async fn crash(&mut self, at: usize) -> Result<(), Violation> {
        self.database.crash()?;
        self.store = with_faults(&self.database, &self.faults)?;
        self.replace_server(at).await
    }

    /// Every server finds out that it stood still, or that its number is another's: it takes a new one.
    pub(super) async fn renew_all_numbers(&mut self) {
        for SimNode { server, lanes, .. } in &mut self.nodes {
            let mut keeping = ConcurrentCalls::new([server.engine.renew_leases()]);
            keeping.advance(lanes, ROUNDS_MAX).await;
        }
    }
}

/// The answers, if no late command was acknowledged as a success.
fn check_late_calls_failed(
    are_late: &[bool],
    answers: Vec<Option<ActionResult>>,
) -> Result<Vec<Option<ActionResult>>, Violation> {
    let mut late = are_late.iter().zip(&answers).filter(|(is_late, _)| **is_late);
    match late.find(|(_, answer)| matches!(answer, Some(Ok(_)))) {
        Some(written) => Err(Violation::new("a late command was written", written)),
        None => Ok(answers),
    }
}

/// Another program claims the numbers of all lanes.
async fn claim_all_numbers(store: &Store) -> Result<(), Violation> {
    let read_set = ReadSet { nodes: (0..NODES_MAX).collect(), ..ReadSet::default() };
    let claim = &mut |view: &mut View| {
        let claimed: Vec<_> = view.nodes.rows().cloned().collect();
        for mut node in claimed {
            node.epoch += 1;
            view.nodes.put(node);
        }
        view.accept_changes();
        Ok(())
    };
    Ok(store.writer(0)?.transact(&read_set, claim).await?)
}
