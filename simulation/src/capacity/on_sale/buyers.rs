//! What buyers do with their answers.

use super::super::SECOND;
use super::super::costs::RETRY_AFTER_US;
use super::super::fleet::{Answer, Request, RequestKind};
use super::super::numbers::count;
use super::arrivals::wanted_event;
use super::{Admission, FleetEvent, Run, SaleEvent};

/// A look at a page takes so long, in the mean.
const LOOK_US: u64 = 3 * SECOND;
/// Who was told to come back in a second does so then, and a little later each time; at most after so long.
const PAUSE_US_MAX: u64 = 30 * SECOND;
/// Who hopes for holds that lapse looks again after so long, in the mean.
const HOPE_US: u64 = 30 * SECOND;
/// Other servers that a request may be sent to before it goes where it was meant to.
const OTHER_NODES_MAX: usize = 8;

impl Run<'_> {
    pub(super) fn arrive(&mut self, now: u64) {
        let Some(buyer) = self.arrivals.take(self.sale) else { return };
        let event = wanted_event(self.sale, &mut self.random);
        let is_early = self.counts.come(event, self.sale.orders_per_event);
        let kind = if self.sale.pages > 0 { RequestKind::Page } else { RequestKind::Reserve };
        let request = Request { kind, buyer, event, node: 0, asked_at: now, came_at: now, refused: 0, is_early };
        match self.sale.admission {
            Admission::Open => self.ask(now, request),
            Admission::Queue { .. } => self.front.join(request),
        }
        if buyer + 1 < self.sale.buyers {
            let at = self.arrivals.next_at(self.sale, &mut self.random);
            self.queue.push(at.max(now), SaleEvent::Arrival);
        }
    }

    /// Sends a request to a server of its event.
    pub(super) fn ask(&mut self, now: u64, request: Request) {
        let mut node = 0;
        for _ in 0..OTHER_NODES_MAX {
            let place = self.random.below(count(self.sale.arrangement.nodes));
            node = self.sale.arrangement.node_of(request.event, usize::try_from(place).unwrap_or(0));
            if self.fleet.is_in_rotation(node, now) {
                break;
            }
            // The balancer takes the next one when those of an event are down.
            node = (node + 1) % self.sale.arrangement.nodes;
        }
        self.counts.requests += 1;
        let request = Request { node, asked_at: now, ..request };
        self.queue.push(now, FleetEvent::Sent(request));
    }

    fn ask_later(&mut self, now: u64, after_us: u64, request: Request) {
        self.queue.push(now + after_us, SaleEvent::Ask(request));
    }

    pub(super) fn hear_page(&mut self, now: u64, request: Request, answer: Answer) {
        if answer != Answer::Done {
            return self.come_back(now, request, answer);
        }
        // One request stands for each page but the last, which is followed by the reservation.
        let seen = request.refused + 1;
        let looked = self.random.exponential(LOOK_US);
        let next = if seen < self.sale.pages {
            Request { refused: seen, ..request }
        } else {
            Request { kind: RequestKind::Reserve, refused: 0, ..request }
        };
        self.ask_later(now, looked, next);
    }

    pub(super) fn hear_reservation(&mut self, now: u64, request: Request, answer: Answer) {
        match answer {
            Answer::Done => {
                self.reserve_latencies.record(now - request.asked_at);
                self.leave_front(&request);
                self.counts.serve(request.event, (request.buyer, request.is_early), now);
                let paying = self.random.exponential(self.sale.payment_us);
                if self.random.chance(self.sale.paid_share) && paying < self.sale.hold_us {
                    let customer = Request { kind: RequestKind::Customer, refused: 0, came_at: now, ..request };
                    self.ask_later(now, paying, customer);
                } else {
                    let expiry = Request { kind: RequestKind::Expire, refused: 0, ..request };
                    self.ask_later(now, self.sale.hold_us, expiry);
                }
            }
            Answer::SoldOut => {
                self.counts.sold_out += 1;
                let is_over = self.fleet.inventory[request.event].held == 0;
                if is_over || self.random.chance(self.sale.leaves_share) {
                    self.leave_front(&request);
                    self.counts.left += 1;
                    return;
                }
                let hoping = self.random.exponential(HOPE_US);
                self.wait_or_give_up(now, hoping, request);
            }
            Answer::Busy | Answer::Lost => self.come_back(now, request, answer),
        }
    }

    pub(super) fn hear_payment(&mut self, now: u64, request: Request, answer: Answer) {
        if answer != Answer::Done {
            // Nobody gives up what is held.
            return self.come_back(now, request, answer);
        }
        if request.kind == RequestKind::Customer {
            self.ask(now, Request { kind: RequestKind::Pay, refused: 0, ..request });
        } else {
            self.counts.paid += 1;
        }
    }

    /// Whoever watches over holds asks again, too.
    pub(super) fn hear_expiry(&mut self, now: u64, request: Request, answer: Answer) {
        if answer == Answer::Done {
            self.counts.lapsed += 1;
        } else {
            self.ask_later(now, RETRY_AFTER_US, request);
        }
    }

    /// Comes back after the time that the answer names, and later each time.
    fn come_back(&mut self, now: u64, request: Request, answer: Answer) {
        let count = if answer == Answer::Lost { &mut self.counts.lost } else { &mut self.counts.busy };
        *count += 1;
        let refused = request.refused + 1;
        let pause = (RETRY_AFTER_US << refused.min(6)).min(PAUSE_US_MAX);
        let after = RETRY_AFTER_US + self.random.exponential(pause);
        self.wait_or_give_up(now, after, Request { refused, ..request });
    }

    fn wait_or_give_up(&mut self, now: u64, after_us: u64, request: Request) {
        let has_hold = matches!(request.kind, RequestKind::Customer | RequestKind::Pay);
        if !has_hold && now + after_us > request.came_at + self.sale.patience_us {
            self.leave_front(&request);
            self.counts.gave_up += 1;
            return;
        }
        self.ask_later(now, after_us, request);
    }
}
