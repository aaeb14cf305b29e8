//! A fair queue in front: who came first is let in first, as many as the event's lane can sell to.

use std::collections::VecDeque;

use super::super::SECOND;
use super::super::fleet::Request;
use super::super::numbers::count;
use super::{Admission, Run, SaleEvent};

/// How often buyers are let in.
pub(super) const ROUND_US: u64 = SECOND / 10;
/// How often a buyer that waits asks for its place, in rounds.
const PLACE_ROUNDS: u64 = 100;

/// Those who wait, for each event.
pub(super) struct FrontQueue {
    waiting: Vec<VecDeque<Request>>,
    /// Who waited longest, so far.
    pub(super) longest_us: u64,
    pub(super) most: u64,
}

impl FrontQueue {
    pub(super) fn new(events: usize) -> Self {
        Self { waiting: (0..events).map(|_| VecDeque::new()).collect(), longest_us: 0, most: 0 }
    }

    pub(super) fn join(&mut self, request: Request) {
        self.waiting[request.event].push_back(request);
    }

    fn length(&self) -> u64 {
        self.waiting.iter().map(|waiting| count(waiting.len())).sum()
    }
}

impl Run<'_> {
    /// One round: the next buyers of each event are let in while it has tickets.
    pub(super) fn admit(&mut self, now: u64) {
        let Admission::Queue { per_second } = self.sale.admission else { return };
        let length = self.front.length();
        self.front.most = self.front.most.max(length);
        self.answer_places(now, length);
        for event in 0..self.sale.arrangement.events {
            let tickets = self.fleet.inventory[event];
            if tickets.free == 0 && tickets.held == 0 {
                // All are told at once, and nothing is asked for.
                self.counts.left += count(self.front.waiting[event].len());
                self.front.waiting[event].clear();
            }
            let round = per_second * ROUND_US / SECOND;
            let let_in = round.min(tickets.free.saturating_sub(self.counts.inside[event]));
            for _ in 0..let_in {
                let Some(request) = self.front.waiting[event].pop_front() else { break };
                self.front.longest_us = self.front.longest_us.max(now - request.came_at);
                self.counts.inside[event] += 1;
                self.ask(now, Request { came_at: now, ..request });
            }
        }
        if self.counts.came < u64::from(self.sale.buyers) || self.front.length() > 0 {
            self.queue.push(now + ROUND_US, SaleEvent::Admit);
        }
    }

    /// Whoever was let in has what it came for, or will not get it.
    pub(super) fn leave_front(&mut self, request: &Request) {
        if self.sale.admission != Admission::Open {
            self.counts.inside[request.event] -= 1;
        }
    }

    /// What it takes to tell those who wait their places: each asks every ten seconds, at any server.
    fn answer_places(&mut self, now: u64, length: u64) {
        let nodes = self.sale.arrangement.nodes;
        let each = length / PLACE_ROUNDS / count(nodes);
        for node in 0..nodes {
            self.fleet.run_on_node(node, now, each * self.sale.costs.refusal);
        }
        self.counts.places += each * count(nodes);
    }
}
