//! Servers that die.

use super::super::event_queue::EventQueue;
use super::{Answer, Fleet, FleetEvent};
use crate::capacity::SECOND;

/// Until a buyer knows that no answer will come.
pub(super) const UNANSWERED_US: u64 = SECOND;
/// Until the balancer sends nobody there any more: it asks every few seconds.
const NOTICED_AFTER_US: u64 = 5 * SECOND;
/// Until the database ends the transaction of a server that says nothing: `idle_in_transaction_session_timeout`.
const TRANSACTION_ENDS_AFTER_US: u64 = 2 * SECOND;

/// Between which times a server is down.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeState {
    down_from: u64,
    down_until: u64,
}

impl NodeState {
    pub(super) fn is_down(&self, now: u64) -> bool {
        self.down_from <= now && now < self.down_until
    }
}

impl Fleet {
    /// A server dies with all that waits in it, and is back later.
    pub(in crate::capacity) fn fail_node<E: From<FleetEvent>>(
        &mut self,
        queue: &mut EventQueue<E>,
        now: u64,
        node: usize,
        down_us: u64,
    ) {
        self.nodes[node] = NodeState { down_from: now, down_until: now + down_us };
        let lanes = self.arrangement.lanes;
        for at in node * lanes..(node + 1) * lanes {
            let lane = &mut self.lanes[at];
            lane.generation += 1;
            let lost: Vec<_> = std::mem::take(&mut lane.batch).into_iter().chain(lane.drain()).collect();
            for event in std::mem::take(&mut lane.events) {
                queue.push(now + TRANSACTION_ENDS_AFTER_US, FleetEvent::Unlock { event, lane: at });
            }
            for request in lost {
                self.wasted_us += request.write_costs(&self.costs).request;
                queue.push(now + UNANSWERED_US, FleetEvent::Answered(request, Answer::Lost));
            }
        }
    }

    /// Whether the balancer sends requests to a server.
    pub(in crate::capacity) fn is_in_rotation(&self, node: usize, now: u64) -> bool {
        let state = self.nodes[node];
        !(state.down_from + NOTICED_AFTER_US <= now && state.is_down(now))
    }
}
