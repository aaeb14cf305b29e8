//! How acts are given to a server, and what befalls it meanwhile.

use kassa_domain::id::NODES_MAX;
use kassa_domain::{Needs, View};
use kassa_engine::LaneByHand;
use kassa_store::Store;

use super::{Node, ROUNDS_MAX, World, with_faults};
use crate::Trouble;
use crate::drive::Callers;
use crate::play::{Act, Answer, Player};
use crate::step::Mishap;

impl World {
    /// The answers of acts, as far as anybody hears them.
    pub(super) async fn give(
        &mut self,
        at: usize,
        acts: &[Act],
        (mishap, key): (Option<Mishap>, Option<u64>),
    ) -> Result<Vec<Option<Answer>>, Trouble> {
        let at = at % self.nodes.len();
        let Node { server, lanes } = &mut self.nodes[at];
        let known = &self.known;
        let key_of = |at| key.map(|key| format!("{key}-{at}"));
        let players = (0..acts.len()).map(|at| Player { key: key_of(at), ..Player::new(server, known) });
        let players: Vec<Player<'_>> = players.collect();
        let mut callers = Callers::new(players.iter().zip(acts).map(|(player, act)| player.perform(act)));
        let unheard = || acts.iter().map(|_| None).collect();
        match mishap {
            None => callers.go_on(lanes, ROUNDS_MAX).await,
            Some(Mishap::Fault(after, fault)) => {
                self.faults.after(after, fault);
                callers.go_on(lanes, ROUNDS_MAX).await;
                self.faults.call_off();
            }
            Some(Mishap::Unheard) => {
                callers.go_on(lanes, ROUNDS_MAX).await;
                return Ok(unheard());
            }
            Some(Mishap::Restart) => {
                callers.go_on(lanes, ROUNDS_MAX).await;
                drop(callers);
                self.restart(at).await?;
                return Ok(unheard());
            }
            Some(Mishap::Crash(rounds)) => {
                callers.go_on(lanes, rounds).await;
                drop(callers);
                self.crash(at).await?;
                return Ok(unheard());
            }
            Some(Mishap::StandsStill | Mishap::Replaced) => {
                callers.go_on(lanes, 0).await;
                let are_late = callers.are_waiting();
                if matches!(mishap, Some(Mishap::StandsStill)) {
                    lanes.iter().for_each(LaneByHand::stand_still);
                } else {
                    claim_all_numbers(&self.store).await?;
                }
                callers.go_on(lanes, ROUNDS_MAX).await;
                let answers = callers.answers();
                self.find_out().await;
                return none_is_written(&are_late, answers);
            }
        }
        Ok(callers.answers())
    }

    /// A server is stopped, and starts again.
    async fn restart(&mut self, at: usize) -> Result<(), Trouble> {
        for lane in self.nodes[at].lanes.drain(..) {
            lane.end().await;
        }
        self.start_again(at).await
    }

    /// A server dies, and starts again on what it has left.
    async fn crash(&mut self, at: usize) -> Result<(), Trouble> {
        self.place.crash()?;
        self.store = with_faults(&self.place, &self.faults)?;
        self.start_again(at).await
    }

    /// Every server finds out that it stood still, or that its number is another's: it takes a new one.
    pub(super) async fn find_out(&mut self) {
        for Node { server, lanes } in &mut self.nodes {
            let mut keeping = Callers::new([server.engine.keep_numbers()]);
            keeping.go_on(lanes, ROUNDS_MAX).await;
        }
    }
}

/// The answers, if nobody who came too late was told of a success.
fn none_is_written(are_late: &[bool], answers: Vec<Option<Answer>>) -> Result<Vec<Option<Answer>>, Trouble> {
    let mut late = are_late.iter().zip(&answers).filter(|(is_late, _)| **is_late);
    match late.find(|(_, answer)| matches!(answer, Some(Ok(_)))) {
        Some(written) => Err(Trouble::new("what was late is written", written)),
        None => Ok(answers),
    }
}

/// Another program claims the numbers of all lanes.
async fn claim_all_numbers(store: &Store) -> Result<(), Trouble> {
    let needs = Needs { nodes: (0..NODES_MAX).collect(), ..Needs::default() };
    let claim = &mut |view: &mut View| {
        let claimed: Vec<_> = view.nodes.rows().cloned().collect();
        for mut node in claimed {
            node.epoch += 1;
            view.nodes.put(node);
        }
        view.accept();
        Ok(())
    };
    Ok(store.writer(0)?.transact(&needs, claim).await?)
}
